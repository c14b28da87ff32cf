// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_difference.h"

#include "core/record/context_effect.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

Steps stepsOf(const std::vector<int>& tokens, const std::vector<bool>& matches = {}) {
  Steps steps;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    auto step = std::make_shared<StepRecord>();
    step->token = step->continued = TokenId(tokens[i]);
    step->tokenText = step->continuedBytes = "t" + std::to_string(tokens[i]);
    step->match = matches.empty() || matches[i];
    step->patchedDistance.linf = tokens[i];
    step->bareDistance = LogitDistance{.linf = 10.0 * tokens[i]};
    steps.push_back(std::move(step));
  }
  return steps;
}

RunHeader parentRun() {
  RunHeader parent;
  parent.modelName = "one";
  parent.request.promptText = "x";
  parent.request.prompt = {Token{TokenId(100), "x", {0, 1}}};
  return parent;
}

/// Both runs have the default header, so neither is a branch.
RunPair pairOf(const Steps& a, const Steps& b) {
  static const RunHeader header;
  return equipatch::pairOf({&header, &a}, {&header, &b});
}

RunDifference differenceOf(const Steps& a, const Steps& b) {
  return equipatch::differenceOf(pairOf(a, b));
}

std::string wordsOf(const Steps& a, const Steps& b) {
  return inWords(differenceOf(a, b), pairOf(a, b));
}

