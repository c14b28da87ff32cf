// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/step_passes.h"
#include "core/backend/torch_backend.h"
#include "core/patch/hooks/patch_application.h"
#include "tests/core/backend/hidden_errors.h"
#include "tests/core/model/tensor_difference.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::vector<TokenId> text() {
  std::vector<TokenId> ids;
  for (const std::int64_t id : {5, 17, 3, 40, 22, 8, 31, 12, 9}) ids.emplace_back(id);
  return ids;
}

/// The step of x, the text's last token; the tokens before x are the context.
struct PartialFixture {
  PartialFixture(const QString& family, DType dtype)
      : tiny({.family = family.toStdString()}, dtype),
        model(transformerOf(*tiny.session)),
        x(text().back()) {}

  KvCache cacheOfFirst(std::size_t count) const {
    KvCache cache = model.makeCache(16);
    BlockHooks none;
    SilentProgress silent;
    const std::vector<TokenId> ids = text();
    if (count > 0)
      model.prefill(std::span(ids).first(count), cache, none, model.arithmetic(), silent);
    return cache;
  }

  PassResults run(std::vector<std::int64_t> kept, StepSetup setup = {}) const {
    KvCache cache = cacheOfFirst(text().size() - 1);
    setup.kept = KeptContext(std::move(kept), at::kCPU);
    return runPasses(model, x, cache, setup);
  }

  test::TinySession tiny;
  const Transformer& model;
  TokenId x;
};

bool empty(const Patch& patch) {
  return std::all_of(patch.begin(), patch.end(),
                     [](const LayerPatch& layer) { return layer.empty(); });
}

const std::vector<std::int64_t> kAll{0, 1, 2, 3, 4, 5, 6, 7};

}  // namespace

/// docs/maths.md, "Part of the context".
class tst_partial_context : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void patchIsExactForAnAbsorbedPart_data();
  void patchIsExactForAnAbsorbedPart();
  void keepingEverythingGivesAnEmptyPatch_data();
  void keepingEverythingGivesAnEmptyPatch();
  void keepingMostTokensShrinksTheEffect();
  void lockstepEqualsSeparate_data();
  void lockstepEqualsSeparate();
  void keptTokensCanRunOnTheirOwnPatches();
  void auditWithKeptTokensGivesContextualLogits();
};

void tst_partial_context::initTestCase_data() {
  QTest::addColumn<QString>("family");
  for (const char* family :
       {"llama", "gemma3_text", "gpt2", "openai-gpt", "gpt_neox", "olmo2", "mixtral",
        "gpt_oss", "gemma4_text", "qwen3_5_text", "gemma4_mixture", "qwen3_5_moe_text"})
    QTest::newRow(family) << family;
}

void tst_partial_context::patchIsExactForAnAbsorbedPart_data() {
  QTest::addColumn<QList<int>>("kept");
  QTest::addColumn<QString>("loop");
  for (const char* loop : {"closed", "half", "open"}) {
    QTest::addRow("first, %s", loop) << QList<int>{0} << loop;
    QTest::addRow("last, %s", loop) << QList<int>{7} << loop;
    QTest::addRow("every other, %s", loop) << QList<int>{1, 3, 5, 7} << loop;
    QTest::addRow("beginning, %s", loop) << QList<int>{0, 1, 2, 3, 4} << loop;
    QTest::addRow("all but one, %s", loop) << QList<int>{0, 1, 2, 4, 5, 6, 7} << loop;
  }
}

void tst_partial_context::patchIsExactForAnAbsorbedPart() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH(QList<int>, kept);
  QFETCH(QString, loop);
  const PartialFixture fixture(family, DType::F64);
  const PassResults results = fixture.run(
      {kept.begin(), kept.end()}, {.patch = {.loop = *loopFromName(loop.toStdString())}});
  QVERIFY(test::largestDifference(results.patched, results.contextual) < 1e-11);
  QVERIFY(test::largestDifference(results.bare, results.contextual) > 1e-4);
  QVERIFY(!empty(results.patch));
  for (const double error : test::hiddenErrorsOf(results)) QVERIFY(error < 1e-11);
}

void tst_partial_context::keepingEverythingGivesAnEmptyPatch_data() {
  QTest::addColumn<QString>("dtype");
  QTest::addColumn<QString>("loop");
  for (const char* dtype : {"float64", "float32", "bfloat16", "float16"})
    for (const char* loop : {"closed", "half", "open"})
      QTest::addRow("%s %s", dtype, loop) << dtype << loop;
}

