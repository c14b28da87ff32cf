#include "core/toy/in_context_model.h"

#include "core/toy/attention_layer.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

class tst_in_context_model : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void weightsStandForTheContext();
  void withoutTheUpdateTheContextIsMissed();
  void theLossIsTheMeanSquare();

 private:
  static InContextModel model(std::uint64_t seed) {
    Random random(seed);
    auto layer = std::make_unique<AttentionLayer>(
        AttentionShape{.inputs = 4, .width = 12, .heads = 3}, random, at::kDouble);
    return {std::move(layer),
            Mlp({.inputs = 12, .hidden = 20, .outputs = 4}, random, at::kDouble)};
  }
  static LinearTasks tasks(std::uint64_t seed) {
    Random random(seed);
    return drawTasks(random, {.tasks = 16, .pairs = 11, .dimension = 3}, at::kDouble);
  }
};

void tst_in_context_model::weightsStandForTheContext() {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto each = model(seed);
    const LinearTasks drawn = tasks(seed);
    QVERIFY(each.predictPatched(drawn.columns)
                .allclose(each.predict(drawn.columns), 0, 1e-12));
  }
}

void tst_in_context_model::withoutTheUpdateTheContextIsMissed() {
  const auto each = model(1);
  const LinearTasks drawn = tasks(1);
  const Tensor bare = each.answer(each.layer().alone(drawn.columns));
  QVERIFY((bare - each.predict(drawn.columns)).abs().min().item<double>() > 1e-6);
}

void tst_in_context_model::theLossIsTheMeanSquare() {
  const auto each = model(2);
  const LinearTasks drawn = tasks(2);
  const Tensor missed = each.predict(drawn.columns) - drawn.answers;
  QVERIFY(each.loss(drawn).allclose((missed * missed).sum() / 16.0, 0, 1e-14));
}

EQUIPATCH_TEST(tst_in_context_model)
#include "tst_in_context_model.moc"
