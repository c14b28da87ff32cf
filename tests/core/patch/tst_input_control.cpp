// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/input_control.h"

#include <Eigen/SVD>

#include "tests/core/patch/random_vectors.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_input_control : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void thePatchedMatrixGivesTheTarget();
  void anUnchangedBiasCancelsOut();
  void patchNormEqualsThatOfTheFormedMatrix();
  void zeroMissingOutputGivesAZeroPatch();
  void aZeroInputHasNoPatch();
};

void tst_input_control::thePatchedMatrixGivesTheTarget() {
  for (unsigned seed = 0; seed < 50; ++seed) {
    test::Random random(seed);
    const Eigen::Index outputs = 1 + seed % 17, inputs = 1 + (seed * 7) % 23;
    const Eigen::MatrixXd W = random.matrix(outputs, inputs);
    const Vector z = random.vector(inputs), z_C = random.vector(inputs);
    const auto change = inputControl(W * z_C - W * z, z);
    QVERIFY(change.has_value());
    const Eigen::MatrixXd patched = W + change->u * change->w.transpose();
    QVERIFY((patched * z - W * z_C).norm() <= 1e-12 * (W * z_C).norm());
    // The papers give the change as W (z_C − z) zᵀ / ‖z‖².
    const Eigen::MatrixXd printed = W * (z_C - z) * z.transpose() / z.squaredNorm();
    QVERIFY((patched - W - printed).norm() <= 1e-12 * printed.norm());
  }
}

void tst_input_control::anUnchangedBiasCancelsOut() {
  test::Random random(7);
  const Eigen::MatrixXd W = random.matrix(6, 4);
  const Vector bias = random.vector(6), z = random.vector(4), z_C = random.vector(4);
  const auto change = inputControl((W * z_C + bias) - (W * z + bias), z);
  QVERIFY((W * z + change->u * change->w.dot(z) + bias - (W * z_C + bias)).norm() <
          1e-12);
}

void tst_input_control::patchNormEqualsThatOfTheFormedMatrix() {
  test::Random random(3);
  const auto change = inputControl(random.vector(9), random.vector(5));
  const Eigen::MatrixXd delta = change->u * change->w.transpose();
  QVERIFY(std::abs(change->norm() - delta.norm()) <= 1e-12 * delta.norm());
  const double spectral = delta.jacobiSvd().singularValues()[0];
  QVERIFY(std::abs(change->norm() - spectral) <= 1e-12 * spectral);
}

void tst_input_control::zeroMissingOutputGivesAZeroPatch() {
  test::Random random(5);
  QCOMPARE(inputControl(Vector::Zero(6), random.vector(4))->norm(), 0.0);
}

void tst_input_control::aZeroInputHasNoPatch() {
  test::Random random(1);
  QVERIFY(!inputControl(random.vector(6), Vector::Zero(4)));
}

EQUIPATCH_TEST(tst_input_control)
#include "tst_input_control.moc"
