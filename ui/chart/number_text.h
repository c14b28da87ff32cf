// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string>

namespace equipatch {

// Typographic numbers of core/base/number_format as QString.

/// "0.125", "1.24×10⁻⁵"
QString numberText(double value, int digits = 3);
/// A number as the label of a scale, without trailing zeros: "5×10⁻⁶".
QString tickText(double value);
/// "10⁻³", "10", "1"
QString powerText(int exponent);
/// A message from core for the window: its exponents become powers of ten.
QString messageText(const std::string& message);
/// An error's sentence as it is shown by itself: with a capital letter if it begins with
/// a plain word, unchanged if it begins with a key ("rate: …") or with the name of a
/// file, tensor or option.
QString sentenceText(const QString& sentence);

/// A probability in percent: "93.1 %", "<0.1 %", "–" for NaN.
QString percentText(double probability);

/// A probability in percent for narrow columns headed "%": "93", "9.6".
QString shortPercentText(double probability);

/// A count with its noun: "1 token", "12 tokens", "2 mismatches".
QString countText(qint64 count, const QString& noun);

/// Translates texts of free functions. Inside a QObject, QObject::tr hides this function.
inline QString tr(const char* text) {
  return QCoreApplication::translate("Equipatch", text);
}

}  // namespace equipatch
