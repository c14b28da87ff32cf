// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/lesson/lesson.h"

namespace equipatch {

/// A value of the window that a condition can test.
struct LessonQuantity {
  std::string_view name;
  bool isText;
  std::string_view words;  ///< a noun phrase for messages
  /// The part of the window that shows the quantity; a question highlights this part.
  std::optional<LessonPart> part = {};
};
inline constexpr LessonQuantity kLessonQuantities[] = {
    {"steps", false, "the number of generated tokens", LessonPart::Tokens},
    {"matches", false, "the number of tokens that agree", LessonPart::Tokens},
    {"mismatches", false, "the number of tokens with a ✗", LessonPart::Tokens},
    {"worth", false, "the logits' difference without the context"},
    {"left", false, "the logits' difference with the patch"},
    {"step", false, "the selected step"},
    {"layer", false, "the selected layer"},
    {"linf", false, "L∞ of the patched pass", LessonPart::Step},
    {"bare-linf", false, "L∞ of the bare pass", LessonPart::Step},
    {"margin", false, "the margin", LessonPart::Step},
    {"bare-agrees", false, "the token of the bare pass", LessonPart::Step},
    {"lab-curves", false, "the number of curves in the lab"},
    {"probability", false, "the probability of the token", LessonPart::Step},
    {"alpha", false, "the strength α", LessonPart::Strength},
    {"tried-linf", false, "L∞ at this strength", LessonPart::Strength},
    {"tried-match", false, "the token at this strength", LessonPart::Strength},
    {"prompt-tokens", false, "the number of tokens of the prompt"},
    {"kept", false, "the number of kept tokens"},
    {"first-layer", false, "‖ΔW‖ of the first matrix"},
    {"hidden-error", false, "the largest error of a layer"},
    {"hand-difference", false, "the difference of the two sums"},
    {"hand-error", false, "the difference that the patch leaves"},
    {"runs", false, "the number of runs of the lesson in the list"},
    {"images", false, "the number of images in the prompt"},
    {"map-cells", false, "the number of cells of the map"},
    {"map-nothing", false, "TVD without the image"},
    {"map-nearest", false, "TVD with the nearest cell"},
    {"map-cell", false, "the nearest cell"},
    {"layers-on", false, "the number of patched layers", LessonPart::Strength},
    {"answer", true, "the answer", LessonPart::Tokens},
    {"token", true, "the token of the contextual pass", LessonPart::Step},
    {"patched", true, "the token of the patched pass", LessonPart::Step},
    {"bare", true, "the token of the bare pass", LessonPart::Step},
    {"prompt", true, "the prompt"},
    {"method", true, "the method"},
    {"loop", true, "the loop"},
    {"dtype", true, "the dtype"},
};

/// Null for an unknown name.
const LessonQuantity* quantityNamed(std::string_view name);

// Fields of the named quantity; false, nullopt and empty for an unknown name.
bool isTextQuantity(std::string_view name);
std::optional<LessonPart> partThatShows(std::string_view name);
std::string_view quantityWords(std::string_view name);

}  // namespace equipatch
