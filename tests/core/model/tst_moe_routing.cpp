// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feed_forward.h"

#include <cmath>

#include "tests/core/model/eigen_tensor.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_moe_routing : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void rowsGoToTheirBestExperts();
  void gatesAreTheSoftmaxOverAllExperts();
  void normalisedGatesAreDividedByTheirSum();
  void equalScoresTakeTheLowerIndex();
  void gatesAreRounded();
  void everyExpertMayBeActive();
  void nonFiniteScoresGiveNaNGates();
};

namespace {

Tensor scores(const std::vector<double>& values, std::int64_t experts) {
  return at::tensor(values, at::kDouble).view({-1, experts});
}

double gateOf(const std::vector<RoutedExpert>& routed, std::int64_t expert,
              std::int64_t row) {
  for (const RoutedExpert& one : routed)
    for (std::size_t at = 0; at < one.rows.size(); ++at)
      if (one.expert == expert && one.rows[at] == row)
        return one.gates[static_cast<std::int64_t>(at)].item<double>();
  return 0.0;
}

}  // namespace

void tst_moe_routing::rowsGoToTheirBestExperts() {
  const Arithmetic a(DType::F64, at::kCPU);
  const auto routed = route(scores({1, 5, 3, 0,  //
                                    9, 1, 2, 8,  //
                                    0, 1, 2, 3},
                                   4),
                            {.experts = 4, .active = 2}, a);
  QCOMPARE(routed.size(), std::size_t{4});
  QCOMPARE(routed[0].rows, (std::vector<std::int64_t>{1}));
  QCOMPARE(routed[1].rows, (std::vector<std::int64_t>{0}));
  QCOMPARE(routed[2].rows, (std::vector<std::int64_t>{0, 2}));
  QCOMPARE(routed[3].rows, (std::vector<std::int64_t>{1, 2}));
}

void tst_moe_routing::gatesAreTheSoftmaxOverAllExperts() {
  const Arithmetic a(DType::F64, at::kCPU);
  const auto routed = route(scores({std::log(2.0), std::log(5.0), std::log(3.0)}, 3),
                            {.experts = 3, .active = 2, .normaliseGates = false}, a);
  QVERIFY(std::abs(gateOf(routed, 1, 0) - 0.5) < 1e-15);
  QVERIFY(std::abs(gateOf(routed, 2, 0) - 0.3) < 1e-15);
  QCOMPARE(gateOf(routed, 0, 0), 0.0);
}

void tst_moe_routing::normalisedGatesAreDividedByTheirSum() {
  const Arithmetic a(DType::F64, at::kCPU);
  const auto routed = route(scores({std::log(2.0), std::log(5.0), std::log(3.0)}, 3),
                            {.experts = 3, .active = 2}, a);
  QVERIFY(std::abs(gateOf(routed, 1, 0) - 0.625) < 1e-15);
  QVERIFY(std::abs(gateOf(routed, 2, 0) - 0.375) < 1e-15);
}

void tst_moe_routing::equalScoresTakeTheLowerIndex() {
  const Arithmetic a(DType::F64, at::kCPU);
  const auto routed = route(scores({7, 7, 7, 7}, 4), {.experts = 4, .active = 2}, a);
  QCOMPARE(routed.size(), std::size_t{2});
  QCOMPARE(routed[0].expert, 0);
  QCOMPARE(routed[1].expert, 1);
}

void tst_moe_routing::gatesAreRounded() {
  const Arithmetic a(DType::BF16, at::kCPU);
  const Tensor random = randomTensor("scores", {6, 5}, a);
  for (const RoutedExpert& expert : route(random, {.experts = 5, .active = 3}, a)) {
    QCOMPARE(expert.gates.scalar_type(), a.wide());
    QVERIFY(sameBits(a.round(expert.gates), expert.gates));
  }
}

void tst_moe_routing::everyExpertMayBeActive() {
  const Arithmetic a(DType::F64, at::kCPU);
  const auto routed = route(scores({0, 1, 2}, 3),
                            {.experts = 3, .active = 3, .normaliseGates = false}, a);
  QCOMPARE(routed.size(), std::size_t{3});
  QVERIFY(std::abs(gateOf(routed, 0, 0) + gateOf(routed, 1, 0) + gateOf(routed, 2, 0) -
                   1.0) < 1e-15);
}

/// The routing must not hide NaN and infinity from the check for finite activations.
void tst_moe_routing::nonFiniteScoresGiveNaNGates() {
  const Arithmetic a(DType::F64, at::kCPU);
  for (const double damage : {NAN, INFINITY, -INFINITY}) {
    const auto routed =
        route(scores({1, damage, 2, 0}, 4), {.experts = 4, .active = 2}, a);
    QCOMPARE(routed.size(), std::size_t{2});
    for (const RoutedExpert& expert : routed)
      QVERIFY(expert.gates.isnan().all().item<bool>());
  }
}

EQUIPATCH_TEST(tst_moe_routing)
#include "tst_moe_routing.moc"
