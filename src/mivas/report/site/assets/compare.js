// What was expected beside what happened: tool calls, and the database row by row.
"use strict";
mivas.compare = (() => {
  const { el, clock, short, toolName } = mivas;

  // Expected calls, each with the call that met it or the reason why none did, then the other calls.
  function tools(call, show) {
    const made = new Map(call.items.filter((item) => item.kind === "tool").map((item) => [item.ref, item]));
    const known = call.expected !== null && call.expected !== undefined;
    const used = new Set((call.expected ?? []).map((wanted) => wanted.met_by));
    const forbidden = new Map(call.reasons.filter((reason) => reason.code === "forbidden_call").map((reason) => [reason.where?.tool, reason]));
    const others = [...made.values()].filter((item) => !used.has(item.ref));
    const rows = (call.expected ?? []).map((wanted) => expectedRow(wanted, made, show));
    return el("div", {},
      rows.length ? el("ol", { class: "compare" }, rows)
        : el("p", { class: "soft" }, known ? "No call in particular was expected." : "The task can't be read any more, so what it expects isn't known."),
      others.length ? el("details", { open: forbidden.size > 0 },
        el("summary", {}, `${others.length} further call${others.length === 1 ? "" : "s"}`, el("span", { class: "soft" }, forbidden.size ? ", one of them forbidden here" : ", free to make")),
        el("ol", { class: "compare" }, others.map((item) => furtherRow(item, forbidden.get(item.name), show)))) : null);
  }

  function expectedRow(wanted, made, show) {
    const met = wanted.met_by ? made.get(wanted.met_by) : null;
    const near = met ? null : nearest(wanted, made);
    const off = wanted.reason?.where?.argument ?? wanted.reason?.where?.outcome;
    return el("li", {}, sign(wanted.met), el("div", {},
      el("p", { class: "name" }, toolName(wanted.name), met ?? near ? when(met ?? near, show) : null),
      near
        ? el("div", { class: "sides" },
          el("div", {}, el("p", { class: "label" }, "expected"), args(wanted.arguments, off)),
          el("div", {}, el("p", { class: "label" }, "sent"), args(pick(near.arguments, wanted.arguments, off), off)))
        : args(wanted.arguments, off),
      wanted.met && !met ? el("p", { class: "soft" }, "Told by the state service only.") : null,
      wanted.reason ? el("p", { class: "reason" }, wanted.reason.text) : null));
  }

  function sign(met) {
    const [letter, tone, word] = met === null ? ["?", "soft", "not known"] : met ? ["✓", "is-pass", "met"] : ["✗", "is-fail", "not met"];
    return el("span", { class: `sign ${tone}` }, el("span", { "aria-hidden": "true" }, letter), el("span", { class: "sr-only" }, word));
  }

  function nearest(wanted, made) {
    const at = wanted.reason?.where?.call;
    if (!at) return null;
    return [...made.values()].find((item) => item.name === wanted.name && item.t_ms === at.t_ms) ?? { name: wanted.name, arguments: at.arguments, t_ms: at.t_ms };
  }

  function furtherRow(item, reason, show) {
    return el("li", {}, el("span", { class: "sign" }), el("div", {},
      el("p", { class: "name" }, toolName(item.name), when(item, show)), args(item.arguments),
      reason ? el("p", { class: "reason" }, reason.text) : null,
      item.in_scope === false ? el("p", { class: "soft" }, "Out of the desk's scope: not carried out.") : null));
  }

  const when = (item, show) => item.ref
    ? el("button", { type: "button", class: "quiet", onclick: () => show(item) }, `at ${clock(item.t_ms)}`)
    : el("span", { class: "soft" }, `at ${clock(item.t_ms)}`);

  // The arguments a lock names, and the one in question even when it was left out.
  function pick(given, wanted, off) {
    const keys = Object.keys(wanted ?? {});
    if (!keys.length) return {};
    const shown = Object.fromEntries(keys.filter((key) => key in (given ?? {})).map((key) => [key, given[key]]));
    return off && !(off in shown) && keys.includes(off) ? { ...shown, [off]: undefined } : shown;
  }

  function args(values, off) {
    const lines = Object.entries(values ?? {});
    if (!lines.length) return null;
    return el("div", { class: "args" }, lines.map(([key, value]) =>
      el("span", { class: key === off ? "off" : null }, `${key}: ${value === undefined ? "not given" : short(value, 400)}`)));
  }

  function database(call) {
    const tables = Object.entries(call.diff ?? {});
    if (call.gates.D === true) return el("p", { class: "soft" }, "The compared tables ended as the lock asks.");
    if (!tables.length) return el("p", { class: "soft" }, call.database_note ? `Not compared: ${call.database_note}.` : "Not compared.");
    return el("div", {}, tables.map(([name, diff]) => el("section", {},
      el("h4", {}, name, ` · ${diff.expected_count} row${diff.expected_count === 1 ? "" : "s"} expected, ${diff.actual_count} there`),
      diff.pairs.map((pair) => rowPair(name, pair)))));
  }

  function rowPair(table, pair) {
    const columns = [...new Set([...Object.keys(pair.expected ?? {}), ...Object.keys(pair.actual ?? {})])];
    const word = !pair.actual ? "is missing" : !pair.expected ? "should not be there" : "differs";
    return el("table", { class: "diff" },
      el("caption", { class: "sr-only" }, `A row of ${table} ${word}`),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "column"), el("th", { scope: "col" }, "expected"), el("th", { scope: "col" }, "at hang-up"))),
      el("tbody", {}, columns.map((column) => el("tr", { class: pair.differs.includes(column) || !pair.actual || !pair.expected ? "off" : null },
        el("th", { scope: "row" }, column), cell(pair.expected, column), cell(pair.actual, column)))));
  }

  const cell = (row, column) => row && column in row
    ? el("td", {}, short(row[column], 600))
    : el("td", { class: "absent" }, row ? "no such column" : "no such row");

  // Rows the call added, changed or removed, whatever the lock says.
  function changed(call) {
    const tables = Object.entries(call.changed ?? {});
    if (!call.changed) return el("p", { class: "soft" }, "The state at hang-up wasn't kept.");
    if (!tables.length) return el("p", { class: "soft" }, "The call left the database as it was.");
    return el("div", {}, tables.map(([name, rows]) => el("details", {},
      el("summary", {}, el("code", {}, name), el("span", { class: "soft" }, ` ${rows.now.length} new or changed${rows.before.length ? `, ${rows.before.length} as they were before` : ""}`)),
      rows.now.map((row) => el("pre", { tabindex: 0 }, JSON.stringify(row, null, 2))),
      rows.before.map((row) => el("pre", { tabindex: 0 }, `before: ${JSON.stringify(row, null, 2)}`)))));
  }

  return { tools, database, changed };
})();
