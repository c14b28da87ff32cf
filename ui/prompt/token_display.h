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

/// The text as `visibleText` shows it, followed by the id ("#12") if "�" is shown; for an
/// empty text, only the id.
QString visibleToken(const std::string& text, TokenId id);

/// The same for a candidate; bytes that do not form whole characters appear as "‹E2 82›".
QString visibleToken(const Choice& choice);

QString visiblePatchedToken(const StepRecord& step);

/// The token that the contextual pass chose. Bytes that do not form whole characters
/// appear as in `visibleText` if the record has them.
QString visibleToken(const StepRecord& step);

/// The token's span of `prompt` as `visibleText` shows it; if the span is empty, the
/// token's piece; if the piece is empty, too, the id.
QString visibleToken(const Token& token, const std::string& prompt);

/// A place in a QString, in UTF-16 code units (a ByteSpan counts UTF-8 bytes).
struct TextSpan {
  int begin = 0;
  int end = 0;

  bool operator==(const TextSpan&) const = default;
};

/// Converts the tokens' spans from bytes to positions in `text`. If several tokens share
/// a character, the first of them gets the whole character.
/// @param images a U+FFFC in `text` stands for each image and belongs to the first image
///        token; the spans of the image's other tokens are empty
std::vector<TextSpan> textSpans(const QString& text, const std::vector<Token>& tokens,
                                const std::vector<ImageSpan>& images = {});

/// The ends that a part of a bracket has: a bracket over several lines is drawn as one
/// part for each line.
enum class BracketEnds { Both, Left, Right, None };

BracketEnds bracketEnds(bool begins, bool ends);

/// Draws a part of a bracket along the lower edge of `place`.
void drawKeptBracket(QPainter& painter, const QRectF& place, BracketEnds ends,
                     const QColor& colour);

}  // namespace equipatch
