// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace equipatch::test {

/// The path of a file or folder under tests/data.
std::filesystem::path data(const std::filesystem::path& relative);

/// The names of the folders in tests/data/golden, in alphabetical order.
std::vector<std::string> goldenNames();

/// A file or folder in the folder that EQUIPATCH_EXTRA_DATA names (trained models, real
/// tokenizers); nullopt if absent.
std::optional<std::filesystem::path> extraData(const std::filesystem::path& relative);

}  // namespace equipatch::test

/// Defines `variable` as the path of extra data, or skips the test function.
#define EXTRA_DATA_OR_SKIP(variable, relative)                                        \
  const auto variable##Found_ = equipatch::test::extraData(relative);                 \
  if (!variable##Found_)                                                              \
    QSKIP("EQUIPATCH_EXTRA_DATA does not hold " relative ", which is not committed"); \
  const std::filesystem::path variable = *variable##Found_
