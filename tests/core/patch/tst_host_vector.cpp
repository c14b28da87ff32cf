#include "core/patch/host_vector.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_host_vector : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void rowsComeOverExactly();
  void rowsGoBackRounded();
  void stridedRowsAreReadInOrder();
};

void tst_host_vector::rowsComeOverExactly() {
  const Tensor rows = at::tensor({1.5, -2.25, 3.0, 0.1}, at::kFloat).view({2, 2});
  const Vector row = hostRow(rows, 1);
  QCOMPARE(row[0], 3.0);
  QCOMPARE(row[1], static_cast<double>(0.1f));
}

void tst_host_vector::rowsGoBackRounded() {
  Tensor rows = at::zeros({2, 2}, at::kFloat);
  setRow(rows, 0, Vector{{0.1, 1e300}});
  QCOMPARE(rows[0][0].item<float>(), 0.1f);
  QVERIFY(std::isinf(rows[0][1].item<float>()));
  QCOMPARE(rows[1][0].item<float>(), 0.0f);
}

void tst_host_vector::stridedRowsAreReadInOrder() {
  const Tensor rows =
      at::arange(6, at::kDouble).view({2, 3}).t();  // [3, 2], not contiguous
  QVERIFY(hostRow(rows, 1) == (Vector{{1.0, 4.0}}));
}

EQUIPATCH_TEST(tst_host_vector)
#include "tst_host_vector.moc"
