// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tex_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

#include "core/base/strings.h"

namespace equipatch {
namespace {

using Replacement = std::pair<std::string_view, std::string_view>;

/// ASCII characters that TeX interprets, or may print as other characters.
constexpr Replacement kEscapes[] = {{"\\", "\\textbackslash{}"},
                                    {"{", "\\{"},
                                    {"}", "\\}"},
                                    {"$", "\\$"},
                                    {"&", "\\&"},
                                    {"#", "\\#"},
                                    {"%", "\\%"},
                                    {"_", "\\_"},
                                    {"~", "\\textasciitilde{}"},
                                    {"<", "\\textless{}"},
                                    {">", "\\textgreater{}"},
                                    {"|", "\\textbar{}"},
                                    {"^", "\\textasciicircum{}"},
                                    {"\"", "''"},
                                    // TeX reads [ and * after \\ as arguments.
                                    {"[", "{[}"},
                                    {"*", "{*}"}};

/// Replacements that need no package and also work in OT1, pdfLaTeX's default font
/// encoding.
constexpr Replacement kSymbols[] = {{"∞", "$\\infty$"},
                                    {"L∞", "$L_\\infty$"},
                                    {"‖x′ − x_C‖", "$\\|x' - x_C\\|$"},
                                    {"‖x_C‖", "$\\|x_C\\|$"},
                                    {"‖", "$\\|$"},
                                    {"′", "$'$"},
                                    {"−", "$-$"},
                                    {"≠", "$\\neq$"},
                                    {"≤", "$\\leq$"},
                                    {"≥", "$\\geq$"},
                                    {"≈", "$\\approx$"},
                                    {"×", "$\\times$"},
                                    {"÷", "$\\div$"},
                                    {"±", "$\\pm$"},
                                    {"·", "$\\cdot$"},
                                    {"√", "$\\surd$"},
                                    {"°", "$^\\circ$"},
                                    {"…", "\\dots{}"},
                                    {"“", "``"},
                                    {"”", "''"},
                                    {"„", ",,"},
                                    {"‘", "`"},
                                    {"’", "'"},
                                    {"‚", ","},
                                    {"«", "$\\ll$"},
                                    {"»", "$\\gg$"},
                                    {"‹", "{$<$}"},
                                    {"›", "{$>$}"},
                                    {"⟨", "$\\langle$"},
                                    {"⟩", "$\\rangle$"},
                                    {"–", "--"},
                                    {"—", "---"},
                                    {"‑", "-"},
                                    {"↵", "$\\hookleftarrow$"},
                                    {"→", "$\\to$"},
                                    {"←", "$\\leftarrow$"},
                                    {"↑", "$\\uparrow$"},
                                    {"↓", "$\\downarrow$"},
                                    {"⇥", "$\\mapsto$"},
                                    {"␣", "\\textvisiblespace{}"},
                                    {"�", "\\textcircled{?}"},
                                    {"✗", "$\\times$"},
                                    {"✓", "$\\surd$"},
                                    {"◆", "$\\diamond$"},
                                    {"○", "$\\circ$"},
                                    {"•", "$\\bullet$"},
                                    {"∈", "$\\in$"},
                                    {"∂", "$\\partial$"},
                                    {"∑", "$\\sum$"},
                                    {"\u00a0", "~"},
                                    {"ß", "\\ss{}"},
                                    {"æ", "\\ae{}"},
                                    {"Æ", "\\AE{}"},
                                    {"œ", "\\oe{}"},
                                    {"Œ", "\\OE{}"},
                                    {"ø", "\\o{}"},
                                    {"Ø", "\\O{}"},
                                    {"ł", "\\l{}"},
                                    {"Ł", "\\L{}"},
                                    {"ı", "\\i{}"},
                                    {"¿", "?`"},
                                    {"¡", "!`"},
                                    {"§", "\\S{}"},
                                    {"©", "\\copyright{}"},
                                    {"£", "\\pounds{}"},
                                    {"α", "$\\alpha$"},
                                    {"β", "$\\beta$"},
                                    {"γ", "$\\gamma$"},
                                    {"δ", "$\\delta$"},
                                    {"ε", "$\\varepsilon$"},
                                    {"ζ", "$\\zeta$"},
                                    {"η", "$\\eta$"},
                                    {"θ", "$\\theta$"},
                                    {"ι", "$\\iota$"},
                                    {"κ", "$\\kappa$"},
                                    {"λ", "$\\lambda$"},
                                    {"μ", "$\\mu$"},
                                    {"ν", "$\\nu$"},
                                    {"ξ", "$\\xi$"},
                                    {"ο", "o"},
                                    {"π", "$\\pi$"},
                                    {"ρ", "$\\rho$"},
                                    {"ς", "$\\varsigma$"},
                                    {"σ", "$\\sigma$"},
                                    {"τ", "$\\tau$"},
                                    {"υ", "$\\upsilon$"},
                                    {"φ", "$\\varphi$"},
                                    {"χ", "$\\chi$"},
                                    {"ψ", "$\\psi$"},
                                    {"ω", "$\\omega$"},
                                    {"Γ", "$\\Gamma$"},
                                    {"Δ", "$\\Delta$"},
                                    {"Θ", "$\\Theta$"},
                                    {"Λ", "$\\Lambda$"},
                                    {"Ξ", "$\\Xi$"},
                                    {"Π", "$\\Pi$"},
                                    {"Σ", "$\\Sigma$"},
                                    {"Υ", "$\\Upsilon$"},
                                    {"Φ", "$\\Phi$"},
                                    {"Ψ", "$\\Psi$"},
                                    {"Ω", "$\\Omega$"},
                                    {"Α", "A"},
                                    {"Β", "B"},
                                    {"Ε", "E"},
                                    {"Ζ", "Z"},
                                    {"Η", "H"},
                                    {"Ι", "I"},
                                    {"Κ", "K"},
                                    {"Μ", "M"},
                                    {"Ν", "N"},
                                    {"Ο", "O"},
                                    {"Ρ", "P"},
                                    {"Τ", "T"},
                                    {"Χ", "X"},
                                    {"⁰", "$^0$"},
                                    {"₀", "$_0$"},
                                    {"¹", "$^1$"},
                                    {"₁", "$_1$"},
                                    {"²", "$^2$"},
                                    {"₂", "$_2$"},
                                    {"³", "$^3$"},
                                    {"₃", "$_3$"},
                                    {"⁴", "$^4$"},
                                    {"₄", "$_4$"},
                                    {"⁵", "$^5$"},
                                    {"₅", "$_5$"},
                                    {"⁶", "$^6$"},
                                    {"₆", "$_6$"},
                                    {"⁷", "$^7$"},
                                    {"₇", "$_7$"},
                                    {"⁸", "$^8$"},
                                    {"₈", "$_8$"},
                                    {"⁹", "$^9$"},
                                    {"₉", "$_9$"},
                                    {"⁻", "$^-$"},
                                    {"₋", "$_-$"},
                                    {"ᵢ", "$_i$"},
                                    {"ᵢ₊₁", "$_{i+1}$"},
                                    {"ᵀ", "$^T$"},
                                    {"ϵ", "$\\epsilon$"},
                                    {"µ", "$\\mu$"}};

/// kTexCharacter defines this macro, because \k is an error in OT1.
constexpr std::string_view kOgonek = "\\equipatchogonek";

/// An accent of TeX, and letters with this accent, each followed by its base letter.
constexpr Replacement kAccents[] = {
    {"\\`", "ÀAÈEÌIÒOÙUàaèeìiòoùuǸNǹnẀWẁwỲYỳy"},
    {"\\'",
     "ÁAÉEÍIÓOÚUÝYáaéeíióoúuýyĆCćcĹLĺlŃNńnŔRŕrŚSśsŹZźzǴGǵgḰKḱkḾM"
     "ḿmṔPṕpẂWẃw"},
    {"\\^", "ÂAÊEÎIÔOÛUâaêeîiôoûuĈCĉcĜGĝgĤHĥhĴJĵjŜSŝsŴWŵwŶYŷyẐZẑz"},
    {"\\~", "ÃAÑNÕOãañnõoĨIĩiŨUũuṼVṽvẼEẽeỸYỹy"},
    {"\\\"", "ÄAËEÏIÖOÜUäaëeïiöoüuÿyŸYḦHḧhẄWẅwẌXẍxẗt"},
    {"\\r ", "ÅAåaŮUůuẘwẙy"},
    {"\\c ", "ÇCçcĢGģgĶKķkĻLļlŅNņnŖRŗrŞSşsŢTţtȨEȩeḐDḑdḨHḩh"},
    {"\\=", "ĀAāaĒEēeĪIīiŌOōoŪUūuȲYȳyḠGḡg"},
    {"\\u ", "ĂAăaĔEĕeĞGğgĬIĭiŎOŏoŬUŭu"},
    {kOgonek, "ĄAąaĘEęeĮIįiŲUųuǪOǫo"},
    {"\\.",
     "ĊCċcĖEėeĠGġgİIŻZżzȦAȧaȮOȯoḂBḃbḊDḋdḞFḟfḢHḣhṀMṁmṄNṅnṖPṗpṘRṙr"
     "ṠSṡsṪTṫtẆWẇwẊXẋxẎYẏy"},
    {"\\v ",
     "ČCčcĎDďdĚEěeĽLľlŇNňnŘRřrŠSšsŤTťtŽZžzǍAǎaǏIǐiǑOǒoǓUǔuǦGǧgǨK"
     "ǩkǰjȞHȟh"},
    {"\\H ", "ŐOőoŰUűu"}};

const Replacement* longestMatch(std::string_view text) {
  const Replacement* found = nullptr;
  const auto consider = [&](const Replacement& replacement) {
    if (text.starts_with(replacement.first) &&
        (!found || found->first.size() < replacement.first.size()))
      found = &replacement;
  };
  std::ranges::for_each(kEscapes, consider);
  std::ranges::for_each(kSymbols, consider);
  return found;
}

std::string hexadecimal(std::string_view character) {
  std::array<char, 8> digits{};
  std::snprintf(digits.data(), digits.size(), "%X",
                static_cast<unsigned>(firstCharacter(character)));
  return digits.data();
}

/// "\'{e}" for é, "\equipatchogonek{e}{119}" for ę; empty if not in kAccents.
std::string accented(std::string_view character) {
  for (const auto& [accent, letters] : kAccents)
    if (const std::size_t at = letters.find(character); at != std::string_view::npos)
      return std::string(accent) + "{" + letters[at + character.size()] + "}" +
             (accent == kOgonek ? "{" + hexadecimal(character) + "}" : "");
  return {};
}

/// "\equipatchchar{4E2D}" for U+4E2D.
std::string numbered(std::string_view character) {
  return "\\equipatchchar{" + hexadecimal(character) + "}";
}

/// Inserts \/ where TeX would join characters of two parts into a ligature: a dash, a
/// quotation mark, ¿ or ¡. An empty group would not prevent this in LuaTeX.
void append(std::string_view part, std::string& tex) {
  constexpr std::string_view kLigatures[] = {"--", "``", "''", ",,", "?`", "!`"};
  const bool joins =
      !tex.empty() && std::ranges::find(kLigatures, std::string{tex.back(), part[0]}) !=
                          std::end(kLigatures);
  tex.append(joins ? "\\/" : "").append(part);
}

}  // namespace

std::string texText(std::string_view given) {
  const std::string valid = replaceInvalidUtf8(given);
  std::string result;
  for (std::string_view text = valid; !text.empty();) {
    if (const Replacement* found = longestMatch(text)) {
      append(found->second, result);
      text.remove_prefix(found->first.size());
      continue;
    }
    const std::string_view character = text.substr(0, utf8Length(text.front()));
    const std::string letter = character.size() > 1 ? accented(character) : std::string();
    const bool printable =
        character.size() == 1 && character.front() >= ' ' && character.front() < '\x7f';
    append(printable        ? std::string(character)
           : letter.empty() ? numbered(character)
                            : letter,
           result);
    text.remove_prefix(character.size());
  }
  return result;
}

std::vector<std::string> brokenText(std::string_view text, std::size_t letters) {
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string word(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string& line = lines.back();
    if (line.empty())
      line = word;
    else if (lettersOf(line) + 1 + lettersOf(word) <= letters)
      line += ' ' + word;
    else
      lines.push_back(word);
  }
  return lines;
}

std::string texLines(std::string_view text, std::size_t letters) {
  std::string lines;
  for (const std::string& line : brokenText(text, letters))
    lines += (lines.empty() ? "" : "\\\\") + texText(line);
  return lines;
}

std::size_t lettersOf(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace equipatch
