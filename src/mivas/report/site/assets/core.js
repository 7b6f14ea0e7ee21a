// What every page needs: the registry that data files report to, elements made of text only, times, theme.
// Plain scripts, not modules: a browser refuses to load a module from disk.
"use strict";
const mivas = (() => {
  const values = new Map();
  const waiting = new Map();

  // Called by data files.
  function data(name, value) {
    values.set(name, value);
    waiting.get(name)?.resolve(value);
  }

  // The value of data/<name>.js, loaded when it is first asked for, or again when fresh.
  function load(name, { fresh = false } = {}) {
    if (values.has(name) && !fresh) return Promise.resolve(values.get(name));
    if (waiting.has(name)) return waiting.get(name).promise;
    const entry = {};
    entry.promise = new Promise((resolve, reject) => Object.assign(entry, { resolve, reject }));
    waiting.set(name, entry);
    const script = document.createElement("script");
    script.src = `data/${name.split("/").map(encodeURIComponent).join("/")}.js${fresh ? `?at=${Date.now()}` : ""}`;
    script.onerror = () => entry.reject(new Error(`${name} is not here`));
    script.onload = () => {
      script.remove();
      if (!values.has(name)) entry.reject(new Error(`${name} is damaged`));
    };
    document.head.append(script);
    return entry.promise.finally(() => waiting.delete(name));
  }

  // An element from a tag, attributes and children; a text child stays text, whatever it holds.
  function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else node.setAttribute(name, value === true ? "" : String(value));
    }
    node.append(...children.flat(Infinity).filter((one) => one !== null && one !== undefined && one !== false));
    return node;
  }

  function svg(tag, attributes = {}, ...children) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined) node.setAttribute(name, String(value));
    }
    node.append(...children.flat(Infinity).filter(Boolean));
    return node;
  }

  // The same as safe_name of the builder: a text as part of a file's name.
  const safeName = (text) => String(text).replace(/^\.|[^A-Za-z0-9.\-]/gu, (one) => `_${one.codePointAt(0).toString(16)}`);

  function clock(ms) {
    if (ms === null || ms === undefined) return "–";
    const s = Math.max(0, ms) / 1000;
    return `${Math.floor(s / 60)}:${String(Math.floor(s % 60)).padStart(2, "0")}`;
  }

  const seconds = (ms) => (ms === null || ms === undefined ? "–" : `${(ms / 1000).toFixed(2)} s`);

  const callHref = (row) => `call.html#${encodeURIComponent(row.run)}/${encodeURIComponent(row.call)}`;
  const taskHref = (pack, task) => `task.html#${encodeURIComponent(pack)}/${encodeURIComponent(task)}`;

  function mark(text, title) {
    const kind = ["pass", "FAIL", "VOID"].includes(text) ? ` mark-${text.toLowerCase()}` : "";
    return el("span", { class: `mark${kind}`, title }, text ?? "–");
  }

  // A value in a few words; the whole of it stands where it is opened.
  function short(value, longest = 120) {
    const text = typeof value === "string" ? value : JSON.stringify(value) ?? "–";
    return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
  }

  // A tool's name, which may break after its underscores only.
  const toolName = (name) => el("code", { class: "whole" }, name.split("_").flatMap((part, place, all) => (place < all.length - 1 ? [`${part}_`, el("wbr")] : [part])));

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = el("textarea", { class: "sr-only", "aria-hidden": "true" });
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }

  // A colour of the sheet as the browser has worked it out, for canvases.
  function colour(name) {
    const probe = el("span");
    probe.style.color = `var(--${name})`;
    document.body.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  }

  const onTheme = [];
  function keep(theme) {
    try {
      localStorage.setItem("mivas-theme", theme);
    } catch { /* a browser that keeps nothing for files on disk */ }
  }
  try {
    const kept = localStorage.getItem("mivas-theme");
    if (kept) document.documentElement.dataset.theme = kept;
  } catch { /* as above */ }
  const darkNow = () =>
    (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  addEventListener("DOMContentLoaded", () => {
    const here = document.querySelector(".masthead [aria-current]");
    here?.closest("nav").scrollTo({ left: here.offsetLeft - 40 });
    document.getElementById("theme").addEventListener("click", () => {
      document.documentElement.dataset.theme = darkNow() ? "light" : "dark";
      keep(document.documentElement.dataset.theme);
      for (const act of onTheme) act();
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => onTheme.forEach((act) => act()));
  });

  return { data, load, el, svg, safeName, clock, seconds, callHref, taskHref, mark, short, toolName, copy, colour, onTheme, values };
})();
