"use strict";
// The runs of this page, what is selected, and how elements are made. Texts of runs go into
// elements as text only, never as markup.

const DATA = JSON.parse(document.getElementById("data").textContent);
const RUNS = DATA.runs;
const NONE = -1;

// A number of the data: null is NaN, texts are infinities.
function numberOf(stored) {
  return stored === null ? NaN : Number(stored);
}

// The selection; `select` changes it and updates all parts of the page.
const selection = { run: 0, step: RUNS[0].start, layer: NONE };
const listeners = [];

function shownRun() {
  return RUNS[selection.run];
}

function shownStep() {
  return shownRun().steps[selection.step];
}

function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

function select(change) {
  const before = { ...selection };
  Object.assign(selection, change);
  selection.run = clamp(selection.run, 0, RUNS.length - 1);
  if (selection.run !== before.run && change.step === undefined)
    selection.step = stepInRun(shownRun(), before.step, RUNS[before.run]);
  selection.step = clamp(selection.step, 0, shownRun().steps.length - 1);
  selection.layer = clamp(selection.layer, NONE, shownRun().layers - 1);
  if (["run", "step", "layer"].some((key) => selection[key] !== before[key]))
    for (const listener of listeners) listener(before);
}

// The step of another run at the same position, in case one run branched off the other.
function stepInRun(other, step, run) {
  return step + run.begins - other.begins;
}

// make("p", { class: "note", title: "…" }, "text", element, …)
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== "") element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function byId(id) {
  return document.getElementById(id);
}

function setText(id, text) {
  const element = byId(id);
  element.textContent = text;
  element.hidden = text === "";
}

// What a word means, by the glossary: of "‖ΔW gate‖, logits" the sentence of "ΔW".
function meaningOf(label) {
  const word = label.replaceAll("‖", "").split(",")[0].split("/")[0].trim();
  return DATA.words[word] ?? DATA.words[word.split(" ")[0]] ?? "";
}

// A table; a cell is text or an element, the first column names its row.
function makeTable(head, rows, name) {
  const table = make("table", { class: name });
  if (head.length > 0)
    table.append(make("thead", {}, make("tr", {}, ...head.map((cell) =>
      make("th", { scope: "col", title: meaningOf(typeof cell === "string" ? cell : "") }, cell)))));
  const body = make("tbody");
  for (const [first, ...cells] of rows) {
    const title = typeof first === "string" ? meaningOf(first) : "";
    body.append(make("tr", {}, make("th", { scope: "row", title }, first),
                     ...cells.map((cell) => make("td", {}, cell))));
  }
  table.append(body);
  return table;
}

function quoted(text) {
  return `“${text}”`;
}
