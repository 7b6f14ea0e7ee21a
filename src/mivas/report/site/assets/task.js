// The page of one task: its lock, and every call that tried it side by side. task.html#<pack>/<task>
"use strict";
addEventListener("DOMContentLoaded", () => {
  const { el, load, safeName, clock, mark, callHref, graph, copy, short, toolName } = mivas;
  const root = document.getElementById("task");

  async function open() {
    const [pack, id] = location.hash.slice(1).split("/").map(decodeURIComponent);
    const index = await load("index");
    const task = index.tasks.find((one) => one.pack === pack && one.task === id);
    const calls = index.calls.filter((one) => one.pack === pack && one.task === id);
    if (!task && !calls.length) {
      root.replaceChildren(el("h1", {}, "No such task"), el("p", {}, "Choose one from the ", el("a", { href: "tasks.html" }, "catalogue"), "."));
      return ready();
    }
    document.title = `${id} · MIVAS`;
    const name = safeName(pack);
    const [locks, drawing, prompts] = task ? await Promise.all([load(`locks/${name}`), load(`graphs/${name}`), load(`replication/${name}`)]) : [];
    const lock = locks?.[id];
    const trials = await Promise.all(calls.map((call) => load(`calls/${call.run}/${safeName(call.call)}`).catch(() => null)));
    root.replaceChildren(
      header(task, pack, id, prompts),
      part("trials", calls.length ? `${calls.length} call${calls.length === 1 ? "" : "s"} side by side` : "Not run", calls.length ? beside(calls, trials, lock, index) : null),
      lock ? el("div", { class: "lock" },
        el("div", {}, part("caller", "What the caller is told", el("p", { class: "intent" }, lock.intent)), part("replies", "Replies given word for word", replies(lock))),
        el("div", {},
          part("calls", "Expected calls", expected(lock)),
          part("route", "Expected route", graph.draw(drawing, lock.path, [])),
          part("traits", "The caller", el("dl", { class: "facts" }, lock.traits.map(([key, value]) => el("div", {}, el("dt", {}, key.replaceAll("_", " ")), el("dd", {}, value))))),
          lock.conduct.required.length || lock.conduct.prohibited.length ? part("conduct", "Conduct", el("ul", { class: "bullets" }, lock.conduct.required.map((one) => el("li", {}, `must: ${one}`)), lock.conduct.prohibited.map((one) => el("li", {}, `must not: ${one}`)))) : null)) : "");
    return ready();
  }
  const ready = () => { document.documentElement.dataset.ready = "yes"; };
  const part = (id, title, ...content) => el("section", { "aria-labelledby": id }, el("h2", { id }, title), content);

  function header(task, pack, id, prompts) {
    const button = prompts ? el("button", { type: "button", class: "action", onclick: async () => {
      await copy(prompts.head.replace("{cases}", () => id) + prompts.cases[id]);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy as replication prompt"; }, 2500);
    } }, "Copy as replication prompt") : null;
    return el("header", { class: "page-head" },
      el("nav", { class: "crumbs", "aria-label": "Where you are" }, el("span", {}, el("a", { href: `tasks.html#pack=${encodeURIComponent(pack)}` }, pack), task ? el("a", { href: `tasks.html#pack=${encodeURIComponent(pack)}&category=${encodeURIComponent(task.category)}` }, task.category) : null)),
      el("h1", { class: "display" }, `${id} `, el("span", { class: "soft" }, task?.title ?? "")),
      el("p", { class: "lead" }, task ? [task.difficulty, task.condition.replaceAll("_", " ") + " line", `caller ${task.customer}`].join(" · ") : "Its task can't be read any more."),
      button);
  }

  // A column a call, a row an expectation.
  function beside(calls, trials, lock, index) {
    const several = index.runs.length > 1;
    const row = (name, cells) => el("tr", {}, el("th", { scope: "row" }, name), cells.map((cell) => el("td", {}, cell ?? "–")));
    const rows = [
      row("verdict", calls.map((call) => mark(call.ended ? call.mark : "wait"))),
      row("why", calls.map((call) => el("span", { class: "soft" }, call.why || "–"))),
      ...(lock?.calls ?? []).map((wanted, place) => row(toolName(wanted.name), trials.map((trial) => met(trial?.expected?.[place], trial)))),
      row("route", trials.map((trial, at) => gate(calls[at].gates.H, trial ? [trial.route.walked[0]?.[0], ...trial.route.walked.map(([, to]) => to)].filter(Boolean).join(" › ") || "no transfer" : ""))),
      row("database", trials.map((trial, at) => gate(calls[at].gates.D, trial && Object.keys(trial.diff).length ? Object.keys(trial.diff).join(", ") : ""))),
      row("length", calls.map((call) => clock(call.t_ms))),
      row("caller's fault", calls.map((call) => call.fault?.replaceAll("_", " ") ?? "none")),
    ];
    return el("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Calls side by side" }, el("table", { class: "figures small side-by-side" },
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "expectation"), calls.map((call) => el("th", { scope: "col" }, el("a", { href: callHref(call) }, `trial ${(call.trial ?? 0) + 1}`), several ? el("span", { class: "soft" }, ` ${call.run}`) : null)))),
      el("tbody", {}, rows)));
  }

  function met(wanted, trial) {
    if (!wanted || wanted.met === null) return "–";
    if (!wanted.met) return el("span", { class: "cell-no" }, `✗ ${wanted.reason ? short(wanted.reason.text.replace(`${wanted.name}: `, ""), 160) : "not met"}`);
    const item = trial.items.find((one) => one.ref === wanted.met_by);
    return el("span", { class: "cell-ok" }, `✓${item ? ` at ${clock(item.t_ms)}` : ""}`);
  }

  const gate = (passed, words) => el("span", { class: passed === true ? "cell-ok" : passed === false ? "cell-no" : "soft" }, `${passed === true ? "✓" : passed === false ? "✗" : "–"} ${words}`);

  function expected(lock) {
    if (!lock.calls.length) return el("p", { class: "soft" }, "None in particular.");
    return el("ol", {}, lock.calls.map((call) => el("li", {}, toolName(call.name), el("div", { class: "args" }, Object.entries(call.arguments).map(([key, value]) => el("span", {}, `${key}: ${short(value, 300)}`))))));
  }

  function replies(lock) {
    if (!lock.replies.length) return el("p", { class: "soft" }, "None.");
    return el("dl", { class: "replies" }, lock.replies.map(([when, text]) => [el("dt", {}, when), el("dd", {}, text)]));
  }

  addEventListener("hashchange", open);
  open();
});
