// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/balanced_scale.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/core/patch/closing_norm.h"
#include "tests/core/patch/random_vectors.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::errorOf;
using equipatch::test::rmsNormalised;

namespace {

struct Case {
  Vector g, m, q;
};

}  // namespace

Q_DECLARE_METATYPE(Case)

class tst_balanced_scale : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void balancedSplitGivesTheTargetBranch();
  void signsAreKeptAndTargetsAreBounded();
  void aScaleThatGivesTheTargetIsUnchanged();
  void epsIsAccountedFor();
  void zerosAndExtremeInputsGiveTheTarget_data();
  void zerosAndExtremeInputsGiveTheTarget();
  void aZeroTargetGivesAZeroScale();
  void settlingAbsorbsRoundingOnly();
};

void tst_balanced_scale::balancedSplitGivesTheTargetBranch() {
  for (unsigned seed = 0; seed < 200; ++seed) {
    test::Random random(seed);
    const Eigen::Index width = 1 + (seed * 13) % 300;
    const double size = std::pow(10.0, static_cast<double>(seed % 9) - 4.0);
    const Vector g = size * random.vector(width), m = random.vector(width);
    const BalancedSplit split = balancedSplit(g, m, random.vector(width), 1e-6);
    QVERIFY2(errorOf(split, g, 1e-6) <= 1e-12, qPrintable(QString::number(seed)));
  }
}

void tst_balanced_scale::signsAreKeptAndTargetsAreBounded() {
  test::Random random(11);
  const Vector m = random.vector(64), q = random.vector(64);
  const Vector g = 10.0 * random.vector(64);
  const BalancedSplit split = balancedSplit(g, m, q, 1e-6);
  QVERIFY(split.nu > 0.0);
  const double C = std::sqrt(q.squaredNorm() / 64.0);
  for (Eigen::Index k = 0; k < 64; ++k) {
    QVERIFY(split.m[k] * m[k] > 0.0);
    QVERIFY(std::abs(split.hiddenTarget[k]) <= 1.001 * C / std::sqrt(split.nu));
  }
}

void tst_balanced_scale::aScaleThatGivesTheTargetIsUnchanged() {
  // If the unpatched block already gives g, then ν = 0 and m' = m.
  test::Random random(12);
  const Vector m = random.vector(32), q = random.vector(32);
  const Vector g = rmsNormalised(q, 1e-6).cwiseProduct(m);
  const BalancedSplit split = balancedSplit(g, m, q, 1e-6);
  QVERIFY(std::abs(split.nu) < 1e-12);
  QVERIFY((split.m - m).norm() < 1e-11 * m.norm());
  QVERIFY((split.hiddenTarget - q).norm() < 1e-11 * q.norm());
}

void tst_balanced_scale::epsIsAccountedFor() {
  // With C² comparable to eps the RMS of the norm's output is far from 1.
  test::Random random(13);
  const Vector g = random.vector(40), m = random.vector(40);
  const Vector q = 1e-3 * random.vector(40);
  QVERIFY(errorOf(balancedSplit(g, m, q, 1e-6), g, 1e-6) < 1e-12);
  QVERIFY(errorOf(balancedSplit(g, m, q, 1e-6), g, 0.0) > 1e-3);
}

void tst_balanced_scale::zerosAndExtremeInputsGiveTheTarget_data() {
  QTest::addColumn<Case>("input");
  const auto row = [](const char* name, const std::function<void(Case&)>& spoil) {
    test::Random random(99);
    Case input{random.vector(16), random.vector(16), random.vector(16)};
    spoil(input);
    QTest::newRow(name) << input;
  };
  row("m_k = 0", [](Case& c) { c.m[3] = 0.0; });
  row("many m_k = 0", [](Case& c) { c.m.head(10).setZero(); });
  row("m = 0", [](Case& c) { c.m.setZero(); });
  row("g_k = 0", [](Case& c) { c.g[2] = 0.0; });
  row("g_k = 0 and m_k = 0", [](Case& c) { c.g[2] = c.m[2] = 0.0; });
  row("one g_k only", [](Case& c) { c.g.tail(15).setZero(); });
  row("one g_k only and its m_k = 0", [](Case& c) {
    c.g.tail(15).setZero();
    c.m[0] = 0.0;
  });
  row("g_k = 0 at the smallest m", [](Case& c) {
    c.m[5] = 1e-6;
    c.g[5] = 0.0;
  });
  row("tiny g", [](Case& c) { c.g *= 1e-12; });
  row("huge g", [](Case& c) { c.g *= 1e12; });
  row("q = 0", [](Case& c) { c.q.setZero(); });
  row("one huge m", [](Case& c) { c.m[7] = 1e8; });
  row("g spans decades", [](Case& c) {
    for (Eigen::Index k = 0; k < 16; ++k)
      c.g[k] *= std::pow(10.0, static_cast<double>(k) - 8.0);
  });
  row("width 1", [](Case& c) { c = {c.g.head(1), c.m.head(1), c.q.head(1)}; });
}

void tst_balanced_scale::zerosAndExtremeInputsGiveTheTarget() {
  QFETCH(Case, input);
  const BalancedSplit split = balancedSplit(input.g, input.m, input.q, 1e-6);
  QVERIFY(split.m.allFinite());
  QVERIFY(split.hiddenTarget.allFinite());
  QVERIFY(errorOf(split, input.g, 1e-6) < 1e-11);
  for (Eigen::Index k = 0; k < input.g.size(); ++k)
    if (input.g[k] == 0.0) {
      QCOMPARE(split.m[k], input.m[k]);
      QCOMPARE(split.hiddenTarget[k], 0.0);
    }
}

void tst_balanced_scale::aZeroTargetGivesAZeroScale() {
  test::Random random(5);
  const Vector q = random.vector(8);
  const BalancedSplit split = balancedSplit(Vector::Zero(8), random.vector(8), q, 1e-6);
  QVERIFY(split.m.isZero(0.0));
  QVERIFY(split.hiddenTarget == q);
}

void tst_balanced_scale::settlingAbsorbsRoundingOnly() {
  const Vector m{{1.0, 1.0, 1.0, -2.0}};
  const Vector g{{1.02, 2.0, 1.0, -2.0}};
  const Vector n{{1.0, 1.0, 0.0, 0.99}};
  const Vector settled = settleScale(m, g, n);
  QCOMPARE(settled[0], 1.02);  // a difference of rounding size is absorbed
  QCOMPARE(settled[1], 1.0);   // a factor of 2 is not rounding
  QCOMPARE(settled[2], 1.0);   // n = 0 leaves m' unchanged
  QCOMPARE(settled[3], -2.0 / 0.99);
}

EQUIPATCH_TEST(tst_balanced_scale)
#include "tst_balanced_scale.moc"
