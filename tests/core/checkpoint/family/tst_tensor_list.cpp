#include "core/checkpoint/family/tensor_list.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

using Shape = std::vector<std::int64_t>;

}  // namespace

class tst_tensor_list : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void namesAreCompletedWithinALayer();
  void aBiasHasItsMatrixPart();
  void normsHaveBiasesWhereTheModelsDo();
  void headsThatAreTied();
};

void tst_tensor_list::namesAreCompletedWithinALayer() {
  const ModelSpec spec;
  TensorList list(spec, "h.");
  list.add("embed", "wte.weight", {5, 2});
  list.enterLayer(3);
  list.linear({.where = "experts.1.",
               .what = "up",
               .stored = "e.1.w",
               .outputs = 4,
               .inputs = 2});
  list.leaveLayers();
  list.add("positions", "wpe.weight", {7, 2});
  const auto tensors = list.take();
  QCOMPARE(tensors.size(), std::size_t{3});
  QCOMPARE(tensors[0].checkpointName, std::string("wte.weight"));
  QCOMPARE(tensors[1].name, std::string("layers.3.experts.1.W_up"));
  QCOMPARE(tensors[1].checkpointName, std::string("h.3.e.1.w.weight"));
  QCOMPARE(tensors[1].shape, (Shape{4, 2}));
  QCOMPARE(tensors[2].name, std::string("positions"));
}

/// A vector is not transposed, but cut like its matrix.
void tst_tensor_list::aBiasHasItsMatrixPart() {
  const ModelSpec spec;
  TensorList list(spec, "h.");
  list.linear({.what = "k",
               .stored = "attn",
               .outputs = 4,
               .inputs = 2,
               .bias = true,
               .part = {.transposed = true, .groups = 2, .parts = 3, .index = 1}});
  const auto tensors = list.take();
  QCOMPARE(tensors[1].name, std::string("b_k"));
  QCOMPARE(tensors[1].checkpointName, std::string("attn.bias"));
  QCOMPARE(tensors[1].shape, (Shape{4}));
  QVERIFY((tensors[1].part == TensorPart{.groups = 2, .parts = 3, .index = 1}));
  QCOMPARE(storedShape(tensors[0]), (Shape{2, 12}));
  QCOMPARE(storedShape(tensors[1]), (Shape{12}));
}

void tst_tensor_list::normsHaveBiasesWhereTheModelsDo() {
  ModelSpec spec;
  TensorList without(spec, "h.");
  without.norm("final_norm", "ln_f", {2});
  QCOMPARE(without.take().size(), std::size_t{1});
  spec.norm.bias = true;
  TensorList with(spec, "h.");
  with.norm("final_norm", "ln_f", {2});
  const auto tensors = with.take();
  QCOMPARE(tensors[1].name, std::string("final_norm.bias"));
  QCOMPARE(tensors[1].checkpointName, std::string("ln_f.bias"));
}

void tst_tensor_list::headsThatAreTied() {
  ModelSpec spec;
  spec.vocabulary = 5;
  spec.width = 2;
  const auto head = [&] {
    TensorList list(spec, "h.");
    list.head("lm_head");
    return list.take();
  };
  QCOMPARE(head().size(), std::size_t{1});
  QVERIFY(head()[0].scope == TensorScope::Head);
  QCOMPARE(head()[0].shape, (Shape{5, 2}));
  spec.headBias = true;
  QCOMPARE(head()[1].name, std::string("b_head"));
  QCOMPARE(head()[1].checkpointName, std::string("lm_head.bias"));
  spec.tiedHead = true;
  QCOMPARE(head().size(), std::size_t{1});
  spec.headBias = false;
  QVERIFY(head().empty());
}

EQUIPATCH_TEST(tst_tensor_list)
#include "tst_tensor_list.moc"
