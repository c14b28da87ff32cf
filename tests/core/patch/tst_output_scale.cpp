// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/output_scale.h"

#include <limits>

#include "tests/core/patch/random_vectors.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {
constexpr double kNoLimit = std::numeric_limits<double>::max();
}  // namespace

class tst_output_scale : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void thePatchedScaleAddsTheMissingOutput();
  void theSmallestDivisorIsReported();
  void missingOutputAtAZeroDivisorIsCounted();
  void scalesBeyondTheDtypeAreClampedAndCounted();
};

void tst_output_scale::thePatchedScaleAddsTheMissingOutput() {
  for (unsigned seed = 0; seed < 50; ++seed) {
    test::Random random(seed);
    const Eigen::Index width = 1 + seed;
    const Vector missing = random.vector(width), n = random.vector(width);
    const Vector m = random.vector(width);
    const ScaleChange change = outputScale(missing, n, m, kNoLimit);
    const Vector wanted = n.cwiseProduct(m) + missing;
    QVERIFY((n.cwiseProduct(m + change.delta) - wanted).norm() <= 1e-12 * wanted.norm());
    QCOMPARE(change.guarded, 0);
  }
}

void tst_output_scale::theSmallestDivisorIsReported() {
  const Vector n{{2.0, -0.125, 1e-9, 3.0}};
  // The third component needs nothing, so nothing is divided by it.
  const Vector missing{{1.0, 1.0, 0.0, 1.0}};
  const ScaleChange change = outputScale(missing, n, Vector::Ones(4), kNoLimit);
  QCOMPARE(change.smallestDivisor, 0.125);
  QCOMPARE(change.delta[2], 0.0);
}

void tst_output_scale::missingOutputAtAZeroDivisorIsCounted() {
  const Vector n{{0.0, 2.0, 0.0}};
  const Vector missing{{1.0, 1.0, 0.0}};
  const ScaleChange change = outputScale(missing, n, Vector::Ones(3), kNoLimit);
  QCOMPARE(change.guarded, 1);
  QCOMPARE(change.delta[0], 0.0);
  QCOMPARE(change.delta[1], 0.5);
}

void tst_output_scale::scalesBeyondTheDtypeAreClampedAndCounted() {
  const Vector n{{1e-6, -1e-6, 1.0}};
  const ScaleChange change = outputScale(Vector::Ones(3), n, Vector::Ones(3), 65504.0);
  QCOMPARE(change.guarded, 2);
  QCOMPARE(1.0 + change.delta[0], 65504.0);
  QCOMPARE(1.0 + change.delta[1], -65504.0);
  QCOMPARE(change.delta[2], 1.0);
}

EQUIPATCH_TEST(tst_output_scale)
#include "tst_output_scale.moc"
