// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"
#include "tests/core/backend/steps_of.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::tokensOf;

namespace {

const std::vector<std::int64_t> kPrompt{5, 17, 3, 40, 22, 8, 31};

/// The original model's logits after a text, from one forward pass over this text.
Tensor logitsAfter(const Session& session, const std::vector<TokenId>& ids) {
  const Transformer& model = transformerOf(session);
  KvCache cache = model.makeCache(std::ssize(ids));
  BlockHooks none;
  SilentProgress silent;
  const Tensor out = model.prefill(ids, cache, none, model.arithmetic(), silent);
  return model.logits(out.narrow(0, out.size(0) - 1, 1), model.arithmetic()).select(0, 0);
}

/// The text up to the step's x, without the tokens that the run absorbs.
std::vector<TokenId> textOf(const RunRequest& request, const StepRecord& step,
                            const Steps& steps) {
  std::vector<TokenId> whole;
  for (const Token& token : request.prompt) whole.push_back(token.id);
  for (std::int64_t i = 0; i < step.step.value; ++i)
    whole.push_back(steps[std::size_t(i)]->continued);
  std::vector<TokenId> text;
  for (const std::int64_t at :
       request.absorbed.keptBefore(step.position.value, std::ssize(request.prompt)))
    text.push_back(whole[std::size_t(at)]);
  text.push_back(step.x);
  return text;
}

RunRequest requestOf(AbsorbedSet absorbed) {
  RunRequest request{.prompt = tokensOf(kPrompt)};
  request.steps = 5;
  request.absorbed = std::move(absorbed);
  request.ablated = request.ignoreEndOfSequence = true;
  request.topChoices = 64;  // the whole vocabulary
  return request;
}

const AbsorbedSet kPart{.keptPrompt = {{0, 1}, {4, 6}}, .keepsGenerated = true};

}  // namespace

class tst_ablated_pass : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void logitsEqualAForwardOfTheShortenedText_data() {
    QTest::addColumn<QString>("family");
    QTest::addColumn<int>("part");
    for (const char* family : {"llama", "gemma3_text", "gpt2", "mixtral", "gemma4_text",
                               "qwen3_5_text", "phi3"})
      for (int part = 0; part < 3; ++part)
        QTest::addRow("%s, part %d", family, part) << family << part;
  }

  void logitsEqualAForwardOfTheShortenedText() {
    const c10::InferenceMode inference;
    QFETCH(QString, family);
    QFETCH(int, part);
    const AbsorbedSet parts[] = {
        kPart,
        {.keptPrompt = {}, .keepsGenerated = true},        // --absorb prompt
        {.keptPrompt = {{0, 3}}, .keepsGenerated = false}  // --absorb 4-6,generated
    };
    const test::TinySession tiny({.family = family.toStdString()}, DType::F64);
    const RunRequest request = requestOf(parts[part]);
    const Steps steps = test::stepsOf(tiny.session, request);
    QCOMPARE(steps.size(), std::size_t{5});
    for (const auto& step : steps) {
      const Tensor logits =
          logitsAfter(*tiny.session, textOf(request, *step, steps)).contiguous();
      const Tensor whole =
          logitsAfter(*tiny.session,
                      [&] {
                        RunRequest all = request;
                        all.absorbed = {.keptPrompt = {{0, 6}}, .keepsGenerated = true};
                        return textOf(all, *step, steps);
                      }())
              .contiguous();
      QCOMPARE(std::ssize(step->ablated), logits.size(0));
      double linf = 0.0;
      for (const Choice& choice : step->ablated) {
        QVERIFY(std::abs(choice.logit - logits[choice.id.value].item<double>()) < 1e-10);
        linf = std::max(linf,
                        std::abs(choice.logit - whole[choice.id.value].item<double>()));
      }
      QVERIFY(std::abs(step->ablatedDistance->linf - linf) < 1e-10);
      QVERIFY(linf > 1e-4);
    }
  }

  /// The bare pass reads the kept tokens' keys and values from the cache of the whole
  /// text; the ablated pass computes them from the shortened text.
  void keptTokensAreComputedAnew() {
    const test::TinySession tiny({.family = "llama"}, DType::F64);
    for (const auto& step : test::stepsOf(tiny.session, requestOf(kPart)))
      QVERIFY(std::abs(step->ablatedDistance->linf - step->bareDistance->linf) > 1e-6);
  }

  void absorbingAllRunsNoAblatedPass() {
    const test::TinySession tiny({.family = "llama"});
    for (const auto& step : test::stepsOf(tiny.session, requestOf({})))
      QVERIFY(!step->ablatedDistance && step->ablated.empty());
  }

  void keepingEverythingGivesContextualLogits() {
    const test::TinySession tiny({.family = "gemma3_text"}, DType::F64);
    const AbsorbedSet none{.keptPrompt = {{0, 6}}, .keepsGenerated = true};
    for (const auto& step : test::stepsOf(tiny.session, requestOf(none)))
      QVERIFY(step->ablatedDistance->linf < 1e-12);
  }
};

EQUIPATCH_TEST(tst_ablated_pass)
#include "tst_ablated_pass.moc"
