"use strict";
// The page: its texts, the strips of tokens, the charts, keys, light and dark, print.

const PAPER = { width: 335, height: 150, zoom: 3 };  // a printed chart in CSS pixels, and the pixels of each

function showHeader() {
  const run = shownRun();
  const title = run.labels.name || run.model;
  document.title = `${title} – Equipatch`;
  byId("title").textContent = title;
  const parts = [run.labels.name ? run.model : "", run.way, run.ending];
  byId("subtitle").textContent = parts.filter(Boolean).join(" · ");
}

// A row for each run; a click puts the run on display.
function showRuns() {
  if (RUNS.length < 2) return;
  const rows = RUNS.map((run, i) => {
    const button = make("button", { type: "button", class: "run", "aria-pressed": String(i === selection.run) },
                        swatch(styleOf(runCurve(i))), make("b", {}, run.name),
                        make("span", { class: "muted" }, run.worth));
    button.addEventListener("click", () => select({ run: i }));
    return button;
  });
  byId("runs").replaceChildren(...rows);
}

function showOverview() {
  const run = shownRun();
  showHeader();
  showRuns();
  setText("worth", RUNS.length > 1 ? "" : run.worth);
  setText("agreement", run.verdicts ? `${run.agreement} ${run.verdicts}` : run.agreement);
  setText("damage", run.damage ? `Steps are missing: ${run.damage}`
    : run.unread ? `The run's labels are missing, because its file cannot be read: ${run.unread}` : "");
  setText("tags", run.labels.tags.length > 0 ? `Tags: ${run.labels.tags.join(", ")}` : "");
  setText("notes", run.labels.notes);
}

function showPictures({ pictures }) {
  byId("pictures").replaceChildren(...pictures.map((picture) => {
    const caption = make("figcaption", { class: "muted note" }, picture.missing
      ? `${picture.name} is not shown: ${picture.missing}` : `${picture.name}, ${picture.width} × ${picture.height}`);
    const image = make("img", { alt: `The image ${picture.name} of the prompt` });
    if (picture.uri) image.src = picture.uri;
    return make("figure", {}, ...(picture.uri ? [image] : []), caption);
  }));
}

// The prompt token by token; the tokens of an image as one, ‹image, 256 tokens›.
function showPrompt() {
  const { prompt, steps } = shownRun();
  showPictures(prompt);
  const SPECIAL = 1, KEPT = 2, OF_IMAGE = 4, NEWEST = 8;
  const isPictured = prompt.pictures.length > 0;
  const pieces = [];
  let pictured = 0;
  prompt.tokens.forEach(([text, id, flags], i) => {
    if (flags & OF_IMAGE) {
      pictured++;
      const ends = !((prompt.tokens[i + 1]?.[2] ?? 0) & OF_IMAGE);
      if (!ends) return;
      text = `‹image, ${pictured} tokens›`;
      pictured = 0;
    } else if (isPictured && /^\n{2,}$/.test(text)) {
      text = `${"↵".repeat(text.length)}\n`;  // the empty lines around images, without their room
    }
    const names = [["special", SPECIAL | OF_IMAGE], ["kept", KEPT], ["newest", NEWEST]];
    const classes = names.filter(([, flag]) => flags & flag).map(([name]) => name);
    pieces.push(make("span", { class: ["piece", ...classes].join(" "), title: `position ${i}, id ${id}` }, text));
  });
  byId("prompt").replaceChildren(...pieces);
  const kept = prompt.tokens.some(([, , flags]) => flags & KEPT);
  setText("prompt-key", `${prompt.tokens.length} tokens. ` + (kept
    ? "Underlined tokens are kept; the others are absorbed into the weights" : "All of the context is absorbed into the weights")
    + (prompt.keepsGenerated ? ", except generated tokens." : ", and so is each token as it is generated.")
    + (steps.length > 0 ? " The framed one is x of step 0: the token whose successor the first step computes." : ""));
}

