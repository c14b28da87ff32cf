// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string>

namespace equipatch {

// Typographic numbers of core/base/number_format as QString.

/// "0.125", "1.24×10⁻⁵"
QString numberText(double value, int digits = 3);
/// The same for the labels of a scale, without trailing zeros: "5×10⁻⁶".
QString tickText(double value);
/// "10⁻³", "10", "1"
QString powerText(int exponent);
/// A message from core for the window: its exponents become powers of ten.
QString messageText(const std::string& message);
/// An error's sentence for a place of its own, with a capital where it begins with a
/// plain word. Keys ("rate: …") and names of files, tensors and options stay as they are.
QString sentenceText(const QString& sentence);

/// A probability in percent: "93.1 %", "<0.1 %", "–" for NaN.
QString percentText(double probability);

/// The same in few characters and without the sign, for columns headed "%": "93", "9.6".
QString shortPercentText(double probability);

/// A count with its noun: "1 token", "12 tokens", "2 mismatches".
QString countText(qint64 count, const QString& noun);

/// Translates words of free functions; in a QObject its own tr hides this one.
inline QString tr(const char* text) {
  return QCoreApplication::translate("Equipatch", text);
}

}  // namespace equipatch
