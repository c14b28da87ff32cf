// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/context_effect.h"

#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::makeRecord;

namespace {

template <typename Change>
std::shared_ptr<const StepRecord> stepWith(int step, Change change) {
  auto record = std::make_shared<StepRecord>(*makeRecord(step));
  change(*record);
  return record;
}

}  // namespace

class tst_context_effect : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theMostContextualStepHasTheLargestFiniteBareKl() {
    QVERIFY(!mostContextualStep({}));
    Steps steps;
    for (const double kl : {0.5, 7.0, 0.001})
      steps.push_back(stepWith(0, [kl](StepRecord& step) {
        step.bareDistance = LogitDistance{.linf = 20.0 - kl, .kl = kl};
      }));
    QCOMPARE(mostContextualStep(steps), std::optional<std::size_t>(1));
    steps[1] = stepWith(1, [](StepRecord& step) { step.bareDistance.reset(); });
    QCOMPARE(mostContextualStep(steps), std::optional<std::size_t>(0));
    steps[2] = stepWith(2, [](StepRecord& step) {
      step.bareDistance = LogitDistance{.linf = INFINITY, .kl = INFINITY};
    });
    QCOMPARE(mostContextualStep(steps), std::optional<std::size_t>(0));
    for (auto& step : steps)
      step = stepWith(0, [](StepRecord& bare) { bare.bareDistance.reset(); });
    QVERIFY(!mostContextualStep(steps));
  }

  void passesAgreeIfMostLikelyTokensAreEqualAndLogitsFinite() {
    StepRecord same = *makeRecord(0);
    same.bareDistance = LogitDistance{.linf = 13.0, .kl = 7.0};
    same.bare = same.contextual;
    QVERIFY(bareAgrees(same));
    same.ablated = same.contextual;
    QVERIFY(ablatedAgrees(same));
    same.bareDistance->linf = INFINITY;
    same.ablatedDistance = same.bareDistance;
    QVERIFY(!bareAgrees(same) && !ablatedAgrees(same));
    same.bareDistance->linf = 1.0;
    same.bare.clear();
    QVERIFY(!bareAgrees(same));
  }

  void stepSentenceNamesTheTokensOfThePasses() {
    const auto step = stepWith(3, [](StepRecord& record) {
      record.tokenText = " cat";
      record.patched = {{TokenId(5), " cat", 1.0, 0.9}};
      record.bare = {{TokenId(6), "\n", 1.0, 0.9}};
    });
    QCOMPARE(stepSentence(*step, {}),
             std::string("With the context “cat”; without it, patched, “cat”; without "
                         "either “↵”."));
    const auto sampled = stepWith(3, [](StepRecord& record) {
      record.tokenText = "a";
      record.patchedText = "b";
      record.contextual = record.patched = {{TokenId(5), " cat", 1.0, 0.9}};
      record.bare = {{TokenId(6), "\n", 1.0, 0.9}};
      record.sampledMatch = false;
    });
    QCOMPARE(
        stepSentence(*sampled, {}),
        std::string("Most likely with the context “cat”; without it, patched, “cat”; "
                    "without either “↵”. Sampled “a”, patched “b”."));
    StepRecord both = *sampled;
    both.sampledMatch = true;
    QVERIFY(stepSentence(both, {}).ends_with("Both sampled “a”."));
    const auto unwritten = stepWith(3, [](StepRecord& record) {
      record.tokenText = "a";
      record.patched = {{TokenId(5), "", 1.0, 0.9}};
      record.bare = {{TokenId(6), "", 1.0, 0.9}};
    });
    QCOMPARE(stepSentence(*unwritten, {}),
             std::string("With the context “a”; without it, patched, token 5; without "
                         "either token 6."));
  }

  void tokensOfOneCharacterAreShownTogether() {
    const auto pass = [](const std::vector<std::string>& tokens) {
      PassText made;
      for (const std::string& token : tokens) {
        made.begins.push_back(made.text.size());
        made.text += token;
      }
      return made;
    };
    const PassText whole = pass({"a", "\xE2\x82", "\xAC", "b"});
    QCOMPARE(endOfCharacter(whole, 0), std::size_t(1));
    QCOMPARE(endOfCharacter(whole, 1), std::size_t(3));
    // A character that stays incomplete does not extend over later tokens.
    const PassText broken = pass({"\xE2\x82", " a", " b", "\xE2"});
    QCOMPARE(endOfCharacter(broken, 0), std::size_t(1));
    QCOMPARE(endOfCharacter(broken, 3), std::size_t(4));
    QCOMPARE(endOfCharacter(pass({"\xFF", "a"}), 0), std::size_t(1));
  }

  /// Reading the long first token again for each later token would exceed the test's time
  /// limit.
  void theEndOfACharacterIsFoundInLinearTime() {
    constexpr std::size_t kTokens = 100'000;
    PassText pass{.begins = {0}, .text = std::string(20'000'000, 'a') + "\xE2"};
    for (std::size_t token = 1; token < kTokens; ++token) {
      pass.begins.push_back(pass.text.size());
      pass.text += "\x82\xAC\xE2";
    }
    pass.begins.push_back(pass.text.size());
    pass.text += "\x82\xAC";
    QCOMPARE(endOfCharacter(pass, 0), kTokens + 1);
  }

  void theAblatedPassDecidesWhichStepMattersMost() {
    Steps steps;
    for (int at = 0; at < 3; ++at)
      steps.push_back(stepWith(at, [&](StepRecord& step) {
        step.bareDistance = LogitDistance{.kl = 9.0 - at};
        step.ablatedDistance = LogitDistance{.kl = 1.0 + at};
      }));
    QCOMPARE(mostContextualStep(steps), std::optional<std::size_t>(2));
  }

  void sentencesNameWhatIsAbsorbed() {
    const AbsorbedSet part{.keptPrompt = {{0, 2}}};
    const auto step = stepWith(0, [](StepRecord& record) { record.match = true; });
    QVERIFY(stepSentence(*step, part).starts_with("With the absorbed part "));
    QVERIFY(runSentence({step}, part).starts_with("Without the absorbed part, patched,"));
    RunSummary summary = summarise({step});
    summary.bareLinfMedian = 2.0;
    QVERIFY(agreementSentence(summary, part)
                .find("; without the absorbed part logits are off by 2,") !=
            std::string::npos);
    QCOMPARE(absorbedPart({}), std::string("the context"));
  }

  void anAgreeingBarePassHasARemarkOnKeptTokens() {
    StepRecord agrees = *makeRecord(0);
    agrees.bare = agrees.contextual;
    const std::string_view remark = "may hold some of it.";
    const auto says = [&](const AbsorbedSet& absorbed) {
      return stepSentence(agrees, absorbed).ends_with(remark);
    };
    QVERIFY(!says({}));
    QVERIFY(!says({.keptPrompt = {{0, 0}}}));
    QVERIFY(says({.keptPrompt = {{4, 6}}}));
    QVERIFY(says({.keptPrompt = {{0, 0}, {4, 6}}}));
    // If there is an ablated pass, its token replaces the remark.
    StepRecord ablated = agrees;
    ablated.ablated = {{.id = TokenId(7), .text = " fog"}};
    QVERIFY(stepSentence(ablated, {.keptPrompt = {{4, 6}}})
                .ends_with(". In a text without it, “fog”."));
    agrees.bare.front().id = TokenId(agrees.contextual.front().id.value + 1);
    QVERIFY(!says({.keptPrompt = {{4, 6}}}));
  }

  void remarkNeedsKeptTokensAfterAbsorbedOnes() {
    const auto says = [](int at, const AbsorbedSet& absorbed) {
      const auto step =
          stepWith(at, [](StepRecord& record) { record.bare = record.contextual; });
      return stepSentence(*step, absorbed).ends_with("may hold some of it.");
    };
    const std::int64_t length = makeRecord(0)->position.value + 1;
    const AbsorbedSet absorbsNone{.keptPrompt = {{0, length - 1}},
                                  .keepsGenerated = true};
    const AbsorbedSet absorbsPrompt{.keepsGenerated = true};
    const AbsorbedSet absorbsLast{.keptPrompt = {{0, length - 2}},
                                  .keepsGenerated = true};
    for (const int at : {0, 1, 2, 3}) {
      QVERIFY(!says(at, absorbsNone));
      // The newest token does not count as kept. Step 2 is therefore the first step with
      // a kept generated token.
      QCOMPARE(says(at, absorbsPrompt), at >= 2);
      QCOMPARE(says(at, absorbsLast), at >= 2);
    }
    const AbsorbedSet keepsLast{.keptPrompt = {{length - 1, length - 1}}};
    QVERIFY(!says(0, keepsLast));
    QVERIFY(says(1, keepsLast));
  }

  void theMostContextualStepHasARemark() {
    Steps steps{stepWith(0, [](StepRecord& step) { step.bareDistance->kl = 1.0; }),
                stepWith(1, [](StepRecord& step) { step.bareDistance->kl = 2.0; })};
    QCOMPARE(stepSentence(steps, 0, {}), stepSentence(*steps[0], {}));
    QCOMPARE(stepSentence(steps, 1, {}),
             stepSentence(*steps[1], {}) +
                 " Of all steps, the context matters most here, by its KL "
                 "divergence.");
    steps.pop_back();
    QCOMPARE(stepSentence(steps, 0, {}),
             stepSentence(*steps[0], {}));  // no remark on the only step
    const auto equal = [](StepRecord& step) { step.bareDistance->kl = 0.0; };
    steps = {stepWith(0, equal), stepWith(1, equal)};  // as if nothing was absorbed
    QCOMPARE(stepSentence(steps, 0, {}), stepSentence(*steps[0], {}));
  }

  void runSentenceCountsEqualTokens() {
    Steps steps;
    for (int i = 0; i < 4; ++i)
      steps.push_back(stepWith(i, [i](StepRecord& step) {
        step.match = i != 2;
        step.contextual.front().id = TokenId(1);
        step.bare.front().id = TokenId(i == 0 ? 1 : 2);
      }));
    QCOMPARE(runSentence(steps, {}),
             std::string(
                 "Without the context, patched, the model has the same most likely token "
                 "in 3 of 4 steps; without either in 1."));
  }

  void agreementSentenceGivesTheMediansOfLinf() {
    RunSummary summary{.steps = 35, .matches = 34, .sampledMatches = {}};
    summary.linfMedian = 0.0123456;
    summary.bareLinfMedian = 17.4321;
    QCOMPARE(agreementSentence(summary, {}),
             std::string("34 of 35 tokens agree; without the context logits are off by "
                         "17.4, patched by 0.0123 (medians of L∞)."));
    summary.steps = 1;
    QVERIFY(agreementSentence(summary, {}).ends_with(" by 0.0123 (L∞)."));
    summary.steps = 35;
    summary.bareLinfMedian = 0.0;  // no bare pass
    summary.linfMedian = 1.25e-6;
    QCOMPARE(agreementSentence(summary, {}),
             std::string("34 of 35 tokens agree; patched logits are off by "
                         "1.25e-06 (medians of L∞)."));
  }

  void guessesRepetitionsAndEarlyEndsAreDoubtful() {
    const auto run = [](const std::vector<double>& probabilities, std::int64_t tokens) {
      Steps steps;
      for (std::size_t i = 0; i < probabilities.size(); ++i)
        steps.push_back(stepWith(int(i), [&](StepRecord& step) {
          step.contextual.front().probability = probabilities[i];
          step.continued = TokenId(std::int64_t(i) % tokens);
        }));
      return steps;
    };
    const auto doubt = [&](const std::vector<double>& probabilities, std::int64_t tokens,
                           std::int64_t asked = 64) {
      return doubtOf(run(probabilities, tokens), {.steps = asked}, RunEnding::Complete);
    };
    QVERIFY(doubt({}, 9) == Doubt::None);
    QVERIFY(doubt({0.9, 0.6, 0.4, 0.8}, 9) == Doubt::None);
    QVERIFY(doubt({0.6, 0.3, 0.4, 0.4, 1.0, 1.0, 1.0}, 9) == Doubt::Guesses);
    QVERIFY(doubt({0.4, 1.0, 1.0, 1.0}, 9) == Doubt::Guesses);  // an unsure first token
    QVERIFY(doubt({0.6, 0.4, 1.0}, 9) == Doubt::None);
    QVERIFY(doubt({0.9, 0.9, 0.9, 0.9, 0.1, 0.1, 0.1}, 9) == Doubt::None);
    QVERIFY(doubt({1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, 1) == Doubt::Repeats);
    QVERIFY(doubt({1.0, 1.0, 1.0}, 1) == Doubt::None);
    // A run that ignores the end-of-sequence token may well repeat it.
    QVERIFY(doubtOf(run({1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, 1),
                    {.steps = 64, .ignoreEndOfSequence = true},
                    RunEnding::Complete) == Doubt::None);
    QVERIFY(doubt({1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, 2) == Doubt::None);
    QVERIFY(doubt({1.0}, 9) == Doubt::Ends);
    QVERIFY(doubt({1.0}, 9, 1) == Doubt::None);  // only one token was asked for
    QVERIFY(doubtOf(run({1.0}, 9), {.steps = 64}, RunEnding::Stopped) == Doubt::None);
  }

  void textsAreJoinedFromTheirBytes() {
    Steps steps;
    for (const char* bytes : {"a", "\xC3", "\xA9"})
      steps.push_back(stepWith(0, [bytes](StepRecord& step) {
        step.continuedBytes = bytes;
        step.continued = step.patchedToken = TokenId(4);
      }));
    steps.push_back(stepWith(0, [](StepRecord& step) {
      step.continuedBytes = " cat";
      step.continued = TokenId(1);
      step.patchedToken = TokenId(2);
      step.patchedText = " dog";
    }));
    const PassText pass = continuedText(steps);
    QCOMPARE(pass.text, std::string("aé cat"));
    QCOMPARE(pass.begins, (std::vector<std::size_t>{0, 1, 2, 3}));
    QCOMPARE(patchedText(steps).text, std::string("aé dog"));
    StepRecord free = *steps.front();  // a run that continues with the patched token
    free.token = TokenId(3);
    free.tokenText = "cat";
    free.patchedToken = free.continued = TokenId(4);
    free.patchedText = free.continuedBytes = "dog";
    const Steps freeRun{std::make_shared<const StepRecord>(free)};
    QCOMPARE(continuedText(freeRun).text, std::string("dog"));
    QCOMPARE(contextualText(freeRun).text, std::string("cat"));
    free.patchedText.clear();  // as for an id without a piece
    free.continuedBytes.clear();
    QCOMPARE(continuedText({std::make_shared<const StepRecord>(free)}).text,
             std::string());
  }

  void readableTextOmitsTheEndToken() {
    const Steps steps{
        stepWith(0, [](StepRecord& step) { step.continuedBytes = "42"; }),
        stepWith(1, [](StepRecord& step) { step.continuedBytes = "<eos>"; })};
    RunRequest request;
    request.steps = 3;
    QCOMPARE(readableText(steps, request, RunEnding::Complete), std::string("42"));
    QCOMPARE(readableText(steps, request, RunEnding::Stopped), std::string("42<eos>"));
    request.steps = 2;  // all requested steps were taken
    QCOMPARE(readableText(steps, request, RunEnding::Complete), std::string("42<eos>"));
    QCOMPARE(readableText({}, request, RunEnding::Complete), std::string());
  }

  void bareRequestHasTheKeptAndTheLastPromptTokens() {
    RunRequest run;
    for (int i = 0; i < 5; ++i)
      run.prompt.push_back(
          {.id = TokenId(i), .span = {std::size_t(i), std::size_t(i + 1)}});
    run.promptText = "abcde";
    run.absorbed.keptPrompt = {{1, 2}};
    run.roundLogits = true;
    const RunRequest bare = bareRequest(run, 32);
    QCOMPARE(bare.prompt.size(), std::size_t(3));
    QCOMPARE(bare.prompt[0].id, TokenId(1));
    QCOMPARE(bare.prompt[2].id, TokenId(4));
    QCOMPARE(bare.steps, std::int64_t(32));
    QVERIFY(!bare.bare && bare.absorbed.whole() && bare.promptText.empty());
    QVERIFY(bare.roundLogits);
    QCOMPARE(bareRequest(run, 1000).steps, run.steps);
  }

  void bareRequestHasOnlyWhollyKeptImages() {
    RunRequest run;
    for (int i = 0; i < 10; ++i) run.prompt.push_back({.id = TokenId(i)});
    const auto picture = [](const char* name) {
      return std::make_shared<const PictureFile>(PictureFile{.name = name});
    };
    run.images = {{picture("a"), {1, 3}}, {picture("b"), {5, 7}}};
    run.absorbed.keptPrompt = {{2, 7}};
    const RunRequest bare = bareRequest(run, 32);
    std::vector<std::int64_t> ids;
    for (const Token& token : bare.prompt) ids.push_back(token.id.value);
    QCOMPARE(ids, (std::vector<std::int64_t>{4, 5, 6, 7, 9}));
    QCOMPARE(bare.images.size(), std::size_t(1));
    QCOMPARE(bare.images[0].picture->name, std::string("b"));
    QCOMPARE(bare.images[0].tokens, (PositionRange{1, 3}));
  }

  void aFreeRunContinuesWithThePatchedToken() {
    StepRecord step;
    step.token = step.continued = TokenId(1);
    step.tokenText = "cat";
    step.patchedToken = TokenId(2);
    step.patchedText = "dog";
    QCOMPARE(continuedText(step), std::string("cat"));
    step.continued = step.patchedToken;
    QCOMPARE(continuedText(step), std::string("dog"));
    QCOMPARE(continuedBytes(step), std::string("dog"));
    step.continuedBytes = "d";
    QCOMPARE(continuedBytes(step), std::string("d"));
  }
};

EQUIPATCH_TEST(tst_context_effect)
#include "tst_context_effect.moc"
