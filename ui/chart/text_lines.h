// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QStringList>

namespace equipatch {

/// How many characters from the beginning of a text fit, found by bisection, because
/// texts from strangers' files may be long.
qsizetype fittingLength(const QString& text, const QFontMetricsF& metrics, double width);

/// The first `most` characters of a text in one line, with "…" for the rest.
QString startOfText(const QString& text, qsizetype most);
/// The last `most` characters of a text in one line, after "…" for the rest.
QString endOfText(const QString& text, qsizetype most);

/// Words in lines of at most this width, with nothing left out. A word wider than a line
/// is broken after the last character that fits and is neither letter nor digit or,
/// without one, after the last character that fits.
QStringList textLines(const QString& words, const QFontMetricsF& metrics, double width);

/// The width of the widest word, or line.
double widestWord(const QString& words, const QFontMetricsF& metrics);
double widestLine(const QStringList& lines, const QFontMetricsF& metrics);

/// Shortens texts to their widths, so that different texts still differ if possible. The
/// texts lose the words with which all texts begin, and are cut at the end. If different
/// texts would then look the same, they lose other words that several texts have instead.
/// @param widths one for each text
QStringList elidedApart(const QStringList& texts, const QFontMetricsF& metrics,
                        const QList<double>& widths);

}  // namespace equipatch
