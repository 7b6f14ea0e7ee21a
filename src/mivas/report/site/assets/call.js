// The page of one call: call.html#<run>/<call id>, with ?t=<seconds> after it to open at a moment.
"use strict";
addEventListener("DOMContentLoaded", () => {
  const { el, load, safeName, clock, seconds, mark, callHref, taskHref, graph, compare, timeline, transcript, player } = mivas;
  const root = document.getElementById("call");
  let keys = {};

  function address() {
    const [where, query] = location.hash.slice(1).split("?");
    const [run, call] = where.split("/").map(decodeURIComponent);
    return { run, call, t_ms: 1000 * Number(new URLSearchParams(query).get("t") ?? NaN) };
  }

  async function open({ fresh = false } = {}) {
    const { run, call, t_ms } = address();
    if (!run || !call) {
      root.replaceChildren(el("h1", {}, "No call chosen"), el("p", {}, "Choose one from the ", el("a", { href: "tasks.html" }, "tasks"), "."));
      return;
    }
    try {
      const [value, index] = await Promise.all([load(`calls/${run}/${safeName(call)}`, { fresh }), load("index", { fresh })]);
      const drawing = value.pack in index.packs ? await load(`graphs/${safeName(value.pack)}`) : null;
      render(value, index, drawing);
      if (!Number.isNaN(t_ms)) keys.seek(t_ms);
    } catch (error) {
      root.replaceChildren(el("h1", {}, "Not here"), el("p", { role: "alert" }, `This site holds no such call (${error.message}).`));
    }
    document.documentElement.dataset.ready = "yes";
  }

  function render(call, index, drawing) {
    document.title = `${call.task} ${call.mark} · MIVAS`;
    const seek = (ms, start) => play.seek(ms, start);
    const text = transcript.build(call, { seek });
    const show = (item) => { text.show(item); seek(item.t_ms); };
    const line = timeline.build(call, { seek, show });
    const play = player.build(call, line.length, (ms) => { line.place(ms); text.follow(ms, ms > 0); });
    const run = index.runs.find((one) => one.name === call.run);
    const neighbours = around(call, index);
    root.replaceChildren(
      head(call, run, neighbours),
      el("div", { class: "player" }, play.element, line.element),
      el("div", { class: "call-body" },
        el("section", { "aria-labelledby": "transcript" }, el("h2", { id: "transcript" }, "Call"), text.element),
        el("div", { class: "side" },
          part("tools", "Expected and actual tools", compare.tools(call, show)),
          part("route", "Route", route(call, drawing)),
          part("database", "Database", el("div", {}, compare.database(call), el("h3", {}, "What the call changed"), compare.changed(call))),
          call.interaction ? part("latency", "Latencies", latencies(call)) : null,
          part("remarks", "Beside the verdict", remarks(call)),
          part("evidence", "Evidence", downloads(call)))));
    keys = { ...play, text, neighbours };
  }

  const part = (id, title, ...content) => el("section", { "aria-labelledby": id }, el("h2", { id }, title), content);

  function head(call, run, { before, after, place, count }) {
    return el("header", { class: "page-head call-head" },
      el("nav", { class: "crumbs", "aria-label": "Calls" },
        el("span", {}, el("a", { href: `tasks.html#pack=${encodeURIComponent(call.pack)}` }, call.pack), el("a", { href: taskHref(call.pack, call.task) }, `all trials of ${call.task}`)),
        el("span", {}, before ? el("a", { href: callHref(before), rel: "prev" }, "← previous") : null, place ? `${place} of ${count}` : null, after ? el("a", { href: callHref(after), rel: "next" }, "next →") : null)),
      el("h1", { class: "display" }, `${call.task} `, el("span", { class: "soft" }, call.title ?? "")),
      el("p", { class: "verdict-line" }, mark(call.mark), " ", call.sentence),
      el("p", { class: "gate-row" }, Object.entries({ T: "tools", H: "route", D: "database" }).map(([gate, name]) =>
        el("span", { class: `gate ${call.gates[gate] === true ? "gate-ok" : call.gates[gate] === false ? "gate-no" : ""}` }, `${name} ${call.gates[gate] === true ? "cleared" : call.gates[gate] === false ? "failed" : "not evaluated"}`))),
      el("p", { class: "call-facts" }, [run?.harness, `trial ${(call.trial ?? 0) + 1}`, call.attempt > 1 ? `attempt ${call.attempt}` : null, run?.tier, call.duration_ms === null ? null : clock(call.duration_ms), call.call]
        .filter(Boolean).map((one) => el("span", {}, one))));
  }

  function around(call, index) {
    const calls = index.calls.filter((one) => one.run === call.run);
    const place = calls.findIndex((one) => one.call === call.call);
    return { before: calls[place - 1], after: place < 0 ? undefined : calls[place + 1], place: place + 1, count: calls.length };
  }

  function route(call, drawing) {
    const told = call.route.walked.length ? [call.route.walked[0][0], ...call.route.walked.map(([, to]) => to)].join(" › ") : "no transfer";
    return el("div", {},
      drawing ? graph.draw(drawing, call.route.expected, call.route.walked) : null,
      drawing ? el("p", { class: "key" }, el("span", {}, "walked"), el("span", { class: "key-expected" }, "expected")) : null,
      el("dl", { class: "facts" },
        el("div", {}, el("dt", {}, "walked"), el("dd", {}, told)),
        el("div", {}, el("dt", {}, "expected transfers"), el("dd", {}, call.route.expected.join(", ") || "none in particular")),
        call.handoff_verdict ? el("div", {}, el("dt", {}, "verdict"), el("dd", {}, call.handoff_verdict.replaceAll("_", " "))) : null));
  }

  function latencies(call) {
    const names = { response_latency_ms: "response latency", dead_air_after_tool_ms: "dead air after a tool", handoff_gap_ms: "handoff gap", yield_ms: "yield to barge-in" };
    const found = call.interaction;
    return el("dl", { class: "facts" },
      Object.entries(names).map(([key, name]) => el("div", {}, el("dt", {}, name), el("dd", {}, (found[key] ?? []).map(seconds).join(", ") || "none"))),
      el("div", {}, el("dt", {}, "talk-over"), el("dd", {}, seconds(found.talk_over_ms))),
      el("div", {}, el("dt", {}, "barge-ins"), el("dd", {}, call.items.filter((item) => item.kind === "interruption").map((item) => `${item.by} at ${clock(item.t_ms)}`).join(", ") || "none")),
      el("div", {}, el("dt", {}, "goodbye cut"), el("dd", {}, found.goodbye_cut ? "yes" : "no")));
  }

  function remarks(call) {
    const lines = [
      ...call.caller_faults.map((fault) => `Caller's fault, ${String(fault.code).replaceAll("_", " ")}${fault.t_ms === undefined ? "" : ` at ${clock(fault.t_ms)}`}${fault.text ? `: ${fault.text}` : ""}`),
      ...call.scope_violations.map((one) => `Out of scope: ${one.tool ?? one} at ${one.node ?? "?"}, ${clock(one.t_ms)}`),
      ...call.order_violations.map((one) => `Out of order: ${typeof one === "string" ? one : JSON.stringify(one)}`),
      ...call.reasons.slice(1).map((reason) => reason.text),
      ...(call.usage ? [`Provider counted: ${Object.entries(call.usage).map(([lane, count]) => `${lane.replaceAll("_", " ")} ${count}`).join(", ")}`] : []),
    ];
    return el("div", {},
      lines.length ? el("ul", { class: "bullets" }, lines.map((text) => el("li", {}, text))) : el("p", { class: "soft" }, "No fault of the caller's, nothing out of scope or order."),
      call.conduct ? el("details", {}, el("summary", {}, "Conduct the case asks for, judged by nobody"),
        el("ul", { class: "bullets" }, call.conduct.required.map((one) => el("li", {}, `must: ${one}`)), call.conduct.prohibited.map((one) => el("li", {}, `must not: ${one}`)))) : null);
  }

  function downloads(call) {
    const files = { ...(call.audio ? { [call.audio.split("/").at(-1)]: call.audio } : {}), ...(call.evidence ?? {}) };
    return Object.keys(files).length
      ? el("p", { class: "downloads" }, Object.entries(files).map(([name, href]) => el("a", { href, download: `${call.call}-${name}` }, name)))
      : el("p", { class: "soft" }, "No file of this call was kept.");
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys.seek) return;
    if (event.target.closest("input, select, textarea")) return;
    const onControl = event.target.closest("button, a, summary");
    const jump = (by) => {
      const { turns } = keys.text;
      const here = turns.findLastIndex((turn) => turn.start_ms <= keys.position());
      const next = turns[Math.min(Math.max(here + by, 0), turns.length - 1)];
      if (next) keys.seek(next.start_ms);
    };
    const acts = {
      " ": () => keys.toggle(), ArrowLeft: () => keys.step(-1), ArrowRight: () => keys.step(1),
      j: () => jump(1), k: () => jump(-1), Home: () => keys.seek(0),
      n: () => keys.neighbours.after && location.assign(callHref(keys.neighbours.after)),
      p: () => keys.neighbours.before && location.assign(callHref(keys.neighbours.before)),
    };
    if (!(event.key in acts) || (event.key === " " && onControl)) return;
    event.preventDefault();
    acts[event.key]();
  });

  addEventListener("hashchange", () => { scrollTo(0, 0); open(); });
  mivas.refresh = async () => { if (mivas.values.get(`calls/${address().run}/${safeName(address().call)}`)?.ended === false) await open({ fresh: true }); };
  open();
});
