"use strict";
// Charts of curves: by step and by layer. uPlot draws axes and lines; this file adds the look of
// Equipatch's window, marks, tooltips and the selected place.

// The value of a custom property of page.css: a colour, "letters" (fonts) or "scheme" (light or dark).
function cssValue(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// Those of the window (core/figure/curve_mark.cpp).
const SHAPES = ["disc", "square", "triangle", "turned", "plus", "star",
                "openSquare", "openTriangle", "openTurned"];
const OPEN_SHAPES = { openSquare: "square", openTriangle: "triangle", openTurned: "turned" };
const COLOURS = 6;
const DENSE_LINES = [[], [5, 3], [2, 2]];
const QUANTITIES = {
  patched: { colour: "patched", dash: [], shape: "disc" },
  distribution: { colour: "distribution", dash: [9, 3], shape: "square" },
  bare: { colour: "bare", dash: [5, 3] },
  ablated: { colour: "bare", dash: [7, 3, 2, 3, 2, 3] },
  margin: { colour: "margin", dash: [2, 2] },
  noise: { colour: "noise", dash: [7, 3, 2, 3] },
  audit: { colour: "patched", dash: [2, 7] },
  reference: { colour: "margin", dash: [5, 3] },
  noiseReference: { colour: "margin", dash: [7, 3, 2, 3] },
  ablatedReference: { colour: "margin", dash: [7, 3, 2, 3, 2, 3] },
  auditReference: { colour: "margin", dash: [10, 3] },
};

// The user's colour of a run, or that of its style.
function runColour({ colour, style }) {
  return /^#[0-9a-f]{6}$/i.test(colour ?? "") ? colour : cssValue(`series-${style % COLOURS}`);
}

// The shape on a curve's points. A single point without one would be invisible.
function pointShape(curve, shape) {
  return (curve.dense ? undefined : shape) ?? (curve.x?.length === 1 ? "disc" : undefined);
}

// Colour, dashes and shape of a curve. Curves that share a colour differ in their dashes or shape.
function styleOf(curve) {
  if (curve.look !== "numbered") {
    const style = QUANTITIES[curve.look] ?? QUANTITIES.reference;
    return { colour: curve.besideRuns ? runColour(curve) : cssValue(style.colour), dash: style.dash,
             shape: pointShape(curve, style.shape) };
  }
  const index = curve.style;
  const dash = curve.dense ? DENSE_LINES[(index + Math.floor(index / COLOURS)) % 3]
                           : index >= COLOURS ? [5, 3] : [];
  return { colour: runColour(curve), dash,
           shape: pointShape(curve, SHAPES[index % SHAPES.length]) };
}

// Draws a shape of this size around (x, y). An open one covers the line with the background.
function drawShape(context, shape, x, y, size) {
  if (OPEN_SHAPES[shape]) {
    const colour = context.fillStyle;
    context.fillStyle = cssValue("surface");
    drawShape(context, OPEN_SHAPES[shape], x, y, size);
    context.fillStyle = colour;
    context.stroke();
    return;
  }
  const r = size / 2;
  context.beginPath();
  const lines = (...points) => points.forEach(([dx, dy], i) =>
    i === 0 ? context.moveTo(x + r * dx, y + r * dy) : context.lineTo(x + r * dx, y + r * dy));
  if (shape === "disc" || shape === "ring") context.arc(x, y, r, 0, 2 * Math.PI);
  if (shape === "square") context.rect(x - r, y - r, size, size);
  if (shape === "triangle") lines([-1, 0.8], [1, 0.8], [0, -1], [-1, 0.8]);
  if (shape === "turned") lines([-1, -0.8], [1, -0.8], [0, 1], [-1, -0.8]);
  if (shape === "diamond") lines([0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0], [0, -1.2]);
  if (shape === "plus" || shape === "star") { lines([-1, 0], [1, 0]); lines([0, -1], [0, 1]); }
  if (shape === "cross" || shape === "star") { lines([-1, -1], [1, 1]); lines([-1, 1], [1, -1]); }
  if (["plus", "star", "cross", "ring"].includes(shape)) context.stroke();
  else context.fill();
}

// A short piece of a curve, for legends and tooltips.
function swatch(style, sign) {
  const canvas = make("canvas", { class: "swatch", width: "48", height: "24", "aria-hidden": "true" });
  const context = canvas.getContext("2d");
  context.strokeStyle = context.fillStyle = style.colour;
  context.lineWidth = 3.6;
  if (sign) {
    drawSign(context, sign, 24, 12, 2);
  } else {
    context.setLineDash(style.dash.map((length) => 2 * length));
    context.beginPath();
    context.moveTo(2, 12);
    context.lineTo(46, 12);
    context.stroke();
    context.setLineDash([]);
    if (style.shape) drawShape(context, style.shape, 24, 12, 12);
  }
  return canvas;
}

// ✗ for a mismatch, ◆ for different sampled tokens, with a rim so that lines do not hide it.
function drawSign(context, sign, x, y, zoom) {
  const isCross = sign === "mismatch";
  for (const [colour, width] of [[cssValue("surface"), 5.5], [cssValue(isCross ? "mismatch" : "patched"), 2.4]]) {
    context.strokeStyle = context.fillStyle = colour;
    context.lineWidth = width * zoom;
    context.setLineDash([]);
    drawShape(context, isCross ? "cross" : "diamond", x, y, (isCross ? 9 : colour === cssValue("surface") ? 11 : 8) * zoom);
  }
}

// Where exact zeros are drawn on a logarithmic axis, and the place of the first tick above.
function zeroPlace([low, high]) { return low * Math.pow(high / low, 0.04); }
function aboveZero([low, high]) { return low * Math.pow(high / low, 0.09); }

// What a logarithmic axis shows for a value: null is a gap.
function placeOf(value, range) {
  if (value === 0) return zeroPlace(range);
  return Number.isFinite(value) && value > 0 ? value : null;
}

// Curves on common places along x. -> { x: [...], rows: [[values at x] of each curve] }
function aligned(curves) {
  const x = [...new Set(curves.flatMap((curve) => curve.x))].sort((a, b) => a - b);
  const rows = curves.map((curve) => {
    const at = new Map(curve.x.map((place, i) => [place, curve.y[i]]));
    return x.map((place) => at.get(place));
  });
  return { x, rows };
}

class CurveChart {
  // panelOf: () => { label, range, curves, marks, x: [first, last] }
  // selectedOf: () => the selected place along x, or NONE; pick: called with a place
  constructor(id, { panelOf, selectedOf, pick, placeText, zooms = false }) {
    Object.assign(this, { panelOf, selectedOf, pick, placeText, zooms, hidden: new Set(), view: null });
    this.card = byId(id);
    this.plot = this.card.querySelector(".plot");
    this.tip = make("div", { class: "tip", "aria-hidden": "true" });
    this.plot.setAttribute("role", "img");
    this.card.querySelector("details").addEventListener("toggle", () => this.showTable());
    new ResizeObserver(() => this.resize()).observe(this.plot);
  }

  // Shows the panel of the present selection.
  show() {
    this.panel = this.panelOf();
    this.table = aligned(this.panel.curves);
    this.card.querySelector(".axis").textContent = this.panel.label;
    this.build();
    this.showLegend();
    this.showTable();
  }

  build() {
    this.chart?.destroy();
    this.chart = null;
    const width = this.plot.clientWidth;
    if (width < 50) return;
    this.chart = this.draw(this.plot, width, this.plot.clientHeight, 1);
    this.chart.over.append(this.tip);
    this.tip.hidden = true;
    this.chart.over.addEventListener("click", (event) => {
      const place = Math.round(this.chart.posToVal(event.offsetX, "x"));
      this.pick(clamp(place, ...this.panel.x));
    });
    this.chart.over.addEventListener("mouseleave", () => { this.tip.hidden = true; });
  }

  resize() {
    if (!this.chart) return this.panel ? this.build() : undefined;
    const size = { width: this.plot.clientWidth, height: this.plot.clientHeight };
    if (size.width >= 50 && (size.width !== this.chart.width || size.height !== this.chart.height))
      this.chart.setSize(size);
  }

  // The chart as an image for print, with `zoom` pixels for each CSS pixel.
  picture(width, height, zoom) {
    const chart = this.draw(make("div"), width * zoom, height * zoom, zoom);
    const canvas = chart.ctx.canvas;
    const uri = canvas.toDataURL("image/png");
    chart.destroy();
    return uri;
  }

  draw(place, width, height, zoom) {
    const { panel, table } = this;
    const series = panel.curves.map((curve) => {
      const style = styleOf(curve);
      return { label: curve.name, scale: "y", stroke: style.colour, width: 1.8 * zoom,
               dash: style.dash.map((length) => length * zoom), points: { show: false },
               show: !this.hidden.has(curve.name) };
    });
    const data = [table.x, ...table.rows.map((row) => row.map((value) =>
      value === undefined ? undefined : placeOf(value, panel.range)))];
    const options = {
      width, height, padding: [8 * zoom, 10 * zoom, 0, 0], legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: this.zooms, y: false, setScale: false },
                bind: { dblclick: () => () => this.zoomTo(null) } },
      scales: { x: { time: false }, y: { distr: 3, range: () => panel.range } },
      series: [{}, ...series],
      axes: [xAxis(zoom), this.yAxis(zoom)],
      hooks: { drawAxes: [(chart) => this.drawSelection(chart)],
               draw: [(chart) => this.drawPoints(chart, zoom)],
               setCursor: [(chart) => this.showTip(chart)],
               setSelect: [(chart) => this.zoomToDragged(chart)] },
    };
    return drawnNow(new uPlot(options, data, place), this.view ?? this.wholeView());
  }

  // All of x, with half a place at both ends.
  wholeView() {
    const [first, last] = this.panel.x;
    return { min: first - 0.5, max: last + 0.5 };
  }

  zoomTo(view) {
    this.view = view;
    this.chart.setScale("x", view ?? this.wholeView());
  }

  zoomToDragged(chart) {
    const { left, width } = chart.select;
    if (width === 0) return;
    chart.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    const view = { min: chart.posToVal(left, "x"), max: chart.posToVal(left + width, "x") };
    if (view.max - view.min >= 1) this.zoomTo(view);
  }

  yAxis(zoom) {
    const { range } = this.panel;
    const zeros = this.table.rows.some((row) => row.includes(0));
    const ticks = logTicks(...range).filter((tick) => !zeros || tick >= aboveZero(range));
    const splits = zeros ? [zeroPlace(range), ...ticks] : ticks;
    const texts = splits.map((tick, i) => zeros && i === 0 ? "0" : tickText(tick));
    const longest = Math.max(0, ...texts.map((text) => text.length));
    return { ...axisLook(zoom), scale: "y", size: (14 + 7 * longest) * zoom, splits: () => splits,
             values: () => texts, filter: () => splits };
  }

  // Behind the curves: a band over the selected place.
  drawSelection(chart) {
    const selected = this.selectedOf();
    if (selected === NONE) return;
    const { ctx, bbox } = chart;
    const left = chart.valToPos(selected - 0.5, "x", true);
    const right = chart.valToPos(selected + 0.5, "x", true);
    const middle = chart.valToPos(selected, "x", true);
    if (middle < bbox.left || middle > bbox.left + bbox.width) return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.fillStyle = cssValue("accent");
    ctx.globalAlpha = 0.16;
    ctx.fillRect(left, bbox.top, Math.max(right - left, 2), bbox.height);
    ctx.globalAlpha = 0.8;
    ctx.fillRect(Math.round(middle), bbox.top, 1, bbox.height);
    ctx.restore();
  }

  // Over the curves: the shapes of points, rings around exact zeros, marks.
  drawPoints(chart, zoom) {
    const { ctx, bbox } = chart;
    const ratio = ctx.canvas.width / chart.width * zoom;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left - 1, bbox.top - 6 * ratio, bbox.width + 2, bbox.height + 12 * ratio);
    ctx.clip();
    this.panel.curves.forEach((curve, i) => {
      if (this.hidden.has(curve.name)) return;
      const style = styleOf(curve);
      ctx.strokeStyle = ctx.fillStyle = style.colour;
      ctx.lineWidth = 1.6 * ratio;
      this.table.rows[i].forEach((value, at) => {
        const place = placeOf(value, this.panel.range);
        const isZero = value === 0;
        if (place === null || value === undefined || !(style.shape || isZero)) return;
        drawShape(ctx, isZero ? "ring" : style.shape, chart.valToPos(this.table.x[at], "x", true),
                  chart.valToPos(place, "y", true), (isZero ? 8 : 6.5) * ratio);
      });
    });
    for (const marks of this.panel.marks ?? []) {
      if (this.hidden.has(marks.name)) continue;
      marks.x.forEach((x, i) => {
        const place = placeOf(marks.y[i], this.panel.range);
        if (place !== null)
          drawSign(ctx, marks.sign, chart.valToPos(x, "x", true), chart.valToPos(place, "y", true), ratio);
      });
    }
    ctx.restore();
  }

  marksAt(x) {
    return (this.panel.marks ?? []).filter((marks) => marks.x.includes(x));
  }

  showTip(chart) {
    const index = chart.cursor.idx;
    if (index === null || index === undefined || chart.cursor.left < 0) {
      this.tip.hidden = true;
      return;
    }
    const x = this.table.x[index];
    const lines = this.panel.curves.flatMap((curve, i) => {
      const value = this.table.rows[i][index];
      if (value === undefined || this.hidden.has(curve.name)) return [];
      return [make("div", { class: "line" }, swatch(styleOf(curve)), make("span", {}, curve.name),
                   make("b", {}, numberText(value)))];
    });
    for (const marks of this.marksAt(x))
      lines.push(make("div", { class: "line" }, swatch({}, marks.sign), make("span", {}, marks.name)));
    this.tip.replaceChildren(make("div", { class: "place" }, this.placeText(x)), ...lines);
    placeTip(this.tip, chart, chart.valToPos(x, "x"));
  }

  // A button for each curve that shows or hides it, with its value at the selected place.
  showLegend() {
    const at = this.table.x.indexOf(this.selectedOf());
    const entries = this.panel.curves.map((curve, i) => {
      const value = at < 0 ? undefined : this.table.rows[i][at];
      return this.legendEntry(curve.name, swatch(styleOf(curve)), numberText(value));
    });
    for (const marks of this.panel.marks ?? [])
      if (marks.x.length > 0) entries.push(this.legendEntry(marks.name, swatch({}, marks.sign), ""));
    if (this.table.rows.some((row) => row.includes(0)))
      entries.push(make("li", { class: "remark muted", title: meaningOf("exactly 0") }, "○ exactly 0"));
    this.card.querySelector(".legend").replaceChildren(...entries);
  }

  legendEntry(name, sign, value) {
    const button = make("button", { type: "button", class: "plain", title: meaningOf(name),
                                    "aria-pressed": String(!this.hidden.has(name)) },
                        sign, make("span", {}, name), make("b", {}, value));
    button.addEventListener("click", () => {
      if (!this.hidden.delete(name)) this.hidden.add(name);
      this.build();
      button.setAttribute("aria-pressed", String(!this.hidden.has(name)));
    });
    return make("li", {}, button);
  }

  showTable() {
    const details = this.card.querySelector("details");
    if (!details.open || !this.panel) return;
    const { curves } = this.panel;
    const rows = this.table.x.map((x, i) => [this.placeText(x), ...this.table.rows.map((row) => numberText(row[i])),
                                             this.marksAt(x).map((marks) => marks.name).join(", ")]);
    details.querySelector("div").replaceChildren(
      makeTable(["", ...curves.map((curve) => curve.name), ""], rows, "numbers"));
  }
}

// Draws a new chart at once, with this range of x; uPlot would draw only after this script.
function drawnNow(chart, view) {
  chart.batch(() => chart.setScale("x", view));
  return chart;
}

// The look of axes; `zoom` enlarges letters and lines for print.
function axisLook(zoom) {
  const font = `${12 * zoom}px ${cssValue("letters")}`;
  return { font, labelFont: font, stroke: cssValue("muted"), gap: 5 * zoom,
           grid: { stroke: cssValue("grid"), width: 0.7 * zoom }, ticks: { show: false } };
}

// An axis of counts: steps, layers, channels.
function xAxis(zoom) {
  return { ...axisLook(zoom), scale: "x", size: 26 * zoom, space: 44 * zoom,
           incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000],
           values: (chart, ticks) => ticks.map(String) };
}

// Puts a tooltip beside x, within the chart.
function placeTip(tip, chart, x) {
  tip.hidden = false;
  const width = chart.over.clientWidth;
  const room = tip.offsetWidth;
  const left = x + 14 + room <= width ? x + 14 : Math.max(x - 14 - room, 0);
  tip.style.left = `${left}px`;
  tip.style.top = "6px";
}