// How many of the passes' tokens differ, and where the patched pass's stand.
function tokensKey(steps) {
  const samples = steps.some((step) => step.sampled !== undefined);
  const [differ, drawn] = [steps.filter((step) => !step.match).length, steps.filter((step) => step.sampled === false).length];
  const most = differ > 0 ? `✗ ${differ} of ${steps.length} steps: the patched pass's most likely token differs; it is beside the red cross.`
    : samples ? "The most likely tokens of both passes are the same at every step." : "Both passes choose the same token at every step.";
  return most + (drawn > 0
    ? ` ◆ ${drawn} of ${steps.length} steps: the patched pass's sampled token differs; it is beside the blue diamond.` : "");
}

// A chip for each step; below the token stands, beside ✗ or ◆, what the patched pass would have chosen.
function showTokens() {
  const run = shownRun();
  const chips = run.steps.map((step, i) => {
    const other = step.choices.patched[0];
    const children = [make("span", { class: "token" }, wordOf(step.text))];
    if (!step.match) children.push(make("span", { class: "instead mismatch" }, `✗ ${other ? wordOf(other[1]) : ""}`));
    if (step.sampled === false) children.push(make("span", { class: "instead sampled" }, `◆ ${wordOf(step.patched[1])}`));
    const chip = make("button", { type: "button", role: "option", class: step.match ? "chip" : "chip differs", tabindex: "-1", title: step.said.logits,
                                  "aria-selected": "false" }, ...children);
    chip.addEventListener("click", () => select({ step: i }));
    return chip;
  });
  byId("tokens").replaceChildren(...chips);
  setText("tokens-key", tokensKey(run.steps));
  setText("text-contextual", run.texts.contextual);
  setText("text-patched-title", `Without ${run.absorbed}, patched`);
  setText("text-patched", run.texts.patched);
  byId("next-mismatch").hidden = run.steps.every((step) => step.match);
  byId("slider").max = run.steps.length - 1;
}

function showSelectedToken(before) {
  const chips = byId("tokens").children;
  for (const step of [before?.step, selection.step]) {
    const isSelected = step === selection.step;
    chips[step]?.setAttribute("aria-selected", String(isSelected));
    chips[step]?.setAttribute("tabindex", isSelected ? "0" : "-1");
  }
  const strip = byId("tokens");
  const chip = chips[selection.step];
  if (chip && strip.scrollHeight > strip.clientHeight)
    strip.scrollTop = chip.offsetTop - strip.offsetTop - strip.clientHeight / 2;
}

function showWalk() {
  const step = shownStep();
  byId("slider").value = selection.step;
  byId("slider").setAttribute("aria-valuetext", `step ${step.step}, ${step.text}`);
  byId("back").disabled = selection.step === 0;
  byId("forth").disabled = selection.step === shownRun().steps.length - 1;
  byId("where").replaceChildren(make("span", { class: "muted" }, `Step ${step.step} (0 to ${shownRun().steps.length - 1}): `),
    make("b", {}, spoken(step.text)),
    make("span", { class: step.match ? "match" : "mismatch" }, step.match ? " ✓" : " ✗"));
}

// A narrow page has no room for a column for each run: the values stand below one another, with the runs' names where
// they differ.
function nameCells(table) {
  table.classList.add("beside");
  for (const row of table.tBodies[0].rows) {
    const cells = [...row.cells].slice(1);
    row.classList.toggle("alike", cells.every((cell) => cell.textContent === cells[0].textContent));
    cells.forEach((cell, i) => { cell.dataset.run = RUNS[i].name; });
  }
}

