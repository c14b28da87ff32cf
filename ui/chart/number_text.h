// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <string>

namespace equipatch {

// Typographic numbers of core/base/number_format as QString.

/// "0.125", "1.24×10⁻⁵"
QString numberText(double value, int digits = 3);
/// For labels of axes, without trailing zeros: "5×10⁻⁶".
QString tickText(double value);
/// "10⁻³", "10", "1"
QString powerText(int exponent);
/// A message from core with its exponents as powers of ten: "1.2×10⁻⁵" for "1.2e-05".
QString messageText(const std::string& message);
/// Capitalizes an error's sentence if its first word has only the letters a to z (and
/// perhaps 's) and is followed by a space or comma. Sentences that begin with "rate:",
/// "config.json" or "embed_tokens" stay unchanged.
QString sentenceText(const QString& sentence);

/// A probability in percent: "93.1 %", "<0.1 %", "–" for NaN.
QString percentText(double probability);

/// A probability in percent for narrow columns headed "%": "93", "9.6".
QString shortPercentText(double probability);

/// "1 token", "12 tokens", "2 mismatches".
/// @param noun in the singular
QString countText(qint64 count, const QString& noun);

/// For texts of free functions; inside a QObject, QObject::tr hides this function.
inline QString tr(const char* text) {
  return QCoreApplication::translate("Equipatch", text);
}

}  // namespace equipatch
