// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/step_passes.h"

#include "core/backend/torch_backend.h"
#include "tests/core/backend/hidden_errors.h"
#include "tests/core/model/tensor_difference.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

const std::vector<TokenId> kContext{TokenId(5), TokenId(17), TokenId(3), TokenId(40)};

struct PassesFixture {
  PassesFixture(const QString& family, DType dtype)
      : tiny({.family = family.toStdString()}, dtype),
        model(transformerOf(*tiny.session)),
        cache(model.makeCache(16)) {
    BlockHooks none;
    SilentProgress silent;
    model.prefill(kContext, cache, none, model.arithmetic(), silent);
  }

  PassResults run(const StepSetup& setup) {
    KvCache copy = model.makeCache(16);
    BlockHooks none;
    SilentProgress silent;
    model.prefill(kContext, copy, none, model.arithmetic(), silent);
    return runPasses(model, TokenId(9), copy, setup);
  }

  test::TinySession tiny;
  const Transformer& model;
  KvCache cache;
};

}  // namespace

class tst_step_passes : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void lockstepEqualsSeparate_data();
  void lockstepEqualsSeparate();
  void contextualAndBarePassesAreOrdinaryForwards();
  void patchIsExactInDoublePrecision_data();
  void patchIsExactInDoublePrecision();
  void materialisedDiffersFromFactoredByRounding();
  void omittingTheBarePassChangesNoOtherPass();
  void droppingThePatchDoesNotChangeResults();
  void noiseReferencesDifferByRoundingAlone();
  void strengthLeadsFromBareToPatched();
  void chosenLayersAloneArePatched();
  void theAuditReplaysThePatch();
  void computingInFloat32AvoidsBfloat16Rounding();
};

void tst_step_passes::initTestCase_data() {
  QTest::addColumn<QString>("family");
  for (const char* family :
       {"llama", "gemma3_text", "gpt2", "openai-gpt", "gpt_neox", "phi", "cohere",
        "olmo2", "granite", "mixtral", "qwen2_moe", "gpt_oss", "gemma4_text",
        "qwen3_5_text", "gemma4_mixture", "qwen3_5_moe_text"})
    QTest::newRow(family) << family;
}

void tst_step_passes::lockstepEqualsSeparate_data() {
  QTest::addColumn<QString>("dtype");
  QTest::addColumn<QString>("method");
  QTest::addColumn<QString>("loop");
  QTest::addColumn<QString>("application");
  for (const char* dtype : {"float32", "bfloat16", "float16"})
    for (const char* method : {"balanced", "direct", "stable"})
      for (const char* loop : {"closed", "half", "open"})
        for (const char* application : {"factored", "materialised"})
          QTest::addRow("%s %s %s %s", dtype, method, loop, application)
              << dtype << method << loop << application;
}

/// On the CPU a row's products do not depend on the other rows of the batch, so both
/// executions agree to the last bit.
void tst_step_passes::lockstepEqualsSeparate() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH(QString, dtype);
  QFETCH(QString, method);
  QFETCH(QString, loop);
  QFETCH(QString, application);
  PassesFixture fixture(family, *dtypeFromTorchName(dtype.toStdString()));
  StepSetup setup{
      .patch = {.method = *methodFromName(method.toStdString()),
                .loop = *loopFromName(loop.toStdString()),
                .application = *applicationFromName(application.toStdString())}};
  const PassResults together = fixture.run(setup);
  setup.execution = Execution::Separate;
  const PassResults apart = fixture.run(setup);
  QVERIFY(at::equal(together.contextual, apart.contextual));
  QVERIFY(at::equal(together.bare, apart.bare));
  QVERIFY(at::equal(together.patched, apart.patched));
  QCOMPARE(test::hiddenErrorsOf(together), test::hiddenErrorsOf(apart));
  for (std::size_t layer = 0; layer < together.diagnostics.size(); ++layer) {
    const auto& one = together.diagnostics[layer].record.matrices;
    const auto& other = apart.diagnostics[layer].record.matrices;
    QCOMPARE(one.size(), other.size());
    QVERIFY(!one.empty());
    for (std::size_t index = 0; index < one.size(); ++index)
      QCOMPARE(one[index].norm, other[index].norm);
  }
}

