// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/logit_metrics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename T>
long double logSumExp(const std::vector<T>& logits) {
  const long double max = *std::max_element(logits.begin(), logits.end());
  long double sum = 0;
  for (T logit : logits) sum += std::exp(logit - max);
  return max + std::log(sum);
}

struct Reference {
  long double linf = 0, tvd = 0, kl = 0;
};

template <typename T>
Reference reference(const std::vector<T>& a, const std::vector<T>& b) {
  const long double sumA = logSumExp(a), sumB = logSumExp(b);
  Reference result;
  for (std::size_t token = 0; token < a.size(); ++token) {
    const long double logP = a[token] - sumA, logQ = b[token] - sumB;
    const long double p = std::exp(logP), q = std::exp(logQ);
    result.linf = std::max(result.linf, std::abs((long double){a[token]} - b[token]));
    result.tvd += std::abs(p - q) / 2;
    if (p > 0) result.kl += p * (logP - logQ);
  }
  return result;
}

template <typename T>
LogitDistance compare(const std::vector<T>& a, const std::vector<T>& b) {
  return compareLogits(
      std::span<const T>(a), summariseLogits(std::span<const T>(a), 1).logSumExp,
      std::span<const T>(b), summariseLogits(std::span<const T>(b), 1).logSumExp);
}

LogitSummary summary(const std::vector<double>& logits, std::int64_t topCount = 1) {
  return summariseLogits(std::span<const double>(logits), topCount);
}

bool near(long double value, long double expected, long double relative) {
  return std::abs(value - expected) <= relative * std::abs(expected);
}

template <typename T>
std::vector<T> scaled(std::vector<T> values, double factor) {
  for (T& value : values) value = static_cast<T>(value * factor);
  return values;
}

}  // namespace

