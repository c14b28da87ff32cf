// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/lesson/lesson.h"

namespace equipatch {

// The words of lesson files, once for the reader and the writer.

inline constexpr std::pair<std::string_view, LessonVerb> kLessonVerbs[] = {
    {"model", LessonVerb::Model},   {"dtype", LessonVerb::DType},
    {"method", LessonVerb::Method}, {"loop", LessonVerb::Loop},
    {"apply", LessonVerb::Apply},   {"noise", LessonVerb::Noise},
    {"steps", LessonVerb::Steps},   {"sample", LessonVerb::Sample},
    {"prompt", LessonVerb::Prompt}, {"picture", LessonVerb::Picture},
    {"absorb", LessonVerb::Absorb}, {"run", LessonVerb::Run},
    {"grid", LessonVerb::Grid},     {"step", LessonVerb::Step},
    {"layer", LessonVerb::Layer},   {"strength", LessonVerb::Strength},
    {"table", LessonVerb::Table},   {"chart", LessonVerb::Chart},
    {"lab", LessonVerb::Lab},       {"image-map", LessonVerb::ImageMap},
};

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

/// The word of a value of one of these tables.
template <typename Value, std::size_t count>
std::string_view lessonWord(const std::pair<std::string_view, Value> (&table)[count],
                            Value value) {
  for (const auto& row : table)
    if (row.second == value) return row.first;
  return {};
}

/// True if a quantity's value is a text; false for a name that is not a quantity's.
bool isTextQuantity(std::string_view name);

/// A text as a line of a lesson holds it: \n and \r for line breaks, \t for a tab, \s for
/// a space at the beginning or the end, and two backslashes for one.
std::string escapedLine(std::string_view text);
/// The text of such a line. A backslash before any other character stands for itself.
std::string unescapedLine(std::string_view line);

}  // namespace equipatch
