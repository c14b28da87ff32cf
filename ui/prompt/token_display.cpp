// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/token_display.h"

#include <algorithm>

#include "core/base/strings.h"
#include "core/text/visible_text.h"

namespace equipatch {

namespace {

QString orId(const std::string& visible, TokenId id) {
  return visible.empty() ? u'#' + QString::number(id.value)
                         : QString::fromStdString(visible);
}

/// The UTF-16 position of every UTF-8 byte offset, including the offset of the end. An
/// offset inside a character has the position after this character.
std::vector<int> positionsOfBytes(const QString& text,
                                  const std::vector<ImageSpan>& images) {
  std::vector<int> positions;
  positions.reserve(std::size_t(text.size()) * 2 + 1);
  auto image = images.begin();
  for (qsizetype i = 0; i < text.size();) {
    if (image != images.end() && image->written.begin == positions.size() &&
        text[i] == QChar::ObjectReplacementCharacter) {
      positions.resize(image->firstToken + 1, int(i));
      positions.resize(image->written.end, int(++i));
      ++image;
      continue;
    }
    const bool pair =
        text[i].isHighSurrogate() && i + 1 < text.size() && text[i + 1].isLowSurrogate();
    const qsizetype units = pair ? 2 : 1;
    const auto bytes = QStringView(text).mid(i, units).toUtf8().size();
    positions.push_back(int(i));
    positions.insert(positions.end(), std::size_t(bytes - 1), int(i + units));
    i += units;
  }
  positions.push_back(int(text.size()));
  return positions;
}

}  // namespace

QString visibleToken(const std::string& text, TokenId id) {
  const QString shown = orId(visibleText(text), id);
  return shown.contains(QChar::ReplacementCharacter)
             ? shown + QStringLiteral(" #%1").arg(id.value)
             : shown;
}

QString visibleToken(const Choice& choice) {
  return choice.bytes.empty() ? visibleToken(choice.text, choice.id)
                              : u'‹' + QString::fromStdString(choice.bytes) + u'›';
}

namespace {

/// Shows the bytes of token `id` if `candidates` contain them, otherwise `text`.
QString amongCandidates(const Choices& candidates, TokenId id, const std::string& text) {
  const auto found = std::ranges::find(candidates, id, &Choice::id);
  return found == candidates.end() || found->bytes.empty() ? visibleToken(text, id)
                                                           : visibleToken(*found);
}

}  // namespace

QString visiblePatchedToken(const StepRecord& step) {
  return amongCandidates(step.patched, step.patchedToken, step.patchedText);
}

QString visibleToken(const StepRecord& step) {
  const bool broken = step.token == step.continued &&
                      replaceInvalidUtf8(step.continuedBytes) != step.continuedBytes;
  return broken ? orId(visibleText(step.continuedBytes), step.token)
                : amongCandidates(step.contextual, step.token, step.tokenText);
}

QString visibleToken(const Token& token, const std::string& prompt) {
  return orId(visibleText(token, prompt), token.id);
}

std::vector<TextSpan> textSpans(const QString& text, const std::vector<Token>& tokens,
                                const std::vector<ImageSpan>& images) {
  const std::vector<int> positions = positionsOfBytes(text, images);
  const auto at = [&](std::size_t byte) {
    return positions[std::min(byte, positions.size() - 1)];
  };
  std::vector<TextSpan> spans;
  spans.reserve(tokens.size());
  for (const Token& token : tokens)
    spans.push_back({at(token.span.begin), at(token.span.end)});
  return spans;
}

namespace {

constexpr qreal kThickness = 2.0;
constexpr qreal kEnd = 5.0;  // height of a bracket's end, pixels

}  // namespace

BracketEnds bracketEnds(bool begins, bool ends) {
  if (begins) return ends ? BracketEnds::Both : BracketEnds::Left;
  return ends ? BracketEnds::Right : BracketEnds::None;
}

void drawKeptBracket(QPainter& painter, const QRectF& place, BracketEnds ends,
                     const QColor& colour) {
  const QRectF lower(place.left(), place.bottom() - kThickness, place.width(),
                     kThickness);
  painter.fillRect(lower, colour);
  const QSizeF end(kThickness, kEnd);
  const qreal top = place.bottom() - kEnd;
  if (ends == BracketEnds::Both || ends == BracketEnds::Left)
    painter.fillRect(QRectF(QPointF(place.left(), top), end), colour);
  if (ends == BracketEnds::Both || ends == BracketEnds::Right)
    painter.fillRect(QRectF(QPointF(place.right() - kThickness, top), end), colour);
}

}  // namespace equipatch
