#include "app/cli/step_printer.h"

#include <iomanip>
#include <iostream>
#include <sstream>

#include "app/cli/printable.h"
#include "app/cli/table_cell.h"

namespace equipatch::cli {

namespace {

/// "method error from layer 3".
std::string inWords(const Verdict& verdict) {
  std::string words = spelled(verdict.kind);
  if (verdict.layer) words += " from layer " + std::to_string(*verdict.layer);
  return words;
}

/// "62 exact, 2 rounding".
std::string inWords(const VerdictCounts& counts) {
  std::string words = "verdicts: ";
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    if (counts[kind] == 0) continue;
    if (words.back() != ' ') words += ", ";
    words += std::to_string(counts[kind]) + ' ' + spelled(static_cast<VerdictKind>(kind));
  }
  return words;
}

/// What is not as usual in this run, so that its numbers are not taken for the usual
/// ones.
std::string departures(const RunHeader& header) {
  const RunRequest& request = header.request;
  std::ostringstream text;
  if (!request.absorbed.whole())
    text << ", absorbing "
         << absorbedText(request.absorbed,
                         static_cast<std::int64_t>(request.prompt.size()));
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
  // The summary needs no layers, and a long run's Δm vectors fill a memory.
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
  nlohmann::ordered_json object = toJson(summary, header().request);
  if (measuresNoise()) addVerdicts(object["summary"], verdicts());
  std::cout << jsonLine(object);
}

void TablePrinter::printHeader() {
  const RunRequest& request = header().request;
  std::cout << header().modelName << ", " << torchName(header().dtype) << " on "
            << header().device << ", " << name(request.patch.method) << ", "
            << name(request.patch.loop) << " loop, " << name(request.patch.application)
            << departures(header()) << "; "
            << countText(request.prompt.size(), "prompt token") << "\n\n"
            << " step  " << printable("token", kTokenColumns) << "   " << heading("L∞", 2)
            << heading("TVD", 3) << heading("KL", 2) << heading("margin", 6);
  if (request.bare) std::cout << heading("bare L∞", 7);
  if (request.audit) std::cout << heading("audit L∞", 8);
  if (request.measureNoise) std::cout << heading("floor L∞", 8) << "  verdict";
  std::cout << '\n';
}

void TablePrinter::print(const StepRecord& step) {
  std::cout << std::setw(5) << step.step.value << "  "
            << printable(step.tokenText, kTokenColumns) << (step.match ? "  ✓" : "  ✗")
            << cell(step.patchedDistance.linf) << cell(step.patchedDistance.tvd)
            << cell(step.patchedDistance.kl) << cell(step.margin);
  if (step.bareDistance) std::cout << cell(step.bareDistance->linf);
  if (step.auditDistance) std::cout << cell(step.auditDistance->linf);
  if (step.noise) std::cout << cell(floorOf(step).linf) << "  " << inWords(verdict(step));
  std::cout << '\n';
}

void TablePrinter::print(const RunSummary& summary) {
  std::cout << "\n"
            << summary.text << "\n\n"
            << summary.matches << " of " << summary.steps << " tokens match; L∞ median "
            << numberText(summary.linfMedian, 0) << ", largest "
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
  std::cout << "; " << numberText(summary.millisecondsPerStep, 0) << " ms a step\n";
  if (measuresNoise()) std::cout << inWords(verdicts()) << '\n';
}

}  // namespace equipatch::cli
