// Plays a call's two channels; the position belongs to the page, also where there is no sound.
"use strict";
mivas.player = (() => {
  const { el, clock } = mivas;
  const STEP_MS = 5000;

  // Returns element, seek(ms, play), toggle(). onMove(ms) is told of every position.
  function build(call, length, onMove) {
    let position = 0;
    const audio = call.audio ? el("audio", { src: call.audio, preload: "metadata" }) : null;
    const play = el("button", { type: "button", class: "play", "aria-label": "Play", onclick: () => toggle() }, "▶");
    const time = el("span", { class: "clock" }, clock(0));
    const speed = el("select", { "aria-label": "Speed", onchange: (event) => { audio.playbackRate = Number(event.target.value); } },
      [["0.75", "0.75×"], ["1", "1×"], ["1.25", "1.25×"], ["1.5", "1.5×"], ["2", "2×"]].map(([value, label]) => el("option", { value, selected: value === "1" }, label)));
    const trouble = el("span", { class: "is-fail", role: "status" });
    const element = el("div", { class: "transport" },
      audio ? [play, time, el("span", { class: "soft" }, `of ${clock(length)}`), speed, trouble]
        : el("p", { class: "soft" }, call.spoken ? "The sound of this call wasn't kept." : "A text call: nobody spoke aloud, and its times are made up."),
      el("p", { class: "keys" }, audio ? [el("kbd", {}, "space"), " play "] : null, el("kbd", {}, "←"), " ", el("kbd", {}, "→"), " 5 s ", el("kbd", {}, "j"), " ", el("kbd", {}, "k"), " turn ", el("kbd", {}, "n"), " next call"),
      audio);

    function moved(ms) {
      position = Math.min(Math.max(ms, 0), length);
      time.textContent = clock(position);
      onMove(position);
    }
    function seek(ms, start = false) {
      moved(ms);
      if (!audio) return;
      audio.currentTime = position / 1000;
      if (start && audio.paused) audio.play().catch(failed);
    }
    function toggle() {
      if (!audio) return;
      if (audio.paused) audio.play().catch(failed);
      else audio.pause();
    }
    function failed(error) {
      if (error.name !== "AbortError") trouble.textContent = "This browser can't play the recording; download it below.";
    }
    if (audio) {
      const tick = () => {
        moved(audio.currentTime * 1000);
        if (!audio.paused) requestAnimationFrame(tick);
      };
      audio.addEventListener("play", () => { play.textContent = "❚❚"; play.setAttribute("aria-label", "Pause"); tick(); });
      audio.addEventListener("pause", () => { play.textContent = "▶"; play.setAttribute("aria-label", "Play"); });
      audio.addEventListener("timeupdate", () => moved(audio.currentTime * 1000));
      audio.addEventListener("error", () => failed(new Error("media")));
    }
    return { element, seek, toggle, step: (by) => seek(position + by * STEP_MS), position: () => position };
  }

  return { build };
})();
