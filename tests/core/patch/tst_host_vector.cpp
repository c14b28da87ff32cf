// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/host_vector.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_host_vector : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void rowsAreReadExactly();
  void rowsAreRoundedWhenWritten();
  void stridedRowsAreReadInOrder();
  void rowOperationsMatchComputationOnCopies_data();
  void rowOperationsMatchComputationOnCopies();
};

void tst_host_vector::rowsAreReadExactly() {
  const Tensor rows = at::tensor({1.5, -2.25, 3.0, 0.1}, at::kFloat).view({2, 2});
  const Vector row = hostRow(rows, 1);
  QCOMPARE(row[0], 3.0);
  QCOMPARE(row[1], static_cast<double>(0.1f));
}

void tst_host_vector::rowsAreRoundedWhenWritten() {
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

void tst_host_vector::rowOperationsMatchComputationOnCopies_data() {
  QTest::addColumn<int>("type");
  QTest::addColumn<bool>("strided");
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16})
    for (const bool strided : {false, true})
      QTest::addRow("%s%s", c10::toString(type), strided ? ", strided" : "")
          << int(type) << strided;
}

void tst_host_vector::rowOperationsMatchComputationOnCopies() {
  QFETCH(int, type);
  QFETCH(bool, strided);
  const Tensor values = at::linspace(-3.0, 7.0, 36, at::kDouble).sin();
  Tensor rows = values.view({6, 6}).to(at::ScalarType(type));
  if (strided) rows = rows.t();
  Tensor expected = rows.clone();
  const Vector vector = hostRow(rows, 4) * 0.3 + Vector::Constant(6, 1.0 / 7.0);
  QVERIFY(rowDifference(rows.select(0, 1), rows.select(0, 3)) ==
          hostRow(rows, 1) - hostRow(rows, 3));
  QVERIFY(std::abs(dotRow(rows, 2, vector) - hostRow(rows, 2).dot(vector)) < 1e-14);
  addToRow(rows, 2, -0.75, vector);
  setRow(expected, 2, hostRow(expected, 2) - 0.75 * vector);
  QVERIFY(at::equal(rows, expected));
}

EQUIPATCH_TEST(tst_host_vector)
#include "tst_host_vector.moc"
