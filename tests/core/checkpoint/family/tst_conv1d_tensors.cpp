#include "core/checkpoint/family/conv1d_tensors.h"

#include <algorithm>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_conv1d_tensors : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void bindsEveryTensorOfALayer();
};

void tst_conv1d_tensors::bindsEveryTensorOfALayer() {
  ModelSpec spec;
  spec.width = 6;
  spec.mlpWidth = 24;
  spec.norm.bias = spec.tiedHead = true;
  spec.layers.resize(3);
  const Conv1dNames names{.embed = "words",
                          .positions = "places",
                          .firstNorm = "one",
                          .secondNorm = "two",
                          .finalNorm = "end"};
  const std::vector<TensorBinding> bindings = conv1dTensors(spec, names);
  QCOMPARE(bindings.size(), std::size_t{2 + 3 * 16 + 2});
  const auto find = [&](const std::string& name) {
    return *std::find_if(bindings.begin(), bindings.end(),
                         [&](const TensorBinding& one) { return one.name == name; });
  };
  QCOMPARE(find("embed").checkpointName, std::string("words.weight"));
  QCOMPARE(find("final_norm.bias").checkpointName, std::string("end.bias"));
  QCOMPARE(find("layers.2.one").checkpointName, std::string("h.2.ln_1.weight"));
  QCOMPARE(find("layers.2.two.bias").checkpointName, std::string("h.2.ln_2.bias"));
  const TensorBinding in = find("layers.2.W_in"), k = find("layers.2.W_k");
  QCOMPARE(in.checkpointName, std::string("h.2.mlp.c_fc.weight"));
  QVERIFY(in.part.transposed);
  QCOMPARE(storedShape(in), (std::vector<std::int64_t>{6, 24}));
  QCOMPARE(storedShape(k), (std::vector<std::int64_t>{6, 18}));
  QCOMPARE(k.part.index, std::int64_t{1});
  QVERIFY(!find("layers.2.b_v").part.transposed);
  spec.finalNorm = false;
  QCOMPARE(conv1dTensors(spec, names).size(), std::size_t{2 + 3 * 16});
}

EQUIPATCH_TEST(tst_conv1d_tensors)
#include "tst_conv1d_tensors.moc"