/// The logits are equal to the last bit, because all rows compute the same sums.
void tst_partial_context::keepingEverythingGivesAnEmptyPatch() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH(QString, dtype);
  QFETCH(QString, loop);
  const PartialFixture fixture(family, *dtypeFromTorchName(dtype.toStdString()));
  const PassResults results =
      fixture.run(kAll, {.patch = {.loop = *loopFromName(loop.toStdString())}});
  QVERIFY(empty(results.patch));
  QVERIFY(at::equal(results.patched, results.contextual));
  QVERIFY(at::equal(results.bare, results.contextual));
}

void tst_partial_context::keepingMostTokensShrinksTheEffect() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  const PartialFixture fixture(family, DType::F64);
  const auto effectInLayer0 = [&](std::vector<std::int64_t> kept) {
    return fixture.run(std::move(kept)).diagnostics[0].record.effect;
  };
  const double none = effectInLayer0({}), one = effectInLayer0({3}),
               most = effectInLayer0({1, 2, 3, 4, 5, 6, 7});
  QVERIFY(none > 0.0);
  QVERIFY(one != none);
  QVERIFY(most < none);
}

void tst_partial_context::lockstepEqualsSeparate_data() {
  QTest::addColumn<QString>("dtype");
  QTest::addColumn<QString>("loop");
  QTest::addColumn<QString>("application");
  for (const char* dtype : {"float32", "bfloat16"})
    for (const char* loop : {"closed", "half", "open"})
      for (const char* application : {"factored", "materialised"})
        QTest::addRow("%s %s %s", dtype, loop, application)
            << dtype << loop << application;
}

void tst_partial_context::lockstepEqualsSeparate() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH(QString, dtype);
  QFETCH(QString, loop);
  QFETCH(QString, application);
  const PartialFixture fixture(family, *dtypeFromTorchName(dtype.toStdString()));
  StepSetup setup{
      .patch = {.loop = *loopFromName(loop.toStdString()),
                .application = *applicationFromName(application.toStdString())}};
  const PassResults together = fixture.run({0, 2, 3, 7}, setup);
  setup.execution = Execution::Separate;
  const PassResults apart = fixture.run({0, 2, 3, 7}, setup);
  QVERIFY(at::equal(together.contextual, apart.contextual));
  QVERIFY(at::equal(together.bare, apart.bare));
  QVERIFY(at::equal(together.patched, apart.patched));
  QCOMPARE(test::hiddenErrorsOf(together), test::hiddenErrorsOf(apart));
}

/// The patched pass takes kept tokens' keys and values from the contextual pass's cache.
/// A kept token that runs without the absorbed context, on weights that are patched for
/// this token, computes the same keys.
void tst_partial_context::keptTokensCanRunOnTheirOwnPatches() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  const PartialFixture fixture(family, DType::F64);
  const Transformer& model = fixture.model;
  constexpr std::int64_t kAbsorbed = 3;
  KvCache whole = fixture.cacheOfFirst(kAbsorbed), own = model.makeCache(16);
  std::vector<std::int64_t> kept;
  Tensor contextual, alone;
  for (std::int64_t at = kAbsorbed; at < static_cast<std::int64_t>(text().size()); ++at) {
    const TokenId token = text()[static_cast<std::size_t>(at)];
    const PassResults results =
        runPasses(model, token, whole, {.kept = KeptContext(kept, at::kCPU)});
    contextual = results.contextual;
    GivenPatch given(results.patch, 0, Application::Factored);
    const RowBatch batch{
        .contextRows = 1, .firstPosition = at, .cache = &own, .visibleFrom = kAbsorbed};
    alone = model.logits(
        model.forward(model.embedRows(token, at, 1), batch, given, model.arithmetic()),
        model.arithmetic())[0];
    QVERIFY(test::largestDifference(alone, contextual) < 1e-11);
    kept.push_back(at);
  }
  for (std::int64_t layer = 0; layer < model.spec().layerCount(); ++layer) {
    // A recurrent layer has no keys; the logits check its state.
    if (model.spec().layers[static_cast<std::size_t>(layer)].recurrent) continue;
    const auto keys = [&](const KvCache& cache) {
      return cache.keys(LayerIndex(layer), kAbsorbed, 6);
    };
    QVERIFY(test::largestDifference(keys(own), keys(whole)) < 1e-11);
  }
}

void tst_partial_context::auditWithKeptTokensGivesContextualLogits() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  const PartialFixture fixture(family, DType::F32);
  const PassResults results = fixture.run({0, 4, 5}, {.audit = true});
  const double difference = test::largestDifference(results.audit, results.contextual);
  QVERIFY(difference > 0.0);
  QVERIFY(difference < 1e-4);
}

EQUIPATCH_TEST(tst_partial_context)
#include "tst_partial_context.moc"
