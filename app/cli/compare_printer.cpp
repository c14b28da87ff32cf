// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_printer.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "app/cli/printable.h"
#include "core/base/strings.h"
#include "core/record/context_effect.h"

namespace equipatch::cli {

namespace {

/// "method error from layer 3".
std::string inWords(const Verdict& verdict) {
  std::string words = spelled(verdict.kind);
  if (verdict.layer) words += " from layer " + std::to_string(*verdict.layer);
  return words;
}

/// "verdicts: 62 within noise, 2 rounding".
std::string inWords(const VerdictCounts& counts) {
  std::string words = "verdicts: ";
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    if (words.back() != ' ') words += ", ";
    words += std::to_string(counts[kind]) + ' ' + spelled(static_cast<VerdictKind>(kind));
  }
  return words;
}

/// The settings that differ from the defaults: ", computed in float32, free run".
std::string changedSettings(const RunHeader& header) {
  const RunRequest& request = header.request;
  std::ostringstream text;
  if (!request.absorbed.whole())
    text << ", absorbing "
         << absorbedText(request.absorbed,
                         static_cast<std::int64_t>(request.prompt.size()),
                         imageTokens(request.images));
  if (header.weights == WeightPlace::Mapped) text << ", weights mapped";
  if (header.computesFloat32) text << ", computed in float32";
  if (request.strength.alpha != 1.0) text << ", patch times " << request.strength.alpha;
  if (!request.strength.layers.empty()) {
    text << ", patched layers only:";
    for (const std::int64_t layer : request.strength.layers) text << ' ' << layer;
  }
  if (request.execution == Execution::Separate) text << ", passes one after another";
  if (request.freeRun) text << ", free run";
  if (request.roundLogits) text << ", logits rounded";
  if (request.sampling.temperature > 0.0)
    text << ", sampled at temperature " << request.sampling.temperature;
  return text.str();
}

}  // namespace

void StepPrinter::runStarted(std::shared_ptr<const RunHeader> header) {
  m_header = std::move(header);
  printHeader();
  std::cout.flush();
}

void StepPrinter::stepTaken(std::shared_ptr<const StepRecord> record) {
  m_floor.include(*record);
  print(*record);
  std::cout.flush();
  // Keep the record without layers: the summary needs none, and Δm vectors are large.
  StepRecord light = *record;
  light.layers = {};
  light.layerNoise = light.layerRounding = {};
  light.factors = {};
  m_steps.push_back(std::make_shared<const StepRecord>(std::move(light)));
}

Verdict StepPrinter::verdict(const StepRecord& step) const {
  return judge(step, m_floor, m_header->request.strength);
}

VerdictCounts StepPrinter::verdicts() const {
  return countVerdicts(m_steps, m_floor, m_header->request.strength);
}

void StepPrinter::printSummary() {
  print(summarise(m_steps));
  std::cout.flush();
}

void JsonPrinter::print(const StepRecord& step) {
  nlohmann::ordered_json object = toJson(step, m_detail);
  if (measuresNoise()) addVerdict(object, verdict(step));
  std::cout << jsonLine(object);
}

void JsonPrinter::print(const RunSummary& summary) {
  nlohmann::ordered_json object = toJson(summary, header());
  if (measuresNoise()) addVerdicts(object["summary"], verdicts());
  std::cout << jsonLine(object);
}

void TablePrinter::printHeader() {
  const RunRequest& request = header().request;
  std::cout << header().modelName << ", " << torchName(header().dtype) << " on "
            << header().device << ", " << name(request.patch.method) << ", "
            << name(request.patch.loop) << " loop, " << name(request.patch.application)
            << changedSettings(header()) << "; "
            << countText(request.prompt.size(), "prompt token") << "\n\n"
            << " step  " << printable("token", kTokenColumns)
            << (request.samples() ? "     " : "   ") << heading("L∞", 2)
            << heading("TVD", 3) << heading("KL", 2) << heading("margin", 6);
  if (request.bare) std::cout << heading("bare L∞", 7);
  if (request.audit) std::cout << heading("audit L∞", 8);
  if (request.measureNoise) std::cout << heading("floor L∞", 8) << "  verdict";
  std::cout << '\n';
}

