// The call from left to right: who spoke when, how loud, which desk had it, where tools fired and who cut in.
"use strict";
mivas.timeline = (() => {
  const { el, clock, colour } = mivas;

  // act: {seek(ms), show(item)}. Returns the element, and place(ms) for the playhead.
  function build(call, act) {
    const length = Math.max(call.peaks?.duration_ms ?? 0, call.duration_ms ?? 0, ...call.items.map((item) => item.end_ms ?? item.t_ms), 1);
    const left = (ms) => `${(100 * Math.min(Math.max(ms, 0), length)) / length}%`;
    const canvas = el("canvas", { "aria-hidden": "true" });
    const head = el("div", { class: "playhead" });
    const wave = el("div", { class: "wave", role: "slider", tabindex: 0, "aria-label": "Position in the call", "aria-valuemin": 0, "aria-valuemax": Math.round(length / 1000), "aria-valuenow": 0, "aria-valuetext": clock(0) }, canvas, head);
    const desks = el("div", { class: "desks", "aria-hidden": "true" });
    for (const one of deskSpans(call, length)) {
      const band = el("div", { class: "desk", title: one.node }, one.node);
      band.style.left = left(one.from);
      band.style.width = `calc(${left(one.to - one.from)} - 2px)`;
      desks.append(band);
    }
    const marks = el("div", { class: "tools-lane", role: "group", "aria-label": "Tool calls, transfers and barge-ins" });
    for (const group of groups(call, length)) {
      const mark = el("button", { type: "button", class: group.tone, "aria-label": group.label, title: group.label, onclick: () => act.show(group.items[0]) });
      mark.style.left = left(group.t_ms);
      marks.append(mark);
    }
    const element = el("div", { class: "lanes" },
      el("div", { class: "lane-names", "aria-hidden": "true" }, el("span", {}, "desk"), el("span", { class: "caller" }, "caller"), el("span", { class: "agent" }, "agent"), el("span", {}, "tools")),
      el("div", { class: "lane-area" }, desks, wave, marks));

    const msAt = (event) => {
      const box = wave.getBoundingClientRect();
      return (length * Math.min(Math.max(event.clientX - box.left, 0), box.width)) / box.width;
    };
    wave.addEventListener("pointerdown", (event) => {
      act.seek(msAt(event));
      const follow = (moved) => act.seek(msAt(moved));
      wave.setPointerCapture(event.pointerId);
      wave.addEventListener("pointermove", follow);
      wave.addEventListener("pointerup", () => wave.removeEventListener("pointermove", follow), { once: true });
    });

    function place(ms) {
      head.style.left = left(ms);
      wave.setAttribute("aria-valuenow", Math.round(ms / 1000));
      wave.setAttribute("aria-valuetext", clock(ms));
    }
    const paint = () => paintWave(canvas, call, length);
    new ResizeObserver(paint).observe(canvas);
    mivas.onTheme.push(paint);
    place(0);
    return { element, place, length };
  }

  function deskSpans(call, length) {
    const first = call.items.find((item) => item.node)?.node ?? call.route.walked[0]?.[0];
    const spans = first ? [{ node: first, from: 0, to: length }] : [];
    for (const [, to, at] of call.route.walked) {
      if (spans.length) spans.at(-1).to = at;
      spans.push({ node: to, from: at, to: length });
    }
    return spans.filter((span) => span.to > span.from || span === spans.at(-1));
  }

  // Marks closer than a button is wide are one button, named after all they hold.
  function groups(call, length) {
    const shown = call.items.filter((item) => ["tool", "interruption"].includes(item.kind));
    const met = new Set((call.expected ?? []).map((wanted) => wanted.met_by).filter(Boolean));
    const wrong = new Set((call.expected ?? []).filter((wanted) => wanted.reason?.where?.call).map((wanted) => `${wanted.name}@${wanted.reason.where.call.t_ms}`));
    const found = [];
    for (const item of shown) {
      const last = found.at(-1);
      if (last && item.t_ms - last.t_ms < length / 45 && (last.cut === (item.kind === "interruption"))) last.items.push(item);
      else found.push({ t_ms: item.t_ms, items: [item], cut: item.kind === "interruption" });
    }
    for (const group of found) {
      group.tone = group.cut ? "cut" : tone(group.items, met, wrong);
      group.label = `${clock(group.t_ms)} ${group.items.map((item) => (item.kind === "interruption" ? `${item.by} cuts in` : item.name)).join(", ")}`;
    }
    return found;
  }

  function tone(items, met, wrong) {
    if (items.some((item) => wrong.has(`${item.name}@${item.t_ms}`))) return "wrong";
    if (items.some((item) => item.in_scope === false || item.output?.ok === false)) return "refused";
    if (items.every((item) => item.tool_kind === "handoff")) return "hop";
    return items.some((item) => met.has(item.ref)) ? "met" : "";
  }

  function paintWave(canvas, call, length) {
    const scale = devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width) return;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const peaks = call.peaks ? { caller: bytes(call.peaks.caller), agent: bytes(call.peaks.agent) } : {};
    const loudest = Math.max(1, ...Object.values(peaks).map((one) => one.reduce((most, peak) => Math.max(most, peak), 0)));
    ["caller", "agent"].forEach((role, place) => {
      const middle = height * (place ? 0.75 : 0.25);
      pen.fillStyle = colour(role);
      pen.globalAlpha = 0.14;
      for (const item of call.items) {
        if (item.kind !== "speech" || item.role !== role) continue;
        const from = (width * item.start_ms) / length;
        pen.fillRect(from, middle - height * 0.2, Math.max(2, (width * (item.end_ms - item.start_ms)) / length - 1), height * 0.4);
      }
      pen.globalAlpha = 1;
      if (call.peaks) outline(pen, peaks[role], call.peaks.per_s, { width, middle, half: height * 0.21, length, loudest });
      else pen.fillRect(0, middle, width, 0.5);
    });
    pen.fillStyle = colour("line");
    pen.fillRect(0, height / 2, width, 1);
  }

  const bytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));

  function outline(pen, peaks, per_s, { width, middle, half, length, loudest }) {
    const ms = 1000 / per_s;
    for (let x = 0; x < width; x += 2) {
      const from = Math.floor((x / width) * (length / ms));
      const to = Math.max(from + 1, Math.floor(((x + 2) / width) * (length / ms)));
      let most = 0;
      for (let at = from; at < to && at < peaks.length; at += 1) most = Math.max(most, peaks[at]);
      const tall = Math.max(0.5, (half * most) / loudest);
      pen.fillRect(x, middle - tall, 1.4, 2 * tall);
    }
  }

  return { build };
})();
