// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <random>
#include <string>

#include "core/record/run_record.h"

namespace equipatch::test {

/// Headers and step records of random values: texts of any bytes, finite numbers of any
/// size. The vectors of a record have the lengths that its header requires. Headers have
/// no images, branch, recurrent layers or continuations; tests that need them set them.
class RandomRuns {
 public:
  explicit RandomRuns(std::uint64_t seed) : m_random(seed) {}

  RunHeader header();
  StepRecord step(const RunHeader& header, std::int64_t index);

  std::int64_t count(std::int64_t most);  ///< from 0 to `most`
  bool flag() { return count(1) == 1; }
  double number();  ///< finite, any sign and exponent
  std::string text();

 private:
  std::int64_t anyCount() { return std::int64_t(m_random() >> 1); }
  TokenId id() { return TokenId(anyCount()); }
  template <typename Number>
  std::vector<Number> numbers(std::int64_t size);
  std::optional<LogitDistance> distance();
  Choices choices();
  RunRequest request(std::int64_t layers);
  LayerRecord layer(const RunHeader& header);
  std::shared_ptr<const PatchFactors> factors(const RunHeader& header);

  std::mt19937_64 m_random;
};

}  // namespace equipatch::test
