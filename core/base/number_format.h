// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace equipatch {

// Numbers as text, independent of the locale.

// Plain ASCII text.

/// `decimals` digits after the point: "93.10".
std::string fixedText(double value, int decimals);
/// As printf's %g with at most `digits` significant digits: "12.3", "1.2e-05".
std::string shortText(double value, int digits);
/// The fewest `digits`, at least 3, with which `shortText` gives different texts; 3 for
/// equal values.
int distinctDigits(double a, double b);
/// "1.2e-05".
std::string scientificText(double value, int decimals);
/// The shortest text that parses to the same double or float.
std::string exactText(double value);
std::string exactText(float value);

/// "1.24 GB", in powers of 1000.
std::string bytesText(std::int64_t bytes);
/// "1.24 G", "18.5 M", "512".
std::string metricText(std::int64_t count);
/// "40 s", "12 min", "3 h 20 min", "2 d 5 h".
std::string durationText(std::chrono::seconds duration);

// Typographic text, for the window and figures, in UTF-8.

/// Zero and absolute values from 0.001 to 99999 are written as by printf's %g, but with
/// all digits before the point, even more than `digits`: "0.125", "12346", "−0.5". Other
/// finite numbers have exactly `digits` digits and a power of ten: "1.20×10⁻⁵". Also "∞",
/// "−∞", "NaN".
std::string typographicText(double value, int digits = 3);
/// As `typographicText`, but without trailing zeros of the mantissa, for axis ticks:
/// "5×10⁻⁶".
std::string typographicTick(double value);
/// "10⁻³", "10", "1".
std::string powerOfTenText(int exponent);
/// Rewrites the exponents in a message: "L∞ 1.2e-05" becomes "L∞ 1.2×10⁻⁵".
std::string withTypographicExponents(const std::string& message);

}  // namespace equipatch
