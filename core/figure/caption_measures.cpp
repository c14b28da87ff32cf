// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/caption_measures.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>

#include "core/base/strings.h"
#include "core/figure/figure_kind.h"
#include "core/figure/layer_panels.h"
#include "core/figure/panel_range.h"

namespace equipatch {
namespace {

/// Defines the patch sizes that the figure shows.
std::vector<std::string> sizeSentences(const Figure& figure,
                                       const std::vector<FigureRun>& runs) {
  std::vector<std::string> sentences;
  const bool isRelative = std::ranges::any_of(
      figure.panels,
      [](const FigurePanel& panel) { return panel.y.label == kRelativePatchSizes; });
  if (hasCurve(figure, "ΔW"))
    sentences.emplace_back(isRelative
                               ? "‖ΔW‖ / ‖W‖: the Frobenius norm of a weight matrix's "
                                 "change over that of the matrix."
                               : "‖ΔW‖: the Frobenius norm of a weight matrix's change.");
  const bool closes = std::ranges::any_of(runs, [](const FigureRun& run) {
    return run.header->closesWithScale || run.header->closesWithBias;
  });
  if (isRelative && closes)
    sentences.emplace_back(
        "The change of the scale or bias that closes the block is not shown: runs do not "
        "record its relative size.");
  if (hasCurve(figure, "Δm dense scale"))
    sentences.push_back(
        std::string("Δm dense scale: the norm of the change of the scale after the dense "
                    "MLP beside the experts") +
        (isRelative ? ", over the norm of that scale." : "."));
  if (hasCurve(figure, "Δm scale"))
    sentences.emplace_back(
        "‖Δm‖: the norm of the change of the scale of the norm that closes the block.");
  if (hasCurve(figure, "Δb"))
    sentences.emplace_back(
        "‖Δb‖: the norm of the change of the bias that closes the block.");
  return sentences;
}

constexpr const char* kKeptTokens =
    " Kept tokens were computed with the absorbed ones and may hold some of what these "
    "say.";

bool keepsTokens(const std::vector<FigureRun>& runs) {
  return std::ranges::any_of(
      runs, [](const FigureRun& run) { return !run.header->request.absorbed.whole(); });
}

bool hasBand(const Figure& figure) {
  return std::ranges::any_of(figure.panels, [](const FigurePanel& panel) {
    return std::ranges::any_of(
        panel.curves, [](const FigureCurve& curve) { return !curve.lower.empty(); });
  });
}

bool hasMarks(const Figure& figure, FigureMarks::Symbol symbol) {
  return std::ranges::any_of(figure.panels, [&](const FigurePanel& panel) {
    return std::ranges::any_of(panel.marks, [&](const FigureMarks& marks) {
      return marks.symbol == symbol && !marks.x.empty();
    });
  });
}

/// Explains boxes, bars and their percentages.
std::vector<std::string> rowSentences(const Figure& figure) {
  std::vector<std::string> sentences;
  std::string pass;  // empty: no shares
  // In a figure of ablated passes, a run that absorbs everything shows its bare pass,
  // because it has no ablated pass. The sentence names only the ablated pass.
  const auto addPass = [&pass](const FigureShare& share) {
    if (pass != name(ControlPass::Ablated)) pass = share.pass;
  };
  std::set<std::int64_t> counts;
  for (const FigurePanel& panel : figure.panels) {
    for (const FigureBox& box : panel.boxes) {
      counts.insert(box.count);
      if (box.equal.whole > 0) addPass(box.equal);
    }
    for (const FigureBar& bar : panel.bars) addPass(bar.share);
  }
  if (!counts.empty())
    sentences.push_back("Boxes show the quartiles and the median of all steps (" +
                        (counts.size() == 1
                             ? std::to_string(*counts.begin())
                             : "from " + std::to_string(*counts.begin()) + " to " +
                                   std::to_string(*counts.rbegin())) +
                        " a row), whiskers the 5th and the 95th percentile, points the "
                        "steps outside.");
  if (!pass.empty())
    sentences.push_back("Equal: the steps in which the " + pass +
                        " pass has the contextual pass's most likely token, in percent.");
  return sentences;
}

std::vector<std::string> titlesOf(const std::vector<FigurePanel>& panels) {
  std::vector<std::string> titles;
  for (const FigurePanel& panel : panels) titles.push_back(panel.title);
  return titles;
}

/// Lists the panels' titles, which name runs and steps.
std::string shownSentence(std::vector<std::string> titles) {
  std::erase(titles, "");
  return titles.empty() ? "" : "Shown: " + joined(titles, "; ") + ".";
}

/// True if two maps of Δm have different colours for the same value.
bool haveOtherScales(const Figure& figure) {
  std::set<double> ends;
  for (const FigurePanel& panel : figure.panels)
    if (panel.map && panel.map->isAroundZero()) ends.insert(colourRange(*panel.map).high);
  return ends.size() > 1;
}

/// Explains maps of Δm: their colours, and the run and step of each.
std::vector<std::string> mapSentences(const Figure& figure) {
  std::vector<std::string> titles;
  bool isEven = false;
  for (const FigurePanel& panel : figure.panels) {
    if (!panel.map || !panel.map->isAroundZero()) continue;
    isEven = panel.map->colours == FigureMap::Colours::AroundZeroEvenly;
    titles.push_back(panel.title);
  }
  if (titles.empty()) return {};
  std::vector<std::string> sentences{
      "Δm: the change of the scale of the norm that closes the block, one number for "
      "each layer and channel; its colours are " +
      std::string(isEven ? "linear."
                         : "logarithmic on both sides of zero, and linear within a "
                           "thousandth of the scale's end.")};
  const bool several = titles.size() > 1;
  std::erase(titles, "");
  if (!titles.empty())
    sentences.push_back((several ? "Maps: " : "Map: ") + joined(titles, "; ") + ".");
  if (haveOtherScales(figure)) sentences.emplace_back("Each map has a scale of its own.");
  return sentences;
}

}  // namespace

bool hasCurve(const Figure& figure, std::string_view word) {
  return std::ranges::any_of(figure.panels, [&](const FigurePanel& panel) {
    return std::ranges::any_of(panel.curves, [&](const FigureCurve& curve) {
      return !isRun(curve, panel) && curve.name.starts_with(word);
    });
  });
}

bool haveOtherRanges(const Figure& figure) {
  std::map<std::string, FigureRange> ranges;
  return std::ranges::any_of(figure.panels, [&](const FigurePanel& panel) {
    if (panel.map || panel.curves.empty()) return false;
    const FigureRange range = valueRange(panel);
    return ranges.emplace(panel.y.label, range).first->second != range;
  });
}

std::vector<std::string> measureSentences(const Figure& figure) {
  const auto names = [&](std::string_view word) {
    const bool isLabel =
        std::ranges::any_of(figure.panels, [&](const FigurePanel& panel) {
          return panel.x.label.find(word) != std::string::npos ||
                 panel.y.label.find(word) != std::string::npos;
        });
    return isLabel || hasCurve(figure, word);
  };
  std::vector<std::string> sentences;
  if (names("L∞"))
    sentences.emplace_back(
        "L∞: the largest difference between the logits of a pass and those of the "
        "contextual pass.");
  if (names("total variation") || names("TVD"))
    sentences.emplace_back(
        "Total variation: half the sum of the absolute differences between two "
        "passes' probabilities, at temperature 1.");
  if (names("KL"))
    sentences.emplace_back(
        "KL: the sum of p log(p/q), where p are the contextual pass's probabilities and "
        "q the other pass's, at temperature 1.");
  if (names("margin"))
    sentences.emplace_back(
        "Margin: the contextual pass's largest logit minus its second largest.");
  if (names("‖x′ − x_C‖"))
    sentences.emplace_back(
        "Hidden error: the distance of a layer's output x′ in the patched pass from its "
        "output x_C in the contextual pass, over the length of x_C.");
  return sentences;
}

/// True for a figure of kind `effect` that shows this pass.
bool isOfPass(const Figure& figure, ControlPass pass) {
  return figure.kind == name(FigureKind::Effect) &&
         figure.panels.front().x.label.find(std::string(" ") + name(pass) + " ") !=
             std::string::npos;
}

std::vector<std::string> signSentences(const Figure& figure,
                                       const std::vector<FigureRun>& runs) {
  std::vector<std::string> sentences;
  if (hasMarks(figure, FigureMarks::Symbol::Mismatch)) {
    const bool coloured =
        std::ranges::any_of(figure.panels, &FigurePanel::hasColouredMarks);
    sentences.emplace_back("✗: the most likely tokens differ" +
                           std::string(coloured ? ", in the colour of the run." : "."));
  }
  if (hasMarks(figure, FigureMarks::Symbol::SampledDifference))
    sentences.emplace_back("Diamonds: the sampled tokens differ.");
  // For curves, hasZeros would also count a band that ends at 0, which has no circle.
  if (std::ranges::any_of(figure.panels, [](const FigurePanel& panel) {
        return panel.hasRows() ? hasZeros(panel) : explainsZeros(panel);
      }))
    sentences.emplace_back("Open circles at the end of an axis: exactly 0.");
  if (isOfPass(figure, ControlPass::Ablated))
    sentences.emplace_back(
        "Ablated pass: the original weights on a text without the absorbed part.");
  if (hasCurve(figure, "bare") || isOfPass(figure, ControlPass::Bare))
    sentences.push_back("Bare pass: without the absorbed context and without the patch." +
                        std::string(keepsTokens(runs) ? kKeptTokens : ""));
  if (figure.kind == name(FigureKind::Effect))
    sentences.emplace_back("The rows are ordered by their largest values.");
  if (hasCurve(figure, "noise") || hasCurve(figure, "largest noise"))
    sentences.emplace_back(
        "Noise: the contextual pass against itself when only rounding changes.");
  if (hasCurve(figure, "ε of"))
    sentences.emplace_back(
        "ε: the distance from 1 to the next larger number of the dtype.");
  std::ranges::move(sizeSentences(figure, runs), std::back_inserter(sentences));
  if (hasBand(figure))
    sentences.emplace_back(
        "Curves with a band are medians; the band is from the 10th to the 90th "
        "percentile.");
  std::ranges::move(rowSentences(figure), std::back_inserter(sentences));
  std::ranges::move(mapSentences(figure), std::back_inserter(sentences));
  if (figure.kind == name(FigureKind::PatchNorms) ||
      figure.kind == name(FigureKind::LayerError))
    sentences.push_back(shownSentence(titlesOf(figure.panels)));
  if (haveOtherRanges(figure)) sentences.emplace_back(kOtherRanges);
  std::erase(sentences, "");
  return sentences;
}

}  // namespace equipatch
