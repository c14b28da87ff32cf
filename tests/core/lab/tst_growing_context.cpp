#include "core/lab/growing_context.h"

#include <QTemporaryDir>
#include <cmath>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/model/transformer.h"
#include "tests/support/test_case.h"
#include "tests/support/tiny_checkpoint.h"

using namespace equipatch;

namespace {

/// z of each layer, of a text's last token.
class LastInputs final : public BlockHooks {
 public:
  void hookMlpIn(const BlockView&, const Tensor&, const Tensor& z) override {
    inputs.push_back(z[-1].clone());
  }
  std::vector<Tensor> inputs;
};

std::vector<TokenId> idsOf(std::initializer_list<std::int64_t> ids) {
  return {ids.begin(), ids.end()};
}

}  // namespace

class tst_growing_context : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void theFirstLayerFollowsTheFormula();
  void everyTokenHasAStepInEveryLayer();
  void aShortOrUnknownTextIsRefused();
  void growthCanBeEnded();

 private:
  LastInputs inputsOf(std::vector<TokenId> ids) const {
    LastInputs hooks;
    SilentProgress silent;
    KvCache cache = m_model->makeCache(static_cast<std::int64_t>(ids.size()));
    m_model->prefill(ids, cache, hooks, m_model->arithmetic(), silent);
    return hooks;
  }

  QTemporaryDir m_folder;
  std::unique_ptr<Transformer> m_model;
};

void tst_growing_context::initTestCase() {
  const auto folder = test::writeTinyCheckpoint(m_folder.filePath("model").toStdString(),
                                                {.family = "llama"});
  const Checkpoint checkpoint = Checkpoint::open(folder);
  SilentProgress silent;
  m_model = Transformer::load(checkpoint, Arithmetic(DType::F64, at::kCPU), silent);
}

void tst_growing_context::theFirstLayerFollowsTheFormula() {
  // With one context token all of it is absorbed at once: ‖W (z_1 − z_0)‖ / ‖z_0‖ for
  // both input projections. The token alone stands at position 1 too; attention over
  // itself does not see where.
  const Tensor with = inputsOf(idsOf({5, 17})).inputs[0];
  const Tensor without = inputsOf(idsOf({17})).inputs[0];
  double square = 0.0;
  const auto& layer = m_model->weights().layers.at(0);
  for (const Linear* first : {&layer.mlp.W_gate, &layer.mlp.W_up})
    square += at::mv(first->weight, with - without).square().sum().item<double>() /
              without.square().sum().item<double>();
  const auto growth = growContext(*m_model, idsOf({5, 17}), [](std::size_t) {});
  QVERIFY(std::abs(growth.steps.at(0).at(0) - std::sqrt(square)) < 1e-11);
}

void tst_growing_context::everyTokenHasAStepInEveryLayer() {
  std::vector<std::size_t> told;
  const auto growth = growContext(*m_model, idsOf({5, 17, 3, 40, 22}),
                                  [&](std::size_t token) { told.push_back(token); });
  QCOMPARE(told, (std::vector<std::size_t>{0, 1, 2, 3}));
  QCOMPARE(growth.steps.size(), 3u);
  for (const auto& layer : growth.steps) {
    QCOMPARE(layer.size(), 4u);
    for (const double step : layer) QVERIFY(std::isfinite(step) && step > 0.0);
  }
}

void tst_growing_context::aShortOrUnknownTextIsRefused() {
  const auto nothing = [](std::size_t) {};
  QVERIFY_ERROR(growContext(*m_model, idsOf({5}), nothing), "1 tokens", "at least two");
  QVERIFY_ERROR(growContext(*m_model, idsOf({5, 64000}), nothing), "64000");
}

void tst_growing_context::growthCanBeEnded() {
  QVERIFY_ERROR(growContext(*m_model, idsOf({5, 17, 3}),
                            [](std::size_t token) {
                              if (token == 1) throw Error(ErrorKind::Cancelled, "enough");
                            }),
                "enough");
}

EQUIPATCH_TEST(tst_growing_context)
#include "tst_growing_context.moc"
