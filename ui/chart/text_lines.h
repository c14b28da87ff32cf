// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFontMetricsF>
#include <QStringList>

namespace equipatch {

/// How many characters from the beginning of a text fit, found by bisection, because
/// texts from strangers' files may be long.
qsizetype fittingLength(const QString& text, const QFontMetricsF& metrics, double width);

/// A text in one line, which ends with "…" instead of what is beyond `most` characters.
QString startOfText(const QString& text, qsizetype most);
/// The same of its end, which begins with "…".
QString endOfText(const QString& text, qsizetype most);

/// Words in lines of at most this width, with nothing left out. A word that is wider is
/// broken, after its last character that fits and is neither letter nor digit if it has
/// one.
QStringList textLines(const QString& words, const QFontMetricsF& metrics, double width);

/// The width of the widest word, or line.
double widestWord(const QString& words, const QFontMetricsF& metrics);
double widestLine(const QStringList& lines, const QFontMetricsF& metrics);

/// Texts in one line each, shortened where they are wider. They lose the words that all
/// begin with and are cut at the end; if different texts would then look the same, they
/// lose other words that several texts have. Some may look the same even so.
/// @param widths one for each text
QStringList elidedApart(const QStringList& texts, const QFontMetricsF& metrics,
                        const QList<double>& widths);

}  // namespace equipatch
