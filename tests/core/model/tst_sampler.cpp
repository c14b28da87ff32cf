// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/sampler.h"

#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "tests/support/test_case.h"
#include "tests/support/tiny_checkpoint.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

using Logits = std::vector<double>;

std::int64_t choose(const Logits& logits, const Sampling& sampling,
                    std::int64_t step = 0) {
  return chooseToken(std::span<const double>(logits), sampling, StepIndex(step)).value;
}

Sampling heated(double temperature, std::uint64_t seed = 1) {
  return {.temperature = temperature, .topK = 0, .topP = 1.0, .seed = seed};
}

/// The added constant changes no probability.
Logits logitsOf(const std::vector<double>& probabilities) {
  Logits logits;
  for (const double p : probabilities) logits.push_back(std::log(p) + 3.25);
  return logits;
}

std::vector<double> softmax(const Logits& logits, double temperature) {
  std::vector<double> p;
  for (const double logit : logits) p.push_back(std::exp(logit / temperature));
  const double total = std::accumulate(p.begin(), p.end(), 0.0);
  for (double& value : p) value /= total;
  return p;
}

/// The tokens that steps 0 to draws − 1 choose.
std::set<std::int64_t> chosen(const Logits& logits, const Sampling& sampling,
                              std::int64_t draws = 4000) {
  std::set<std::int64_t> ids;
  for (std::int64_t step = 0; step < draws; ++step)
    ids.insert(choose(logits, sampling, step));
  return ids;
}

using Ids = std::set<std::int64_t>;

double chiSquare(const std::vector<std::int64_t>& counts, const std::vector<double>& p) {
  const auto draws =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  double sum = 0.0;
  for (std::size_t id = 0; id < p.size(); ++id) {
    const double expected = draws * p[id];
    sum += std::pow(static_cast<double>(counts[id]) - expected, 2) / expected;
  }
  return sum;
}

Logits manyLogits(std::size_t count) {
  const std::vector<float> values = randomValues("logits", count);
  return {values.begin(), values.end()};
}

}  // namespace

class tst_sampler : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void greedyTakesTheLargest();
  void tiesGoToTheSmallerId();
  void nanIsNotChosenBesideANumber();
  void infinitiesAreOrdered();
  void greedyIgnoresOtherSettings();
  void floatsAndDoublesAgree();
  void lowTemperatureIsGreedy();
  void topKKeepsTheLikeliest();
  void topPKeepsTheFewestTokensNeeded();
  void topPFollowsTheTemperature();
  void topKComesBeforeTopP();
  void equalNoiseChoosesTheSameToken();
  void raisingTheChosenLogitKeepsTheChoice();
  void theLargestNoiseIsFinite();
  void stepsAndSeedsGiveDifferentTokens();
  void frequenciesFollowTheProbabilities_data();
  void frequenciesFollowTheProbabilities();
  void neighbouringStepsAreIndependent();
  void tokensOfEqualLogitsAreEquallyLikely();
};

void tst_sampler::greedyTakesTheLargest() {
  QCOMPARE(choose({-1.0, 4.0, 3.0}, {}), 1);
  QCOMPARE(choose({-3.0, -2.0, -1.0}, {}), 2);
  QCOMPARE(choose({7.0}, {}), 0);
  QCOMPARE(choose({}, {}), 0);
  const Logits logits = manyLogits(5000);
  const auto best = std::max_element(logits.begin(), logits.end()) - logits.begin();
  QCOMPARE(choose(logits, {}), best);
}

void tst_sampler::tiesGoToTheSmallerId() {
  QCOMPARE(choose({1.0, 5.0, 5.0, 5.0}, {}), 1);
  QCOMPARE(choose({0.0, -0.0}, {}), 0);
  Sampling two = heated(1.0);
  two.topK = 2;
  QCOMPARE(chosen({0.0, 3.0, 3.0, 3.0}, two), Ids({1, 2}));
}

void tst_sampler::nanIsNotChosenBesideANumber() {
  for (const double temperature : {0.0, 0.7}) {
    for (std::int64_t step = 0; step < 200; ++step) {
      QCOMPARE(choose({kNan, -9.0, kNan}, heated(temperature), step), 1);
      QCOMPARE(choose({kNan, kNan, -kInf}, heated(temperature), step), 2);
      QCOMPARE(choose({kNan, kNan}, heated(temperature), step), 0);
    }
    Sampling narrow = heated(temperature);
    narrow.topK = 1;
    QCOMPARE(choose({kNan, 1.0, 2.0, kNan}, narrow), 2);
    narrow.topK = 3;
    narrow.topP = 0.1;
    QCOMPARE(choose({kNan, 1.0, 9.0, kNan}, narrow), 2);
  }
}

