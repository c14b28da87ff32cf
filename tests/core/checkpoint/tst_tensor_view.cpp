#include "core/checkpoint/tensor_view.h"

#include <array>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_tensor_view : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void countsElements();
  void spellsShapes();
  void knowsWhetherItIsAligned();
};

void tst_tensor_view::countsElements() {
  TensorView view;
  QCOMPARE(view.elements(), std::int64_t{1});
  view.shape = {2, 3, 4};
  QCOMPARE(view.elements(), std::int64_t{24});
  view.shape = {2, 0, 4};
  QCOMPARE(view.elements(), std::int64_t{0});
}

void tst_tensor_view::spellsShapes() {
  const std::vector<std::int64_t> shape{2048, 1152};
  QCOMPARE(shapeText(shape), std::string("[2048, 1152]"));
  QCOMPARE(shapeText({}), std::string("[]"));
}

void tst_tensor_view::knowsWhetherItIsAligned() {
  alignas(8) std::array<std::byte, 16> memory{};
  TensorView view;
  view.dtype = DType::BF16;
  view.bytes = std::span(memory).subspan(2, 8);
  QVERIFY(view.aligned());
  view.dtype = DType::F32;
  QVERIFY(!view.aligned());
  view.bytes = std::span(memory).subspan(4, 8);
  QVERIFY(view.aligned());
  view.dtype = DType::F64;
  QVERIFY(!view.aligned());
  view.dtype = DType::U8;
  view.bytes = std::span(memory).subspan(3, 8);
  QVERIFY(view.aligned());
}

EQUIPATCH_TEST(tst_tensor_view)
#include "tst_tensor_view.moc"