function showProvenance() {
  byId("made").textContent = `Written by ${DATA.program}. ${RUNS.length > 1 ? "≠ marks settings in which the runs differ." : ""}`;
  const names = [...new Set(RUNS.flatMap((run) => run.settings.map(([name]) => name)))];
  const rows = names.map((name) => {
    const values = RUNS.map((run) => run.settings.find(([one]) => one === name)?.[1] || "–");
    const differ = values.some((value) => value !== values[0]);
    return [differ ? make("b", {}, `≠ ${name}`) : name, ...values];
  });
  const table = makeTable(RUNS.length > 1 ? ["", ...RUNS.map((run) => run.name)] : [], rows, "settings");
  if (RUNS.length > 1) nameCells(table);
  byId("provenance").replaceChildren(table);
  byId("provenance").classList.toggle("columns", RUNS.length === 1);
  byId("glossary").replaceChildren(makeTable([], Object.entries(DATA.words), "settings words"));
}

// The curve of a run among other runs.
function runCurve(i, look = {}) {
  const run = RUNS[i];
  return { name: run.name, look: "numbered", style: run.style ?? i, colour: run.colour, dense: true, ...look };
}

let measure = "L∞";
// Looks of quantities in a chart where plain lines in orange and blue are runs.
const BESIDE_RUNS = { bare: "reference", ablated: "ablatedReference", noise: "noiseReference", audit: "auditReference" };

// A quantity of the run on display beside curves of runs: in the run's colour, or in grey if it is a reference.
function quantityBesideRuns(curve) {
  if (curve.look !== "patched" && curve.look !== "distribution")
    return { ...curve, look: BESIDE_RUNS[curve.look] ?? curve.look };
  const { style, colour } = runCurve(RUNS.indexOf(shownRun()));
  return { ...curve, style, colour, besideRuns: true, dense: false };
}

// All quantities of one run; of several runs one quantity each, and the others of the run on display.
function logitPanel() {
  const own = shownRun();
  const { label, range, curves, marks } = own.charts.logits;
  const decoded = (curve) => ({ ...curve, y: curve.y.map(numberOf) });
  const whole = { label, range: range.map(numberOf), curves: curves.map(decoded),
                  marks: marks.map(decoded), x: [0, own.steps.length - 1] };
  if (RUNS.length === 1) return whole;
  const compared = RUNS.flatMap((run, i) => {
    const curve = run.charts.logits.curves.find((one) => one.name === measure);
    if (!curve) return [];
    const shift = run.begins - own.begins;
    return [{ ...runCurve(i), x: curve.x.map((x) => x + shift), y: curve.y.map(numberOf), run }];
  });
  const others = whole.curves.filter((curve) => curve.name !== measure)
    .map(quantityBesideRuns);
  const places = compared.flatMap((curve) => curve.x);
  return { ...whole, curves: [...compared, ...others], marks: marksOf(compared),
           range: unionOf(RUNS.map((run) => run.charts.logits.range.map(numberOf))),
           x: [Math.min(0, ...places), Math.max(own.steps.length - 1, ...places)] };
}

// ✗ and ◆ of all runs, at the compared quantity.
function marksOf(curves) {
  return [["mismatch", "tokens differ", (step) => !step.match],
          ["sampled", "sampled tokens differ", (step) => step.sampled === false]].map(([sign, name, isMarked]) => {
    const points = curves.flatMap(({ run, x, y }) => x.map((place, i) => [place, y[i], run.steps[i]]))
      .filter(([, , step]) => step && isMarked(step));
    return { sign, name, x: points.map(([x]) => x), y: points.map(([, y]) => y) };
  });
}

