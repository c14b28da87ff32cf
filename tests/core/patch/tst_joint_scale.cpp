// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/joint_scale.h"

#include <algorithm>
#include <cmath>

#include "core/patch/theorems/balanced_scale.h"
#include "tests/core/patch/closing_norm.h"
#include "tests/core/patch/random_vectors.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr double kEps = 1e-6;

/// The largest relative error of RMSNorm(target_j) ⊙ m' against g_j over all tokens j;
/// infinite if any error is NaN.
double worstError(const JointSplit& split, const Columns& g, double eps = kEps) {
  double worst = 0.0;
  for (Eigen::Index j = 0; j < g.cols(); ++j) {
    const Vector n = test::rmsNormalised(split.hiddenTargets.col(j), eps);
    const double error = (n.cwiseProduct(split.m) - g.col(j)).norm() / g.col(j).norm();
    if (std::isnan(error)) return HUGE_VAL;
    worst = std::max(worst, error);
  }
  return worst;
}

}  // namespace

class tst_joint_scale : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void everyTokenGetsItsOutput();
  void splitOfOneTokenIsTheBalancedSplit();
  void epsMattersWhereOutputsAreSmall();
  void scaleComponentsKeepTheirSigns();
  void zeroScalesAndTargetsAreHandled();
  void outputsOfVeryDifferentSizesAreRefused();
  void impossibleOutputsAreRefused();
};

void tst_joint_scale::everyTokenGetsItsOutput() {
  for (unsigned seed = 0; seed < 60; ++seed) {
    test::Random random(seed);
    const Eigen::Index tokens = 1 + seed % 12, width = 64 + seed;
    const Columns g = random.matrix(width, tokens), q = random.matrix(width, tokens);
    const Vector m = random.vector(width);
    const auto split = jointSplit(g, m, q, kEps);
    QVERIFY2(split.has_value(), qPrintable(QString::number(seed)));
    QVERIFY(worstError(*split, g) < 1e-11);
  }
}

void tst_joint_scale::splitOfOneTokenIsTheBalancedSplit() {
  for (unsigned seed = 0; seed < 30; ++seed) {
    test::Random random(seed);
    const Vector g = random.vector(40), m = random.vector(40), q = random.vector(40);
    const auto joint = jointSplit(g, m, q, kEps);
    const BalancedSplit single = balancedSplit(g, m, q, kEps);
    QVERIFY((joint->m - single.m).norm() < 1e-10 * single.m.norm());
    QVERIFY((joint->hiddenTargets.col(0) - single.hiddenTarget).norm() <
            1e-10 * single.hiddenTarget.norm());
  }
}

void tst_joint_scale::epsMattersWhereOutputsAreSmall() {
  test::Random random(3);
  const Columns g = random.matrix(50, 3), q = 1e-3 * random.matrix(50, 3);
  const auto split = jointSplit(g, random.vector(50), q, 1e-5);
  QVERIFY(worstError(*split, g, 1e-5) < 1e-11);
  QVERIFY(worstError(*split, g, 0.0) > 1e-2);
}

void tst_joint_scale::scaleComponentsKeepTheirSigns() {
  test::Random random(11);
  const Columns g = random.matrix(40, 4), q = random.matrix(40, 4);
  const Vector m = random.vector(40);
  const auto split = jointSplit(g, m, q, kEps);
  for (Eigen::Index i = 0; i < 40; ++i) QVERIFY(split->m[i] * m[i] > 0.0);
}

void tst_joint_scale::zeroScalesAndTargetsAreHandled() {
  test::Random random(12);
  Columns g = random.matrix(40, 3);
  const Columns q = random.matrix(40, 3);
  Vector m = random.vector(40);
  m[3] = m[7] = 0.0;   // in Gemma, a stored −1
  g.row(5).setZero();  // the branch adds nothing here
  g.row(7).setZero();  // nor here, where the scale is 0 too
  g(9, 1) = 0.0;
  const auto split = jointSplit(g, m, q, kEps);
  QVERIFY(split.has_value());
  QVERIFY(worstError(*split, g) < 1e-11);
  QCOMPARE(split->m[5], m[5]);
  QCOMPARE(split->m[7], 0.0);
  QVERIFY(split->m[3] != 0.0);
}

/// A scale that all tokens share limits how far the sizes of their outputs may differ.
void tst_joint_scale::outputsOfVeryDifferentSizesAreRefused() {
  test::Random random(13);
  Columns g = random.matrix(80, 4);
  const Vector m = random.vector(80);
  const Columns q = random.matrix(80, 4);
  g.col(0) *= 0.8;
  g.col(3) *= 1.3;
  const auto split = jointSplit(g, m, q, kEps);
  QVERIFY(split.has_value());
  QVERIFY(worstError(*split, g) < 1e-10);
  g.col(3) *= 1e4;
  QVERIFY(!jointSplit(g, m, q, kEps));
}

void tst_joint_scale::impossibleOutputsAreRefused() {
  test::Random random(14);
  Columns g = random.matrix(10, 2);
  const Columns q = random.matrix(10, 2);
  const Vector m = random.vector(10);
  // For every m', g_1 ⊘ m' = 2 (g_0 ⊘ m'), but both must have a mean square near 1.
  g.col(1) = 2.0 * g.col(0);
  QVERIFY(!jointSplit(g, m, q, kEps));
  g.col(1).setZero();
  QVERIFY(!jointSplit(g, m, q, kEps));
  // There are more tokens than channels.
  QVERIFY(!jointSplit(random.matrix(4, 9), random.vector(4), random.matrix(4, 9), kEps));
}

EQUIPATCH_TEST(tst_joint_scale)
#include "tst_joint_scale.moc"
