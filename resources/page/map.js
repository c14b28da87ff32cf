"use strict";
// The map of the patch: Δm by layer and channel at the selected step, or the size of a part of the
// patch by layer and step.

// From the most negative to the most positive value; the middle is 0. Hues tell the signs apart,
// also for common colour blindnesses; lightness shows the distance from 0. The same as in the window.
const DIVERGING = {
  light: ["#083a6b", "#4a9bd4", "#f8f8f8", "#e8973f", "#7a3200"],
  dark: ["#b5dcff", "#2f86c9", "#14171c", "#c9752a", "#ffdcb0"],
};
const RISING = ["#3b0f52", "#3a528b", "#20908d", "#5dc863", "#fbe625"];
const LINEAR_SHARE = 1e-3;  // a logarithmic scale is linear up to this share of its end

function mixedColours(stops) {
  const parts = stops.map((stop) => [1, 3, 5].map((at) => parseInt(stop.slice(at, at + 2), 16)));
  return (share) => {
    const place = clamp(share, 0, 1) * (parts.length - 1);
    const before = Math.min(Math.floor(place), parts.length - 2);
    return parts[before].map((one, i) => Math.round(one + (parts[before + 1][i] - one) * (place - before)));
  };
}

function floatsOf(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

class MapChart {
  constructor(id) {
    this.card = byId(id);
    this.plot = this.card.querySelector(".plot");
    this.plot.setAttribute("role", "img");
    this.tip = make("div", { class: "tip", "aria-hidden": "true" });
    this.kind = "channel";
    this.logarithmic = true;  // one scale for all steps, which differ by orders of magnitude
    this.card.querySelector("details").addEventListener("toggle", () => this.showTable());
    new ResizeObserver(() => this.resize()).observe(this.plot);
  }

  // The choices of this run: Δm by channel, and the parts of its patch by step.
  addControls() {
    const { map, patch } = shownRun().charts;
    const kinds = patch.curves.map((curve, i) => [String(i), `${curve.name} by step`]);
    if (map && map.width > 0) kinds.unshift(["channel", `${map.label} by channel`]);
    if (!kinds.some(([kind]) => kind === this.kind)) this.kind = kinds[0][0];
    const views = make("select", { "aria-label": "What the map shows" },
                       ...kinds.map(([kind, text]) => make("option", { value: kind }, text)));
    views.value = this.kind;
    views.addEventListener("change", () => { this.kind = views.value; this.show(); });
    const log = make("input", { type: "checkbox" });
    log.checked = this.logarithmic;
    log.addEventListener("change", () => { this.logarithmic = log.checked; this.show(); });
    this.card.querySelector(".controls").replaceChildren(
      views, make("label", { title: "A logarithmic colour scale" }, log, " log"));
  }

  get isByChannel() { return this.kind === "channel"; }

  // { label, rows, columns, width, largest, at(row, column), said, x } of the chosen view.
  gridOf() {
    const { charts, steps } = shownRun();
    if (this.isByChannel) {
      const { map } = charts;
      const cells = floatsOf(map.steps[selection.step].cells);
      if (cells.length !== map.layers * map.bins) return null;
      return { label: map.label, rows: map.layers, columns: map.bins, width: map.width, largest: numberOf(map.largest),
               at: (row, column) => cells[row * map.bins + column], said: map.steps[selection.step].said, x: "channel" };
    }
    const curve = Number(this.kind);
    const values = charts.patch.steps.map((step) => step.y[curve].map(numberOf));
    const finite = values.flat().filter(Number.isFinite);
    return { label: charts.patch.curves[curve].name, rows: shownRun().layers, columns: steps.length, width: steps.length,
             largest: finite.reduce((most, one) => Math.max(most, one), 0) || 1,
             at: (row, column) => values[column][row] ?? NaN, said: "", x: "step" };
  }

  // The place of a value on the colour scale: from -1 to 1 by channel, from 0 to 1 by step.
  shareOf(value) {
    const share = value / this.grid.largest;
    if (!this.logarithmic) return share;
    return Math.sign(share) * Math.log10(1 + Math.abs(share) / LINEAR_SHARE) / Math.log10(1 + 1 / LINEAR_SHARE);
  }

  colours() {
    if (!this.isByChannel) return mixedColours(RISING);
    const mixed = mixedColours(DIVERGING[cssValue("scheme") === "dark" ? "dark" : "light"]);
    return (share) => mixed((share + 1) / 2);
  }

  show() {
    this.grid = this.gridOf();
    const { grid } = this;
    const find = (name) => this.card.querySelector(name);
    byId("map-title").textContent = this.isByChannel ? `Patch map, step ${shownStep().step}` : "Patch map";
    find(".said").textContent = grid ? grid.said : "The change of this step's norm scales was not recorded.";
    find(".axis").textContent = "layer";
    find(".below").textContent = grid?.x ?? "";
    const isPooled = grid && grid.columns < grid.width;
    const least = isPooled ? Math.floor(grid.width / grid.columns) : 1;
    const most = isPooled ? Math.ceil(grid.width / grid.columns) : 1;
    find(".pooled").textContent = isPooled
      ? `Each cell stands for ${least === most ? least : `${least} to ${most}`} of the ${grid.width} channels and shows `
        + "their value of largest magnitude." : "";
    find(".pooled").hidden = !isPooled;
    this.build();
    this.showScale();
    this.showTable();
  }

  build() {
    this.chart?.destroy();
    this.chart = null;
    if (!this.grid || this.plot.clientWidth < 50) return;
    this.image = this.paint();
    this.chart = this.draw(this.plot, this.plot.clientWidth, this.plot.clientHeight, 1);
    this.chart.over.append(this.tip);
    this.tip.hidden = true;
    this.chart.over.addEventListener("click", (event) => {
      const layer = Math.round(this.chart.posToVal(event.offsetY, "y"));
      const place = Math.round(this.chart.posToVal(event.offsetX, "x"));
      select({ layer: clamp(layer, 0, this.grid.rows - 1), ...(this.isByChannel ? {} : { step: place }) });
    });
    this.chart.over.addEventListener("mouseleave", () => { this.tip.hidden = true; });
  }

  resize() {
    if (!this.chart) return this.grid ? this.build() : undefined;
    const size = { width: this.plot.clientWidth, height: this.plot.clientHeight };
    if (size.width >= 50 && (size.width !== this.chart.width || size.height !== this.chart.height))
      this.chart.setSize(size);
  }

  picture(width, height, zoom) {
    if (!this.grid) return "";
    this.image = this.paint();
    const chart = this.draw(make("div"), width * zoom, height * zoom, zoom);
    const uri = chart.ctx.canvas.toDataURL("image/png");
    chart.destroy();
    return uri;
  }

  // A pixel for each cell, layer 0 at the bottom.
  paint() {
    const { grid } = this;
    const canvas = make("canvas", { width: String(grid.columns), height: String(grid.rows) });
    const context = canvas.getContext("2d");
    const pixels = context.createImageData(grid.columns, grid.rows);
    const colourOf = this.colours();
    for (let row = 0; row < grid.rows; row++)
      for (let column = 0; column < grid.columns; column++) {
        const value = grid.at(row, column);
        if (!Number.isNaN(value))
          pixels.data.set([...colourOf(this.shareOf(value)), 255], 4 * ((grid.rows - 1 - row) * grid.columns + column));
      }
    context.putImageData(pixels, 0, 0);
    return canvas;
  }

  draw(place, width, height, zoom) {
    const { grid } = this;
    const options = {
      width, height, padding: [8 * zoom, 10 * zoom, 0, 0], legend: { show: false },
      cursor: { points: { show: false }, drag: { x: false, y: false, setScale: false } },
      scales: { x: { time: false }, y: { range: () => [-0.5, grid.rows - 0.5] } },
      series: [{}, { scale: "y", paths: () => null, points: { show: false } }],
      axes: [xAxis(zoom), { ...xAxis(zoom), scale: "y", size: 34 * zoom, space: 22 * zoom }],
      hooks: { drawAxes: [(chart) => this.drawCells(chart)], setCursor: [(chart) => this.showTip(chart)] },
    };
    const chart = new uPlot(options, [[0, grid.width - 1], [0, grid.rows - 1]], place);
    return drawnNow(chart, { min: -0.5, max: grid.width - 0.5 });
  }

  drawCells({ ctx, bbox }) {
    ctx.save();
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(this.image, bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.strokeStyle = cssValue("border");
    ctx.strokeRect(bbox.left, bbox.top, bbox.width, bbox.height);
    const row = bbox.height / this.grid.rows;
    ctx.strokeStyle = cssValue("accent");
    ctx.lineWidth = 2;
    if (selection.layer !== NONE)
      ctx.strokeRect(bbox.left, bbox.top + bbox.height - row * (selection.layer + 1), bbox.width, row);
    const column = bbox.width / this.grid.columns;
    if (!this.isByChannel)
      ctx.strokeRect(bbox.left + column * selection.step, bbox.top, column, bbox.height);
    ctx.restore();
  }

  // "channels 8 to 15" of a cell.
  columnText(column) {
    const { grid } = this;
    const first = Math.ceil(column * grid.width / grid.columns);
    const last = Math.ceil((column + 1) * grid.width / grid.columns) - 1;
    if (!this.isByChannel) return stepPlace(first);
    return first === last ? `channel ${first}` : `channels ${first} to ${last}`;
  }

  showTip(chart) {
    const { left, top } = chart.cursor;
    this.tip.hidden = left < 0;
    if (left < 0) return;
    const { grid } = this;
    const row = clamp(Math.round(chart.posToVal(top, "y")), 0, grid.rows - 1);
    const place = clamp(Math.round(chart.posToVal(left, "x")), 0, grid.width - 1);
    const column = Math.floor(place * grid.columns / grid.width);
    this.tip.replaceChildren(make("div", { class: "place" }, `layer ${row}, ${this.columnText(column)}`),
                             make("div", { class: "line" }, make("span", {}, grid.label),
                                  make("b", {}, numberText(grid.at(row, column)))));
    placeTip(this.tip, chart, left);
  }

  showScale() {
    const scale = this.card.querySelector(".scale");
    scale.hidden = !this.grid;
    if (!this.grid) return;
    const { largest, label } = this.grid;
    const canvas = make("canvas", { width: "200", height: "1", class: "colours" });
    const context = canvas.getContext("2d");
    const colourOf = this.colours();
    for (let x = 0; x < 200; x++) {
      context.fillStyle = `rgb(${colourOf(this.isByChannel ? x / 99.5 - 1 : x / 199).join(",")})`;
      context.fillRect(x, 0, 1, 1);
    }
    const ends = this.isByChannel ? [`−${numberText(largest)}`, "0", numberText(largest)] : ["0", numberText(largest)];
    scale.replaceChildren(make("span", { title: meaningOf(label) }, label), make("div", { class: "ramp" }, canvas,
                          make("div", { class: "ends" }, ...ends.map((end) => make("span", {}, end)))));
  }

  showTable() {
    const details = this.card.querySelector("details");
    if (!details.open || !this.grid) return;
    const { grid } = this;
    const layers = Array.from({ length: grid.rows }, (_, row) => row);
    const rows = Array.from({ length: grid.columns }, (_, column) =>
      [this.columnText(column), ...layers.map((row) => numberText(grid.at(row, column)))]);
    details.querySelector("div").replaceChildren(
      makeTable(["", ...layers.map((row) => `layer ${row}`)], rows, "numbers"));
  }
}
