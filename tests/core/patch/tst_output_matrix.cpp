// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/output_matrix.h"

#include "tests/core/patch/random_vectors.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_output_matrix : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void thePatchedMatrixAddsTheMissingOutput();
  void orthogonalInputsKeepTheirOutput();
  void aZeroInputHasNoPatch();
};

void tst_output_matrix::thePatchedMatrixAddsTheMissingOutput() {
  for (unsigned seed = 0; seed < 50; ++seed) {
    test::Random random(seed);
    const Eigen::Index outputs = 1 + seed % 11, inputs = 1 + (seed * 5) % 29;
    const Eigen::MatrixXd W = random.matrix(outputs, inputs);
    const Vector h = random.vector(inputs), missing = random.vector(outputs);
    const auto change = outputMatrix(missing, h);
    const Eigen::MatrixXd patched = W + change->u * change->w.transpose();
    QVERIFY((patched * h - (W * h + missing)).norm() <= 1e-12 * (W * h + missing).norm());
  }
}

void tst_output_matrix::orthogonalInputsKeepTheirOutput() {
  test::Random random(2);
  const Vector h = random.vector(8);
  Vector other = random.vector(8);
  other -= h * (h.dot(other) / h.squaredNorm());
  const auto change = outputMatrix(random.vector(5), h);
  QVERIFY((change->u * change->w.dot(other)).norm() < 1e-14);
}

void tst_output_matrix::aZeroInputHasNoPatch() {
  QVERIFY(!outputMatrix(Vector::Ones(3), Vector::Zero(4)));
}

EQUIPATCH_TEST(tst_output_matrix)
#include "tst_output_matrix.moc"
