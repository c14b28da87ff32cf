// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/delta_rule.h"

#include <cmath>

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::RowMajor;
using test::Source;

namespace {

struct DeltaShape {
  std::int64_t tokens, heads, keyDim, valueDim;
};

/// max |a − b|, or infinity if any difference is not finite, because std::max and
/// maxCoeff() may drop a NaN.
double largestDifference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  const Eigen::MatrixXd difference = a - b;
  return difference.allFinite() ? difference.cwiseAbs().maxCoeff() : HUGE_VAL;
}

template <typename T>
struct DeltaCase {
  DeltaShape shape;
  std::vector<T> q, k, v, alpha, beta, state;

  DeltaCase(const DeltaShape& sizes, unsigned seed) : shape(sizes) {
    Source source(seed);
    const std::int64_t rows = shape.tokens * shape.heads;
    q = source.vector<T>(rows * shape.keyDim);
    k = source.vector<T>(rows * shape.keyDim);
    for (T& value : k) value /= static_cast<T>(shape.keyDim);
    v = source.vector<T>(rows * shape.valueDim);
    alpha = source.vector<T>(rows);
    for (T& value : alpha) value = std::exp(-std::abs(value));
    beta = source.vector<T>(rows);
    state = source.vector<T>(shape.heads * shape.keyDim * shape.valueDim);
  }

  /// Computes tokens [first, first + count) and updates the state `current`.
  std::vector<T> run(std::vector<T>& current, std::int64_t first, std::int64_t count,
                     SummationOrder order = SummationOrder::Standard) const {
    return run({current.data(), current.data()}, first, count, order);
  }

  struct States {
    const T* before = nullptr;
    T* after = nullptr;
  };
  std::vector<T> run(const States& states, std::int64_t first, std::int64_t count,
                     SummationOrder order = SummationOrder::Standard) const {
    const std::int64_t row = first * shape.heads;
    // No output has this value, so that unwritten elements are noticed.
    std::vector<T> o(static_cast<std::size_t>(count * shape.heads * shape.valueDim),
                     T{-12345678});
    applyDeltaRule(DeltaRule<T>{.tokens = count,
                                .heads = shape.heads,
                                .keyDim = shape.keyDim,
                                .valueDim = shape.valueDim,
                                .q = q.data() + row * shape.keyDim,
                                .k = k.data() + row * shape.keyDim,
                                .v = v.data() + row * shape.valueDim,
                                .alpha = alpha.data() + row,
                                .beta = beta.data() + row,
                                .before = states.before,
                                .after = states.after,
                                .o = o.data(),
                                .order = order});
    return o;
  }
  std::vector<T> run(SummationOrder order = SummationOrder::Standard) const {
    std::vector<T> from = state;
    return run(from, 0, shape.tokens, order);
  }

  /// The largest difference of o and the last state from the formulas in float64.
  double error() const {
    std::vector<T> last = state;
    const std::vector<T> o = run(last, 0, shape.tokens);
    double largest = 0.0;
    for (std::int64_t head = 0; head < shape.heads; ++head) {
      const auto matrix = [&](const std::vector<T>& from) {
        return Eigen::Map<const RowMajor<T>>(
                   from.data() + head * shape.keyDim * shape.valueDim, shape.keyDim,
                   shape.valueDim)
            .template cast<double>();
      };
      Eigen::MatrixXd S = matrix(state);
      for (std::int64_t token = 0; token < shape.tokens; ++token) {
        const std::int64_t row = token * shape.heads + head;
        const auto vector = [&](const std::vector<T>& from, std::int64_t width) {
          return Eigen::Map<const Eigen::VectorX<T>>(from.data() + row * width, width)
              .template cast<double>();
        };
        S *= double{alpha[row]};
        const Eigen::VectorXd key = vector(k, shape.keyDim);
        const Eigen::VectorXd change =
            double{beta[row]} * (vector(v, shape.valueDim) - S.transpose() * key);
        S += key * change.transpose();
        const Eigen::VectorXd expected = S.transpose() * vector(q, shape.keyDim);
        largest =
            std::max(largest, largestDifference(vector(o, shape.valueDim), expected));
      }
      largest = std::max(largest, largestDifference(matrix(last), S));
    }
    return largest;
  }
};

// Some value dimensions are multiples of the SIMD width, others are not.
constexpr DeltaShape kDeltaShapes[] = {
    {1, 1, 1, 1}, {4, 3, 7, 37}, {6, 2, 16, 64}, {3, 2, 9, 3}};

}  // namespace

class tst_delta_rule : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void outputsAndStateAgreeWithTheFormulas() {
    for (InstructionSet set : test::runnableSets()) {
      const test::ForcedSet forced(set);
      for (const DeltaShape& shape : kDeltaShapes) {
        QVERIFY(DeltaCase<float>(shape, 1).error() < 1e-4);
        QVERIFY(DeltaCase<double>(shape, 1).error() < 1e-12);
      }
    }
  }

  void singleTokensGiveTheBitsOfASequence() {
    for (InstructionSet set : test::runnableSets()) {
      const test::ForcedSet forced(set);
      const DeltaCase<float> tokens({5, 2, 8, 40}, 2);
      for (SummationOrder order : test::kOrders) {
        std::vector<float> state = tokens.state, alone;
        for (std::int64_t at = 0; at < 5; ++at)
          for (float value : tokens.run(state, at, 1, order)) alone.push_back(value);
        QVERIFY(test::sameBits(alone, tokens.run(order)));
      }
    }
  }

  /// An infinite α times a zero state is NaN, also if `before` is null.
  void resultsAreTheSameWithoutAStoredState() {
    for (InstructionSet set : test::runnableSets()) {
      const test::ForcedSet forced(set);
      DeltaCase<float> tokens({2, 3, 8, 41}, 5);
      tokens.alpha[1] = std::numeric_limits<float>::infinity();
      for (SummationOrder order : test::kOrders) {
        std::vector<float> state = tokens.state, zero(state.size());
        QVERIFY(test::sameBits(tokens.run({tokens.state.data(), nullptr}, 0, 1, order),
                               tokens.run(state, 0, 1, order)));
        QVERIFY(
            test::sameBits(tokens.run({}, 0, 1, order), tokens.run(zero, 0, 1, order)));
      }
    }
  }

  void threadsDoNotChangeTheResult() {
    const DeltaCase<float> tokens({40, 6, 64, 64}, 3);
    std::vector<std::vector<float>> results;
    for (int threads : {1, 2, 3}) {
      const test::Threads count(threads);
      results.push_back(tokens.run());
    }
    QVERIFY(test::sameBits(results[0], results[1]));
    QVERIFY(test::sameBits(results[0], results[2]));
  }

  void alternateOrderRoundsDifferently() {
    for (InstructionSet set : test::runnableSets()) {
      const test::ForcedSet forced(set);
      const DeltaCase<float> tokens({3, 2, 32, 16}, 4);
      QVERIFY(tokens.run() != tokens.run(SummationOrder::Alternate));
    }
  }
};

EQUIPATCH_TEST(tst_delta_rule)
#include "tst_delta_rule.moc"