void TablePrinter::print(const StepRecord& step) {
  std::cout << std::setw(5) << step.step.value << "  "
            << printable(step.tokenText, kTokenColumns) << (step.match ? "  ✓" : "  ✗");
  if (step.sampledMatch) std::cout << (*step.sampledMatch ? "  " : " ◆");
  std::cout << cell(step.patchedDistance.linf) << cell(step.patchedDistance.tvd)
            << cell(step.patchedDistance.kl) << cell(step.margin);
  if (step.bareDistance) std::cout << cell(step.bareDistance->linf);
  if (step.auditDistance) std::cout << cell(step.auditDistance->linf);
  if (step.noise) std::cout << cell(floorOf(step).linf) << "  " << inWords(verdict(step));
  if (!step.match && !step.patched.empty())
    std::cout << "  patched: " << printable(step.patched.front().text, kTokenColumns);
  std::cout << '\n';
}

void TablePrinter::print(const RunSummary& summary) {
  std::cout << "\n"
            << summary.text << "\n\n"
            << worthSentence(summary, header().request.absorbed) << '\n'
            << summary.matches << " of " << summary.steps << " most likely tokens match";
  if (summary.sampledMatches)
    std::cout << ", " << *summary.sampledMatches << " of the sampled ones (◆ where not)";
  std::cout << "; L∞ median " << numberText(summary.linfMedian, 0) << ", largest "
            << numberText(summary.linfMax, 0) << "; TVD largest "
            << numberText(summary.tvdMax, 0);
  if (header().request.bare)
    std::cout << "; bare L∞ median " << numberText(summary.bareLinfMedian, 0);
  if (header().request.audit)
    std::cout << "; audit L∞ median " << numberText(summary.auditLinfMedian, 0)
              << ", largest " << numberText(summary.auditLinfMax, 0);
  if (measuresNoise()) {
    std::cout << "; noise L∞ median " << numberText(summary.noiseLinfMedian, 0)
              << ", largest " << numberText(summary.noiseLinfMax, 0);
    if (summary.roundingLinfMax > 0.0)
      std::cout << " (of rounding activations: median "
                << numberText(summary.roundingLinfMedian, 0) << ", largest "
                << numberText(summary.roundingLinfMax, 0) << ")";
  }
  std::cout << "; " << numberText(summary.millisecondsPerStep, 0) << " ms per step\n";
  if (measuresNoise()) std::cout << inWords(verdicts()) << '\n';
}

using Object = nlohmann::ordered_json;

