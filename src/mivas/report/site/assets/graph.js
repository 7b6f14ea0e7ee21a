// A pack's desks and transfers as a drawing, with the route of a call over the one that was expected.
"use strict";
mivas.graph = (() => {
  const { el, svg } = mivas;

  // graph: data/graphs/<pack>.js. expected: transfer tools. walked: [from, to, ms]. Both may be empty.
  function draw(graph, expected = [], walked = []) {
    const wanted = new Set(pairsOf(graph, expected).map(String));
    const made = new Map();
    walked.forEach(([from, to], step) => {
      const key = String([from, to]);
      made.set(key, [...(made.get(key) ?? []), step + 1]);
    });
    const known = new Set(graph.edges.map((edge) => String([edge.from, edge.to])));
    const stray = [...made.keys()].filter((key) => !known.has(key));
    const passed = new Set(walked.length ? walked.flatMap(([from, to]) => [from, to]) : []);
    const hoped = new Set(expected.length ? pairsOf(graph, expected).flat() : []);
    const words = describe(graph, expected, walked);
    const drawing = svg("svg", { class: "graph", viewBox: `0 0 ${graph.width} ${graph.height}`, width: graph.width, height: graph.height, role: "img", "aria-label": words },
      svg("defs", {}, tip("tip", ""), tip("tip-walked", "walked")),
      graph.edges.filter((edge) => wanted.has(String([edge.from, edge.to]))).map((edge) => svg("path", { class: "edge expected", d: edge.path })),
      graph.edges.map((edge) => arrow(edge, made.has(String([edge.from, edge.to])))),
      graph.nodes.map((node) => box(graph, node, passed.has(node.id), hoped.has(node.id))),
      graph.edges.map((edge) => steps(edge, made.get(String([edge.from, edge.to])))));
    return el("div", {}, el("div", { class: "graph-scroll", tabindex: 0, role: "region", "aria-label": "Graph of the desks" }, drawing),
      stray.length ? el("p", { class: "reason" }, `Also walked, and no legal transfer: ${stray.map((key) => key.replace(",", " to ")).join("; ")}`) : null);
  }

  function pairsOf(graph, path) {
    const pairs = [];
    let here = graph.entry;
    for (const hop of path) {
      const next = graph.moves[here]?.[hop];
      if (!next) break;
      pairs.push([here, next]);
      here = next;
    }
    return pairs;
  }

  function describe(graph, expected, walked) {
    const route = walked.length ? [walked[0][0], ...walked.map(([, to]) => to)] : [graph.entry];
    const wanted = [graph.entry, ...pairsOf(graph, expected).map(([, to]) => to)];
    if (!expected.length && !walked.length) return `Desks: ${graph.nodes.map((node) => node.id).join(", ")}`;
    return `Walked: ${route.join(", ")}. Expected: ${expected.length ? wanted.join(", ") : "no route in particular"}.`;
  }

  const tip = (id, kind) => svg("marker", { id, class: kind, viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto-start-reverse" }, svg("path", { d: "M0 0L8 4L0 8z" }));

  function arrow(edge, walked) {
    return svg("path", { class: `edge${walked ? " walked" : ""}`, d: edge.path, "marker-end": `url(#tip${walked ? "-walked" : ""})` }, titled(edge.tool));
  }

  function box(graph, node, walked, expected) {
    const [width, height] = graph.box;
    const text = svg("text", { x: node.x + width / 2, y: node.y + height / 2 });
    text.textContent = node.id.length > 15 ? `${node.id.slice(0, 14)}…` : node.id;
    return svg("g", {},
      svg("rect", { class: `box${walked ? " walked" : ""}${expected ? " expected" : ""}`, x: node.x, y: node.y, width, height, rx: 8 }),
      node.human ? svg("circle", { class: "human", cx: node.x + width - 2, cy: node.y + 2, r: 4.5 }, titled(`${node.human} puts the caller through to a person`)) : null,
      text);
  }

  function titled(words) {
    const title = svg("title");
    title.textContent = words;
    return title;
  }

  function steps(edge, numbers) {
    if (!numbers) return null;
    const path = svg("path", { d: edge.path });
    const spot = path.getPointAtLength(path.getTotalLength() * 0.5);
    const text = svg("text", { class: "step-text", x: spot.x, y: spot.y });
    text.textContent = numbers.join(",");
    return [svg("circle", { class: "step", cx: spot.x, cy: spot.y, r: 8 + 3 * (numbers.length - 1) }), text];
  }

  return { draw };
})();