function unionOf(ranges) {
  return [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
}

let relative = false;

function layerPanel(chart, step) {
  const { range, y } = chart.steps[step];
  const values = y.map((list) => list.map(numberOf));
  const longest = Math.max(1, ...values.map((list) => list.length));
  return { label: chart.label, range: range.map(numberOf), x: [0, longest - 1], marks: [],
           curves: chart.curves.map((curve, i) => ({ ...curve, x: values[i].map((_, layer) => layer), y: values[i] })) };
}

// The hidden error of the run on display with its noise floor, and that of the others at the same step.
function errorPanel() {
  const own = layerPanel(shownRun().charts.error, selection.step);
  if (RUNS.length === 1) return own;
  const panels = RUNS.flatMap((run, i) => {
    const step = stepInRun(run, selection.step, shownRun());
    return run.steps[step] ? [[i, layerPanel(run.charts.error, step)]] : [];
  });
  return { ...own, range: unionOf(panels.map(([, panel]) => panel.range)),
           x: [0, Math.max(...panels.map(([, panel]) => panel.x[1]))],
           curves: [...panels.map(([i, panel]) => ({ ...panel.curves[0], ...runCurve(i, { dense: false }) })),
                    ...own.curves.slice(1).map((curve) => ({ ...curve, look: "reference" }))] };
}

const charts = {
  logits: new CurveChart("logits", {
    panelOf: logitPanel, selectedOf: () => selection.step, zooms: true,
    pick: (step) => select({ step }), placeText: stepPlace }),
  patch: new CurveChart("patch", {
    panelOf: () => layerPanel(relative ? shownRun().charts.relative : shownRun().charts.patch, selection.step),
    selectedOf: () => selection.layer, pick: (layer) => select({ layer }), placeText: (layer) => `layer ${layer}` }),
  map: new MapChart("map"),
  error: new CurveChart("error", {
    panelOf: errorPanel, selectedOf: () => selection.layer, pick: (layer) => select({ layer }),
    placeText: (layer) => `layer ${layer}` }),
};

// The quantities of the runs' logits, each once; L∞, which is chosen at first, comes first.
function comparable() {
  return [...new Set(RUNS.flatMap((run) => run.charts.logits.curves.map((curve) => curve.name)))];
}

function addControls() {
  const measures = make("select", { "aria-label": "What is compared between runs" },
    ...comparable().map((name) => make("option", {}, name)));
  measures.addEventListener("change", () => { measure = measures.value; charts.logits.show(); });
  if (RUNS.length > 1) byId("logits").querySelector(".controls").append(measures);
  const sizes = make("select", { "aria-label": "Patch size, absolute or relative" },
    ...["absolute", "relative"].map((name) => make("option", { title: meaningOf(name) }, name)));
  sizes.addEventListener("change", () => { relative = sizes.value === "relative"; showCharts(); });
  byId("patch").querySelector(".controls").append(sizes);
}

function setSaid(id, title, sentence) {
  byId(`${id}-title`).textContent = title;
  byId(id).querySelector(".said").textContent = sentence;
  byId(id).querySelector(".plot").setAttribute("aria-label", `${title}. ${sentence}`);
}

function showCharts() {
  const run = shownRun();
  const step = shownStep();
  const at = selection.step;
  const patch = relative ? run.charts.relative : run.charts.patch;
  setSaid("logits", RUNS.length > 1 ? "Logit difference by step and run" : "Logit difference by step", step.said.logits);
  setSaid("patch", `Patch size by layer, step ${step.step}`, patch.steps[at].said);
  setSaid("error", `Hidden error by layer, step ${step.step}`, run.charts.error.steps[at].said);
  for (const chart of Object.values(charts)) chart.show();
}

// Light, dark or as the system; always light in print.
const THEMES = { auto: ["◐", " as the system"], light: ["☀", " light"], dark: ["☾", " dark"] };
let theme = "auto";

const systemIsDark = matchMedia("(prefers-color-scheme: dark)");

function applyTheme() {
  document.documentElement.dataset.theme = theme === "auto" ? (systemIsDark.matches ? "dark" : "light") : theme;
  const [sign, words] = THEMES[theme];
  byId("theme").replaceChildren(sign, make("span", { class: "wide" }, words));
  byId("theme").setAttribute("aria-label", `Colours:${words}`);
}

function setTheme(next) {
  theme = next;
  applyTheme();
  showRuns();
  showCharts();
}

function nextTheme() {
  const names = Object.keys(THEMES);
  setTheme(names[(names.indexOf(theme) + 1) % names.length]);
}

// In print, charts are images: sharp, and as wide as the column.
function preparePaper() {
  document.documentElement.dataset.theme = "light";
  for (const chart of Object.values(charts)) {
    const uri = chart.picture(PAPER.width, PAPER.height, PAPER.zoom);
    const picture = make("img", { class: "paper", alt: "" });
    if (uri) picture.src = uri;
    chart.plot.after(picture);
  }
  showRuns();
  for (const id of ["logits", "patch", "error"]) charts[id].showLegend();
  charts.map.showScale();
}

function leavePaper() {
  for (const picture of document.querySelectorAll("img.paper")) picture.remove();
  setTheme(theme);
}

function nextMismatch() {
  const { steps } = shownRun();
  const later = steps.findIndex((step, i) => i > selection.step && !step.match);
  const step = later >= 0 ? later : steps.findIndex((one) => !one.match);
  if (step >= 0) select({ step });
}

const KEYS = {
  ArrowLeft: () => select({ step: selection.step - 1 }),
  ArrowRight: () => select({ step: selection.step + 1 }),
  Home: () => select({ step: 0 }),
  End: () => select({ step: shownRun().steps.length - 1 }),
  "Shift+ArrowLeft": () => select({ layer: Math.max(0, selection.layer - 1) }),
  "Shift+ArrowRight": () => select({ layer: selection.layer + 1 }),
  x: nextMismatch,
  t: nextTheme,
};

function pressed(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest("select, input:not([type=range]), textarea")) return;
  const name = event.key.length === 1 ? event.key.toLowerCase() : (event.shiftKey ? "Shift+" : "") + event.key;
  if (!Object.hasOwn(KEYS, name)) return;
  event.preventDefault();
  KEYS[name]();
  if (document.activeElement?.classList.contains("chip")) byId("tokens").children[selection.step]?.focus();
}

