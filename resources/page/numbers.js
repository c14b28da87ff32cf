"use strict";
// Numbers as Equipatch's window writes them, and ticks of axes.

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function superscript(exponent) {
  return String(exponent).replace("-", "⁻").replace(/[0-9]/g, (digit) => SUPERSCRIPTS[digit]);
}

// Three significant digits, or a whole number from 1000 to 99999: "0.125", "12346", "1.24×10⁻⁵", "−0.5", "∞".
function numberText(value) {
  if (value === undefined || value === null) return "";
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size >= 1e-3 && size < 99999.5)
    return sign + (size >= 1000 ? size.toFixed(0) : String(Number(size.toPrecision(3))));
  const [mantissa, exponent] = size.toExponential(2).split("e");
  return `${sign}${mantissa}×10${superscript(Number(exponent))}`;
}

// The same for a tick, without trailing zeros and a factor of 1: "1.5×10⁻⁵", "10⁻⁵".
function tickText(value) {
  return numberText(value).replace(/\.?0+(?=×)/, "").replace(/^1×/, "");
}

// "0.1", "42", "99.9"; "100" and "0.0" only for exactly that.
function percentText(probability) {
  if (Number.isNaN(probability)) return "NaN";
  if (probability > 0 && probability < 0.0005) return "<0.1";
  if (probability >= 0.9995 && probability < 1) return ">99.9";
  const isNearAnEnd = probability < 0.0995 || probability >= 0.995;
  return (100 * probability).toFixed(isNearAnEnd && probability < 1 ? 1 : 0);
}

// Ticks of a logarithmic axis: powers of ten, with 2 and 5 where there are few of them, or
// evenly spaced ones within less than a decade.
function logTicks(low, high) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const decades = Math.log10(high / low);
  if (decades < 0.8) return evenTicks(low, high, 4);
  const digits = decades < 2.2 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil((last - first + 1) / 6));
  const ticks = [];
  for (let exponent = first - 1; exponent <= last; exponent++) {
    if ((last - exponent) % every !== 0) continue;
    for (const digit of digits) {
      const tick = digit * Math.pow(10, exponent);
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return ticks;
}

function evenTicks(low, high, count) {
  const rough = (high - low) / count;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= rough);
  const ticks = [];
  for (let i = Math.ceil(low / step); i * step <= high; i++) ticks.push(i * step);
  return ticks;
}
