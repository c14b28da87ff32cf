#include "core/checkpoint/family/conv1d_layer.h"

#include <algorithm>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_conv1d_layer : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void bindsEveryTensorOfALayer();
};

void tst_conv1d_layer::bindsEveryTensorOfALayer() {
  ModelSpec spec;
  spec.width = 6;
  spec.mlpWidth = 24;
  spec.norm.bias = true;
  TensorList tensors(spec, "h.");
  tensors.enterLayer(2);
  addConv1dLayer(spec, {.first = "one", .second = "two"}, tensors);
  const std::vector<TensorBinding> bindings = tensors.take();
  QCOMPARE(bindings.size(), std::size_t{16});
  const auto find = [&](const std::string& name) {
    return *std::find_if(bindings.begin(), bindings.end(), [&](const TensorBinding& one) {
      return one.name == "layers.2." + name;
    });
  };
  QCOMPARE(find("one").checkpointName, std::string("h.2.ln_1.weight"));
  QCOMPARE(find("two.bias").checkpointName, std::string("h.2.ln_2.bias"));
  QCOMPARE(find("W_in").checkpointName, std::string("h.2.mlp.c_fc.weight"));
  QVERIFY(find("W_in").part.transposed);
  QCOMPARE(storedShape(find("W_in")), (std::vector<std::int64_t>{6, 24}));
  QCOMPARE(storedShape(find("W_k")), (std::vector<std::int64_t>{6, 18}));
  QCOMPARE(find("W_k").part.index, std::int64_t{1});
  QVERIFY(!find("b_v").part.transposed);
}

EQUIPATCH_TEST(tst_conv1d_layer)
#include "tst_conv1d_layer.moc"
