// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/norm_size.h"

#include <cmath>

#include "tests/core/patch/random_vectors.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_norm_size : public test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theTargetKeepsTheNormOfQAndGivesY();
  void aZeroOutputCountsAsRmsOne();
};

void tst_norm_size::theTargetKeepsTheNormOfQAndGivesY() {
  test::Random random(3);
  for (const double eps : {0.0, 1e-6, 0.5}) {
    const Vector q = 0.3 * random.vector(50);
    const NormSize size(q, eps);
    Vector y = random.vector(50);
    y *= std::sqrt(size.rho2 * 50.0 / y.squaredNorm());
    const Vector target = size.hiddenTarget(y);
    QVERIFY(std::abs(target.norm() / q.norm() - 1.0) < 1e-14);
    const Vector n = target / std::sqrt(target.squaredNorm() / 50.0 + eps);
    QVERIFY((n - y).norm() < 1e-13 * y.norm());
  }
}

void tst_norm_size::aZeroOutputCountsAsRmsOne() {
  const NormSize size(Vector::Zero(4), 1e-6);
  QCOMPARE(size.C, 1.0);
  QCOMPARE(size.rho2, 1.0 / (1.0 + 1e-6));
}

EQUIPATCH_TEST(tst_norm_size)
#include "tst_norm_size.moc"
