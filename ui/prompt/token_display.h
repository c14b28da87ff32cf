// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>
#include <QRectF>
#include <QString>
#include <string>
#include <vector>

#include "core/base/ids.h"
#include "core/record/step_record.h"
#include "core/run/prompt_images.h"
#include "core/text/token.h"

namespace equipatch {

/// A token's text as `visibleText` shows it, followed by its id if it contains "�"; the
/// id alone, such as "#12", if it has no text.
QString visibleToken(const std::string& text, TokenId id);

/// The same for a candidate: bytes that are not a whole character as "‹E2 82›".
QString visibleToken(const Choice& choice);

/// The token that the patched pass chose.
QString visiblePatchedToken(const StepRecord& step);

/// A step's token; its bytes, as `visibleText` shows them, if they are not whole
/// characters.
QString visibleToken(const StepRecord& step);

/// A token of a prompt: its part of the text `prompt`, or its piece if it has none, as
/// `visibleText` shows them; the id alone if both are empty.
QString visibleToken(const Token& token, const std::string& prompt);

/// A token's place in a QString, in UTF-16 code units. (The engine counts UTF-8 bytes.)
struct TextSpan {
  int begin = 0;
  int end = 0;

  bool operator==(const TextSpan&) const = default;
};

/// Spans in `text` of the tokens that were made from its UTF-8 form. If tokens split a
/// character, it belongs to the first of them alone.
/// @param images `text` has a U+FFFC for each of them, which belongs to the image's first
///        token; the spans of its other tokens are empty
std::vector<TextSpan> textSpans(const QString& text, const std::vector<Token>& tokens,
                                const std::vector<ImageSpan>& images = {});

/// Which ends of the bracket under a stretch of kept tokens a part of the stretch has.
enum class BracketEnds { Both, Left, Right, None };

BracketEnds bracketEnds(bool begins, bool ends);

/// Draws the bracket under kept tokens, along the lower edge of `place`.
void drawKeptBracket(QPainter& painter, const QRectF& place, BracketEnds ends,
                     const QColor& colour);

}  // namespace equipatch
