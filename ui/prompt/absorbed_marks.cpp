// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/absorbed_marks.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/error.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostUndo = 200;

std::int64_t sizeOf(const std::vector<Token>& tokens) {
  return static_cast<std::int64_t>(tokens.size());
}

std::vector<bool> flagsOf(const AbsorbedSet& set, const std::vector<Token>& tokens) {
  std::vector<bool> kept(tokens.size(), false);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    kept[i] = set.keeps(static_cast<std::int64_t>(i), sizeOf(tokens));
  return kept;
}

}  // namespace

AbsorbedSet carriedOver(const AbsorbedSet& set, const std::vector<Token>& from,
                        const std::vector<Token>& to) {
  const auto sameId = [](const Token& a, const Token& b) { return a.id == b.id; };
  const auto front =
      std::mismatch(from.begin(), from.end(), to.begin(), to.end(), sameId).second;
  const auto before = static_cast<std::size_t>(front - to.begin());
  const std::size_t most = std::min(from.size(), to.size()) - before;
  std::size_t after = 0;
  while (after < most && sameId(from[from.size() - 1 - after], to[to.size() - 1 - after]))
    ++after;
  const std::vector<bool> old = flagsOf(set, from);
  const bool keptAfter = after > 0 ? old[from.size() - after] : set.keepsGenerated;
  const bool replacesKept =
      std::ranges::count(old.begin() + std::ptrdiff_t(before),
                         old.end() - std::ptrdiff_t(after), false) == 0;
  const bool between = before > 0 && old[before - 1] && keptAfter && replacesKept;
  std::vector<bool> kept(to.size(), between);
  std::copy_n(old.begin(), before, kept.begin());
  std::copy_n(old.end() - static_cast<std::ptrdiff_t>(after), after,
              kept.end() - static_cast<std::ptrdiff_t>(after));
  const auto absorbsSome = [](const std::vector<bool>& flags) {
    return std::ranges::count(flags, false) > 0;
  };
  if (set.keepsGenerated && absorbsSome(old) && !absorbsSome(kept)) return {};
  return {.keptPrompt = rangesOf(kept), .keepsGenerated = set.keepsGenerated};
}

const std::vector<std::string>& AbsorbedMarks::presets() {
  static const std::vector<std::string> names{"all", "prompt", "none", "keep-bos"};
  return names;
}

bool AbsorbedMarks::keeps(int token) const {
  return m_set.keeps(token, sizeOf(m_tokens));
}

const std::vector<std::string>& AbsorbedMarks::imagePresets() {
  static const std::vector<std::string> names{"images", "text"};
  return names;
}

/// The absorbed part that the text describes; nullopt if the text does not fit the
/// tokens.
std::optional<AbsorbedSet> AbsorbedMarks::tryParse(
    const std::string& text, const std::vector<Token>& tokens) const {
  try {
    return parseAbsorbedSet(text, tokens, m_images);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The preset that keeps the same tokens; empty if there is none.
std::string AbsorbedMarks::presetOf(const AbsorbedSet& set,
                                    const std::vector<Token>& tokens) const {
  for (const std::string& name : presets())
    if (tryParse(name, tokens) == set) return name;
  if (m_images.empty()) return {};
  for (const std::string& name : imagePresets())
    if (tryParse(name, tokens) == set) return name;
  return {};
}

int AbsorbedMarks::keptCount() const {
  const std::vector<bool> kept = flagsOf(m_set, m_tokens);
  return static_cast<int>(std::count(kept.begin(), kept.end(), true));
}

std::string AbsorbedMarks::text() const {
  if (m_tokens.empty()) return m_wanted;
  const std::string preset = presetOf(m_set, m_tokens);
  return preset.empty() ? absorbedText(m_set, sizeOf(m_tokens), m_images) : preset;
}

void AbsorbedMarks::setText(const std::string& text) {
  if (m_tokens.empty()) {
    m_wanted = text;
    m_before.clear();
  } else {
    change(parseAbsorbedSet(text, m_tokens, m_images));
  }
}

std::string AbsorbedMarks::setTokens(std::vector<Token> tokens,
                                     std::vector<PositionRange> images) {
  if (tokens.empty()) {
    m_wanted = text();
    if (!m_tokens.empty()) {
      m_before = std::exchange(m_tokens, {});
      m_imagesBefore = std::exchange(m_images, {});
    }
    m_set = {};
    return {};
  }
  if (m_tokens.empty() && !m_before.empty()) {
    m_tokens = std::exchange(m_before, {});
    m_images = std::exchange(m_imagesBefore, {});
    m_set = tryParse(m_wanted, m_tokens).value_or(AbsorbedSet{});
  }
  const std::string before = text();
  const std::string preset = m_tokens.empty() ? m_wanted : presetOf(m_set, m_tokens);
  m_images = std::move(images);
  const auto parsed = tryParse(preset, tokens);
  m_set = preset.empty() ? carriedOver(m_set, m_tokens, tokens)
                         : parsed.value_or(AbsorbedSet{});
  m_tokens = std::move(tokens);
  uniteImages();
  const bool isLost = preset.empty() ? !presetOf(m_set, m_tokens).empty() : !parsed;
  return isLost ? before : std::string();
}

/// Absorbs images of which only a part is kept.
void AbsorbedMarks::uniteImages() {
  std::vector<bool> kept = flagsOf(m_set, m_tokens);
  for (const PositionRange& image : m_images) {
    const auto first = kept.begin() + image.first;
    const auto end = kept.begin() + image.last + 1;
    if (std::find(first, end, false) != end) std::fill(first, end, false);
  }
  m_set.keptPrompt = rangesOf(kept);
}

void AbsorbedMarks::mark(int first, int last, Fate fate) {
  std::vector<bool> flags = flagsOf(m_set, m_tokens);
  for (const PositionRange& image : m_images) {
    if (image.first <= first && first <= image.last) first = int(image.first);
    if (image.first <= last && last <= image.last) last = int(image.last);
  }
  for (int i = std::max(first, 0); i <= last && i < static_cast<int>(flags.size()); ++i)
    flags[static_cast<std::size_t>(i)] = fate == Fate::Kept;
  change({.keptPrompt = rangesOf(flags), .keepsGenerated = m_set.keepsGenerated});
}

void AbsorbedMarks::change(AbsorbedSet set) {
  if (set == m_set) return;
  m_undo.push_back({m_tokens, m_set, m_textSteps});
  if (m_undo.size() > kMostUndo) m_undo.erase(m_undo.begin());
  m_redo.clear();
  m_set = std::move(set);
}

void AbsorbedMarks::exchange(Snapshots& from, Snapshots& to) {
  if (from.empty()) return;
  to.push_back({m_tokens, m_set, from.back().textSteps});
  m_set = carriedOver(from.back().set, from.back().tokens, m_tokens);
  from.pop_back();
  uniteImages();
}

}  // namespace equipatch
