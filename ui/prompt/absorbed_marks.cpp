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

bool sameId(const Token& a, const Token& b) {
  return a.id == b.id;
}

}  // namespace

const std::vector<std::string>& AbsorbedMarks::presets() {
  static const std::vector<std::string> names{"all", "prompt", "none", "keep-bos"};
  return names;
}

bool AbsorbedMarks::keeps(int token) const {
  return m_set.keeps(token, sizeOf(*m_tokens));
}

const std::vector<std::string>& AbsorbedMarks::imagePresets() {
  static const std::vector<std::string> names{"images", "text"};
  return names;
}

/// parseAbsorbedSet, but nullopt in place of an Error.
/// @param text parseAbsorbedSet's `promptText`
std::optional<AbsorbedSet> AbsorbedMarks::tryParse(const std::string& part,
                                                   const std::vector<Token>& tokens,
                                                   const std::string& text,
                                                   const std::string& message) const {
  try {
    return parseAbsorbedSet(part, tokens, m_images, text, message);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The preset that keeps the same tokens as `set`; empty if there is none.
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
  const std::vector<bool> kept = m_set.keptFlags(sizeOf(*m_tokens));
  return static_cast<int>(std::count(kept.begin(), kept.end(), true));
}

std::string AbsorbedMarks::text() const {
  if (m_tokens->empty()) return m_wanted;
  const std::string preset = presetOf(m_set, *m_tokens);
  return preset.empty() ? absorbedText(m_set, sizeOf(*m_tokens), m_images) : preset;
}

void AbsorbedMarks::setText(const std::string& text) {
  if (m_tokens->empty()) {
    m_wanted = text;
    m_before.reset();
    m_lost.reset();
    m_textMarks.reset();
    m_undo.clear();
    m_redo.clear();
  } else {
    change(parseAbsorbedSet(text, *m_tokens, m_images, *m_text, m_message));
  }
}

std::optional<TextMarks> AbsorbedMarks::textMarks() const {
  const std::string text = this->text();
  const bool isByPositions =
      text == "generated" ||  // every position of the prompt is kept
      (!text.empty() && '0' <= text.front() && text.front() <= '9');
  return isByPositions ? m_textMarks : std::nullopt;
}

void AbsorbedMarks::setTextMarks(std::optional<TextMarks> marks) {
  if (m_tokens->empty()) m_textMarks = std::move(marks);
}

std::string AbsorbedMarks::setTokens(std::vector<Token> tokens,
                                     std::vector<PositionRange> images,
                                     const std::string& text,
                                     const std::string& message) {
  if (tokens.empty()) {
    m_wanted = this->text();
    if (!m_tokens->empty()) {
      m_before = std::exchange(m_tokens, std::make_shared<const std::vector<Token>>());
      m_imagesBefore = std::exchange(m_images, {});
    }
    m_set = {};
    return {};
  }
  const bool hadNone = m_tokens->empty();
  if (hadNone) bringBackTokens();
  const std::string before = this->text();
  Snapshot old = snapshot(0);
  const std::string preset = m_tokens->empty() ? m_wanted : presetOf(m_set, *m_tokens);
  const std::optional<TextMarks> marks = text.empty() ? std::nullopt : textMarks();
  const bool isSameText = marks && marks->text == text;
  const bool byText = marks && (hadNone || isSameText);
  m_images = std::move(images);
  const auto parsed = tryParse(preset, tokens, text, message);
  if (m_lost && std::ranges::equal(*m_lost->tokens, tokens, sameId))
    m_set = m_lost->set;
  else if (byText)
    m_set = absorbedSetOf(*marks, tokens, text, m_images);
  else if (!preset.empty())
    m_set = parsed.value_or(AbsorbedSet{});
  else
    m_set = carriedOver(m_set, *m_tokens, tokens);
  m_tokens = std::make_shared<const std::vector<Token>>(std::move(tokens));
  if (text != *m_text) m_text = std::make_shared<const std::string>(text);
  m_message = message;
  m_set = withWholeImages(std::move(m_set), sizeOf(*m_tokens), m_images);
  if (!isSameText) rememberTextMarks();
  const bool isLost =
      byText || preset.empty() ? !presetOf(m_set, *m_tokens).empty() : !parsed;
  if (!isLost) return {};
  m_lost = std::move(old);
  return before;
}

void AbsorbedMarks::bringBackTokens() {
  if (!m_before) return;
  m_tokens = std::exchange(m_before, nullptr);
  m_images = std::exchange(m_imagesBefore, {});
  m_set = tryParse(m_wanted, *m_tokens).value_or(AbsorbedSet{});
}

void AbsorbedMarks::rememberTextMarks() {
  m_textMarks.reset();
  if (!m_text->empty()) m_textMarks = textMarksOf(m_set, *m_tokens, *m_text);
}

void AbsorbedMarks::mark(const std::vector<PositionRange>& ranges, Fate fate) {
  std::vector<bool> flags = m_set.keptFlags(sizeOf(*m_tokens));
  for (auto [first, last] : ranges) {
    for (const PositionRange& image : m_images) {
      if (image.first <= first && first <= image.last) first = image.first;
      if (image.first <= last && last <= image.last) last = image.last;
    }
    for (std::int64_t i = std::max<std::int64_t>(first, 0);
         i <= last && i < std::ssize(flags); ++i)
      flags[static_cast<std::size_t>(i)] = fate == Fate::Kept;
  }
  change({.keptPrompt = rangesOf(flags), .keepsGenerated = m_set.keepsGenerated});
}

void AbsorbedMarks::change(AbsorbedSet set) {
  if (set == m_set) return;
  m_undo.push_back(snapshot(m_textSteps));
  if (m_undo.size() > kMostUndo) m_undo.erase(m_undo.begin());
  m_redo.clear();
  m_lost.reset();
  m_set = std::move(set);
  rememberTextMarks();
}

AbsorbedMarks::Snapshot AbsorbedMarks::snapshot(int textSteps) const {
  Snapshot made{m_tokens, m_set, std::nullopt, m_text, textSteps};
  if (m_textMarks)
    made.marks = TextMarks{.text = {},
                           .kept = m_textMarks->kept,
                           .keepsStart = m_textMarks->keepsStart,
                           .keepsGenerated = m_textMarks->keepsGenerated};
  return made;
}

void AbsorbedMarks::exchange(Snapshots& from, Snapshots& to) {
  if (from.empty()) return;
  const bool hasTokens = !m_tokens->empty();
  if (!hasTokens) bringBackTokens();
  Snapshot next = std::move(from.back());
  from.pop_back();
  to.push_back(snapshot(next.textSteps));
  m_lost.reset();
  restore(std::move(next));
  if (!hasTokens) setTokens({});
}

void AbsorbedMarks::restore(Snapshot old) {
  if (old.marks && *old.text == *m_text) {
    m_textMarks = std::move(old.marks);
    m_textMarks->text = *m_text;
    m_set = absorbedSetOf(*m_textMarks, *m_tokens, *m_text, m_images);
    return;
  }
  m_set = withWholeImages(carriedOver(old.set, *old.tokens, *m_tokens), sizeOf(*m_tokens),
                          m_images);
  rememberTextMarks();
}

}  // namespace equipatch
