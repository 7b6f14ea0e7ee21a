// The catalogue: every task a row, built once; filters hide rows and stand in the address.
"use strict";
addEventListener("DOMContentLoaded", async () => {
  const { el, load, callHref, taskHref, copy, safeName } = mivas;
  const form = document.getElementById("filters");
  const body = document.querySelector("#catalogue tbody");
  const count = document.getElementById("count");
  const index = await load("index");

  const callsOf = new Map();
  for (const call of index.calls) {
    const key = `${call.pack}/${call.task}`;
    if (!callsOf.has(key)) callsOf.set(key, []);
    callsOf.get(key).push(call);
  }
  const known = new Set(index.tasks.map((task) => `${task.pack}/${task.task}`));
  const unknown = [...callsOf.keys()].filter((key) => !known.has(key)).map((key) => {
    const { pack, task } = callsOf.get(key)[0];
    return { pack, task: task ?? "?", title: "its task can't be read any more", customer: "", category: "", difficulty: "", condition: "", tools: [], calls: 0, desks: [], key };
  });
  const tried = index.tasks.some((task) => callsOf.has(`${task.pack}/${task.task}`));

  const rows = [...index.tasks, ...unknown].map((task) => {
    const calls = callsOf.get(task.key ?? `${task.pack}/${task.task}`) ?? [];
    const text = [task.task, task.title, task.customer, task.category, task.pack, ...task.tools, ...task.desks].join(" ").toLowerCase();
    return { task, calls, text, row: rowOf(task, calls) };
  }).sort((one, other) => (other.calls.length > 0) - (one.calls.length > 0));
  const most = Math.min(10, Math.max(1, ...rows.map((one) => one.calls.length)));
  body.closest("table").style.setProperty("--trials", most);
  body.closest("table").style.setProperty("--trials-phone", Math.min(3, most));
  body.append(...rows.map((one) => one.row));

  function rowOf(task, calls) {
    return el("tr", {},
      el("th", { scope: "row" }, el("a", { href: taskHref(task.pack, task.task) }, task.task), el("span", { class: "sr-only" }, ` of ${task.pack}`)),
      el("td", { class: "about" }, task.title),
      el("td", { class: "soft category" }, task.category),
      el("td", {}, task.difficulty, task.condition && task.condition !== "perfect" ? el("span", { class: "soft" }, `, ${task.condition.replaceAll("_", " ")}`) : null),
      el("td", { class: "soft route" }, task.desks.join(" › ")),
      el("td", { class: "num soft" }, String(task.calls)),
      el("td", { class: "trials-cell" }, calls.length ? el("div", { class: "trials" }, calls.map(trial)) : el("span", { class: "soft untried" }, tried ? "not run" : "–")));
  }

  function trial(call) {
    const word = { pass: "pass", FAIL: "fail", VOID: "void" }[call.mark] ?? "wait";
    const label = `trial ${(call.trial ?? 0) + 1} of ${call.run}: ${call.ended ? call.mark : "going on"}`;
    return el("a", { class: `trial trial-${word}`, href: callHref(call), title: `${label}${call.why ? `. ${call.why}` : ""}`, "aria-label": label },
      { pass: "✓", fail: "✗", void: "∅" }[word] ?? "…");
  }

  const ANY = "";
  const unique = (values) => [...new Set(values)].filter(Boolean);
  const order = ["easy", "medium", "hard"];
  const choices = {
    pack: unique(rows.map((one) => one.task.pack)),
    category: unique(rows.map((one) => one.task.category)).sort(),
    difficulty: unique(rows.map((one) => one.task.difficulty)).sort((a, b) => order.indexOf(a) - order.indexOf(b)),
    condition: unique(rows.map((one) => one.task.condition)),
    tool: unique(rows.flatMap((one) => one.task.tools)).sort(),
    desk: unique(rows.flatMap((one) => one.task.desks)).sort(),
    result: [["all", "all passed"], ["some", "some failed"], ["none", "none passed"], ["void", "some void"], ["not", "not run"]],
    gates: [["T", "tools only"], ["H", "route only"], ["D", "database only"], ["TH", "tools and route"], ["TD", "tools and database"], ["HD", "route and database"], ["THD", "all three"]],
    run: index.runs.map((run) => [run.name, `${run.harness ?? "?"} (${run.name})`]),
  };
  for (const [name, options] of Object.entries(choices)) {
    form.elements[name].append(
      el("option", { value: ANY }, name === "run" ? "all" : "any"),
      ...options.map((one) => el("option", { value: Array.isArray(one) ? one[0] : one }, Array.isArray(one) ? one[1] : one.replaceAll("_", " "))));
  }
  document.getElementById("run-filter").hidden = index.runs.length < 2;

  const failedGates = (call) => Object.entries(call.gates).filter(([, passed]) => passed === false).map(([gate]) => gate).join("");
  const results = {
    all: (calls) => calls.length > 0 && calls.every((call) => call.mark === "pass"),
    some: (calls) => calls.some((call) => call.mark === "FAIL"),
    none: (calls) => calls.length > 0 && !calls.some((call) => call.mark === "pass"),
    void: (calls) => calls.some((call) => call.mark === "VOID"),
    not: (calls) => calls.length === 0,
  };

  function fits({ task, calls, text }, wanted) {
    const own = wanted.run ? calls.filter((call) => call.run === wanted.run) : calls;
    return wanted.words.every((word) => text.includes(word))
      && (!wanted.pack || task.pack === wanted.pack)
      && (!wanted.category || task.category === wanted.category)
      && (!wanted.difficulty || task.difficulty === wanted.difficulty)
      && (!wanted.condition || task.condition === wanted.condition)
      && (!wanted.tool || task.tools.includes(wanted.tool))
      && (!wanted.desk || task.desks.includes(wanted.desk))
      && (!wanted.result || results[wanted.result]?.(own))
      && (!wanted.gates || own.some((call) => call.mark === "FAIL" && failedGates(call) === wanted.gates))
      && (!wanted.run || own.length > 0 || wanted.result === "not");
  }

  let shown = [];
  function filter() {
    const began = performance.now();
    const wanted = Object.fromEntries(new FormData(form));
    wanted.words = wanted.q.toLowerCase().split(/\s+/).filter(Boolean);
    shown = rows.filter((one) => {
      const fit = fits(one, wanted);
      one.row.hidden = !fit;
      return fit;
    });
    const calls = shown.reduce((sum, one) => sum + one.calls.length, 0);
    count.textContent = `${shown.length} of ${rows.length} tasks, ${calls} calls`;
    document.documentElement.dataset.filterMs = (performance.now() - began).toFixed(1);
  }

  function fromAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    for (const field of form.elements) if (field.name) field.value = wanted.get(field.name) ?? "";
    for (const field of form.elements) if (field.name && field.value === "" && field.tagName === "SELECT") field.value = ANY;
    filter();
  }
  function toAddress() {
    const kept = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
    history.replaceState(null, "", `#${kept}`);
    filter();
  }
  form.addEventListener("input", toAddress);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(toAddress));
  addEventListener("hashchange", fromAddress);

  document.getElementById("copy").addEventListener("click", async (event) => {
    const button = event.currentTarget;
    const label = button.textContent;
    const tasks = shown.map((one) => one.task).filter((task) => !task.key);
    const text = await promptOf(tasks);
    await copy(text);
    button.textContent = `Copied ${tasks.length} case${tasks.length === 1 ? "" : "s"}`;
    setTimeout(() => { button.textContent = label; }, 2500);
  });

  async function promptOf(tasks) {
    const parts = [];
    for (const pack of unique(tasks.map((task) => task.pack))) {
      const own = tasks.filter((task) => task.pack === pack);
      const kept = await load(`replication/${safeName(pack)}`);
      parts.push(kept.head.replace("{cases}", () => own.map((task) => task.task).join(",")), ...own.map((task) => kept.cases[task.task]));
    }
    return parts.join("");
  }

  fromAddress();
  const narrow = matchMedia("(max-width: 44rem)").matches;
  const chosen = [...new FormData(form)].some(([name, value]) => name !== "q" && value);
  document.getElementById("more").open = !narrow || chosen;
  document.documentElement.dataset.ready = "yes";
});
