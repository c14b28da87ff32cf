// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_difference.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

Steps stepsOf(const std::vector<int>& tokens, const std::vector<bool>& matches = {}) {
  Steps steps;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    auto step = std::make_shared<StepRecord>();
    step->token = step->continued = TokenId(tokens[i]);
    step->tokenText = "t" + std::to_string(tokens[i]);
    step->match = matches.empty() || matches[i];
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace

class tst_run_difference : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void findsWhereRunsDiverge() {
    const Steps a = stepsOf({1, 2, 3, 4}), b = stepsOf({1, 2, 7, 4, 5});
    const RunDifference difference = differenceOf(a, b);
    QCOMPARE(difference.commonSteps, std::size_t{4});
    QCOMPARE(difference.firstDivergentStep.value(), std::size_t{2});
    QCOMPARE(inWords(difference, a, b),
             "The runs diverge at step 2, “t3” against “t7”; later steps have "
             "different contexts.");
  }

  void equalRunsDoNotDiverge() {
    const Steps a = stepsOf({1, 2}), b = stepsOf({1, 2, 3});
    QVERIFY(!differenceOf(a, b).firstDivergentStep);
    QCOMPARE(inWords(differenceOf(a, b), a, b),
             "Both runs choose the same tokens in all 2 steps that they share.");
  }

  void countsMatchesThatDiffer() {
    const Steps a = stepsOf({1, 2, 3}, {true, false, false}),
                b = stepsOf({1, 2, 3}, {true, true, false});
    QCOMPARE(differenceOf(a, b).matchDifferences, std::size_t{1});
    QCOMPARE(inWords(differenceOf(a, b), a, b),
             "Both runs choose the same tokens in all 3 steps that they share. In 1 step "
             "the patched pass agrees in one run only.");
  }

  /// In a run that samples, the appended token may differ from the most likely one.
  void theAppendedTokensDecideDivergence() {
    const Steps a = stepsOf({1});
    auto sampled = std::make_shared<StepRecord>(*a[0]);
    sampled->continued = TokenId(9);
    QCOMPARE(differenceOf(a, {sampled}).firstDivergentStep.value(), std::size_t{0});
  }

  /// In a free run the appended tokens are the patched pass's.
  void divergingTokensAreThoseThatWereAppended() {
    const Steps a = stepsOf({1});
    auto patched = std::make_shared<StepRecord>(*a[0]);
    patched->continued = patched->patchedToken = TokenId(9);
    patched->patchedText = "t9";
    const Steps b{patched};
    QVERIFY(inWords(differenceOf(a, b), a, b).find("“t1” against “t9”") !=
            std::string::npos);
  }

  void runsWithoutCommonStepsAreReported() {
    QCOMPARE(inWords(differenceOf({}, stepsOf({1})), {}, stepsOf({1})),
             "The runs have no step in common.");
  }

  void modelsWeightsAndPromptsAreNamed() {
    RunHeader a;
    a.modelName = "one";
    a.provenance.configSha256 = "11";
    a.request.prompt = {Token{TokenId(1), "x", {}}};
    RunHeader b = a;
    b.dtype = DType::BF16;  // a setting, which the run's name tells
    b.request.steps = 7;
    b.provenance.threads = 9;
    QCOMPARE(differentOrigins(a, b), "");
    b.request.prompt.push_back(Token{TokenId(2), "y", {}});
    QCOMPARE(differentOrigins(a, b), "The prompts differ.");
    b.provenance.configSha256 = "22";
    QCOMPARE(differentOrigins(a, b), "The weights and prompts differ.");
    b.modelName = "two";
    QCOMPARE(differentOrigins(a, b), "The models and prompts differ.");
    RunHeader c = a;
    c.request.images.emplace_back();
    QCOMPARE(differentOrigins(a, c), "The prompts differ.");
  }
};

EQUIPATCH_TEST(tst_run_difference)
#include "tst_run_difference.moc"
