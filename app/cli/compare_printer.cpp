// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/compare_printer.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string_view>

#include "app/cli/printable.h"
#include "core/base/number_ranges.h"
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

/// "62 within noise, 2 rounding".
std::string inWords(const VerdictCounts& counts) {
  std::string words;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    if (!words.empty()) words += ", ";
    words += std::to_string(counts[kind]) + ' ' + spelled(static_cast<VerdictKind>(kind));
  }
  return words;
}

/// As `withoutControls`, but keeps line breaks: text that a model generated must not
/// control the terminal.
std::string linesOf(std::string_view text) {
  std::string lines;
  for (;;) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += withoutControls(text.substr(0, end));
    if (end == text.size()) return lines;
    lines += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace

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
  if (!request.strength.layers.empty())
    text << ", patch only on layers " << numberRangesText(request.strength.layers);
  if (request.execution == Execution::Separate) text << ", passes one after another";
  if (request.freeRun) text << ", free run";
  if (request.roundLogits) text << ", logits rounded";
  const Sampling& sampling = request.sampling;
  if (sampling.temperature > 0.0) {
    text << ", sampled at temperature " << sampling.temperature;
    if (sampling.topK > 0) text << ", top-k " << sampling.topK;
    if (sampling.topP < 1.0) text << ", top-p " << sampling.topP;
    text << ", seed " << sampling.seed;
  }
  return text.str();
}

void StepPrinter::runStarted(std::shared_ptr<const RunHeader> header) {
  m_header = std::move(header);
  printHeader();
  std::cout.flush();
}

void StepPrinter::stepTaken(std::shared_ptr<const StepRecord> record) {
  m_floor.include(*record);
  print(*record);
  std::cout.flush();
  // The summary needs no layers, and their Δm vectors are large.
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
  std::cout << withoutControls(header().modelName) << ", " << torchName(header().dtype)
            << " on " << header().device << ", " << name(request.patch.method) << ", "
            << name(request.patch.loop) << " loop, " << name(request.patch.application)
            << changedSettings(header()) << "; "
            << countText(request.prompt.size(), "prompt token") << "\n\n"
            << " step  " << printable("token", kTokenColumns)
            << (request.samples() ? "     " : "   ") << heading("L∞", 2)
            << heading("TVD", 3) << heading("KL", 2) << heading("margin", 6);
  if (request.bare) std::cout << heading("bare L∞", 7) << heading("bare KL", 7);
  if (request.runsAblated()) std::cout << heading("ablated KL", 10);
  if (request.audit) std::cout << heading("audit L∞", 8);
  if (request.measureNoise) std::cout << heading("floor L∞", 8) << "  verdict";
  std::cout << '\n';
}

void TablePrinter::print(const StepRecord& step) {
  std::cout << std::setw(5) << step.step.value << "  "
            << printableToken(step.tokenText, kTokenColumns)
            << (step.match ? "  ✓" : "  ✗");
  if (step.sampledMatch) std::cout << (*step.sampledMatch ? "  " : " ◆");
  std::cout << cell(step.patchedDistance.linf) << cell(step.patchedDistance.tvd)
            << cell(step.patchedDistance.kl) << cell(step.margin);
  if (step.bareDistance)
    std::cout << cell(step.bareDistance->linf) << cell(step.bareDistance->kl);
  if (step.ablatedDistance) std::cout << cell(step.ablatedDistance->kl);
  if (step.auditDistance) std::cout << cell(step.auditDistance->linf);
  if (step.noise)
    std::cout << (floor().measured ? cell(floor().linf) : cell("-")) << "  "
              << inWords(verdict(step));
  if (!step.match && !step.patched.empty())
    std::cout << "  patched: "
              << printableToken(step.patched.front().text, kTokenColumns);
  std::cout << '\n';
}

void TablePrinter::print(const RunSummary& summary) {
  std::cout << "\n"
            << linesOf(summary.text) << "\n\n"
            << agreementSentence(summary, header().request.absorbed) << '\n'
            << summary.matches << " of " << summary.steps << " most likely tokens match";
  if (summary.sampledMatches)
    std::cout << ", " << *summary.sampledMatches << " of the sampled ones (◆ where not)";
  std::cout << "; L∞ median " << numberText(summary.linfMedian, 0) << ", largest "
            << numberText(summary.linfMax, 0) << "; TVD largest "
            << numberText(summary.tvdMax, 0);
  if (header().request.bare)
    std::cout << "; bare L∞ median " << numberText(summary.bareLinfMedian, 0)
              << ", bare KL median " << numberText(summary.bareKlMedian, 0)
              << ", largest " << numberText(summary.bareKlMax, 0);
  if (header().request.runsAblated())
    std::cout << "; ablated KL median " << numberText(summary.ablatedKlMedian, 0)
              << ", largest " << numberText(summary.ablatedKlMax, 0);
  if (header().request.audit)
    std::cout << "; audit L∞ median " << numberText(summary.auditLinfMedian, 0)
              << ", largest " << numberText(summary.auditLinfMax, 0);
  if (measuresNoise()) {
    std::cout << "; noise L∞ median " << numberText(summary.noiseLinfMedian, 0)
              << ", largest " << numberText(summary.noiseLinfMax, 0);
    if (summary.hasRounding)
      std::cout << " (of rounding activations: median "
                << numberText(summary.roundingLinfMedian, 0) << ", largest "
                << numberText(summary.roundingLinfMax, 0) << ")";
  }
  std::cout << "; " << numberText(summary.millisecondsPerStep, 0) << " ms per step\n";
  if (!measuresNoise()) return;
  if (floor().measured)
    std::cout << "verdicts by the noise floor of all steps, "
              << numberText(floor().linf, 0) << ": ";
  else
    std::cout << "verdicts without a noise floor: ";
  std::cout << inWords(verdicts()) << '\n';
  if (floor().overflowed)
    std::cout << "note: noise references that hold NaN or infinity do not count; a wider "
                 "dtype may help\n";
}

}  // namespace equipatch::cli
