#include "core/run/step_passes.h"

#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

const std::vector<TokenId> kContext{TokenId(5), TokenId(17), TokenId(3), TokenId(40)};

struct Fixture {
  Fixture(const QString& family, DType dtype)
      : tiny({.family = family.toStdString()}, dtype),
        model(tiny.session->transformer()),
        cache(model.makeCache(16)) {
    BlockPolicy none;
    SilentProgress silent;
    model.prefill(kContext, cache, none, model.arithmetic(), silent);
  }

  PassResults run(const StepSetup& setup) {
    KvCache copy = model.makeCache(16);
    BlockPolicy none;
    SilentProgress silent;
    model.prefill(kContext, copy, none, model.arithmetic(), silent);
    return runPasses(model, TokenId(9), copy, setup);
  }

  test::TinySession tiny;
  const Transformer& model;
  KvCache cache;
};

double distance(const Tensor& a, const Tensor& b) {
  return (a - b).abs().max().item<double>();
}

}  // namespace

class tst_step_passes : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void lockstepEqualsSeparate_data();
  void lockstepEqualsSeparate();
  void everyPassIsARealOne();
  void doublePrecisionIsExact_data();
  void doublePrecisionIsExact();
  void materialisedDiffersFromFactoredByRounding();
  void withoutTheControlTheOthersAreTheSame();
  void theNoisePassIsTheContextualPassInAnotherOrder();
};

void tst_step_passes::initTestCase_data() {
  QTest::addColumn<QString>("family");
  QTest::newRow("llama") << "llama";
  QTest::newRow("gemma3") << "gemma3_text";
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

/// On the CPU a row's products do not depend on the rows beside it, so the two ways agree
/// to the last bit, in the open `direct` loop too, where any rounding would be amplified.
void tst_step_passes::lockstepEqualsSeparate() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH(QString, dtype);
  QFETCH(QString, method);
  QFETCH(QString, loop);
  QFETCH(QString, application);
  Fixture fixture(family, *dtypeFromTorchName(dtype.toStdString()));
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
  QCOMPARE(together.hiddenErrors, apart.hiddenErrors);
  for (std::size_t layer = 0; layer < together.diagnostics.size(); ++layer) {
    const auto& one = together.diagnostics[layer].matrices;
    const auto& other = apart.diagnostics[layer].matrices;
    QCOMPARE(one.size(), other.size());
    QVERIFY(!one.empty());
    for (std::size_t index = 0; index < one.size(); ++index)
      QCOMPARE(one[index].norm, other[index].norm);
  }
}

/// Each pass against an ordinary forward that knows nothing of comparisons.
void tst_step_passes::everyPassIsARealOne() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  Fixture fixture(family, DType::F32);
  const PassResults results = fixture.run({});
  const Transformer& model = fixture.model;
  BlockPolicy none;
  SilentProgress silent;
  const std::vector<TokenId> x{TokenId(9)};
  const Tensor contextual =
      model.logits(model.prefill(x, fixture.cache, none, model.arithmetic(), silent),
                   model.arithmetic());
  QVERIFY(at::equal(results.contextual, contextual[0]));
  KvCache empty = model.makeCache(1);
  const Tensor bare = model.logits(
      model.prefill(x, empty, none, model.arithmetic(), silent), model.arithmetic());
  QVERIFY(distance(results.bare, bare[0]) < 1e-5);
  QVERIFY(distance(results.bare, results.contextual) > 0.1);
  QVERIFY(distance(results.patched, results.contextual) < 1e-4);
}

void tst_step_passes::doublePrecisionIsExact_data() {
  QTest::addColumn<QString>("method");
  QTest::addColumn<QString>("loop");
  QTest::addColumn<double>("tolerance");
  for (const char* loop : {"closed", "half", "open"}) {
    QTest::addRow("balanced %s", loop) << "balanced" << loop << 1e-11;
    QTest::addRow("direct %s", loop) << "direct" << loop << 1e-6;
  }
}

void tst_step_passes::doublePrecisionIsExact() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  QFETCH(QString, method);
  QFETCH(QString, loop);
  QFETCH(double, tolerance);
  Fixture fixture(family, DType::F64);
  const PassResults results =
      fixture.run({.patch = {.method = *methodFromName(method.toStdString()),
                             .loop = *loopFromName(loop.toStdString())}});
  QVERIFY(distance(results.patched, results.contextual) < tolerance);
  for (const double error : results.hiddenErrors) QVERIFY(error < tolerance);
}

void tst_step_passes::materialisedDiffersFromFactoredByRounding() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  Fixture fixture(family, DType::BF16);
  const PassResults factored = fixture.run({});
  const PassResults materialised =
      fixture.run({.patch = {.application = Application::Materialised}});
  const double difference = distance(factored.patched, materialised.patched);
  QVERIFY(difference > 0.0);  // the stored matrices really are rounded
  QVERIFY(difference < 0.2);
  QVERIFY(difference < 0.1 * distance(factored.bare, factored.contextual));
}

void tst_step_passes::withoutTheControlTheOthersAreTheSame() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  Fixture fixture(family, DType::F32);
  const PassResults with = fixture.run({});
  const PassResults without = fixture.run({.bare = false});
  QVERIFY(!without.bare.defined());
  QVERIFY(at::equal(with.patched, without.patched));
  QVERIFY(at::equal(with.contextual, without.contextual));
}

void tst_step_passes::theNoisePassIsTheContextualPassInAnotherOrder() {
  const c10::InferenceMode inference;
  QFETCH_GLOBAL(QString, family);
  Fixture fixture(family, DType::F32);
  const PassResults results = fixture.run({});
  const NoiseResult noise =
      runNoisePass(fixture.model, TokenId(9), fixture.cache, results.context);
  const double difference = distance(noise.logits, results.contextual);
  QVERIFY(difference > 0.0);
  QVERIFY(difference < 1e-4);
  QCOMPARE(noise.hiddenErrors.size(), results.hiddenErrors.size());
  QCOMPARE(fixture.cache.length(), static_cast<std::int64_t>(kContext.size()) + 1);
}

EQUIPATCH_TEST(tst_step_passes)
#include "tst_step_passes.moc"
