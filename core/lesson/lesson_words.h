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

/// The docks that the action "tab" names.
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

/// The word of a value of one of these tables; empty for a value without a row.
template <typename Value, std::size_t count>
std::string_view lessonWord(const std::pair<std::string_view, Value> (&table)[count],
                            Value value) {
  for (const auto& row : table)
    if (row.second == value) return row.first;
  return {};
}

/// The value of a word of one of these tables; nothing for an unknown word.
template <typename Value, std::size_t count>
std::optional<Value> lessonValue(const std::pair<std::string_view, Value> (&table)[count],
                                 std::string_view word) {
  for (const auto& row : table)
    if (row.first == word) return row.second;
  return std::nullopt;
}

/// Says for each of `count` layers whether the text names it: "all", "none", or numbers
/// and ranges in ascending order, as in "0-3,6". Nothing for any other text, or if it
/// names a layer from `count` on.
std::optional<std::vector<bool>> layersOf(std::string_view text, std::size_t count);
/// The text that `layersOf` reads.
std::string layersText(const std::vector<bool>& layers);

/// What a map of an image shows of each cell, in the order of the window's field "Show".
inline constexpr std::string_view kImageMapQuantities[] = {"linf", "tvd", "patch"};
struct LessonImageMap {
  int cells = 0;             ///< on a side, at most; 2 to 64
  std::size_t quantity = 0;  ///< index in kImageMapQuantities
};
/// The argument of the action image-map, "3" or "3 tvd". Nothing for any other text.
std::optional<LessonImageMap> imageMapOf(std::string_view text);

/// A text as it stands on a line of a lesson: \n and \r for line breaks, \t for a tab,
/// \s for a space at the beginning or the end, and two backslashes for one.
std::string escapedLine(std::string_view text);
/// The text of such a line. A backslash before any other character stands for itself.
std::string unescapedLine(std::string_view line);

}  // namespace equipatch
