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

/// A token's text as `visibleText` shows it; "#12" where there is none, and "� #12" where
/// it is no whole character.
QString visibleToken(const std::string& text, TokenId id);

/// A step's token; its bytes, as `visibleText` shows them, if it ends within a character.
QString visibleToken(const StepRecord& step);

/// The same for a token of `prompt`.
QString visibleToken(const Token& token, const std::string& prompt);

/// A token's place in a QString: UTF-16 code units, where the engine counts UTF-8 bytes.
struct TextSpan {
  int begin = 0;
  int end = 0;

  bool operator==(const TextSpan&) const = default;
};

/// Spans of the tokens in `text`, whose UTF-8 form they were made from. Where tokens
/// split a character, it belongs to the first of them and the others are empty.
/// @param images in whose places U+FFFC stands in `text`: it belongs to their first image
///        token, and their other tokens are empty
std::vector<TextSpan> textSpans(const QString& text, const std::vector<Token>& tokens,
                                const std::vector<ImageSpan>& images = {});

/// The ends of a bracket that a part of a kept stretch contains.
enum class BracketEnds { Both, Left, Right, None };

BracketEnds bracketEnds(bool begins, bool ends);

/// Draws the bracket under kept tokens, along the lower edge of `place`.
void drawKeptBracket(QPainter& painter, const QRectF& place, BracketEnds ends,
                     const QColor& colour);

}  // namespace equipatch
