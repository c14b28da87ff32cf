// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace equipatch {

// Numbers as text, independent of the locale.

// Plain text, for messages, the command line and files.

/// `decimals` digits after the point: "93.10".
std::string fixedText(double value, int decimals);
/// As printf's %g: at most `digits` significant digits, without trailing zeros; numbers
/// below 0.0001 and from 10^digits on have an exponent: "12.3", "1.2e-05".
std::string shortText(double value, int digits);
/// The fewest significant digits, 3 or more, at which `shortText` tells the values apart;
/// 3 for equal values.
int distinctDigits(double a, double b);
/// Always with an exponent: "1.2e-05".
std::string scientificText(double value, int decimals);
/// The shortest text that reads back as the same value of its type.
std::string exactText(double value);
std::string exactText(float value);

/// "1.24 GB": decimal units, as for disks.
std::string bytesText(std::int64_t bytes);
/// A count in three digits: "1.24 G", "18.5 M", "512".
std::string metricText(std::int64_t count);
/// "40 s", "12 min", "3 h 20 min", "2 d 5 h".
std::string durationText(std::chrono::seconds duration);

// Typographic text, for the window and figures, in UTF-8.

/// Zero and numbers from 0.001 to 99999 as printf's %g, but with all digits before the
/// point even if they are more than `digits`: "0.125", "12346", "−0.5". Other numbers
/// have exactly `digits` digits and a power of ten: "1.20×10⁻⁵"; or "∞", "NaN".
std::string typographicText(double value, int digits = 3);
/// The same without trailing zeros, for the labels of a scale: "5×10⁻⁶".
std::string typographicTick(double value);
/// "10⁻³", "10", "1".
std::string powerOfTenText(int exponent);
/// A message with the exponents of its plain numbers rewritten: "L∞ 1.2e-05" becomes
/// "L∞ 1.2×10⁻⁵".
std::string withTypographicExponents(const std::string& message);

}  // namespace equipatch
