// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>

namespace equipatch::usage {

/// Accepts a number from `low` to `high`; unlike CLI::Range it refuses NaN.
CLI::Validator between(double low, double high);

/// Accepts a whole number from `low` to `high`, written in digits, and removes leading
/// zeros, because CLI11 would read 010 as an octal number. Pass it to
/// CLI::Option::transform; CLI::Option::check would keep the zeros.
CLI::Validator wholeNumber(std::int64_t low, std::int64_t high);

/// Accepts a finite number above 0.
CLI::Validator positive();

}  // namespace equipatch::usage