std::string differentOrigins(const RunHeader& a, const RunHeader& b) {
  const Steps none;
  return equipatch::differentOrigins(equipatch::pairOf({&a, &none}, {&b, &none}));
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
    QCOMPARE(wordsOf(a, b),
             "The runs diverge at step 2, “t3” against “t7”; later steps have "
             "different contexts.");
  }

  /// Models may have different vocabularies, whose ids cannot be compared.
  void appendedTokensAreComparedByTheirText() {
    const Steps a = stepsOf({1, 2, 3});
    Steps b;
    for (const auto& step : a) {
      StepRecord other = *step;
      other.token = other.continued = other.patchedToken =
          TokenId(step->token.value + 50);
      if (step->token.value == 3) other.tokenText = other.continuedBytes = "t4";
      b.push_back(std::make_shared<const StepRecord>(other));
    }
    QCOMPARE(differenceOf(a, b).firstDivergentStep.value(), std::size_t{2});
    // Without bytes, two different parts of a character have the same text, U+FFFD.
    StepRecord one = *a[0], two = *a[0];
    two.continued = TokenId(9);
    one.continuedBytes = two.continuedBytes = "";
    one.tokenText = two.tokenText = "\uFFFD";
    QVERIFY(!continueAlike(one, two));
    QVERIFY(continueAlike(one, one));
  }

  void patchedTokensAreComparedByTheirText() {
    StepRecord one = *stepsOf({1}, {false})[0];
    one.patchedToken = TokenId(7);
    one.patchedText = "p";
    StepRecord two = one;
    two.patchedToken = TokenId(57);
    QVERIFY(!differs(one, two));
    two.patchedText = "q";
    QVERIFY(differs(one, two));
    one.patchedText = two.patchedText = "\uFFFD";  // two parts of a character
    QVERIFY(differs(one, two));
  }

  void runsWithEqualCommonStepsDoNotDiverge() {
    const Steps a = stepsOf({1, 2}), b = stepsOf({1, 2, 3});
    QVERIFY(!differenceOf(a, b).firstDivergentStep);
    QCOMPARE(wordsOf(a, b),
             "Both runs choose the same tokens in all 2 steps that they share.");
    QCOMPARE(wordsOf(stepsOf({1}), b),
             "Both runs choose the same token in the step that they share.");
  }

  void stepsWithDifferentMatchesAreCounted() {
    const Steps a = stepsOf({1, 2, 3}, {true, false, false}),
                b = stepsOf({1, 2, 3}, {true, true, false});
    QCOMPARE(differenceOf(a, b).matchDifferences, std::size_t{1});
    QCOMPARE(wordsOf(a, b),
             "Both runs choose the same tokens in all 3 steps that they share. In 1 step "
             "the patched pass agrees in one run only.");
  }

  void runsDivergeWhereAppendedTokensDiffer() {
    const Steps a = stepsOf({1});
    auto sampled = std::make_shared<StepRecord>(*a[0]);
    sampled->continued = TokenId(9);
    sampled->continuedBytes = "t9";
    QCOMPARE(differenceOf(a, {sampled}).firstDivergentStep.value(), std::size_t{0});
  }

  /// In a free run the appended tokens are the patched pass's.
  void sentenceNamesTheAppendedTokensOfBothRuns() {
    const Steps a = stepsOf({1});
    auto patched = std::make_shared<StepRecord>(*a[0]);
    patched->continued = patched->patchedToken = TokenId(9);
    patched->patchedText = patched->continuedBytes = "t9";
    const Steps b{patched};
    QVERIFY(wordsOf(a, b).find("“t1” against “t9”") != std::string::npos);
  }

  void runsWithoutCommonStepsAreReported() {
    QCOMPARE(wordsOf({}, stepsOf({1})), "The runs have no step in common.");
  }

  void aBranchIsAlignedWithItsParent() {
    const RunHeader parent = parentRun();
    const Steps steps = stepsOf({1, 2, 3, 4, 5}, {true, true, true, false, true});
    RunHeader branch = parent;
    branch.request = branchedRequest(parent.request, {steps[0], steps[1]},
                                     {TokenId(9), " snow", 0.0, 0.1}, "parent.eqrun");
    const Steps later = stepsOf({7, 8, 9});
    const RunPair pair =
        equipatch::pairOf({&branch, &later}, {&parent, &steps, "parent.eqrun"});
    QCOMPARE(pair.a.begins, std::int64_t{3});
    QCOMPARE(pair.b.begins, std::int64_t{0});
    QCOMPARE(pair.end(), std::int64_t{6});
    QVERIFY(!pair.a.stepAt(2) && pair.a.stepAt(3) == later[0].get());
    QVERIFY(pair.b.stepAt(3) == steps[3].get() && !pair.b.stepAt(5));
    QVERIFY(!pair.differsAt(2) && pair.differsAt(3) && !pair.differsAt(5));
    QCOMPARE(pair.a.inheritedAt(2), std::string(" snow"));
    QCOMPARE(pair.a.inheritedAt(0), std::string("t1"));
    QCOMPARE(pair.a.inheritedAt(3) + pair.b.inheritedAt(0), std::string());
    const RunDifference difference = equipatch::differenceOf(pair);
    QCOMPARE(difference.commonSteps, std::size_t{2});
    QCOMPARE(difference.firstStep, std::int64_t{3});
    QCOMPARE(difference.firstDivergentStep.value(), std::size_t{2});
    QCOMPARE(difference.matchDifferences, std::size_t{1});
    QCOMPARE(inWords(difference, pair),
             std::string(
                 "A is a branch of B: it continues step 2 with “snow” in place of “t3”; "
                 "steps are numbered as in B, and later ones have different "
                 "contexts. In 1 step the patched pass agrees in one run only."));
    QCOMPARE(medianSentence(difference),
             std::string("Median L∞ over the 2 common steps: patched pass A 7.5, B 4.5; "
                         "bare pass A 75, B 45."));
    RunDifference one = difference;
    one.commonSteps = 1;
    one.medianBareA.reset();
    QCOMPARE(medianSentence(one), std::string("L∞ of the common step: patched pass A "
                                              "7.5, B 4.5; bare pass A –, B 45."));
    one.medianBareB.reset();
    QVERIFY(medianSentence(one).ends_with("patched pass A 7.5, B 4.5."));
    QCOMPARE(equipatch::differentOrigins(pair), "");
    const Steps none;
    const RunPair begun =
        equipatch::pairOf({&parent, &steps, "parent.eqrun"}, {&branch, &none});
    QVERIFY(inWords(equipatch::differenceOf(begun), begun)
                .ends_with("The runs have no step in common."));
  }

  void aBranchMayContinueWithTheSameToken() {
    const RunHeader parent = parentRun();
    const Steps steps = stepsOf({1, 2, 3, 4, 5});
    RunHeader branch = parent;
    branch.request = branchedRequest(parent.request, {steps[0], steps[1]},
                                     {TokenId(3), "t3", 0.0, 0.1}, "parent.eqrun");
    const std::string relation =
        "B is a branch of A that continues with the same token: it begins at step 3, "
        "numbered as in A. ";
    const Steps equal = stepsOf({4, 5}), other = stepsOf({4, 6});
    const PlacedRun left{&parent, &steps, "parent.eqrun"};
    const RunPair same = equipatch::pairOf(left, {&branch, &equal});
    QVERIFY(same.areRelated);
    const RunDifference none = equipatch::differenceOf(same);
    QVERIFY(!none.firstDivergentStep);
    QCOMPARE(inWords(none, same), relation +
                                      "Both runs choose the same tokens in all 2 "
                                      "steps that they share.");
    const RunPair apart = equipatch::pairOf(left, {&branch, &other});
    const RunDifference later = equipatch::differenceOf(apart);
    QCOMPARE(later.firstDivergentStep.value(), std::size_t{4});
    QCOMPARE(inWords(later, apart),
             relation +
                 "The runs diverge at step 4, “t5” against “t6”; later steps have "
                 "different contexts.");
  }

  /// If a prompt consisted of token ids, earlier versions stored no pieces for the tokens
  /// that a branch added to it.
  void tokensWithoutTextAreNamedByTheirIds() {
    RunHeader parent = parentRun();
    parent.request.promptText.clear();
    parent.request.prompt[0].span = {};
    const Steps steps = stepsOf({1, 2, 3}), none;
    RunHeader branch = parent;
    branch.request = branchedRequest(parent.request, {steps[0]},
                                     {TokenId(9), " snow", 0.0, 0.1}, "parent.eqrun");
    const auto words = [&] {
      const RunPair pair =
          equipatch::pairOf({&parent, &steps, "parent.eqrun"}, {&branch, &none});
      return inWords(equipatch::differenceOf(pair), pair);
    };
    const std::string relation = "B is a branch of A: it continues step 1 with ";
    QVERIFY(words().starts_with(relation + "“snow” in place of “t2”; "));
    branch.request.prompt.back().piece.clear();
    QVERIFY(words().starts_with(relation + "“#9” in place of “t2”; "));
    branch.request.branch.file.clear();
    QVERIFY(words().find("“t2” in A and with “#9” in B") != std::string::npos);
  }

  /// The pair lacks the parent; steps still count from the end of its prompt.
  void branchesOfOneRunAreAligned() {
    const RunHeader parent = parentRun();
    const Steps steps = stepsOf({1, 2, 3, 4, 5});
    RunHeader snow = parent, sun = parent;
    snow.request = branchedRequest(parent.request, {steps[0], steps[1]},
                                   {TokenId(9), " snow", 0.0, 0.1}, "parent.eqrun");
    sun.request = branchedRequest(parent.request, {steps[0], steps[1], steps[2]},
                                  {TokenId(8), " sun", 0.0, 0.1}, "parent.eqrun");
    const Steps later = stepsOf({7, 8, 9});
    const RunPair pair = equipatch::pairOf({&snow, &later}, {&sun, &later});
    QVERIFY(pair.areRelated);
    QCOMPARE(pair.begin(), std::int64_t{3});
    QCOMPARE(pair.b.begins, std::int64_t{4});
    const RunDifference difference = equipatch::differenceOf(pair);
    QCOMPARE(difference.commonSteps, std::size_t{2});
    QCOMPARE(difference.firstDivergentStep.value(), std::size_t{2});
    QCOMPARE(inWords(difference, pair),
             std::string("A and B are branches of one run: step 2 continues with “snow” "
                         "in A and with “t3” in B; steps are counted from the end of "
                         "the prompt that both continue, and later ones have different "
                         "contexts."));
    QCOMPARE(equipatch::differentOrigins(pair), "");
    QVERIFY(!equipatch::pairOf({&snow, &later}, {&snow, &later}).areRelated);
    RunHeader typed = sun;
    typed.request.branch = {};  // a user typed this prompt
    const RunPair typedPair = equipatch::pairOf({&typed, &later}, {&parent, &steps});
    QVERIFY(!typedPair.areRelated);
    QCOMPARE(equipatch::differentOrigins(typedPair), "The prompts differ.");
    QVERIFY(inWords(equipatch::differenceOf(typedPair), typedPair)
                .ends_with("; the contexts of all steps differ."));
  }

  void stepsOfANestedBranchCountFromTheFirstRun() {
    const RunHeader parent = parentRun();
    const Steps steps = stepsOf({1, 2, 3, 4, 5}), later = stepsOf({7, 8, 9}), none;
    RunHeader snow = parent, ice = parent;
    snow.request = branchedRequest(parent.request, {steps[0], steps[1]},
                                   {TokenId(9), " snow", 0.0, 0.1});
    ice.request = branchedRequest(snow.request, {later[0]},
                                  {TokenId(6), " ice", 0.0, 0.1}, "snow.eqrun");
    const RunPair pair = equipatch::pairOf({&snow, &later, "snow.eqrun"}, {&ice, &none});
    QCOMPARE(pair.b.begins, std::int64_t{5});
    QCOMPARE(inWords(equipatch::differenceOf(pair), pair),
             "B is a branch of A: it continues step 4 with “ice” in place of “t8”; steps "
             "are numbered as in the run from which both come, and later ones have "
             "different contexts. The runs have no step in common.");
  }

  void onlyTheRunThatABranchNamesIsItsParent() {
    const RunHeader parent = parentRun();
    const Steps left = stepsOf({1, 2, 3}), other = stepsOf({1, 5, 3}), none;
    RunHeader snow = parent;
    snow.request = branchedRequest(parent.request, {left[0], left[1]},
                                   {TokenId(9), " snow", 0.0, 0.1}, "left.eqrun");
    const RunPair pair =
        equipatch::pairOf({&parent, &other, "other.eqrun"}, {&snow, &none});
    QVERIFY(pair.areRelated);
    QCOMPARE(
        inWords(equipatch::differenceOf(pair), pair),
        std::string(
            "A and B continue the same prompt with equal tokens before step 1: step "
            "1 continues with “t5” in A and with “t2” in B; steps are counted from "
            "the end of the prompt that both continue, and later ones have different "
            "contexts. The runs have no step in common."));
    const auto wordsBeside = [&](const Steps& steps, const std::string& file) {
      const RunPair beside = equipatch::pairOf({&snow, &none}, {&parent, &steps, file});
      return inWords(equipatch::differenceOf(beside), beside);
    };
    QVERIFY(wordsBeside(left, "left.eqrun").starts_with("A is a branch of B: "));
    for (const char* file : {"equal.eqrun", ""})
      QVERIFY(wordsBeside(left, file)
                  .starts_with("A and B continue the same prompt with equal tokens "
                               "before step 2: step 2 continues with “snow” in A and "
                               "with “t3” in B; "));
    const Steps ended{left[0], left[1]};
    QVERIFY(wordsBeside(ended, "equal.eqrun")
                .starts_with("A and B continue the same prompt with equal tokens before "
                             "step 2: step 2 continues with “snow” in A, and B ends "
                             "before it; "));
  }

  void equalTokensDoNotMakeAParent() {
    const RunHeader parent = parentRun();
    const Steps steps = stepsOf({1, 2, 3, 4, 5}), later = stepsOf({4, 5});
    RunHeader branch = parent;
    branch.request = branchedRequest(parent.request, {steps[0], steps[1]},
                                     {TokenId(3), "t3", 0.0, 0.1}, "left.eqrun");
    const RunPair pair =
        equipatch::pairOf({&parent, &steps, "other.eqrun"}, {&branch, &later});
    QCOMPARE(inWords(equipatch::differenceOf(pair), pair),
             std::string("A and B continue the same prompt with equal tokens before step "
                         "3, where B begins; steps are counted from the end of the "
                         "prompt that both continue. Both runs choose the same tokens in "
                         "all 2 steps that they share."));
    // These branches have different parents.
    RunHeader snow = parent, sun = parent;
    snow.request =
        branchedRequest(parent.request, {}, {TokenId(9), " snow", 0.0, 0.1}, "a.eqrun");
    sun.request = branchedRequest(parent.request, {steps[0]},
                                  {TokenId(8), " sun", 0.0, 0.1}, "b.eqrun");
    const RunPair branches = equipatch::pairOf({&snow, &later}, {&sun, &later});
    QVERIFY(inWords(equipatch::differenceOf(branches), branches)
                .starts_with("A and B continue the same prompt: step 0 continues with "
                             "“snow” in A and with “t1” in B; "));
  }

  void modelsWeightsAndPromptsAreNamed() {
    RunHeader a;
    a.modelName = "one";
    a.provenance.configSha256 = "11";
    a.request.prompt = {Token{TokenId(1), "x", {}}};
    RunHeader b = a;
    b.dtype = DType::BF16;
    b.request.steps = 7;
    b.provenance.threads = 9;
    QCOMPARE(differentOrigins(a, b), "");
    b.request.prompt.push_back(Token{TokenId(2), "y", {}});
    QCOMPARE(differentOrigins(a, b), "The prompts differ.");
    b.provenance.configSha256 = "22";
    QCOMPARE(differentOrigins(a, b), "The weights and prompts differ.");
    b.modelName = "two";
    QCOMPARE(differentOrigins(a, b), "The models and prompts differ.");
    RunHeader tokenized = a;  // the same text, another tokenizer
    tokenized.modelName = "two";
    tokenized.request.promptText = a.request.promptText = "x";
    tokenized.request.prompt = {Token{TokenId(8), "x", {0, 1}}};
    tokenized.provenance.configSha256 = "22";
    QCOMPARE(differentOrigins(a, tokenized), "The models differ.");
    RunHeader moved = a;
    moved.modelName = "copy";
    const std::string names =
        "The models are called one and copy, but their config.json "
        "and tensor headers are equal.";
    QCOMPARE(differentOrigins(a, moved), names);
    moved.request.promptText = "y";
    QCOMPARE(differentOrigins(a, moved), "The prompts differ. " + names);
    RunHeader branched = a;  // appended tokens have other pieces than typed tokens
    branched.request.prompt = {Token{TokenId(1), "▁x", {}}};
    QCOMPARE(differentOrigins(a, branched), "");
    RunHeader c = a;
    c.request.images.push_back(
        {.picture = std::make_shared<const PictureFile>(), .tokens = {0, 0}});
    QCOMPARE(differentOrigins(a, c), "The prompts differ.");
    RunHeader d = c;
    const PictureFile renamed{"renamed.png", "", ""}, other{"", "2", ""};
    d.request.images[0].picture = std::make_shared<const PictureFile>(renamed);
    QCOMPARE(differentOrigins(c, d), "");
    d.modelName = "copy";
    d.request.images[0].picture = std::make_shared<const PictureFile>(other);
    QCOMPARE(differentOrigins(c, d), "The prompts differ. " + names);
  }
};

EQUIPATCH_TEST(tst_run_difference)
#include "tst_run_difference.moc"
