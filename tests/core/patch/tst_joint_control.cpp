// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/theorems/joint_control.h"

#include <Eigen/LU>

#include "core/patch/theorems/output_matrix.h"
#include "tests/core/patch/random_vectors.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr double kAccuracy = 1e-12;

}  // namespace

class tst_joint_control : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void onePatchGivesAllTokensTheirOutput();
  void patchOfOneTokenIsTheRankOnePatch();
  void orthogonalInputsKeepTheirOutput();
  void lengthsOfInputsDoNotMatter();
  void dependentInputsNeedDependentOutputs();
  void moreTokensThanInputComponentsAreRefused();
  void zeroMissingOutputGivesAZeroPatch();
  void patchNormEqualsThatOfTheFormedMatrix();
};

void tst_joint_control::onePatchGivesAllTokensTheirOutput() {
  for (unsigned seed = 0; seed < 60; ++seed) {
    test::Random random(seed);
    const Eigen::Index inputs = 2 + seed % 29, outputs = 1 + (seed * 7) % 23;
    const Eigen::Index tokens = 1 + seed % inputs;
    const Columns X = random.matrix(inputs, tokens), M = random.matrix(outputs, tokens);
    const auto change = jointControl(M, X, kAccuracy);
    QVERIFY(change.has_value());
    QVERIFY((change->times(X) - M).norm() <= 1e-10 * M.norm());
  }
}

void tst_joint_control::patchOfOneTokenIsTheRankOnePatch() {
  test::Random random(4);
  const Vector x = random.vector(9), missing = random.vector(6);
  const auto joint = jointControl(missing, x, kAccuracy);
  const auto single = outputMatrix(missing, x);
  const Eigen::MatrixXd formed = joint->U * joint->V.transpose();
  QVERIFY((formed - single->u * single->w.transpose()).norm() < 1e-14 * formed.norm());
}

/// Of all changes ΔW with ΔW X = M, only the one with the smallest norm does this.
void tst_joint_control::orthogonalInputsKeepTheirOutput() {
  test::Random random(5);
  const Columns X = random.matrix(12, 3);
  const Columns onto = X * (X.transpose() * X).inverse() * X.transpose();
  const Vector other = random.vector(12);
  const Vector apart = other - onto * other;
  QVERIFY(jointControl(random.matrix(7, 3), X, kAccuracy)->times(apart).norm() < 1e-13);
}

void tst_joint_control::lengthsOfInputsDoNotMatter() {
  test::Random random(6);
  Columns X = random.matrix(10, 3);
  X.col(0) *= 1e-3;
  X.col(2) *= 1e3;
  const Columns M = random.matrix(5, 3);
  const auto change = jointControl(M, X, kAccuracy);
  QVERIFY(change.has_value());
  for (Eigen::Index token = 0; token < 3; ++token)
    QVERIFY((change->times(X).col(token) - M.col(token)).norm() <
            1e-8 * M.col(token).norm());
}

void tst_joint_control::dependentInputsNeedDependentOutputs() {
  test::Random random(7);
  Columns X = random.matrix(10, 3), M = random.matrix(5, 3);
  X.col(2) = 2.0 * X.col(0) - X.col(1);
  QVERIFY(!jointControl(M, X, kAccuracy));
  M.col(2) = 2.0 * M.col(0) - M.col(1);
  const auto change = jointControl(M, X, kAccuracy);
  QVERIFY(change.has_value());
  QVERIFY((change->times(X) - M).norm() < 1e-12 * M.norm());
  X.col(2) = X.col(1);  // the same token twice
  QVERIFY(!jointControl(M, X, kAccuracy));
  // If inputs are accurate to 1e-6, these two differ by rounding alone, on which a patch
  // should not rely.
  X.col(2) = X.col(1) + 1e-8 * random.vector(10);
  QVERIFY(jointControl(M, X, kAccuracy).has_value());
  QVERIFY(!jointControl(M, X, 1e-6));
}

void tst_joint_control::moreTokensThanInputComponentsAreRefused() {
  test::Random random(8);
  QVERIFY(!jointControl(random.matrix(5, 4), random.matrix(3, 4), kAccuracy));
}

void tst_joint_control::zeroMissingOutputGivesAZeroPatch() {
  test::Random random(9);
  const Columns X = random.matrix(6, 2);
  const auto change = jointControl(Columns::Zero(4, 2), X, kAccuracy);
  QCOMPARE(change->norm(), 0.0);
  QVERIFY(change->times(X).isZero(0.0));
  // If no token needs a change, an input may even be 0.
  QVERIFY(jointControl(Columns::Zero(4, 2), Columns::Zero(6, 2), kAccuracy).has_value());
  QVERIFY(!jointControl(random.matrix(4, 2), Columns::Zero(6, 2), kAccuracy));
}

void tst_joint_control::patchNormEqualsThatOfTheFormedMatrix() {
  test::Random random(10);
  const LowRank change(random.matrix(8, 3), random.matrix(11, 3));
  const double formed = (change.U * change.V.transpose()).norm();
  QVERIFY(std::abs(change.norm() - formed) < 1e-13 * formed);
}

EQUIPATCH_TEST(tst_joint_control)
#include "tst_joint_control.moc"
