// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/number_format.h"
#include "core/lesson/lesson_words.h"

namespace equipatch {
namespace {

using Relation = LessonCondition::Relation;

bool relationHolds(double value, Relation relation, double number) {
  switch (relation) {
    case Relation::Below:
      return value < number;
    case Relation::AtMost:
      return value <= number;
    case Relation::Above:
      return value > number;
    case Relation::AtLeast:
      return value >= number;
    case Relation::Is:
      return value == number;
    case Relation::IsNot:
      return value != number;
    case Relation::Contains:
      return false;  // only texts contain; the reader refuses it for numbers
  }
  return false;
}

/// The part that shows a quantity which the reader changes while answering; none for
/// other quantities.
std::optional<LessonPart> partThatShows(std::string_view quantity) {
  constexpr std::array<std::string_view, 4> kOfRun{"answer", "steps", "matches",
                                                   "mismatches"};
  constexpr std::array<std::string_view, 8> kOfStep{"token",       "patched",    "bare",
                                                    "bare-agrees", "linf",       "margin",
                                                    "bare-linf",   "probability"};
  constexpr std::array<std::string_view, 4> kOfSlider{"alpha", "layers-on", "tried-linf",
                                                      "tried-match"};
  if (std::ranges::find(kOfRun, quantity) != kOfRun.end()) return LessonPart::Tokens;
  if (std::ranges::find(kOfStep, quantity) != kOfStep.end()) return LessonPart::Step;
  if (std::ranges::find(kOfSlider, quantity) != kOfSlider.end())
    return LessonPart::Strength;
  return std::nullopt;
}

}  // namespace

std::vector<LessonPart> partsOf(const LessonStep& step) {
  std::vector<LessonPart> parts = step.lit;
  if (!step.question) return parts;
  for (const LessonCondition& condition : step.question->conditions) {
    const auto part = partThatShows(condition.quantity);
    if (part && std::ranges::find(parts, *part) == parts.end()) parts.push_back(*part);
  }
  return parts;
}

std::string_view partName(LessonPart part) {
  switch (part) {
    case LessonPart::Model:
      return "model and method";
    case LessonPart::Prompt:
      return "prompt";
    case LessonPart::Tokens:
      return "generated tokens";
    case LessonPart::Sentence:
      return "the run in a sentence";
    case LessonPart::Logits:
      return "chart: logit difference";
    case LessonPart::Sizes:
      return "chart: patch size";
    case LessonPart::Map:
      return "chart: patch map";
    case LessonPart::Errors:
      return "chart: hidden error";
    case LessonPart::Step:
      return "step";
    case LessonPart::Strength:
      return "patch strength";
    case LessonPart::Texts:
      return "texts";
    case LessonPart::Block:
      return "block";
    case LessonPart::Runs:
      return "runs";
    case LessonPart::Transport:
      return "run, pause, step, stop";
    case LessonPart::Hand:
      return "a row by hand";
    case LessonPart::Picture:
      return "the image and its map";
  }
  return {};
}

bool isTextQuantity(std::string_view name) {
  const auto found = std::ranges::find(kLessonQuantities, name, &LessonQuantity::name);
  return found != std::end(kLessonQuantities) && found->isText;
}

std::string_view quantityWords(std::string_view quantity) {
  const auto found =
      std::ranges::find(kLessonQuantities, quantity, &LessonQuantity::name);
  return found == std::end(kLessonQuantities) ? std::string_view() : found->words;
}

std::string escapedLine(std::string_view text) {
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool isEdge = i == 0 || i + 1 == text.size();
    switch (text[i]) {
      case '\n':
        line += "\\n";
        break;
      case '\r':
        line += "\\r";
        break;
      case '\t':
        line += "\\t";
        break;
      case '\\':
        line += "\\\\";
        break;
      case ' ':
        line += isEdge ? "\\s" : " ";
        break;
      default:
        line += text[i];
    }
  }
  return line;
}

std::string unescapedLine(std::string_view line) {
  constexpr std::string_view kLetters = "nrts\\", kMeanings = "\n\r\t \\";
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t meaning = line[i] == '\\' && i + 1 < line.size()
                                    ? kLetters.find(line[i + 1])
                                    : std::string_view::npos;
    if (meaning == std::string_view::npos) {
      text += line[i];
    } else {
      text += kMeanings[meaning];
      ++i;
    }
  }
  return text;
}

bool holds(const LessonCondition& condition, const LessonNumber& number,
           const LessonText& text) {
  if (!isTextQuantity(condition.quantity)) {
    const std::optional<double> value = number(condition.quantity);
    return value && relationHolds(*value, condition.relation, condition.number);
  }
  const std::optional<std::string> value = text(condition.quantity);
  if (!value) return false;
  switch (condition.relation) {
    case Relation::Is:
      return *value == condition.text;
    case Relation::IsNot:
      return *value != condition.text;
    default:
      return value->find(condition.text) != std::string::npos;
  }
}

std::string conditionText(const LessonCondition& condition) {
  const std::string sign(lessonWord(kLessonRelations, condition.relation));
  return condition.quantity + " " + sign + " " +
         (isTextQuantity(condition.quantity) ? condition.text
                                             : shortText(condition.number, 6));
}

std::optional<std::vector<bool>> layersOf(std::string_view text, std::size_t count) {
  if (text == "all") return std::vector<bool>(count, true);
  std::vector<bool> layers(count, false);
  if (text == "none") return layers;
  const auto number = [&text]() -> std::optional<std::size_t> {
    std::size_t value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(std::size_t(end - text.data()));
    return value;
  };
  for (std::size_t next = 0;;) {
    const auto first = number();
    const bool isRange = first && text.starts_with('-');
    if (isRange) text.remove_prefix(1);
    const auto last = isRange ? number() : first;
    if (!first || !last || *first < next || *last < *first || *last >= count)
      return std::nullopt;
    std::fill(layers.begin() + std::ptrdiff_t(*first),
              layers.begin() + std::ptrdiff_t(*last) + 1, true);
    next = *last + 1;
    if (text.empty()) return layers;
    if (!text.starts_with(',')) return std::nullopt;
    text.remove_prefix(1);
  }
}

std::optional<LessonMap> lessonMapOf(std::string_view text) {
  LessonMap map;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, map.cells);
  if (error != std::errc() || map.cells < 2 || map.cells > 64) return std::nullopt;
  if (rest == end) return map;
  const auto found =
      std::ranges::find(kLessonMapQuantities, std::string_view(rest + 1, end));
  if (*rest != ' ' || found == std::end(kLessonMapQuantities)) return std::nullopt;
  map.quantity = std::size_t(found - std::begin(kLessonMapQuantities));
  return map;
}

std::string layersText(const std::vector<bool>& layers) {
  const auto on = std::count(layers.begin(), layers.end(), true);
  if (on == 0) return "none";
  if (on == std::ptrdiff_t(layers.size())) return "all";
  std::string text;
  for (std::size_t first = 0; first < layers.size(); ++first) {
    if (!layers[first]) continue;
    std::size_t last = first;
    while (last + 1 < layers.size() && layers[last + 1]) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(first);
    if (last > first) text += '-' + std::to_string(last);
    first = last;
  }
  return text;
}

}  // namespace equipatch
