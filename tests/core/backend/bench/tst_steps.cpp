#include "core/backend/bench/steps.h"

#include <set>

#include "core/backend/torch_session.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_steps : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void tokensAreOfTheVocabulary();
  void thePlainDecoderGeneratesWhatAComparisonDoes();
  void aLateStepIsTheSameEveryTime();
  void aPromptCanBeReadAgain();
  void weightsOfAStepByHand();
  void ofMoeOnlyTheActiveExperts();
};

void tst_steps::tokensAreOfTheVocabulary() {
  const auto tokens = randomTokens(200, 7);
  QCOMPARE(tokens.size(), std::size_t{200});
  std::set<std::int64_t> seen;
  for (const TokenId token : tokens) seen.insert(token.value);
  QCOMPARE(*seen.begin(), 0);
  QCOMPARE(*seen.rbegin(), 6);
  QVERIFY(randomTokens(200, 7) == tokens);
}

void tst_steps::thePlainDecoderGeneratesWhatAComparisonDoes() {
  const c10::InferenceMode inference;
  const test::TinySession tiny({.family = "gemma3_text"});
  const auto prompt = randomTokens(9, tiny.session->spec().vocabulary);
  PlainDecoder plain(transformerOf(*tiny.session), prompt, 12);
  const auto comparison =
      preparedComparison(tiny.session, prompt, 12, Application::Materialised);
  while (!comparison->done()) QCOMPARE(plain.step(), comparison->step()->token);
}

void tst_steps::aLateStepIsTheSameEveryTime() {
  const c10::InferenceMode inference;
  const test::TinySession tiny({.family = "gemma3_text"});
  StepAt late(transformerOf(*tiny.session), 100);
  const PassResults first = late.run(), second = late.run();
  QVERIFY(first.contextual.equal(second.contextual));
  QVERIFY(first.bare.defined());
  QVERIFY(!first.bare.equal(first.contextual));  // it does see a context
}

void tst_steps::aPromptCanBeReadAgain() {
  const c10::InferenceMode inference;
  const test::TinySession tiny({.family = "llama"});
  PromptReading prompt(transformerOf(*tiny.session), randomTokens(20, 64));
  const Tensor first = prompt.run();
  QCOMPARE(first.size(0), 20);
  QVERIFY(first.equal(prompt.run()));
}

void tst_steps::weightsOfAStepByHand() {
  const test::TinySession tiny({.family = "llama",
                                .vocabulary = 64,
                                .width = 32,
                                .mlpWidth = 48,
                                .layers = 3,
                                .heads = 4,
                                .kvHeads = 2,
                                .headDim = 8},
                               DType::BF16);
  const std::int64_t layer = 2 * 32 * 32 + 2 * 16 * 32 + 3 * 48 * 32;
  QCOMPARE(bytesOf(stepWeights(transformerOf(*tiny.session))), 2 * (3 * layer + 64 * 32));
}

void tst_steps::ofMoeOnlyTheActiveExperts() {
  const test::TinySession tiny({.family = "mixtral"});
  const ModelSpec& spec = tiny.session->spec();
  const std::int64_t all = tiny.session->parameterCount() * 4;
  const std::int64_t expert = 3 * spec.moe->expertWidth * spec.width * 4;
  const std::int64_t idle =
      spec.layerCount() * (spec.moe->experts - spec.moe->active) * expert;
  const std::int64_t norms = (2 * spec.layerCount() + 1) * spec.width * 4;
  const std::int64_t embedding = spec.tiedHead ? 0 : spec.vocabulary * spec.width * 4;
  QCOMPARE(bytesOf(stepWeights(transformerOf(*tiny.session))),
           all - idle - norms - embedding);
}

EQUIPATCH_TEST(tst_steps)
#include "tst_steps.moc"
