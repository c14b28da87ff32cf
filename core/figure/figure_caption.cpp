// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_caption.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "core/base/strings.h"
#include "core/figure/run_names.h"
#include "core/record/branch.h"
#include "core/record/run_request.h"

namespace equipatch {
namespace {

constexpr std::string_view kMadeWith = "Made with Equipatch " EQUIPATCH_VERSION ".";

/// "Model: equipatch-tiny (Gemma3ForCausalLM).", or the names of several.
std::string modelSentence(const RunHeaders& headers) {
  std::set<std::string> models;
  for (const auto& header : headers)
    models.insert(header->modelName + " (" + header->architecture + ")");
  const std::vector<std::string> names(models.begin(), models.end());
  return (names.size() == 1 ? "Model: " : "Models: ") + joined(names) + ".";
}

std::string promptSentence(const RunHeaders& headers) {
  constexpr std::size_t kMostBytes = 300;
  std::set<std::string> prompts;
  for (const auto& header : headers)
    prompts.insert(shownPrompt(rootRequest(header->request)));
  if (prompts.size() > 1) return std::to_string(prompts.size()) + " prompts.";
  const std::string& prompt = *prompts.begin();
  const std::string count =
      " (" + countText(rootLength(headers.front()->request), "token") + ").";
  if (headers.front()->request.promptText.empty() || prompt.size() > kMostBytes) {
    const bool cut = prompt.size() > kMostBytes;
    return "Prompt: " + std::string(cutUtf8(prompt, kMostBytes)) + (cut ? "…" : "") +
           count;
  }
  return "Prompt: “" + prompt + "”" + count;
}

std::string agreementSentence(const std::vector<FigureRun>& runs) {
  std::size_t steps = 0, matches = 0;
  for (const FigureRun& run : runs)
    for (const auto& step : run.steps) {
      ++steps;
      matches += step->match ? 1 : 0;
    }
  return "The most likely tokens of the contextual and the patched pass agree in " +
         std::to_string(matches) + " of " + countText(steps, "step") + ".";
}

template <typename Is>
bool hasCurve(const Figure& figure, Is is) {
  return std::ranges::any_of(figure.panels, [&](const FigurePanel& panel) {
    return std::ranges::any_of(panel.curves, is);
  });
}

bool hasMarks(const Figure& figure, FigureMarks::Sign sign) {
  return std::ranges::any_of(figure.panels, [&](const FigurePanel& panel) {
    return std::ranges::any_of(panel.marks, [&](const FigureMarks& marks) {
      return marks.sign == sign && !marks.x.empty();
    });
  });
}

/// What the signs mean that occur in the figure.
std::vector<std::string> signSentences(const Figure& figure) {
  const auto begins = [](std::string_view word) {
    return [word](const FigureCurve& curve) { return curve.name.starts_with(word); };
  };
  std::vector<std::string> sentences;
  if (hasMarks(figure, FigureMarks::Sign::Mismatch))
    sentences.emplace_back("✗: the most likely tokens differ.");
  if (hasMarks(figure, FigureMarks::Sign::SampledDifference))
    sentences.emplace_back("◆: the sampled tokens differ.");
  if (hasCurve(figure, begins("bare")))
    sentences.emplace_back(
        "Bare pass: without the absorbed context and without the patch.");
  if (hasCurve(figure, begins("noise")))
    sentences.emplace_back(
        "Noise: the contextual pass against itself when only rounding changes.");
  const bool hasBoxes = std::ranges::any_of(
      figure.panels, [](const FigurePanel& panel) { return !panel.boxes.empty(); });
  if (hasBoxes)
    sentences.emplace_back(
        "Boxes show the quartiles and the median of all steps, whiskers the 5th and the "
        "95th percentile, points the steps outside.");
  return sentences;
}

}  // namespace

std::string captionOf(const Figure& figure, const std::vector<FigureRun>& runs) {
  const RunHeaders headers = headersOf(runs);
  std::vector<std::string> sentences{figure.title + ".", modelSentence(headers),
                                     promptSentence(headers)};
  if (const auto shared = sharedSettings(headers); !shared.empty())
    sentences.push_back("Settings: " + joined(shared) + ".");
  sentences.push_back(agreementSentence(runs));
  std::ranges::move(signSentences(figure), std::back_inserter(sentences));
  sentences.emplace_back(kMadeWith);
  return withoutControls(joined(sentences, " "));
}

std::string captionOf(const LabResult& result) {
  std::vector<std::string> sentences{result.title + ".",
                                     "Settings: " + result.origin.setting + ", seed " +
                                         std::to_string(result.origin.seed) + "."};
  sentences.insert(sentences.end(), result.notes.begin(), result.notes.end());
  sentences.emplace_back(kMadeWith);
  return withoutControls(joined(sentences, " "));
}

}  // namespace equipatch
