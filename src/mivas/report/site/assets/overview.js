// The first page: charts over the figures that stand in its tables, and the calls to look at first.
"use strict";
addEventListener("DOMContentLoaded", async () => {
  const { el, load, callHref, mark, clock, colour, onTheme } = mivas;
  const charts = [];

  function draw(figures) {
    charts.splice(0).forEach((chart) => chart.destroy());
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    Chart.defaults.color = colour("soft");
    Chart.defaults.borderColor = colour("line");
    Chart.defaults.animation = false;
    for (const canvas of document.querySelectorAll("canvas[data-chart]")) {
      const run = figures[Number(canvas.dataset.run)];
      const config = canvas.dataset.chart === "latency" ? latency(run) : passHatK(run);
      if (config) charts.push(new Chart(canvas, config));
    }
  }

  const STROKES = ["accent", "caller", "agent", "pass", "void"];

  function passHatK(run) {
    const packs = Object.entries(run.pass_hat_k);
    return {
      type: "line",
      data: {
        labels: packs[0]?.[1].map((cell) => `k = ${cell.k}`) ?? [],
        datasets: packs.map(([pack, cells], place) => ({
          label: pack,
          data: cells.map((cell) => cell.value),
          borderColor: colour(STROKES[place % STROKES.length]),
          backgroundColor: colour(STROKES[place % STROKES.length]),
          borderWidth: 2,
          pointRadius: 3,
          tension: 0,
        })),
      },
      options: {
        maintainAspectRatio: false,
        plugins: { legend: { position: "bottom", labels: { boxWidth: 10, boxHeight: 10 } } },
        scales: { y: { min: 0, max: 1, ticks: { format: { style: "percent", minimumFractionDigits: 0, maximumFractionDigits: 0 } } }, x: { grid: { display: false } } },
      },
    };
  }

  function latency(run) {
    if (!run.histogram) return null;
    const last = run.histogram.length - 1;
    return {
      type: "bar",
      data: {
        labels: run.histogram.map((_, step) => `${(step * run.histogram_step_ms) / 1000}${step === last ? "+" : ""} s`),
        datasets: [{ label: "turns", data: run.histogram, backgroundColor: colour("accent"), barPercentage: 0.9, categoryPercentage: 1 }],
      },
      options: {
        maintainAspectRatio: false,
        plugins: { legend: { display: false } },
        scales: { x: { grid: { display: false }, ticks: { maxRotation: 0, autoSkipPadding: 12 } }, y: { ticks: { precision: 0 } } },
      },
    };
  }

  function first(list, calls, tasks) {
    const own = calls.filter((call) => call.run === list.dataset.calls);
    const going = own.filter((call) => !call.ended);
    const oneEach = (calls) => [...new Map(calls.toReversed().map((call) => [`${call.pack}/${call.task}`, call])).values()].toReversed();
    const failed = oneEach(own.filter((call) => call.mark === "FAIL" || call.mark === "VOID"));
    const passed = oneEach(own.filter((call) => call.mark === "pass"));
    const rows = [...going, ...failed, ...passed].slice(0, Math.max(going.length + Math.min(failed.length, 6), 3));
    list.replaceChildren(
      ...rows.map((call) =>
        el("li", {}, el("a", { href: callHref(call) },
          mark(call.ended ? call.mark : "wait"),
          el("strong", {}, `${call.task} `, el("span", { class: "soft" }, tasks.get(`${call.pack}/${call.task}`) ?? "")),
          el("span", { class: "soft" }, clock(call.t_ms)),
          call.why ? el("span", { class: "why" }, call.why) : null)),
      ),
    );
    if (!rows.length) list.replaceChildren(el("li", { class: "soft" }, "No call yet."));
  }

  const [figures, index] = await Promise.all([load("overview"), load("index")]);
  const tasks = new Map(index.tasks.map((task) => [`${task.pack}/${task.task}`, task.title]));
  for (const list of document.querySelectorAll("[data-calls]")) first(list, index.calls, tasks);
  draw(figures);
  onTheme.push(() => draw(figures));
  document.documentElement.dataset.ready = "yes";
});
