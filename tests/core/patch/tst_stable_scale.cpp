// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/stable_scale.h"

#include <algorithm>
#include <cmath>

#include "tests/core/patch/closing_norm.h"
#include "tests/core/patch/random_vectors.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::errorOf;
using equipatch::test::rmsNormalised;

namespace {

/// Random scales of magnitude 0.5 or more.
Vector scales(test::Random& random, Eigen::Index width) {
  return random.vector(width).unaryExpr(
      [](double x) { return x < 0.0 ? x - 0.5 : x + 0.5; });
}

}  // namespace

class tst_stable_scale : public test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theOutputOfTheBranchEqualsG();
  void theScaleHasTheClosedForm();
  void theNormsOutputTimesMIsNearestToG();
  void scalesNearZeroAreLiftedAndCounted();
  void theHardCaseIsExact();
  void aZeroTargetMakesTheScaleZero();
  void overflowGivesANonFiniteScale();
};

void tst_stable_scale::theOutputOfTheBranchEqualsG() {
  for (unsigned seed = 0; seed < 200; ++seed) {
    test::Random random(seed);
    const Eigen::Index width = 1 + (seed * 13) % 300;
    const double size = std::pow(10.0, static_cast<double>(seed % 9) - 4.0);
    const Vector g = size * random.vector(width), m = random.vector(width);
    const StableSplit split = stableSplit(g, m, random.vector(width), 1e-6);
    QVERIFY2(errorOf(split, g, 1e-6) <= 1e-12, qPrintable(QString::number(seed)));
  }
}

void tst_stable_scale::theScaleHasTheClosedForm() {
  test::Random random(2);
  const Vector m = scales(random, 40), g = random.vector(40);
  const StableSplit split = stableSplit(g, m, random.vector(40), 1e-6);
  QCOMPARE(split.floored, 0);
  QVERIFY(split.mu < m.cwiseAbs2().minCoeff());
  const Vector expected = m.array() - split.mu * m.array().inverse();
  QVERIFY((split.m - expected).norm() < 1e-11 * m.norm());
}

/// y minimises ‖m ⊙ y − g‖ among all vectors with the norm of y.
void tst_stable_scale::theNormsOutputTimesMIsNearestToG() {
  test::Random random(4);
  const Vector m = scales(random, 24), g = random.vector(24), q = random.vector(24);
  const StableSplit split = stableSplit(g, m, q, 1e-6);
  const Vector y = rmsNormalised(split.hiddenTarget, 1e-6);
  const double best = (m.cwiseProduct(y) - g).norm();
  for (int trial = 0; trial < 200; ++trial) {
    Vector other = y + 1e-2 * random.vector(24);
    other *= y.norm() / other.norm();
    QVERIFY((m.cwiseProduct(other) - g).norm() >= best - 1e-12);
  }
}

void tst_stable_scale::scalesNearZeroAreLiftedAndCounted() {
  test::Random random(5);
  Vector m = scales(random, 16);
  m[3] = 0.0;
  m[7] = -1e-9;
  const Vector g = random.vector(16);
  const StableSplit split = stableSplit(g, m, random.vector(16), 1e-6);
  QCOMPARE(split.floored, 2);
  QVERIFY(split.m.allFinite());
  QVERIFY(errorOf(split, g, 1e-6) < 1e-12);
  const StableSplit none = stableSplit(g, Vector::Zero(16), random.vector(16), 1e-6);
  QCOMPARE(none.floored, 16);
  QVERIFY(errorOf(none, g, 1e-6) < 1e-12);
}

/// If g is 0 where |m| is smallest, and small elsewhere, mean y² = ρ² has no root
/// μ < min m².
void tst_stable_scale::theHardCaseIsExact() {
  Vector m = Vector::Constant(8, 3.0), g = Vector::Constant(8, 0.01);
  m[2] = 1.0;
  g[2] = 0.0;
  const StableSplit split = stableSplit(g, m, Vector::Ones(8), 1e-6);
  QVERIFY(split.hardCase);
  QCOMPARE(split.mu, 1.0);
  QCOMPARE(split.m[2], 0.0);
  QVERIFY(errorOf(split, g, 1e-6) < 1e-12);
  g[2] = 0.01;
  const StableSplit usual = stableSplit(g, m, Vector::Ones(8), 1e-6);
  QVERIFY(!usual.hardCase);
  QVERIFY(errorOf(usual, g, 1e-6) < 1e-12);
}

void tst_stable_scale::aZeroTargetMakesTheScaleZero() {
  test::Random random(6);
  const Vector q = random.vector(8);
  const StableSplit split = stableSplit(Vector::Zero(8), random.vector(8), q, 1e-6);
  QVERIFY(split.m.isZero(0.0));
  QVERIFY(split.hiddenTarget == q);
}

/// The upper end of the bisection is infinite or NaN; the call must return nevertheless.
void tst_stable_scale::overflowGivesANonFiniteScale() {
  const Vector m = Vector::Ones(8), q = Vector::Ones(8);
  for (const double size : {1e200, static_cast<double>(INFINITY), std::nan("")}) {
    const StableSplit split = stableSplit(Vector::Constant(8, size), m, q, 1e-6);
    QVERIFY(!split.m.allFinite());
  }
}

EQUIPATCH_TEST(tst_stable_scale)
#include "tst_stable_scale.moc"
