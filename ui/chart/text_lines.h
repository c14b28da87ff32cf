// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QStringList>

namespace equipatch {

/// How many characters from the beginning of a text fit. Measures few beginnings, because
/// texts from files may be long.
qsizetype fittingLength(const QString& text, const QFontMetricsF& metrics, double width);

/// The first, or last, `most` characters of a text in one line, and "…" for the rest.
QString startOfText(const QString& text, qsizetype most);
QString endOfText(const QString& text, qsizetype most);

/// Wraps words into lines of this width. A word wider than a line is broken after the
/// last fitting character that is neither letter nor digit; if there is none, after the
/// last fitting character.
QStringList textLines(const QString& words, const QFontMetricsF& metrics, double width);

/// The width of the widest word, or line.
double widestWord(const QString& words, const QFontMetricsF& metrics);
double widestLine(const QStringList& lines, const QFontMetricsF& metrics);

/// Shortens texts to their widths, so that different texts still differ if possible.
/// @param widths one for each text
QStringList elidedApart(const QStringList& texts, const QFontMetricsF& metrics,
                        const QList<double>& widths);

}  // namespace equipatch