namespace {

constexpr std::size_t kPairedTokenColumns = 14;  // narrower: each line has two tokens

struct Totals {
  std::int64_t matches = 0;
  double linf = 0.0;
  double audit = 0.0;
};

Totals totalsOf(const SharedPatchRecord& record) {
  Totals totals;
  for (const SharedTokenRecord& token : record.tokens) {
    totals.matches += token.match ? 1 : 0;
    totals.linf = std::max(totals.linf, token.patchedDistance.linf);
    totals.audit = std::max(totals.audit, token.auditDistance.linf);
  }
  return totals;
}

void printGrowth(const SharedPatchRecord& record) {
  std::cout << "\nHow the patch grows: ‖ΔW‖ / ‖W‖, median of the layers\n\n tokens";
  for (const MatrixPatchNorm& matrix : record.growth.back().matrices)
    std::cout << heading(matrix.matrix, static_cast<int>(matrix.matrix.size()));
  std::cout << '\n';
  for (const SharedGrowth& row : record.growth) {
    std::cout << std::setw(7) << row.tokens;
    for (const MatrixPatchNorm& matrix : row.matrices) std::cout << cell(matrix.relative);
    std::cout << '\n';
  }
}

Object relativeNorms(const std::vector<MatrixPatchNorm>& matrices) {
  Object norms = Object::object();
  for (const MatrixPatchNorm& matrix : matrices) norms[matrix.matrix] = matrix.relative;
  return norms;
}

Object toJson(const SharedTokenRecord& token) {
  return {{"position", token.position.value},
          {"x_id", token.x.value},
          {"x", token.text},
          {"token_id", token.contextual.id.value},
          {"token", token.contextual.text},
          {"token_text", token.contextual.text},
          {"patched_id", token.patched.id.value},
          {"patched_token_id", token.patched.id.value},
          {"match", token.match},
          {"linf", token.patchedDistance.linf},
          {"tvd", token.patchedDistance.tvd},
          {"kl", token.patchedDistance.kl},
          {"margin", token.margin},
          {"bare_linf", token.bareDistance.linf},
          {"audit_linf", token.auditDistance.linf}};
}

Object layersOf(const SharedPatchRecord& record) {
  Object layers = Object::array();
  for (std::size_t index = 0; index < record.layers.size(); ++index) {
    const LayerRecord& layer = record.layers[index];
    layers.push_back({{"layer", index},
                      {"dw_rel", relativeNorms(layer.matrices)},
                      {"dscale_norm", layer.scaleNorm},
                      {"dscale_max", layer.scaleMax},
                      {"hidden_error", layer.hiddenError}});
  }
  return layers;
}

}  // namespace

void printSharedPatchTable(const RunHeader& header, const SharedPatchRecord& record) {
  std::cout << header.modelName << ", " << torchName(header.dtype) << " on "
            << header.device << ", " << name(header.request.patch.application) << "; "
            << countText(header.request.prompt.size(), "prompt token")
            << "\nOne set of patched weights for "
            << countText(record.tokens.size(), "token")
            << ", run over them without the context before them\n\n position  "
            << printable("token", kPairedTokenColumns) << "  "
            << printable("next", kPairedTokenColumns) << "   " << heading("L∞", 2)
            << heading("TVD", 3) << heading("margin", 6) << heading("bare L∞", 7)
            << heading("audit L∞", 8) << '\n';
  for (const SharedTokenRecord& token : record.tokens)
    std::cout << std::setw(9) << token.position.value << "  "
              << printable(token.text, kPairedTokenColumns) << "  "
              << printable(token.contextual.text, kPairedTokenColumns)
              << (token.match ? "  ✓" : "  ✗") << cell(token.patchedDistance.linf)
              << cell(token.patchedDistance.tvd) << cell(token.margin)
              << cell(token.bareDistance.linf) << cell(token.auditDistance.linf) << '\n';
  printGrowth(record);
  const Totals totals = totalsOf(record);
  std::cout << '\n'
            << totals.matches << " of " << record.tokens.size()
            << " most likely tokens match; L∞ largest " << numberText(totals.linf, 0)
            << "; audit L∞ largest " << numberText(totals.audit, 0) << '\n';
}

void printSharedPatchJson(const SharedPatchRecord& record, LayerDetail detail) {
  for (const SharedTokenRecord& token : record.tokens)
    std::cout << jsonLine(toJson(token));
  const Totals totals = totalsOf(record);
  Object growth = Object::array();
  for (const SharedGrowth& row : record.growth)
    growth.push_back({{"tokens", row.tokens}, {"dw_rel", relativeNorms(row.matrices)}});
  Object summary = {{"tokens", record.tokens.size()},
                    {"matches", totals.matches},
                    {"linf_max", totals.linf},
                    {"audit_linf_max", totals.audit},
                    {"growth", growth}};
  if (detail == LayerDetail::Include) summary["layers"] = layersOf(record);
  std::cout << jsonLine({{"summary", std::move(summary)}});
}

}  // namespace equipatch::cli