void tst_sampler::infinitiesAreOrdered() {
  for (const double temperature : {0.0, 1.0})
    for (const double topP : {1.0, 0.5}) {
      Sampling sampling = heated(temperature);
      sampling.topP = topP;
      for (std::int64_t step = 0; step < 50; ++step) {
        QCOMPARE(choose({1.0, kInf, 5.0}, sampling, step), 1);
        QVERIFY(choose({1.0, -kInf, 1.0}, sampling, step) != 1);
      }
      QCOMPARE(choose({-kInf, -kInf}, sampling), 0);
    }
}

void tst_sampler::greedyIgnoresOtherSettings() {
  const Logits logits{0.0, 0.1, 0.2, 0.15};
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    QCOMPARE(choose(logits, {.temperature = 0.0, .topK = 3, .topP = 0.9, .seed = seed},
                    static_cast<std::int64_t>(seed)),
             2);
}

void tst_sampler::floatsAndDoublesAgree() {
  const std::vector<float> narrow = randomValues("logits", 300);
  const Logits wide(narrow.begin(), narrow.end());
  for (const double temperature : {0.0, 0.5, 2.0})
    for (std::int64_t step = 0; step < 100; ++step) {
      Sampling sampling = heated(temperature);
      sampling.topK = 40;
      sampling.topP = 0.9;
      QCOMPARE(
          chooseToken(std::span<const float>(narrow), sampling, StepIndex(step)).value,
          choose(wide, sampling, step));
    }
}

void tst_sampler::lowTemperatureIsGreedy() {
  QCOMPARE(chosen({1.0, 2.0, 1.9}, heated(1e-3)), Ids({1}));
  QCOMPARE(chosen({1.0, 2.0, 1.9}, heated(-1.0)), Ids({1}));
  QCOMPARE(chosen({1.0, 2.0, 1.9}, heated(1e-310)), Ids({1}));
}

void tst_sampler::topKKeepsTheLikeliest() {
  const Logits logits{0.3, 1.2, -0.5, 1.1, 0.9, 0.0};
  const std::vector<std::int64_t> ranking{1, 3, 4, 0, 5, 2};
  for (std::size_t k = 1; k <= 8; ++k) {
    Sampling sampling = heated(1.0, k);
    sampling.topK = static_cast<std::int64_t>(k);
    const auto kept = static_cast<std::ptrdiff_t>(std::min(k, ranking.size()));
    QCOMPARE(chosen(logits, sampling), Ids(ranking.begin(), ranking.begin() + kept));
  }
  QCOMPARE(chosen(logits, heated(1.0)).size(), logits.size());
}

void tst_sampler::topPKeepsTheFewestTokensNeeded() {
  const Logits logits = logitsOf({0.12, 0.5, 0.08, 0.3});
  const std::map<double, Ids> expected{
      {0.0, {1}},          {0.3, {1}},         {0.49, {1}},       {0.51, {1, 3}},
      {0.79, {1, 3}},      {0.81, {0, 1, 3}},  {0.91, {0, 1, 3}}, {0.93, {0, 1, 2, 3}},
      {1.0, {0, 1, 2, 3}}, {1.5, {0, 1, 2, 3}}};
  for (const auto& [p, ids] : expected) {
    Sampling sampling = heated(1.0);
    sampling.topP = p;
    QCOMPARE(chosen(logits, sampling), ids);
  }
}

void tst_sampler::topPFollowsTheTemperature() {
  // At temperature 1/2 the probabilities 0.5, 0.3, 0.2 become 25/38, 9/38, 4/38.
  const Logits logits = logitsOf({0.5, 0.3, 0.2});
  Sampling sampling = heated(0.5);
  sampling.topP = 0.6;
  QCOMPARE(chosen(logits, sampling), Ids({0}));
  sampling.topP = 0.88;
  QCOMPARE(chosen(logits, sampling), Ids({0, 1}));
  sampling.temperature = 1.0;
  QCOMPARE(chosen(logits, sampling), Ids({0, 1, 2}));
}

void tst_sampler::topKComesBeforeTopP() {
  // Top-k 2 makes 0.533 and 0.467 of 0.4 and 0.35, so the first token alone reaches 0.5.
  const Logits logits = logitsOf({0.4, 0.35, 0.25});
  Sampling sampling = heated(1.0);
  sampling.topP = 0.5;
  QCOMPARE(chosen(logits, sampling), Ids({0, 1}));
  sampling.topK = 2;
  QCOMPARE(chosen(logits, sampling), Ids({0}));
}

void tst_sampler::equalNoiseChoosesTheSameToken() {
  const Logits logits = manyLogits(500);
  Logits moved = logits;
  for (double& logit : moved) logit += 64.0;
  int greedy = 0;
  for (std::int64_t step = 0; step < 300; ++step) {
    const std::int64_t id = choose(logits, heated(1.0), step);
    QCOMPARE(choose(logits, heated(1.0), step), id);
    QCOMPARE(choose(moved, heated(1.0), step), id);
    if (id == choose(logits, {})) ++greedy;
  }
  QVERIFY(greedy < 30);
}

