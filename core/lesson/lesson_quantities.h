// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace equipatch {

/// What a condition may be about.
struct LessonQuantity {
  std::string_view name;
  bool isText;
  std::string_view words;  ///< as a noun
};
inline constexpr LessonQuantity kLessonQuantities[] = {
    {"steps", false, "the number of generated tokens"},
    {"matches", false, "the number of tokens that agree"},
    {"mismatches", false, "the number of tokens with a ✗"},
    {"worth", false, "what the context is worth"},
    {"left", false, "what the patch leaves"},
    {"step", false, "the selected step"},
    {"layer", false, "the selected layer"},
    {"linf", false, "L∞ of the patched pass"},
    {"bare-linf", false, "L∞ of the bare pass"},
    {"margin", false, "the margin"},
    {"bare-agrees", false, "the token of the bare pass"},
    {"lab-curves", false, "the number of curves in the lab"},
    {"probability", false, "the probability of the token"},
    {"alpha", false, "the strength α"},
    {"tried-linf", false, "L∞ at this strength"},
    {"tried-match", false, "the token at this strength"},
    {"prompt-tokens", false, "the number of tokens of the prompt"},
    {"kept", false, "the number of kept tokens"},
    {"first-layer", false, "‖ΔW‖ of the first matrix"},
    {"hidden-error", false, "the largest error of a layer"},
    {"hand-difference", false, "the difference of the two sums"},
    {"hand-error", false, "the difference that the patch leaves"},
    {"runs", false, "the number of runs in the list"},
    {"images", false, "the number of images in the prompt"},
    {"map-cells", false, "the number of cells of the map"},
    {"map-nothing", false, "TVD without the image"},
    {"map-nearest", false, "TVD with the nearest cell"},
    {"map-cell", false, "the nearest cell"},
    {"layers-on", false, "the number of patched layers"},
    {"answer", true, "the answer"},
    {"token", true, "the token of the contextual pass"},
    {"patched", true, "the token of the patched pass"},
    {"bare", true, "the token of the bare pass"},
    {"prompt", true, "the prompt"},
    {"method", true, "the method"},
    {"loop", true, "the loop"},
    {"dtype", true, "the dtype"},
};

/// True if a quantity's value is a text; false for a name that is not a quantity's.
bool isTextQuantity(std::string_view name);
/// A quantity in words, as a noun: "the margin". Empty for an unknown name.
std::string_view quantityWords(std::string_view quantity);

}  // namespace equipatch
