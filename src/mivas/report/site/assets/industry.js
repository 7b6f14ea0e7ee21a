// A pack's page: its graph, and the rows of a table once it is opened.
"use strict";
addEventListener("DOMContentLoaded", async () => {
  const { el, load, safeName, graph, short } = mivas;
  const place = document.getElementById("graph");
  place.replaceChildren(graph.draw(await load(`graphs/${safeName(place.dataset.pack)}`)));

  for (const details of document.querySelectorAll("details.rows")) {
    details.addEventListener("toggle", async () => {
      const here = details.querySelector(".rows-here");
      if (!details.open || here.childElementCount) return;
      const { [details.dataset.table]: table } = await load(`tables/${safeName(details.dataset.pack)}`);
      here.replaceChildren(el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": `Rows of ${details.dataset.table}` },
        el("table", { class: "figures small" },
          el("thead", {}, el("tr", {}, table.columns.map((column) => el("th", { scope: "col" }, column, table.not_compared.includes(column) ? el("span", { class: "soft" }, " not compared") : null)))),
          el("tbody", {}, table.rows.map((row) => el("tr", {}, row.map((value) => el("td", {}, value === null ? el("span", { class: "soft" }, "null") : short(value, 2000)))))))));
    });
  }
  if (location.hash) {
    const aim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (aim?.tagName === "DETAILS") aim.open = true;
    aim?.scrollIntoView();
  }
  document.documentElement.dataset.ready = "yes";
});
