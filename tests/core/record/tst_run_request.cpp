// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/run_request.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

RunRequest someRun() {
  RunRequest run;
  run.promptText = "Once";
  run.prompt = {{TokenId(1), "<s>", {0, 0}, true}, {TokenId(9), "Once", {0, 4}, false}};
  run.steps = 12;
  run.patch.method = Method::Stable;
  return run;
}

std::shared_ptr<const StepRecord> step(int continued, const std::string& bytes) {
  auto record = std::make_shared<StepRecord>();
  record->token = TokenId(77);  // the contextual pass's choice
  record->continued = TokenId(continued);
  record->continuedBytes = bytes;
  return record;
}

const Choice kNext{TokenId(30), " dog", 1.0, 0.1};

}  // namespace

class tst_run_request : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aBranchContinuesTheGeneratedTokens();
  void aBranchAtStep0ExtendsThePrompt();
  void aBranchAlsoKeepsGeneratedTokens();
  void adjoiningKeptRangesAreMerged();
  void incompleteCharactersAreJoinedOrReplaced();
  void aBranchOfARunWithoutTextHasNoText();
  void imagesAreShownByTheirNames();
  void aPromptOfIdsIsShownByItsIds();
  void aBranchRecordsItsOrigin();
};

void tst_run_request::aBranchContinuesTheGeneratedTokens() {
  const RunRequest branch =
      branchedRequest(someRun(), {step(20, " a"), step(21, " cat")}, kNext);
  QCOMPARE(branch.promptText, std::string("Once a cat dog"));
  QCOMPARE(branch.prompt.size(), std::size_t(5));
  QCOMPARE(branch.prompt[2].id.value, 20);
  QCOMPARE(branch.prompt[4].id.value, 30);
  QVERIFY(branch.prompt[3].span == (ByteSpan{6, 10}));
  QVERIFY(branch.patch.method == Method::Stable);
  QVERIFY(branch.absorbed.whole());
}

void tst_run_request::aBranchRecordsItsOrigin() {
  const RunRequest run = someRun();
  QCOMPARE(run.branch.tokens, std::int64_t{0});
  const RunRequest branch = branchedRequest(run, {step(20, " a")}, kNext, "run.eqrun");
  QCOMPARE(branch.branch.file, std::string("run.eqrun"));
  QCOMPARE(branch.branch.tokens, std::int64_t{2});
  QCOMPARE(branchWords(branch, 2), std::string("step 1: dog"));
  // A branch of a branch counts from the first run.
  const RunRequest second = branchedRequest(branch, {}, {TokenId(31), " cat", 1.0, 0.1});
  QCOMPARE(second.branch.file, std::string());
  QCOMPARE(second.branch.tokens, std::int64_t{3});
  QCOMPARE(branchWords(second, second.branch.tokens), std::string("step 2: cat"));
  const RunRequest space = branchedRequest(run, {}, {TokenId(32), " ", 1.0, 0.1});
  QCOMPARE(branchWords(space, 1), std::string("step 0: ·"));
}

void tst_run_request::aBranchAtStep0ExtendsThePrompt() {
  const RunRequest branch = branchedRequest(someRun(), {}, kNext);
  QCOMPARE(branch.promptText, std::string("Once dog"));
  QCOMPARE(branch.prompt.size(), std::size_t(3));
}

void tst_run_request::aBranchAlsoKeepsGeneratedTokens() {
  RunRequest run = someRun();
  run.absorbed.keepsGenerated = true;
  const RunRequest branch = branchedRequest(run, {step(20, " a")}, kNext);
  QCOMPARE(absorbedText(branch.absorbed, 4), std::string("0-1"));
  QVERIFY(branch.absorbed.keepsGenerated);
}

void tst_run_request::adjoiningKeptRangesAreMerged() {
  RunRequest run = someRun();
  run.absorbed = {.keptPrompt = {{1, 1}}, .keepsGenerated = true};
  const RunRequest branch = branchedRequest(run, {step(20, " a")}, kNext);
  QVERIFY(branch.absorbed.keptPrompt == (std::vector<PositionRange>{{1, 3}}));
}

void tst_run_request::incompleteCharactersAreJoinedOrReplaced() {
  const RunRequest whole =
      branchedRequest(someRun(), {step(20, "\xC3")}, {TokenId(21), "\xBC", 0.0, 0.0});
  QCOMPARE(whole.promptText, std::string("Onceü"));
  const RunRequest chosen = branchedRequest(someRun(), {step(20, "\xC3")},
                                            {TokenId(21), "\uFFFD", 0.0, 0.0, "BC"});
  QCOMPARE(chosen.promptText, std::string("Onceü"));
  const RunRequest torn = branchedRequest(someRun(), {step(20, "\xC3")}, kNext);
  QCOMPARE(torn.promptText, std::string("Once\uFFFD dog"));
  QCOMPARE(torn.prompt[2].piece, std::string("\uFFFD"));
  QVERIFY(torn.prompt[2].span == (ByteSpan{4, 7}));
  QVERIFY(torn.prompt[3].span == (ByteSpan{7, 11}));
  QCOMPARE(branchWords(torn, 2), std::string("step 1: dog"));
  const RunRequest halves =
      branchedRequest(someRun(), {step(20, "\xE2"), step(21, "\x96")}, kNext);
  QCOMPARE(halves.promptText, std::string("Once\uFFFD dog"));
  QVERIFY(halves.prompt[3].span == (ByteSpan{7, 7}));
}

void tst_run_request::aBranchOfARunWithoutTextHasNoText() {
  RunRequest run = someRun();
  run.promptText.clear();
  StepRecord generated = *step(77, "cat ");
  generated.tokenText = "cat";
  const RunRequest branch =
      branchedRequest(run, {std::make_shared<const StepRecord>(generated)}, kNext);
  QVERIFY(branch.promptText.empty());
  QCOMPARE(branch.prompt.size(), std::size_t(4));
  QCOMPARE(branch.prompt[2].piece, std::string("cat"));
  QCOMPARE(branch.prompt[3].piece, std::string(" dog"));
  QVERIFY(branch.prompt[3].span.empty());
}

void tst_run_request::imagesAreShownByTheirNames() {
  const auto file = [](const std::string& name) {
    return std::make_shared<const PictureFile>(
        PictureFile{.name = name, .sha256 = {}, .bytes = {}});
  };
  RunRequest run;
  run.promptText = "See\n\n<b><i><i><e>\n\n<i> or \xc3\xa9";
  run.prompt = {
      {.span = {0, 3}},   {.span = {3, 5}},   {.span = {5, 8}, .special = true},
      {.span = {8, 11}},  {.span = {11, 14}}, {.span = {14, 17}, .special = true},
      {.span = {17, 19}}, {.span = {19, 22}}, {.span = {22, 28}}};
  QCOMPARE(shownPrompt(run), run.promptText);
  run.images = {{.picture = file("a.png"), .tokens = {3, 4}},
                {.picture = file("b.png"), .tokens = {7, 7}}};
  QCOMPARE(shownPrompt(run), std::string("See[a.png][b.png] or \xc3\xa9"));
}

void tst_run_request::aPromptOfIdsIsShownByItsIds() {
  RunRequest run;
  run.prompt = {{.id = TokenId(2)}, {.id = TokenId(651)}, {.id = TokenId(5270)}};
  QCOMPARE(shownPrompt(run), std::string("ids 2 651 5270"));
  run.prompt.clear();
  QCOMPARE(shownPrompt(run), std::string());
}

EQUIPATCH_TEST(tst_run_request)
#include "tst_run_request.moc"
