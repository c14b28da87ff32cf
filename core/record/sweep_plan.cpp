#include "core/record/sweep/sweep_plan.h"

#include <charconv>

#include "core/base/error.h"
#include "core/record/different_weights.h"

namespace equipatch {
namespace {

/// The number that is all of `text`, or -1.
std::int64_t wholeNumber(std::string_view text) {
  std::int64_t number = -1;
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc() && rest == end ? number : -1;
}

}  // namespace

std::string SweepCell::fileName() const {
  return prompt.name + "." + pointText(point, '.') + ".eqrun";
}

Shard parseShard(std::string_view text) {
  const std::size_t stroke = text.find('/');
  if (stroke != std::string_view::npos) {
    const Shard shard{wholeNumber(text.substr(0, stroke)),
                      wholeNumber(text.substr(stroke + 1))};
    if (shard.index >= 1 && shard.index <= shard.count) return shard;
  }
  throw badInput("expected a part of the whole from 1/N to N/N, such as 2/4, found " +
                 inQuotes(text));
}

std::vector<SweepCell> cellsOf(const SweepPlan& plan, const Shard& shard) {
  std::vector<SweepCell> cells;
  std::int64_t number = 0;
  for (const SweepPoint& point : plan.points)
    for (const SweepPrompt& prompt : plan.prompts)
      if (number++ % shard.count == shard.index - 1) cells.push_back({prompt, point});
  return cells;
}

bool isRunOf(const RunHeader& header, const SweepPlan& plan, const SweepCell& cell) {
  const RunRequest& request = header.request;
  return header.dtype == cell.point.dtype && header.device == plan.device &&
         request.patch == cell.point.patch && request.steps == plan.steps &&
         request.measureNoise == plan.measureNoise &&
         request.ignoreEndOfSequence == plan.ignoreEndOfSequence &&
         differentWeights(plan.origin, header.provenance).empty() &&
         // A chat template's text is not known here, but holds the message.
         (cell.prompt.chat || request.promptText == cell.prompt.text);
}

std::vector<std::string> differentSettings(const SweepPlan& then, const SweepPlan& now) {
  std::vector<std::string> clauses = differentWeights(then.origin, now.origin);
  const auto compare = [&](const std::string& what, const std::string& before,
                           const std::string& after) {
    if (before != after) clauses.push_back(what + after + " instead of " + before);
  };
  const auto yes = [](bool flag) { return std::string(flag ? "yes" : "no"); };
  compare("the device is ", then.device, now.device);
  compare("steps are ", std::to_string(then.steps), std::to_string(now.steps));
  compare("noise is measured: ", yes(then.measureNoise), yes(now.measureNoise));
  compare("end of sequence is ignored: ", yes(then.ignoreEndOfSequence),
          yes(now.ignoreEndOfSequence));
  return clauses;
}

}  // namespace equipatch
