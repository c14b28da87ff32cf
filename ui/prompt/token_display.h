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

/// The same for a candidate; bytes that do not form whole characters appear as "‹E2 82›".
QString visibleToken(const Choice& choice);

/// The token that the patched pass chose.
QString visiblePatchedToken(const StepRecord& step);

/// The token of a step. If its bytes do not form whole characters, they appear as
/// `visibleText` shows them.
QString visibleToken(const StepRecord& step);

/// The part of the text `prompt` that the token stands for, as `visibleText` shows it; if
/// there is none, the token's piece; if that is empty too, the id.
QString visibleToken(const Token& token, const std::string& prompt);

/// A token's place in a QString, in UTF-16 code units. (The engine counts UTF-8 bytes.)
struct TextSpan {
  int begin = 0;
  int end = 0;

  bool operator==(const TextSpan&) const = default;
};

/// Spans in `text` of the tokens that were made from its UTF-8 form. If several tokens
/// share a character, the first of them gets the whole character.
/// @param images `text` has a U+FFFC for each image, which belongs to the image's first
///        token; the spans of the image's other tokens are empty
std::vector<TextSpan> textSpans(const QString& text, const std::vector<Token>& tokens,
                                const std::vector<ImageSpan>& images = {});

/// A stretch of kept tokens has one bracket, drawn in parts: which of the bracket's ends
/// a part shows.
enum class BracketEnds { Both, Left, Right, None };

BracketEnds bracketEnds(bool begins, bool ends);

/// Draws the bracket under kept tokens, along the lower edge of `place`.
void drawKeptBracket(QPainter& painter, const QRectF& place, BracketEnds ends,
                     const QColor& colour);

}  // namespace equipatch
