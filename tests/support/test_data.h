#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace equipatch::test {

/// A file or folder under tests/data, which is committed.
std::filesystem::path data(const std::filesystem::path& relative);

/// The folders of tests/data/golden, one a trap of its family, in alphabetical order.
std::vector<std::string> goldenNames();

/// A file or folder of the uncommitted extra data (trained models, real tokenizers) that
/// the variable EQUIPATCH_EXTRA_DATA points to; nothing where it is absent, and the test
/// skips.
std::optional<std::filesystem::path> extraData(const std::filesystem::path& relative);

}  // namespace equipatch::test

/// `const auto name = …` of an extra data path, or skips the test function, saying so.
#define EXTRA_DATA_OR_SKIP(variable, relative)                                        \
  const auto variable##Found_ = equipatch::test::extraData(relative);                 \
  if (!variable##Found_)                                                              \
    QSKIP("EQUIPATCH_EXTRA_DATA does not hold " relative ", which is not committed"); \
  const std::filesystem::path variable = *variable##Found_
