// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/lab/experiment.h"
#include "core/lab/words.h"
#include "core/model/transformer.h"
#include "core/work/worker.h"
#include "tests/core/lab/lab_run.h"
#include "tests/core/work/ignoring_listener.h"
#include "tests/support/image_model.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/support/tiny_checkpoint.h"

using namespace equipatch;

namespace {

/// The last token's mlp_in in every layer.
class LastInputs final : public BlockHooks {
 public:
  void hookMlpIn(const HookedBlock&, const Tensor&, const Tensor& z) override {
    inputs.push_back(z[-1].clone());
  }
  std::vector<Tensor> inputs;
};

struct IgnoringSink final : LabSink {
  void labUpdated(std::shared_ptr<const LabResult>) override {}
};

std::vector<TokenId> idsOf(std::initializer_list<std::int64_t> ids) {
  return {ids.begin(), ids.end()};
}

}  // namespace

class tst_words : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void theFirstLayerFollowsTheFormula();
  void everyTokenChangesTheUpdateOfEveryLayer();
  void growingOnlyAPartGivesTheSameChanges();
  void tooFewOrUnknownIdsAreRefused();
  void aTextBeyondTheLastPositionIsRefused();
  void callbackErrorEndsTheGrowthOfAContext();

  void curveAndMapHaveAPointForEachTick();
  void bytesAreShownByTheirValues();
  void aTokenWithoutTextIsShownByItsPiece();
  void theProgressNeverFalls();
  void aMissingModelIsNamed();

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

void tst_words::initTestCase() {
  const auto folder = test::writeTinyCheckpoint(m_folder.filePath("model").toStdString(),
                                                {.family = "llama"});
  const Checkpoint checkpoint = Checkpoint::open(folder);
  SilentProgress silent;
  m_model = Transformer::load(checkpoint, Arithmetic(DType::F64, at::kCPU), silent);
}

void tst_words::theFirstLayerFollowsTheFormula() {
  // One context token changes ΔW by ‖W (z_1 − z_0)‖ / ‖z_0‖. W stacks W_gate and W_up;
  // z_1 and z_0 are mlp_in with and without the context token. The test computes z_0 at
  // position 0, not 1: the result is the same for a token that attends only to itself.
  const Tensor with = inputsOf(idsOf({5, 17})).inputs[0];
  const Tensor without = inputsOf(idsOf({17})).inputs[0];
  double square = 0.0;
  const auto& layer = m_model->weights().layers.at(0);
  for (const Linear* first : {&layer.mlp.W_gate, &layer.mlp.W_up})
    square += at::mv(first->weight, with - without).square().sum().item<double>() /
              without.square().sum().item<double>();
  const auto growth = growContext(*m_model, idsOf({5, 17}), [](std::size_t) {});
  QVERIFY(std::abs(growth.changes.at(0).at(0) - std::sqrt(square)) < 1e-11);
}

void tst_words::everyTokenChangesTheUpdateOfEveryLayer() {
  std::vector<std::size_t> tokens;
  const auto growth = growContext(*m_model, idsOf({5, 17, 3, 40, 22}),
                                  [&](std::size_t token) { tokens.push_back(token); });
  QCOMPARE(tokens, (std::vector<std::size_t>{0, 1, 2, 3}));
  QCOMPARE(growth.changes.size(), 3u);
  for (const auto& layer : growth.changes) {
    QCOMPARE(layer.size(), 4u);
    for (const double change : layer) QVERIFY(std::isfinite(change) && change > 0.0);
  }
}

void tst_words::growingOnlyAPartGivesTheSameChanges() {
  const auto ids = idsOf({5, 17, 3, 40, 22});
  const auto nothing = [](std::size_t) {};
  const auto whole = growContext(*m_model, ids, nothing);
  const auto part = growContext(*m_model, ids, nothing, {.first = 1, .end = 3});
  QVERIFY_ERROR(growContext(*m_model, ids, nothing, {.first = ids.size()}),
                "the growing part begins");
  for (std::size_t layer = 0; layer < whole.changes.size(); ++layer)
    QCOMPARE(part.changes[layer],
             (std::vector<double>(whole.changes[layer].begin() + 1,
                                  whole.changes[layer].begin() + 3)));
}