// The selected step is a part of the address, so that a link may lead to it: #step=12&layer=3.
function readAddress() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const numbers = ["run", "step", "layer"].filter((key) => /^\d{1,9}$/.test(wanted.get(key) ?? ""));
  if (numbers.length > 0) select(Object.fromEntries(numbers.map((key) => [key, Number(wanted.get(key))])));
}

function writeAddress() {
  const parts = [RUNS.length > 1 ? `run=${selection.run}` : "", `step=${selection.step}`,
                 selection.layer === NONE ? "" : `layer=${selection.layer}`];
  try {
    history.replaceState(null, "", `#${parts.filter(Boolean).join("&")}`);
  } catch {
    // Some browsers refuse this for a page in a local file; the page works without it.
  }
}

function showAll() {
  charts.logits.view = null;
  charts.map.addControls();
  showOverview();
  showPrompt();
  showTokens();
  showSelectedToken();
  showWalk();
  showInspector();
  showCharts();
}

function start() {
  addControls();
  showProvenance();
  applyTheme();
  byId("theme").addEventListener("click", nextTheme);
  byId("back").addEventListener("click", KEYS.ArrowLeft);
  byId("forth").addEventListener("click", KEYS.ArrowRight);
  byId("next-mismatch").addEventListener("click", nextMismatch);
  byId("slider").addEventListener("input", (event) => select({ step: Number(event.target.value) }));
  document.addEventListener("keydown", pressed);
  systemIsDark.addEventListener("change", () => setTheme(theme));
  addEventListener("beforeprint", preparePaper);
  addEventListener("afterprint", leavePaper);
  addEventListener("hashchange", readAddress);
  readAddress();
  showAll();
  listeners.push((before) => {
    if (before.run !== selection.run) return showAll();
    showSelectedToken(before);
    showWalk();
    showInspector();
    showCharts();
  }, writeAddress);
}

start();
