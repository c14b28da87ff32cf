#pragma once

#include <QString>

namespace equipatch {

/// A number for people: 3 significant digits, powers of ten as in print ("1.24×10⁻⁵"),
/// plain between 0.001 and 99999.
QString numberText(double value);

/// A power of ten as in print: "10⁻³", "10", "1".
QString powerText(int exponent);

/// A probability in percent: "93.1 %", "<0.1 %".
QString percentText(double probability);

/// The same in few characters and without the sign, for columns headed "%": "93", "9.6".
QString shortPercentText(double probability);

/// A count with its noun: "1 token", "12 tokens", "2 mismatches".
QString countText(qint64 count, const QString& noun);

}  // namespace equipatch
