// Word by word and tool by tool: what was said, what the other side heard, what was called and answered.
"use strict";
mivas.transcript = (() => {
  const { el, clock, seconds, short } = mivas;
  const LONGEST_COMPARED = 400;

  // act: {seek(ms)}. Returns the list, and follow(ms) that marks the turn being spoken.
  function build(call, act) {
    const met = new Map((call.expected ?? []).filter((wanted) => wanted.met_by).map((wanted) => [wanted.met_by, wanted]));
    const turns = [];
    const rows = new Map();
    const latency = responseLatencies(call);
    const list = el("ol", { class: "transcript" }, call.items.map((item) => {
      const row = item.kind === "speech" ? turn(item, latency.get(item), act) : event(item, met, act);
      if (item.kind === "speech") turns.push({ item, row });
      rows.set(item, row);
      return row;
    }));
    let now = null;
    function follow(ms, scroll = true) {
      const found = [...turns].reverse().find(({ item }) => item.start_ms <= ms && ms < Math.max(item.end_ms, item.start_ms + 1)) ?? null;
      if (found === now) return;
      now?.row.classList.remove("now");
      now?.row.removeAttribute("aria-current");
      now = found;
      if (!found) return;
      found.row.classList.add("now");
      found.row.setAttribute("aria-current", "true");
      if (scroll) keepInView(found.row);
    }
    function show(item) {
      const row = rows.get(item);
      if (!row) return;
      row.scrollIntoView({ block: "center" });
      row.querySelector("details")?.setAttribute("open", "");
      row.classList.add("flash");
      setTimeout(() => row.classList.remove("flash"), 1600);
      row.querySelector("summary, button")?.focus({ preventScroll: true });
    }
    return { element: list, follow, show, turns: turns.map(({ item }) => item) };
  }

  function keepInView(row) {
    const box = row.getBoundingClientRect();
    const top = document.querySelector(".player")?.getBoundingClientRect().bottom ?? 0;
    if (box.top < top + 8 || box.bottom > innerHeight - 40) scrollBy({ top: box.top - top - 80 });
  }

  function responseLatencies(call) {
    const found = new Map();
    if (!call.spoken) return found;
    const speech = call.items.filter((item) => item.kind === "speech");
    speech.forEach((item, place) => {
      const before = speech[place - 1];
      if (before?.role === "caller" && item.role === "agent" && item.start_ms >= before.end_ms) found.set(item, item.start_ms - before.end_ms);
    });
    return found;
  }

  function turn(item, latency, act) {
    const pieces = item.heard === null || item.heard === undefined ? undefined : difference(item.text, item.heard);
    return el("li", { class: `turn ${item.role === "caller" ? "caller" : "agent"}` },
      el("button", { type: "button", class: "at", onclick: () => act.seek(item.start_ms, true), "aria-label": `Go to ${clock(item.start_ms)}` }, clock(item.start_ms)),
      el("div", {},
        el("p", { class: "who" }, item.role, item.node && item.role === "agent" ? ` · ${item.node}` : "",
          latency !== undefined ? el("span", { class: "soft" }, ` · after ${seconds(latency)}`) : null,
          item.interrupted ? el("span", { class: "soft" }, " · cut off") : null,
          pieces && !slipped(pieces) ? el("span", { class: "soft" }, " · heard as said") : null),
        el("p", { class: "words" }, item.text),
        heard(item, pieces)));
  }

  const slipped = (pieces) => pieces.some((piece) => piece.kind !== "same");

  // What the other side's ears made of it, word by word where it differs.
  function heard(item, pieces) {
    if (pieces === undefined) return null;
    if (pieces === null) return el("p", { class: "heard" }, el("span", { class: "label" }, "heard"), short(item.heard, 2000));
    if (!slipped(pieces)) return null;
    return el("p", { class: "heard" }, el("span", { class: "label" }, "heard"),
      pieces.map((piece) => [piece.kind === "same" ? piece.words : el(piece.kind === "added" ? "ins" : "del", {}, piece.words), " "]));
  }

  const plain = (word) => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

  // Longest common run of words; null where that would take too long.
  function difference(said, heardText) {
    const [a, b] = [said, heardText].map((text) => text.split(/\s+/).filter((word) => plain(word)));
    if (a.length > LONGEST_COMPARED || b.length > LONGEST_COMPARED) return null;
    const [x, y] = [a.map(plain), b.map(plain)];
    const best = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i -= 1)
      for (let j = b.length - 1; j >= 0; j -= 1)
        best[i][j] = x[i] === y[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    const pieces = [];
    const add = (kind, word) => {
      if (pieces.at(-1)?.kind === kind) pieces.at(-1).words += ` ${word}`;
      else pieces.push({ kind, words: word });
    };
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && x[i] === y[j]) { add("same", b[j]); i += 1; j += 1; }
      else if (i < a.length && (j === b.length || best[i + 1][j] >= best[i][j + 1])) { add("lost", a[i]); i += 1; }
      else { add("added", b[j]); j += 1; }
    }
    return pieces;
  }

  function event(item, met, act) {
    const at = el("button", { type: "button", class: "at", onclick: () => act.seek(item.t_ms, true), "aria-label": `Go to ${clock(item.t_ms)}` }, clock(item.t_ms));
    return el("li", { class: `event event-${item.kind}` }, at, item.kind === "tool" ? tool(item, met.get(item.ref)) : el("p", {}, words(item)));
  }

  function words(item) {
    switch (item.kind) {
      case "handoff": return `${item.from} hands over to ${item.to}`;
      case "interruption": return `${item.by} cuts in`;
      case "end": return `${item.by} ends the call: ${item.reason}`;
      case "error": return `${item.where}: ${item.class}: ${item.text}`;
      default: return `${item.code.replaceAll("_", " ")}: ${item.text}`;
    }
  }

  function tool(item, wanted) {
    const output = item.output;
    const failed = output && (output.ok === false || output.success === false);
    const code = output?.error_code;
    return el("details", {},
      el("summary", {}, el("code", {}, item.name), " ",
        item.in_scope === false ? el("span", { class: "bad" }, "out of scope ") : null,
        el("span", { class: failed ? "bad" : "outcome" }, output === null ? "no answer" : failed ? `refused${code ? `: ${code}` : ""}` : "ok"),
        item.latency_ms ? el("span", { class: "outcome" }, ` in ${seconds(item.latency_ms)}`) : null,
        wanted ? el("span", { class: "is-pass" }, " expected ✓") : null,
        Object.keys(item.arguments).length ? el("div", { class: "args" }, short(Object.entries(item.arguments).map(([key, value]) => `${key}: ${short(value, 80)}`).join(", "), 240)) : null),
      el("p", { class: "label" }, "arguments"), el("pre", { tabindex: 0 }, JSON.stringify(item.arguments, null, 2)),
      el("p", { class: "label" }, "answer"), el("pre", { tabindex: 0 }, JSON.stringify(output, null, 2)));
  }

  return { build, difference };
})();
