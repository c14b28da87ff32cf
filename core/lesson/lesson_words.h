// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/lesson/lesson.h"
#include "core/lesson/lesson_quantities.h"

namespace equipatch {

// The words of lesson files.

inline constexpr std::pair<std::string_view, LessonVerb> kLessonVerbs[] = {
    {"model", LessonVerb::Model},
    {"dtype", LessonVerb::DType},
    {"method", LessonVerb::Method},
    {"loop", LessonVerb::Loop},
    {"apply", LessonVerb::Apply},
    {"noise", LessonVerb::Noise},
    {"steps", LessonVerb::RunSteps},
    {"sample", LessonVerb::Sample},
    {"prompt", LessonVerb::Prompt},
    {"picture", LessonVerb::Picture},
    {"absorb", LessonVerb::Absorb},
    {"run", LessonVerb::Run},
    {"grid", LessonVerb::Grid},
    {"step", LessonVerb::Step},
    {"layer", LessonVerb::Layer},
    {"strength", LessonVerb::Strength},
    {"table", LessonVerb::Table},
    {"chart", LessonVerb::Chart},
    {"lab", LessonVerb::Lab},
    {"image-map", LessonVerb::ImageMap},
    {"layers", LessonVerb::Layers},
    {"tab", LessonVerb::Tab},
    {"listed-run", LessonVerb::ListedRun},
};

/// The docks that the action "tab" can name.
inline constexpr LessonPart kLessonTabs[] = {LessonPart::Model, LessonPart::Prompt,
                                             LessonPart::Step,  LessonPart::Runs,
                                             LessonPart::Block, LessonPart::Texts};

inline constexpr std::pair<std::string_view, LessonPart> kLessonParts[] = {
    {"model", LessonPart::Model},   {"prompt", LessonPart::Prompt},
    {"tokens", LessonPart::Tokens}, {"sentence", LessonPart::Sentence},
    {"logits", LessonPart::Logits}, {"sizes", LessonPart::Sizes},
    {"map", LessonPart::Map},       {"errors", LessonPart::Errors},
    {"step", LessonPart::Step},     {"strength", LessonPart::Strength},
    {"texts", LessonPart::Texts},   {"block", LessonPart::Block},
    {"runs", LessonPart::Runs},     {"transport", LessonPart::Transport},
    {"hand", LessonPart::Hand},     {"picture", LessonPart::Picture},
};

/// What the window calls a part: "generated tokens".
std::string_view partName(LessonPart part);

inline constexpr std::pair<std::string_view, LessonCondition::Relation>
    kLessonRelations[] = {
        {"<", LessonCondition::Relation::Below},
        {"<=", LessonCondition::Relation::AtMost},
        {">", LessonCondition::Relation::Above},
        {">=", LessonCondition::Relation::AtLeast},
        {"is", LessonCondition::Relation::Is},
        {"is-not", LessonCondition::Relation::IsNot},
        {"contains", LessonCondition::Relation::Contains},
};

/// The word for a value in one of these tables, or "".
template <typename Value, std::size_t count>
std::string_view lessonWord(const std::pair<std::string_view, Value> (&table)[count],
                            Value value) {
  for (const auto& row : table)
    if (row.second == value) return row.first;
  return {};
}

template <typename Value, std::size_t count>
std::optional<Value> lessonValue(const std::pair<std::string_view, Value> (&table)[count],
                                 std::string_view word) {
  for (const auto& row : table)
    if (row.first == word) return row.second;
  return std::nullopt;
}

/// Says for each of `count` layers whether the text names the layer: "all", "none", or
/// numbers and ranges in ascending order, as in "0-3,6". Nullopt for any other text, and
/// for a layer ≥ `count`.
std::optional<std::vector<bool>> layersOf(std::string_view text, std::size_t count);
/// The text that `layersOf` reads.
std::string layersText(const std::vector<bool>& layers);

/// The quantities of an image's map, in the order of the window's field "Show".
inline constexpr std::string_view kImageMapQuantities[] = {"linf", "tvd", "patch"};
struct LessonImageMap {
  int cells = 0;             ///< the most cells along a side; 2 to 64
  std::size_t quantity = 0;  ///< index in kImageMapQuantities
};
/// Reads the argument of the action image-map, "3" or "3 tvd"; nullopt for other texts.
std::optional<LessonImageMap> imageMapOf(std::string_view text);

/// A text in one line of a lesson: \n and \r for line breaks, \t for a tab, \s for a
/// space at the beginning or the end, and two backslashes for a backslash.
std::string escapedLine(std::string_view text);
/// Undoes `escapedLine`. A backslash before any other character stands for itself.
std::string unescapedLine(std::string_view line);

}  // namespace equipatch
