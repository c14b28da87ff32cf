// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/plan_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace equipatch {
namespace {

struct Symbol {
  std::string_view symbol;
  std::string_view meaning;
};

constexpr std::array kSymbols = {
    Symbol{"z_C", "the MLP's input with the context"},
    Symbol{"z", "the MLP's input without the context"},
    Symbol{"h", "the input of W_down"},
    Symbol{"h_e", "the input of expert e's W_down"},
    Symbol{"Δv", "what the context adds to the residual stream before the MLP"},
    Symbol{"δ", "the missing part of the weighted sum of the experts' outputs"},
    Symbol{"n", "the MLP's output, normalised, before the scale"},
    Symbol{"m", "the scale of the norm that closes the block"},
    Symbol{"m'", "the scale with its patch"},
    Symbol{"m₁", "the scale of the norm after the dense MLP"},
    Symbol{"m₁'", "that scale with its patch"},
    Symbol{"g", "the required output of the closing norm, after the scale"},
    Symbol{"g₁", "the required input of the closing norm, without the experts' part"},
    Symbol{"y", "the required output of a norm before its scale"},
    Symbol{"C", "the root mean square of W_down's output"},
    Symbol{"ρ", "the root mean square of the norm's output before the scale"},
    Symbol{"ν", "the number that splits the change between scale and W_down"},
    Symbol{"μ", "the multiplier that gives y the root mean square ρ"},
    Symbol{"s_e", "the router's gate of expert e"},
    Symbol{"S", "the sum of the gates"}};

bool isPartOfWord(unsigned char byte) {
  return byte >= 0x80 || byte == '_' || byte == '\'' || std::isalnum(byte) != 0;
}

/// True if the symbol occurs in the text by itself, not as a part of a longer symbol. Of
/// the characters beyond ASCII, only kSigns separate symbols.
bool occurs(std::string_view symbol, std::string_view text) {
  constexpr std::array<std::string_view, 7> kSigns = {"ᵀ", "‖", "²", "⊘", "−", "·", "Σ"};
  const auto isSign = [&](std::size_t at, bool before) {
    return std::ranges::any_of(kSigns, [&](std::string_view sign) {
      return before
                 ? at >= sign.size() && text.substr(at - sign.size(), sign.size()) == sign
                 : text.substr(at).starts_with(sign);
    });
  };
  for (std::size_t at = 0; (at = text.find(symbol, at)) != std::string_view::npos; ++at) {
    const std::size_t end = at + symbol.size();
    const bool begins = at == 0 || isSign(at, true) ||
                        !isPartOfWord(static_cast<unsigned char>(text[at - 1]));
    const bool ends = end == text.size() || isSign(end, false) ||
                      !isPartOfWord(static_cast<unsigned char>(text[end]));
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace

std::vector<ParameterPlan> parametersOf(const PatchPlan& plan, Method method) {
  std::vector<ParameterPlan> chosen;
  for (const ParameterPlan& parameter : plan.parameters)
    if (parameter.methods == "all" ||
        parameter.methods.find(name(method)) != std::string::npos)
      chosen.push_back(parameter);
  return chosen;
}

std::string reasonOf(const PatchPlan& plan) {
  std::string reason = "The context reaches the block through " + plan.mixer +
                       " alone: it adds Δv to the residual stream. ";
  reason += plan.parallel
                ? "The MLP reads the block's input, which is the same without the "
                  "context, so its first matrices change only to absorb rounding. "
                : "Without the context the MLP sees another input z; a rank-1 change of "
                  "its first matrices gives, for this z, what they gave for the input "
                  "with the context. ";
  reason += "At the block's end only Δv itself is then missing, and ";
  const bool patchesDown =
      std::ranges::any_of(plan.parameters, [](const ParameterPlan& parameter) {
        return parameter.parameter.starts_with("W_down");
      });
  if (plan.closesWithScale)
    return reason + (patchesDown ? "the norm's scale, with W_down, makes up for it."
                                 : "the norm's scale makes up for it.");
  if (plan.closesWithBias) return reason + "the bias makes up for it.";
  return reason + "a rank-1 change of W_down makes up for it.";
}

std::vector<SymbolMeaning> symbolsOf(const std::vector<ParameterPlan>& parameters) {
  std::vector<SymbolMeaning> found;
  for (const Symbol& symbol : kSymbols)
    if (std::ranges::any_of(parameters, [&](const ParameterPlan& parameter) {
          return occurs(symbol.symbol, parameter.change);
        }))
      found.push_back({std::string(symbol.symbol), std::string(symbol.meaning)});
  return found;
}

}  // namespace equipatch