void tst_step_passes::contextualAndBarePassesAreOrdinaryForwards() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  PassesFixture fixture(family, DType::F32);
  const PassResults results = fixture.run({});
  const Transformer& model = fixture.model;
  BlockHooks none;
  SilentProgress silent;
  const std::vector<TokenId> x{TokenId(9)};
  const Tensor contextual =
      model.logits(model.prefill(x, fixture.cache, none, model.arithmetic(), silent),
                   model.arithmetic());
  QVERIFY(at::equal(results.contextual, contextual[0]));
  QVERIFY(test::largestDifference(results.patched, results.contextual) < 1e-4);
  if (model.spec().learnedPositions) return;  // x alone would have position 0
  KvCache empty = model.makeCache(1);
  const Tensor bare = model.logits(
      model.prefill(x, empty, none, model.arithmetic(), silent), model.arithmetic());
  QVERIFY(test::largestDifference(results.bare, bare[0]) < 1e-5);
  QVERIFY(test::largestDifference(results.bare, results.contextual) > 0.1);
}

void tst_step_passes::patchIsExactInDoublePrecision_data() {
  QTest::addColumn<QString>("method");
  QTest::addColumn<QString>("loop");
  QTest::addColumn<double>("tolerance");
  for (const char* loop : {"closed", "half", "open"}) {
    QTest::addRow("balanced %s", loop) << "balanced" << loop << 1e-11;
    QTest::addRow("direct %s", loop) << "direct" << loop << 1e-6;
    QTest::addRow("stable %s", loop) << "stable" << loop << 1e-9;
  }
}

void tst_step_passes::patchIsExactInDoublePrecision() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH(QString, method);
  QFETCH(QString, loop);
  QFETCH(double, tolerance);
  PassesFixture fixture(family, DType::F64);
  const PassResults results =
      fixture.run({.patch = {.method = *methodFromName(method.toStdString()),
                             .loop = *loopFromName(loop.toStdString())}});
  QVERIFY(test::largestDifference(results.patched, results.contextual) < tolerance);
  for (const double error : test::hiddenErrorsOf(results)) QVERIFY(error < tolerance);
}

void tst_step_passes::materialisedDiffersFromFactoredByRounding() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  PassesFixture fixture(family, DType::BF16);
  const PassResults factored = fixture.run({});
  const PassResults materialised =
      fixture.run({.patch = {.application = Application::Materialised}});
  const double difference =
      test::largestDifference(factored.patched, materialised.patched);
  QVERIFY(difference > 0.0);  // the materialised matrices are rounded
  QVERIFY(difference < 0.2);
  QVERIFY(difference < 0.1 * test::largestDifference(factored.bare, factored.contextual));
}

void tst_step_passes::omittingTheBarePassChangesNoOtherPass() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  PassesFixture fixture(family, DType::F32);
  const PassResults with = fixture.run({});
  const PassResults without = fixture.run({.bare = false});
  QVERIFY(!without.bare.defined());
  QVERIFY(at::equal(with.patched, without.patched));
  QVERIFY(at::equal(with.contextual, without.contextual));
}

void tst_step_passes::droppingThePatchDoesNotChangeResults() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  PassesFixture fixture(family, DType::BF16);
  const PassResults kept = fixture.run({}), gone = fixture.run({.keepPatch = false});
  QVERIFY(at::equal(kept.patched, gone.patched));
  QVERIFY(test::hiddenErrorsOf(kept) == test::hiddenErrorsOf(gone));
  for (std::size_t layer = 0; layer < kept.patch.size(); ++layer) {
    QVERIFY(!kept.patch[layer].matrices.empty() && gone.patch[layer].matrices.empty());
    QVERIFY(gone.context[layer].inProjections.empty());
    const auto& before = kept.diagnostics[layer].record.matrices;
    const auto& after = gone.diagnostics[layer].record.matrices;
    QVERIFY(before.size() == after.size() && before[0].norm == after[0].norm);
  }
  // An audit or a strength other than 1 needs the patch and therefore keeps it.
  QVERIFY(!fixture.run({.audit = true, .keepPatch = false}).patch[0].matrices.empty());
  const PassResults half = fixture.run({.strength = {.alpha = 0.5}, .keepPatch = false});
  QVERIFY(at::equal(half.patched, fixture.run({.strength = {.alpha = 0.5}}).patched));
}