void tst_sampler::raisingTheChosenLogitKeepsTheChoice() {
  const Logits logits = manyLogits(200);
  for (std::int64_t step = 0; step < 300; ++step) {
    const auto id = static_cast<std::size_t>(choose(logits, heated(1.0), step));
    Logits more = logits;
    more[id] += 0.25;
    QCOMPARE(static_cast<std::size_t>(choose(more, heated(1.0), step)), id);
    Logits less = logits;
    for (std::size_t other = 0; other < less.size(); ++other)
      if (other != id) less[other] -= 0.125 * static_cast<double>(other % 5);
    QCOMPARE(static_cast<std::size_t>(choose(less, heated(1.0), step)), id);
  }
}

/// With this seed, token 0 gets the largest possible noise, about 36.7.
void tst_sampler::theLargestNoiseIsFinite() {
  const Sampling sampling = heated(1.0, 4524109391772401888);
  QCOMPARE(choose({0.0, 30.0}, sampling), 0);
  QCOMPARE(choose({0.0, 1000.0}, sampling), 1);
}

void tst_sampler::stepsAndSeedsGiveDifferentTokens() {
  const Logits even(1000, 0.0);
  std::set<std::int64_t> bySteps, bySeeds;
  for (std::int64_t draw = 0; draw < 100; ++draw) {
    bySteps.insert(choose(even, heated(1.0), draw));
    bySeeds.insert(choose(even, heated(1.0, static_cast<std::uint64_t>(draw)), 0));
  }
  // 100 draws from 1000 tokens give about 95 different tokens.
  QVERIFY(bySteps.size() > 85);
  QVERIFY(bySeeds.size() > 85);
  int equal = 0;  // exchanging seed and step must change the noise
  for (std::int64_t draw = 1; draw < 100; ++draw)
    if (choose(even, heated(1.0, static_cast<std::uint64_t>(draw)), 0) ==
        choose(even, heated(1.0, 0), draw))
      ++equal;
  QVERIFY(equal < 5);
}

void tst_sampler::frequenciesFollowTheProbabilities_data() {
  QTest::addColumn<double>("temperature");
  QTest::addColumn<bool>("seeds");
  for (const double temperature : {0.5, 1.0, 2.5})
    for (const bool seeds : {false, true})
      QTest::addRow("temperature %g, many %s", temperature, seeds ? "seeds" : "steps")
          << temperature << seeds;
}

void tst_sampler::frequenciesFollowTheProbabilities() {
  QFETCH(double, temperature);
  QFETCH(bool, seeds);
  const Logits logits{0.0, 1.0, -1.5, 0.4, 2.0, 1.9, -0.7, 0.9};
  std::vector<std::int64_t> counts(logits.size());
  for (std::int64_t draw = 0; draw < 20000; ++draw) {
    const Sampling sampling =
        heated(temperature, seeds ? static_cast<std::uint64_t>(draw) : 7);
    ++counts[static_cast<std::size_t>(choose(logits, sampling, seeds ? 0 : draw))];
  }
  // With 7 degrees of freedom, 1 sample in 10000 exceeds 30.
  QVERIFY(chiSquare(counts, softmax(logits, temperature)) < 30.0);
}

void tst_sampler::neighbouringStepsAreIndependent() {
  const std::vector<double> p{0.4, 0.3, 0.2, 0.1};
  const Logits logits = logitsOf(p);
  std::vector<std::int64_t> counts(16);
  std::vector<double> pairs;
  for (const double first : p)
    for (const double second : p) pairs.push_back(first * second);
  for (std::int64_t step = 0; step < 40000; step += 2)
    ++counts[static_cast<std::size_t>(4 * choose(logits, heated(1.0, 3), step) +
                                      choose(logits, heated(1.0, 3), step + 1))];
  QVERIFY(chiSquare(counts, pairs) < 44.0);  // 15 degrees of freedom, 1 in 10000
}

void tst_sampler::tokensOfEqualLogitsAreEquallyLikely() {
  const Logits even(256, 1.0);
  std::vector<std::int64_t> counts(even.size());
  for (std::int64_t step = 0; step < 25600; ++step)
    ++counts[static_cast<std::size_t>(choose(even, heated(1.0, 11), step))];
  const double found = chiSquare(counts, std::vector<double>(256, 1.0 / 256.0));
  QVERIFY(found < 345.0);  // 255 degrees of freedom, 1 in 10000
  QVERIFY(found > 180.0);  // counts that are too even are not random
}

EQUIPATCH_TEST(tst_sampler)
#include "tst_sampler.moc"