void tst_words::tooFewOrUnknownIdsAreRefused() {
  const auto nothing = [](std::size_t) {};
  QVERIFY_ERROR(growContext(*m_model, idsOf({5}), nothing), "1 token;", "at least two");
  QVERIFY_ERROR(growContext(*m_model, idsOf({5, 64000}), nothing), "64000");
}

void tst_words::aTextBeyondTheLastPositionIsRefused() {
  const auto nothing = [](std::size_t) {};
  const std::int64_t positions = m_model->spec().maxPositions;
  std::vector<TokenId> ids(static_cast<std::size_t>(positions), TokenId{5});
  growContext(*m_model, ids, nothing, {.first = ids.size() - 1});
  ids.push_back(TokenId{5});
  QVERIFY_ERROR(growContext(*m_model, ids, nothing, {.first = ids.size() - 1}),
                QString::number(positions) + " positions");
}

void tst_words::callbackErrorEndsTheGrowthOfAContext() {
  QVERIFY_ERROR(growContext(*m_model, idsOf({5, 17, 3}),
                            [](std::size_t token) {
                              if (token == 1) throw Error(ErrorKind::Cancelled, "enough");
                            }),
                "enough");
}

void tst_words::curveAndMapHaveAPointForEachTick() {
  const auto folder = test::writeImageModel(m_folder.filePath("labelled").toStdString(),
                                            test::Letters::All);
  const LabResult result = test::runLab(
      "words", {{"model", folder.string()}, {"prompt", "Once upon a time, Lily"}});
  QCOMPARE(test::panelProblem(result), std::string());
  const LabPanel& panel = test::panel(result, "Change of ΔW by each token");
  QVERIFY(panel.x.ticks.size() >= 5);
  QCOMPARE(panel.curves.at(0).y.size(), panel.x.ticks.size());
  const auto& map = test::panel(result, "Change of ΔW by token and layer").map;
  QCOMPARE(map->x.size(), panel.x.ticks.size());
  double square = 0.0;
  for (std::size_t layer = 0; layer < map->y.size(); ++layer)
    square += std::pow(map->values[layer * map->x.size()], 2);
  QVERIFY(std::abs(std::sqrt(square) - panel.curves[0].y[0]) < 1e-9);
}

/// The model's tokenizer splits a rare character into bytes.
void tst_words::bytesAreShownByTheirValues() {
  EXTRA_DATA_OR_SKIP(folder, "models/stories260K");
  const LabResult result = test::runLab(
      "words", {{"model", folder.string()}, {"prompt", "A \U0001F984 and Lily"}});
  std::string ticks;
  for (const std::string& tick :
       test::panel(result, "Change of ΔW by each token").x.ticks)
    ticks += tick + " ";
  QVERIFY2(ticks.find("‹F0› ‹9F› ‹A6› ‹84› ") != std::string::npos, ticks.c_str());
}

/// The tokenizer puts "▁" before every text. Before this character, "▁" is a token of
/// its own.
void tst_words::aTokenWithoutTextIsShownByItsPiece() {
  EXTRA_DATA_OR_SKIP(folder, "models/stories260K");
  const LabResult result = test::runLab(
      "words", {{"model", folder.string()}, {"prompt", "\U0001F984 and Lily"}});
  QCOMPARE(test::panel(result, "Change of ΔW by each token").x.ticks.at(1),
           std::string("·"));
}

void tst_words::theProgressNeverFalls() {
  const auto folder =
      test::writeImageModel(m_folder.filePath("long").toStdString(), test::Letters::All);
  LabSettings settings(experimentNamed("words").settings, LabPreset::Quick);
  settings.set("model", folder.string());
  test::FractionListener listener;
  InlineWorker(listener).run(makeLabJob({.experiment = "words", .settings = settings},
                                        std::make_shared<IgnoringSink>()));
  QVERIFY(listener.fractions.size() > 2);
  QVERIFY(std::ranges::is_sorted(listener.fractions));
}

void tst_words::aMissingModelIsNamed() {
  QVERIFY_ERROR(test::runLab("words", {{"model", "/no/such/model"}}), "/no/such/model");
}

EQUIPATCH_TEST(tst_words)
#include "tst_words.moc"
