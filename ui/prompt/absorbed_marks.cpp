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

bool sameId(const Token& a, const Token& b) {
  return a.id == b.id;
}

using Flag = std::vector<bool>::const_iterator;

/// True if two ranges of flags together have both values.
bool isMixed(Flag first, Flag firstEnd, Flag second, Flag secondEnd) {
  const auto has = [&](bool value) {
    return std::find(first, firstEnd, value) != firstEnd ||
           std::find(second, secondEnd, value) != secondEnd;
  };
  return has(true) && has(false);
}

}  // namespace

AbsorbedSet carriedOver(const AbsorbedSet& set, const std::vector<Token>& from,
                        const std::vector<Token>& to) {
  const auto front =
      std::mismatch(from.begin(), from.end(), to.begin(), to.end(), sameId).second;
  const auto before = static_cast<std::size_t>(front - to.begin());
  const std::size_t most = std::min(from.size(), to.size()) - before;
  std::size_t after = 0;
  while (after < most && sameId(from[from.size() - 1 - after], to[to.size() - 1 - after]))
    ++after;
  const std::vector<bool> old = flagsOf(set, from);
  const bool keptAfter = after > 0 ? old[from.size() - after] : set.keepsGenerated;
  const auto begin = old.begin() + std::ptrdiff_t(before);
  const auto end = old.end() - std::ptrdiff_t(after);
  const bool replacesKept = std::find(begin, end, false) == end;
  const bool replacesBoth = !replacesKept && std::find(begin, end, true) != end;
  if (replacesBoth && !isMixed(old.begin(), begin, end, old.end())) return {};
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

AbsorbedSet carriedByBytes(const AbsorbedSet& set, const std::vector<Token>& from,
                           const std::vector<Token>& to) {
  const std::vector<bool> old = flagsOf(set, from);
  std::vector<bool> kept(to.size(), set.keepsGenerated);
  auto next = from.size();  // the first old token that begins behind the new one's end
  for (std::size_t i = to.size(); i-- > 0;) {
    const auto [begin, end] = to[i].span;
    if (begin == end) {
      if (i + 1 < to.size()) kept[i] = kept[i + 1];
      continue;
    }
    while (next > 0 && from[next - 1].span.begin >= end) --next;
    kept[i] = true;
    for (std::size_t j = next; j-- > 0 && from[j].span.end > begin;)
      if (!from[j].span.empty()) kept[i] = kept[i] && old[j];
  }
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
                                     std::vector<PositionRange> images,
                                     const std::string& text) {
  if (tokens.empty()) {
    m_wanted = this->text();
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
  const std::string before = this->text();
  Snapshot old{m_tokens, m_set};
  const std::string preset = m_tokens.empty() ? m_wanted : presetOf(m_set, m_tokens);
  m_images = std::move(images);
  const auto parsed = tryParse(preset, tokens);
  if (m_lost && std::ranges::equal(m_lost->tokens, tokens, sameId))
    m_set = m_lost->set;
  else if (!preset.empty())
    m_set = parsed.value_or(AbsorbedSet{});
  else if (!text.empty() && text == m_text)
    m_set = carriedByBytes(m_set, m_tokens, tokens);
  else
    m_set = carriedOver(m_set, m_tokens, tokens);
  m_tokens = std::move(tokens);
  m_text = text;
  uniteImages();
  const bool isLost = preset.empty() ? !presetOf(m_set, m_tokens).empty() : !parsed;
  if (!isLost) return {};
  m_lost = std::move(old);
  return before;
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
  m_lost.reset();
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
