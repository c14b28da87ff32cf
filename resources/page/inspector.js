"use strict";
// Numbers of the selected step and layer: candidates, verdict, distances, values.

const PASSES = ["contextual", "patched", "bare", "ablated"];

// The text of a token without the · that stands for a space before a word.
function wordOf(text) {
  return text.replace(/^·+(?=.)/, "");
}

function spoken(text) {
  return quoted(wordOf(text));
}

function stepPlace(step) {
  const found = shownRun().steps[step];
  return found ? `step ${found.step} ${spoken(found.text)}` : `step ${step}`;
}

// A cell with a candidate: token, probability in percent, and a bar of that width.
function choiceCell(choice, pass, row, reference) {
  if (!choice) return "";
  const [id, text, logit, probability] = choice;
  const differs = !reference || reference[0] !== id;
  const isMismatch = differs && row === 0 && pass === "patched";
  const share = numberOf(probability);
  const bar = make("span", { class: `bar ${pass}`, "aria-hidden": "true" });
  bar.style.width = `${100 * clamp(share || 0, 0, 1)}%`;
  const title = `${text}, id ${id}\nlogit ${numberText(numberOf(logit))}\nprobability ${percentText(share)} %`;
  const token = make("span", { class: `token${differs ? " differs" : ""}` }, (isMismatch ? "✗ " : "") + text);
  return make("div", { class: `choice${isMismatch ? " mismatch" : ""}`, title }, token,
              make("span", { class: "percent" }, percentText(share)), bar);
}

function showChoices({ choices }) {
  const passes = PASSES.filter((pass) => choices[pass].length > 0);
  const count = Math.max(0, ...passes.map((pass) => choices[pass].length));
  const rows = Array.from({ length: count }, (_, row) => [
    String(row + 1), ...passes.map((pass) =>
      choiceCell(choices[pass][row], pass, row, choices.contextual[row]))]);
  const unit = passes.length < PASSES.length ? ", %" : "";  // four headings have no room for it
  byId("choices").replaceChildren(makeTable(["", ...passes.map((pass) => pass + unit)], rows, "choices"));
}

function showDistances({ distances }) {
  const rows = Object.entries(distances).map(([pass, values]) =>
    [pass, ...values.map((value) => numberText(numberOf(value)))]);
  byId("distances").replaceChildren(makeTable(["", "L∞, logits", "TVD", "KL, nats"], rows, "numbers"));
}

function showFacts(step) {
  const rows = [["margin, logits", numberText(numberOf(step.margin))],
                ["position of x", String(step.position)],
                ["time, ms", numberText(numberOf(step.ms))]];
  if (step.sampled !== undefined)
    rows.push(["sampled tokens", step.sampled ? "match"
               : `◆ ${spoken(step.token[1])}, patched ${spoken(step.patched[1])}`]);
  byId("facts").replaceChildren(makeTable([], rows, "numbers"));
}

// The layer's values that the charts show, then those that they do not show.
function layerRows(step, layer) {
  const { patch, relative, error } = shownRun().charts;
  const at = selection.step;
  const rows = patch.curves.map((curve, i) => {
    const share = relative.curves?.findIndex((one) => one.name === curve.name) ?? -1;
    const value = numberOf(patch.steps[at].y[i][layer]);
    return [`‖${curve.name}‖`, numberText(value),
            share < 0 ? "" : `${numberText(numberOf(relative.steps[at].y[share][layer]))} of ‖W‖`];
  }).filter(([, value]) => value !== "NaN");
  const { layers } = step;
  const add = (name, list, text = (value) => numberText(numberOf(value))) => {
    if (list !== undefined && list[layer] !== undefined) rows.push([name, text(list[layer]), ""]);
  };
  add("max |Δm|", layers.scaleMax);
  add("experts", layers.experts, (experts) => experts.join(", "));
  add("sum of gates", layers.gates);
  add("‖Δv‖ / ‖v‖", layers.effect);
  add("‖z‖", layers.z);
  add("cos(z, z_C)", layers.cosine);
  add("hidden error", error.steps[at].y[0]);
  if (numberOf(layers.divisor?.[layer] ?? 0) > 0) add("smallest divisor", layers.divisor);
  if ((layers.guarded?.[layer] ?? 0) > 0) add("guarded", layers.guarded, String);
  if (layers.hardCase?.[layer]) add("Appendix B's hard case", layers.hardCase, () => "yes");
  return rows;
}

function showLayer(step) {
  const { layer } = selection;
  setText("layer-title", layer === NONE ? "" : `Layer ${layer}`);
  setText("layer-note", layer === NONE ? "Choose a layer in a chart to see its numbers."
                                       : step.layers.note?.[layer] ?? "");
  byId("layer").replaceChildren(...(layer === NONE ? [] : [makeTable([], layerRows(step, layer), "numbers")]));
}

// The same step of the other runs.
function showOthers() {
  const rows = RUNS.flatMap((run, i) => {
    const step = run.steps[stepInRun(run, selection.step, shownRun())];
    if (i === selection.run || !step) return [];
    return [[run.name, `${step.match ? "✓" : "✗"}\u00a0${spoken(step.text)}`, numberText(numberOf(step.distances.patched[0]))]];
  });
  byId("others").replaceChildren(...(rows.length === 0 ? [] : [makeTable(["other runs", "token", "L∞"], rows, "numbers")]));
}

function showInspector() {
  const step = shownStep();
  setText("step-title", `Step ${step.step}: ${spoken(step.text)}`);
  setText("step-run", RUNS.length > 1 ? shownRun().name : "");
  setText("step-sentence", step.said.step);
  const sampled = step.sampled === undefined ? ""
    : `${step.sampled ? "✓ The sampled tokens agree." : "◆ The sampled tokens differ."} The most likely ones: `;
  const verdict = step.said.verdict;
  const judged = verdict === "" ? "" : ` ${verdict[0].toUpperCase()}${verdict.slice(1)}.`;
  const line = byId("verdict");
  line.replaceChildren(sampled, make("span", { class: step.match ? "match" : "mismatch" }, step.match ? "✓ " : "✗ "),
                       step.said.margin + judged);
  showChoices(step);
  showDistances(step);
  showFacts(step);
  showOthers();
  showLayer(step);
}