class tst_logit_metrics : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void summaryAgreesWithTheFormula() {
    checkSummary<float>(1e-10L);
    checkSummary<double>(4e-16L);
  }

  void differencesAgreeWithTheFormulas() {
    checkDifferences<float>(1e-9L);
    checkDifferences<double>(1e-13L);
  }

  void tvdAndKlOfSmallDifferencesAreAccurate() {
    // The two distributions differ by about 1e-9, relatively. Subtracting rounded
    // probabilities would leave seven digits of the TVD and none of the KL divergence.
    test::Source source(3);
    const auto a = source.vector<double>(5000);
    auto b = a;
    const auto noise = source.vector<double>(5000);
    for (std::size_t token = 0; token < b.size(); ++token)
      b[token] += 1e-9 * noise[token];
    const LogitDistance difference = compare(a, b);
    // To leading order, KL is half the variance of the logit differences under p, and TVD
    // is half their mean absolute deviation.
    const long double sum = logSumExp(a);
    long double mean = 0, variance = 0, distance = 0;
    for (std::size_t token = 0; token < a.size(); ++token)
      mean += std::exp(a[token] - sum) * ((long double){b[token]} - a[token]);
    for (std::size_t token = 0; token < a.size(); ++token) {
      const long double p = std::exp(a[token] - sum);
      const long double change = (long double){b[token]} - a[token] - mean;
      variance += p * change * change;
      distance += p * std::abs(change) / 2;
    }
    QVERIFY(near(difference.kl, variance / 2, 1e-5L));
    QVERIFY(near(difference.tvd, distance, 1e-5L));
  }

  void identicalRowsDifferByExactlyNothing() {
    test::Source source(4);
    for (int threads : {1, 2}) {
      const test::Threads count(threads);
      const auto a = scaled(source.vector<float>(100'003), 5);
      const LogitDistance difference = compare(a, a);
      QVERIFY(difference.linf == 0.0 && difference.tvd == 0.0 && difference.kl == 0.0);
    }
  }

  void aShiftChangesNoProbability() {
    std::vector<double> a = test::Source(5).vector<double>(777), b = a;
    for (double& logit : b) logit += 3.0;
    const LogitDistance difference = compare(a, b);
    QVERIFY(near(difference.linf, 3.0, 1e-15));
    QVERIFY(difference.tvd < 1e-14 && difference.kl < 1e-14 && difference.kl >= 0.0);
  }

  void topIsOrderedAndTiesTakeTheSmallerIndex() {
    for (InstructionSet set : test::runnableSets())
      for (int threads : {1, 2, 3}) {
        const test::ForcedSet forced(set);
        const test::Threads count(threads);
        checkTop(1), checkTop(10), checkTop(5000), checkTop(100'000);
      }
    QVERIFY(summary({1.0, 2.0}, 0).top.empty());
    QVERIFY(summary({1.0, 2.0}, -1).top.empty());
    QCOMPARE(summary({1.0, 2.0}, 9).top.size(), std::size_t{2});
  }

  void threadsAndInstructionSetsGiveTheSameBits() {
    test::Source source(6);
    const auto a = scaled(source.vector<float>(200'001), 4);
    const auto b = scaled(source.vector<float>(200'001), 4);
    const LogitDistance expected = compare(a, b);
    for (InstructionSet set : test::runnableSets())
      for (int threads : {1, 2, 5}) {
        const test::ForcedSet forced(set);
        const test::Threads count(threads);
        const LogitDistance difference = compare(a, b);
        QVERIFY(difference.linf == expected.linf && difference.tvd == expected.tvd &&
                difference.kl == expected.kl);
      }
  }

  void extremeLogitsDoNotOverflowTheMetrics() {
    const LogitSummary far = summary({1e30, -1e30, 0.0});
    QVERIFY(far.finite && far.logSumExp == 1e30 && far.probability(1e30) == 1.0 &&
            far.probability(-1e30) == 0.0);
    const LogitSummary equal = summary(std::vector<double>(1000, -5.0), 2);
    QVERIFY(near(equal.logSumExp, std::log(1000.0L) - 5.0L, 1e-15L));
    QVERIFY(equal.top[0].index == 0 && equal.top[1].index == 1);
    QVERIFY(near(equal.probability(-5.0), 1e-3L, 1e-14L));
    std::vector<float> one(100, -1e30f), other = one;
    one[3] = 1e30f;
    other[70] = 1e30f;
    const LogitDistance apart = compare(one, other);
    QVERIFY(apart.tvd == 1.0 && near(apart.linf, 2e30L, 1e-6L) &&
            near(apart.kl, 2e30L, 1e-6L));
    QVERIFY(summary({7.0}).logSumExp == 7.0);
    QVERIFY(summary({}).logSumExp == -kInfinity && summary({}).finite);
  }

  void nonFiniteLogitsAreFoundAtTheStartInTheMiddleAndAtTheEnd() {
    for (std::size_t size : {1, 7, 8, 9, 20'000})
      for (std::size_t place : {std::size_t{0}, size / 2, size - 1})
        for (double bad : {std::nan(""), kInfinity, -kInfinity}) {
          std::vector<double> logits(size, 1.0);
          QVERIFY(summary(logits).finite);
          logits[place] = bad;
          QVERIFY(!summary(logits).finite);
          const std::vector<float> floats(logits.begin(), logits.end());
          QVERIFY(!summariseLogits(std::span<const float>(floats), 1).finite);
        }
  }

  void nanSpreadsToTheMetricsAndRanksLast() {
    std::vector<double> a(50, 1.0), b = a;
    a[49] = std::nan("");
    QVERIFY(std::isnan(summary(a, 3).logSumExp));
    QCOMPARE(summary(a, 3).top[0].index, 0);
    QCOMPARE(summary(a, 50).top.back().index, 49);
    const LogitDistance difference = compare(a, b);
    QVERIFY(std::isnan(difference.linf) && std::isnan(difference.tvd) &&
            std::isnan(difference.kl));
  }

  void impossibleTokensHaveNoWeight() {
    std::vector<double> a = {1.0, 2.0, -kInfinity}, b = {1.5, 2.0, -kInfinity};
    const Reference expected = reference<double>({1.0, 2.0}, {1.5, 2.0});
    const LogitDistance difference = compare(a, b);
    QVERIFY(near(difference.linf, 0.5L, 0) &&
            near(difference.tvd, expected.tvd, 1e-14L) &&
            near(difference.kl, expected.kl, 1e-14L));
    QVERIFY(summary({-kInfinity, -kInfinity}).logSumExp == -kInfinity);
    QVERIFY(summary({kInfinity, 0.0}).logSumExp == kInfinity);
    // q = 0 where p > 0 makes KL infinite.
    b[0] = -kInfinity;
    QVERIFY(compare(a, b).kl == kInfinity);
    QVERIFY(std::isfinite(compare(b, a).kl) && std::isfinite(compare(b, a).tvd));
  }

  void lengthsMustAgree() {
    const std::vector<float> a(3), b(4);
    QVERIFY_ERROR(
        compareLogits(std::span<const float>(a), 0.0, std::span<const float>(b), 0.0),
        "same length", "3", "4");
  }

 private:
  template <typename T>
  static void checkSummary(long double tolerance) {
    test::Source source(1);
    for (std::int64_t count : {1, 2, 7, 8, 9, 1000, 8192, 8193, 262'144})
      for (double scale : {0.01, 3.0, 50.0}) {
        const auto logits = scaled(source.vector<T>(count), scale);
        const LogitSummary result = summariseLogits(std::span<const T>(logits), 3);
        const long double expected = logSumExp(logits);
        QVERIFY(std::abs(result.logSumExp - expected) <=
                tolerance * (1 + std::abs(expected)));
        QVERIFY(result.finite);
        QVERIFY(result.top[0].logit == *std::max_element(logits.begin(), logits.end()));
      }
  }

  template <typename T>
  static void checkDifferences(long double tolerance) {
    test::Source source(2);
    for (std::int64_t count : {1, 3, 8, 513, 20'000})
      for (double noise : {0.01, 0.3, 5.0}) {
        const auto a = scaled(source.vector<T>(count), 3);
        auto b = a;
        const auto change = source.vector<T>(count);
        for (std::int64_t token = 0; token < count; ++token)
          b[token] += static_cast<T>(noise * change[token]);
        const LogitDistance result = compare(a, b);
        const Reference expected = reference(a, b);
        QVERIFY(near(result.linf, expected.linf, 1e-7L));
        QVERIFY(std::abs(result.tvd - expected.tvd) <= tolerance);
        QVERIFY(std::abs(result.kl - expected.kl) <= tolerance * (1 + expected.kl));
        QVERIFY(result.kl >= 0.0 && result.tvd >= 0.0 && result.tvd <= 1.0);
      }
  }

  static void checkTop(std::int64_t count) {
    auto logits = test::Source(7).vector<float>(50'000);
    // Rounding makes many ties.
    for (float& logit : logits) logit = std::round(logit * 8.0f);
    std::vector<std::int64_t> order(logits.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return logits[a] > logits[b];
    });
    const auto top = summariseLogits(std::span<const float>(logits), count).top;
    QCOMPARE(std::ssize(top), std::min<std::int64_t>(count, 50'000));
    for (std::size_t rank = 0; rank < top.size(); ++rank) {
      QCOMPARE(top[rank].index, order[rank]);
      QVERIFY(top[rank].logit == logits[order[rank]]);
    }
  }
};

EQUIPATCH_TEST(tst_logit_metrics)
#include "tst_logit_metrics.moc"
