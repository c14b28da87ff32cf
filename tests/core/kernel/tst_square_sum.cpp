#include "core/kernel/row_operations.h"

#include <cmath>

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_square_sum : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void cleanup() { setKernelThreads(1); }
  void equalsTheOracle_data();
  void equalsTheOracle();
  void squaresMayLeaveTheRangeOfFloats();
  void anEmptyMatrixHasNone();
};

void tst_square_sum::equalsTheOracle_data() {
  QTest::addColumn<int>("dtype");
  QTest::addColumn<int>("outputs");
  QTest::addColumn<int>("inputs");
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16})
    for (const auto& [outputs, inputs] : {std::pair{1, 1}, {3, 17}, {40, 1000}})
      QTest::addRow("%s %dx%d", std::string(torchName(dtype)).c_str(), outputs, inputs)
          << static_cast<int>(dtype) << outputs << inputs;
}

void tst_square_sum::equalsTheOracle() {
  QFETCH(int, dtype);
  QFETCH(int, outputs);
  QFETCH(int, inputs);
  const StoredMatrix W =
      Source(6).storedMatrix(static_cast<DType>(dtype), outputs, inputs);
  const double one = squareSum(W.weights());
  QVERIFY(std::abs(one / W.values.squaredNorm() - 1.0) < 1e-13);
  setKernelThreads(3);
  QCOMPARE(squareSum(W.weights()), one);
}

void tst_square_sum::squaresMayLeaveTheRangeOfFloats() {
  const StoredMatrix W =
      stored(DType::F32, Eigen::MatrixXd::Constant(2, 2, std::ldexp(1.0, 100)));
  QCOMPARE(squareSum(W.weights()), std::ldexp(1.0, 202));
}

void tst_square_sum::anEmptyMatrixHasNone() {
  QCOMPARE(squareSum({nullptr, DType::F32, 0, 5}), 0.0);
}

EQUIPATCH_TEST(tst_square_sum)
#include "tst_square_sum.moc"