/// A noise reference computes the contextual pass again, with sums in another order or
/// with unrounded activations.
void tst_step_passes::noiseReferencesDifferByRoundingAlone() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  const auto distance = [&](DType dtype, const auto& arithmeticOf) {
    PassesFixture fixture(family, dtype);
    const PassResults results = fixture.run({});
    const Arithmetic arithmetic = arithmeticOf(fixture.model.arithmetic());
    NoiseReference reference{arithmetic, fixture.model.makeCache(16, arithmetic)};
    BlockHooks none;
    SilentProgress silent;
    fixture.model.prefill(kContext, reference.cache, none, arithmetic, silent);
    const NoiseResult noise =
        runNoiseReference(fixture.model, TokenId(9), reference, results.context);
    QTest::qVerify(noise.hiddenErrors.size() == results.diagnostics.size(),
                   "a hidden error for each layer", "", __FILE__, __LINE__);
    return test::largestDifference(noise.logits, results.contextual);
  };
  const double reordered = distance(DType::F32, [](const Arithmetic& own) {
    return own.with(SummationOrder::Alternate);
  });
  const double unrounded =
      distance(DType::BF16, [](const Arithmetic& own) { return own.unrounded(); });
  QVERIFY(reordered > 0.0);
  QVERIFY(reordered < 1e-4);
  QVERIFY(unrounded > 1e-3);
  QVERIFY(unrounded < 0.5);
}

void tst_step_passes::strengthLeadsFromBareToPatched() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  PassesFixture fixture(family, DType::F64);
  const PassResults whole = fixture.run({});
  const PassResults none = fixture.run({.strength = {.alpha = 0.0}});
  const PassResults half = fixture.run({.strength = {.alpha = 0.5}});
  // α = 1 would not run the code that scales a patch.
  const PassResults full = fixture.run({.strength = {.alpha = 1.0 + 1e-15}});
  QVERIFY(test::largestDifference(none.patched, whole.bare) < 1e-12);
  QVERIFY(test::largestDifference(full.patched, whole.patched) < 1e-9);
  QVERIFY(test::largestDifference(half.patched, whole.bare) > 1e-3);
  QVERIFY(test::largestDifference(half.patched, whole.patched) > 1e-3);
  QVERIFY(test::hiddenErrorsOf(half).back() > 1e-4);
}

void tst_step_passes::chosenLayersAloneArePatched() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  PassesFixture fixture(family, DType::F64);
  const PassResults first = fixture.run({.strength = {.layers = {0}}});
  QVERIFY(test::hiddenErrorsOf(first)[0] < 1e-12);
  QVERIFY(test::hiddenErrorsOf(first)[1] > 1e-3);
  const PassResults all = fixture.run({.strength = {.layers = {0, 1, 2}}});
  QVERIFY(test::hiddenErrorsOf(all).back() < 1e-11);
}

void tst_step_passes::theAuditReplaysThePatch() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  PassesFixture fixture(family, DType::F32);
  QVERIFY(!fixture.run({}).audit.defined());
  const PassResults results = fixture.run({.audit = true});
  const double difference = test::largestDifference(results.audit, results.contextual);
  QVERIFY(difference < 1e-4);
  // The audit sums in another order.
  QVERIFY(test::largestDifference(results.audit, results.patched) > 0.0);
  const PassResults half = fixture.run({.strength = {.alpha = 0.5}, .audit = true});
  QVERIFY(test::largestDifference(half.audit, half.patched) < 1e-4);
}

/// With Computing::Float32, only the weights are rounded to bfloat16.
void tst_step_passes::computingInFloat32AvoidsBfloat16Rounding() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  PassesFixture native(family, DType::BF16);
  const test::TinySession wide({.family = family.toStdString()}, DType::BF16,
                               test::Computing::Float32);
  const Transformer& model = transformerOf(*wide.session);
  QVERIFY(wide.session->computesFloat32());
  QVERIFY(model.weights().embed.scalar_type() == at::kBFloat16);
  KvCache cache = model.makeCache(16);
  BlockHooks none;
  SilentProgress silent;
  model.prefill(kContext, cache, none, model.arithmetic(), silent);
  const PassResults results = runPasses(model, TokenId(9), cache, {});
  QVERIFY(test::largestDifference(results.patched, results.contextual) < 1e-4);
  const PassResults rounded = native.run({});
  const double between = test::largestDifference(rounded.contextual, results.contextual);
  QVERIFY(between > 1e-4);
  QVERIFY(between < 0.5);
}

EQUIPATCH_TEST(tst_step_passes)
#include "tst_step_passes.moc"
