// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/branch.h"

#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_branch : public equipatch::test::TestCase {
  Q_OBJECT

 private:
  static PromptImage image(const std::string& hash) {
    return {std::make_shared<const PictureFile>(PictureFile{"scene.png", hash, {}}),
            {0, 1}};
  }

 private Q_SLOTS:
  void aBranchIsFoundByTokensImagesAndModel() {
    RunHeader trunk = *test::makeHeader();
    trunk.request.prompt = {{.id = TokenId(7)}, {.id = TokenId(8)}};
    Steps steps;
    for (int i = 0; i < 5; ++i) steps.push_back(test::makeRecord(i));
    RunHeader branch = trunk;
    branch.request = branchedRequest(trunk.request, {steps[0], steps[1]},
                                     {TokenId(999), "other", 0.0, 0.1});
    QCOMPARE(branchPoint(branch, trunk, steps), std::optional<std::int64_t>(3));
    QVERIFY(!branchPoint(trunk, trunk, steps));
    QVERIFY(!branchPoint(trunk, branch, steps));
    RunHeader other = branch;
    other.request.prompt[2].id = TokenId(12345);  // not what the trunk generated
    QVERIFY(!branchPoint(other, trunk, steps));
    RunHeader otherImage = branch;  // tokens do not tell pictures apart
    otherImage.request.images = {image("b")};
    RunHeader withImage = trunk;
    withImage.request.images = {image("a")};
    QVERIFY(!branchPoint(otherImage, withImage, steps));
    QVERIFY(placesOf({{&trunk, &steps}, {&withImage, &steps}})[1].root == 1);
    otherImage.request.images = {image("a")};
    QVERIFY(branchPoint(otherImage, withImage, steps));
    RunHeader elsewhere = branch;
    elsewhere.modelName = "another model";
    QVERIFY(!branchPoint(elsewhere, trunk, steps));
    steps.resize(2);
    QVERIFY(!branchPoint(branch, trunk, steps));
  }

  /// In a damaged file, an image may extend into the tokens that ancestors generated.
  void theRootHasOnlyImagesOfItsPrompt() {
    RunRequest request;
    request.promptText = "abc";
    for (std::size_t i = 0; i < 3; ++i)
      request.prompt.push_back({.id = TokenId(7), .span = {i, i + 1}});
    request.images = {image("a"), image("b")};
    request.images[0].tokens = {0, 0};
    request.images[1].tokens = {1, 2};
    request.branch.tokens = 1;
    const RunRequest root = rootRequest(request);
    QCOMPARE(root.prompt.size(), std::size_t(2));
    QCOMPARE(root.images.size(), std::size_t(1));
    QCOMPARE(root.images[0].tokens, (PositionRange{0, 0}));
  }

  /// The prompt of `longer` is the prompt of `trunk` and one more token.
  void theRecordTellsTypedPromptsFromBranches() {
    RunHeader trunk = *test::makeHeader();
    trunk.request.prompt = {{.id = TokenId(7)}, {.id = TokenId(8)}};
    const Steps steps{test::makeRecord(0)};
    RunHeader longer = trunk;
    longer.request.prompt.push_back({.id = TokenId(9)});
    QVERIFY(!branchPoint(longer, trunk, steps));
    longer.request.branch.tokens = 1;
    QVERIFY(branchPoint(longer, trunk, steps));
    longer.request.branch.tokens = BranchOrigin::kNotRecorded;  // an older version's file
    QVERIFY(branchPoint(longer, trunk, steps));
  }

  /// The prompt of `same` has more tokens in common with the branch, but the branch
  /// records the trunk as its parent.
  void theRecordedRunIsTheParent() {
    RunHeader trunk = *test::makeHeader();
    trunk.request.prompt = {{.id = TokenId(7)}, {.id = TokenId(8)}};
    Steps steps;
    for (int i = 0; i < 5; ++i) steps.push_back(test::makeRecord(i));
    RunHeader same = trunk, branch = trunk;
    same.request = branchedRequest(
        trunk.request, {}, {steps[0]->continued, "same", 0.0, 0.1}, "trunk.eqrun");
    branch.request = branchedRequest(trunk.request, {steps[0], steps[1]},
                                     {TokenId(999), "other", 0.0, 0.1}, "trunk.eqrun");
    const Steps later(steps.begin() + 1, steps.end());
    const PlacedRun left{&trunk, &steps, "trunk.eqrun"};
    QVERIFY(isRecordedParent(left, branch));
    QVERIFY(!isRecordedParent({&trunk, &steps, "copy.eqrun"}, branch));
    QVERIFY(!isRecordedParent({&trunk, &steps}, trunk));
    const std::vector<PlacedRun> runs = {{&same, &later, "same.eqrun"},
                                         {&trunk, &steps, "copy.eqrun"},
                                         left,
                                         {&branch, &steps, "branch.eqrun"}};
    QCOMPARE(placesOf(runs)[3].parent, std::optional<std::size_t>(2));
    QCOMPARE(placesOf(runs)[3].step, std::int64_t(3));
    QCOMPARE(placesOf({runs[0], runs[1], runs[3]})[2].parent,
             std::optional<std::size_t>(0));
  }

  void placesAreCountedInStepsOfTheRoot() {
    RunHeader trunk = *test::makeHeader();
    trunk.request.prompt = {{.id = TokenId(7)}, {.id = TokenId(8)}};
    Steps steps;
    for (int i = 0; i < 6; ++i) steps.push_back(test::makeRecord(i));
    const auto branchOf = [&](const RunHeader& run, int before, int token) {
      RunHeader branch = run;
      branch.request =
          branchedRequest(run.request, {steps.begin(), steps.begin() + before},
                          {TokenId(token), "other", 0.0, 0.1});
      return branch;
    };
    RunHeader unrelated = trunk;
    unrelated.modelName = "another model";
    for (int left = 0; left < 5; ++left) {
      const RunHeader branch = branchOf(trunk, left, 999);
      const RunHeader twig = branchOf(branch, 2, 998);
      const std::vector<PlacedRun> runs = {{&twig, &steps},
                                           {&unrelated, &steps},
                                           {&trunk, &steps},
                                           {&branch, &steps},
                                           {&trunk, &steps}};
      const std::vector<RunPlace> places = placesOf(runs);
      QCOMPARE(places[0].step, std::int64_t(left + 1 + 3));
      QCOMPARE(places[1].step, std::int64_t(0));
      QCOMPARE(places[2].step, std::int64_t(0));
      QCOMPARE(places[3].step, std::int64_t(left + 1));
      QCOMPARE(places[1].root, std::size_t(1));
      for (const int run : {0, 2, 3, 4})  // related runs; run 0 is the first
        QCOMPARE(places[std::size_t(run)].root, std::size_t(0));
      // Without the branch in the list, the twig's own record gives its place.
      QCOMPARE(placesOf({runs[0], runs[2]})[0].step, std::int64_t(left + 1 + 3));
      QCOMPARE(placesOf({runs[0], runs[2]})[0].root, std::size_t(0));
      QCOMPARE(placesOf({runs[0], runs[2]})[1].root, std::size_t(0));
      const RunRequest root = rootRequest(twig.request);
      QCOMPARE(root.prompt.size(), std::size_t(2));
      QCOMPARE(rootLength(twig.request), std::size_t(2));
      QCOMPARE(root.branch.tokens, std::int64_t(0));
      QVERIFY(rootHeader(std::make_shared<RunHeader>(twig))->request == root);
      // Files of older versions do not record the origin of a branch.
      RunHeader old = twig;
      old.request.branch.tokens = BranchOrigin::kNotRecorded;
      QCOMPARE(placesOf({{&old, &steps}, runs[2]})[0].step, std::int64_t(0));
    }
    QVERIFY(placesOf({}).empty());
  }
};

EQUIPATCH_TEST(tst_branch)
#include "tst_branch.moc"
