// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QDialog>
#include <QScrollBar>
#include <algorithm>

#include "tests/support/test_case.h"
#include "tests/ui/support/run_fixture.h"
#include "ui/prompt/token_strip.h"

using namespace equipatch;

using Fixture = equipatch::test::RunFixture;

namespace {

/// A step of a run that samples. In the contextual pass, the most likely and the sampled
/// token are "yes"; in the patched pass, they are `patched` and `patchedSampled`.
std::shared_ptr<const StepRecord> sampledStep(const std::string& patched,
                                              const std::string& patchedSampled) {
  auto record = std::make_shared<StepRecord>(*test::makeRecord(0, {}));
  record->contextual = {{TokenId(1), "yes", 2.0, 0.6}};
  record->patched = {{TokenId(patched == "yes" ? 1 : 2), patched, 2.0, 0.6}};
  record->match = patched == "yes";
  record->token = TokenId(1);
  record->tokenText = "yes";
  record->patchedToken = TokenId(patchedSampled == "yes" ? 1 : 3);
  record->patchedText = patchedSampled;
  record->sampledMatch = patchedSampled == "yes";
  return record;
}

bool hasColour(const QImage& image, const QColor& colour) {
  for (int x = 0; x < image.width(); ++x)
    for (int y = 0; y < image.height(); ++y)
      if (QColor(image.pixel(x, y)) == colour) return true;
  return false;
}

/// The header of a run that keeps the prompt's first token.
std::shared_ptr<const RunHeader> headerOf(const std::string& text,
                                          std::vector<Token> prompt) {
  auto header = std::make_shared<RunHeader>(*test::makeHeader({}));
  header->request.promptText = text;
  header->request.prompt = std::move(prompt);
  header->request.absorbed.keptPrompt = {{0, 0}};
  return header;
}

}  // namespace

class tst_token_strip : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void hasAChipForEveryStep();
  void clickingAChipSelectsItsStep();
  void keysSelectSteps();
  void pageKeysMoveByTheStepsInView();
  void scrollsToTheNewestStepUntilOneIsSelected();
  void aLargerFontKeepsBothSidesOfTheStepInView();
  void promptTokensAreShownBeforeTheSteps();
  void tokensBeforeABranchAreApartFromThePrompt();
  void showsTheEndOfALongPrompt();
  void copiesTheGeneratedText();
  void toolTipsNameContextualAndPatchedTokens();
  void sampledDifferencesHaveTheirOwnMark();
  void mismatchMarkIsWiderInASampledRun();
  void paintsNoStepAndManySteps();
  void aPictureReplacesItsTokensChips();
  void aPictureMissingFromTheFileIsNamed();
};

void tst_token_strip::hasAChipForEveryStep() {
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  f.begin({});
  f.append(12, {});
  QCOMPARE(strip.stepCount(), 12);
  QVERIFY(strip.accessibleDescription().startsWith(QStringLiteral("Step 11")));
  f.begin({});
  QCOMPARE(strip.stepCount(), 0);
  QVERIFY(strip.accessibleDescription().isEmpty());
}

void tst_token_strip::clickingAChipSelectsItsStep() {
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  strip.resize(2000, 90);
  f.begin({});
  f.append(8, {});
  QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, strip.chipOf(3).center());
  QCOMPARE(f.selection.step(), 3);
  QVERIFY(!f.selection.isFollowing());
}

void tst_token_strip::keysSelectSteps() {
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  f.begin({});
  f.append(8, {});
  QTest::keyClick(&strip, Qt::Key_Left);
  QCOMPARE(f.selection.step(), 6);
  QTest::keyClick(&strip, Qt::Key_Home);
  QCOMPARE(f.selection.step(), 0);
  QTest::keyClick(&strip, Qt::Key_Right);
  QCOMPARE(f.selection.step(), 1);
  QTest::keyClick(&strip, Qt::Key_End);
  QCOMPARE(f.selection.step(), 7);
  QVERIFY(f.selection.isFollowing());
}

void tst_token_strip::scrollsToTheNewestStepUntilOneIsSelected() {
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  strip.resize(300, 90);
  strip.show();
  f.begin({});
  f.append(400, {});
  const QScrollBar* bar = strip.horizontalScrollBar();
  QVERIFY(bar->maximum() > 0);
  QCOMPARE(bar->value(), bar->maximum());
  f.selection.selectStep(0);
  QCOMPARE(bar->value(), 0);
  f.append(10, {});
  QCOMPARE(bar->value(), 0);
}

void tst_token_strip::aLargerFontKeepsBothSidesOfTheStepInView() {
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  strip.resize(600, 90);
  strip.show();
  f.begin({});
  f.append(400, {});
  f.selection.selectStep(200);
  QFont large = strip.font();
  large.setPointSizeF(2 * large.pointSizeF());
  strip.setFont(large);
  for (const int step : {199, 200, 201})
    QVERIFY(strip.viewport()->rect().contains(strip.chipOf(step)));
}

void tst_token_strip::promptTokensAreShownBeforeTheSteps() {
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  strip.resize(1000, 90);
  f.model.begin(headerOf("one two ", {{TokenId(2), "<bos>", {}, true},
                                      {TokenId(7), "▁one", {0, 3}, false},
                                      {TokenId(8), "▁two", {3, 8}, false}}));
  f.append(4, {});
  QCOMPARE(strip.stepCount(), 4);
  QVERIFY(strip.chipOfPrompt(2).right() < strip.chipOf(0).left());
  const QString tip = strip.toolTipAt(strip.chipOfPrompt(2).center());
  QCOMPARE(tip,
           QStringLiteral("prompt, token 2: ·two·\nabsorbed: the patch replaces it"));
  QVERIFY(strip.toolTipAt(strip.chipOfPrompt(0).center())
              .endsWith(QStringLiteral("kept: the patched pass still sees it")));
  const int before = f.selection.step();
  QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, strip.chipOfPrompt(1).center());
  QCOMPARE(f.selection.step(), before);
  QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, strip.chipOf(0).center());
  QCOMPARE(f.selection.step(), 0);
}

void tst_token_strip::showsTheEndOfALongPrompt() {
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  strip.resize(300, 90);
  strip.show();
  f.model.begin(headerOf({}, std::vector<Token>(200, {TokenId(7), "▁word", {}, false})));
  const QScrollBar* bar = strip.horizontalScrollBar();
  QVERIFY(bar->maximum() > 0);
  QCOMPARE(bar->value(), bar->maximum());
  f.append(100, {});
  QCOMPARE(bar->value(), bar->maximum());
  f.selection.selectStep(0);
  // The end of the prompt stays in view, left of the first step.
  QVERIFY(strip.chipOf(0).left() >= 90 && strip.chipOf(0).right() < 300);
  QVERIFY(strip.chipOfPrompt(199).left() > 0);
}

void tst_token_strip::copiesTheGeneratedText() {
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  f.begin({});
  for (const char* word : {"one", " two"}) {
    auto record = std::make_shared<StepRecord>(*test::makeRecord(0, {}));
    record->continuedBytes = word;
    f.model.append({record});
  }
  strip.actions().constFirst()->trigger();
  QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("one two"));
}

void tst_token_strip::toolTipsNameContextualAndPatchedTokens() {
  const test::RecordShape shape{.mismatchEvery = 1};
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  strip.resize(1000, 90);
  f.begin(shape);
  f.append(2, shape);
  const QString tip = strip.toolTipAt(strip.chipOf(1).center());
  QVERIFY2(tip.contains(QStringLiteral("✗ mismatch")), qPrintable(tip));
  QVERIFY(tip.contains(QStringLiteral("contextual: ")));
  QVERIFY(tip.contains(QStringLiteral("patched: ")));
  QVERIFY(strip.toolTipAt({990, 5}).isEmpty());
}

void tst_token_strip::sampledDifferencesHaveTheirOwnMark() {
  const auto check = [](const std::string& patched, const std::string& sampled) {
    Fixture f;
    PictureShelf shelf({});
    TokenStrip strip(f.model, f.selection, f.theme, shelf);
    strip.resize(600, 90);
    f.begin({});
    f.model.append({sampledStep(patched, sampled)});
    const QImage image = strip.grab().toImage();
    const QString tip = strip.toolTipAt(strip.chipOf(0).center());
    const bool cross = patched != "yes", diamond = sampled != "yes";
    QCOMPARE(tip.contains(QStringLiteral("✗ mismatch of the most likely tokens")), cross);
    QCOMPARE(tip.contains(QStringLiteral("◆ sampled tokens differ")), diamond);
    QCOMPARE(hasColour(image, f.theme.colours().mismatch), cross);
    QCOMPARE(hasColour(image, f.theme.colours().patched), diamond);
  };
  check("yes", "yes");
  check("no", "yes");
  check("yes", "no");
  check("no", "maybe");
  check("", "yes");
}

/// In a run that samples, the chip shows the sampled token. The mark below names the
/// most likely tokens of both passes, which makes the chip wider.
void tst_token_strip::mismatchMarkIsWiderInASampledRun() {
  const auto widthOf = [](std::optional<bool> sampledMatch) {
    Fixture f;
    PictureShelf shelf({});
    const TokenStrip strip(f.model, f.selection, f.theme, shelf);
    f.begin({});
    auto record = std::make_shared<StepRecord>(*sampledStep("absolutely", "yes"));
    record->sampledMatch = sampledMatch;
    f.model.append({record});
    return strip.chipOf(0).width();
  };
  QVERIFY(widthOf(true) > widthOf(std::nullopt));
}

void tst_token_strip::paintsNoStepAndManySteps() {
  const test::RecordShape shape{.mismatchEvery = 4};
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  strip.resize(600, 90);
  const QImage empty = strip.grab().toImage();
  f.begin(shape);
  f.append(3000, shape);
  const QImage full = strip.grab().toImage();
  QVERIFY(full != empty);
  QVERIFY2(hasColour(full, f.theme.colours().mismatch), "no pixel of the mismatch's red");
}

void tst_token_strip::tokensBeforeABranchAreApartFromThePrompt() {
  test::RunFixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  f.model.begin(headerOf(
      "a b c",
      {{TokenId(1), "a", {0, 1}}, {TokenId(2), "b", {1, 3}}, {TokenId(3), "c", {3, 5}}}));
  strip.resize(600, strip.sizeHint().height());
  const auto tip = [&](int token) {
    return strip.toolTipAt(strip.chipOfPrompt(token).center());
  };
  QVERIFY(tip(2).startsWith(QStringLiteral("prompt")));
  const QImage undivided = strip.grab().toImage();
  strip.setInheritedTokens(2);
  QVERIFY(tip(0).startsWith(QStringLiteral("prompt")));
  QVERIFY(tip(1).startsWith(QStringLiteral("generated before the branch")));
  QVERIFY(tip(2).startsWith(QStringLiteral("generated before the branch")));
  QVERIFY(strip.grab().toImage() != undivided);  // a dotted line and labels
}

/// An image's hidden tokens do not count as steps in view.
void tst_token_strip::pageKeysMoveByTheStepsInView() {
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  strip.resize(600, 90);
  auto header = *test::withPicture(*headerOf({}, {}));
  header.request.images[0].tokens = {1, 300};
  header.request.prompt.resize(302);
  f.model.begin(std::make_shared<const RunHeader>(header));
  f.append(200, {});
  QTest::keyClick(&strip, Qt::Key_Home);
  QTest::keyClick(&strip, Qt::Key_PageDown);
  const int page = f.selection.step();
  QVERIFY2(page > 0 && page < 60, qPrintable(QString::number(page)));
  QTest::keyClick(&strip, Qt::Key_PageDown);
  QTest::keyClick(&strip, Qt::Key_PageUp);
  QVERIFY(f.selection.step() < 2 * page);
}

void tst_token_strip::aPictureReplacesItsTokensChips() {
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  strip.resize(1000, 90);
  f.model.begin(test::withPicture(*headerOf({}, {})));
  f.append(4, {});
  // The prompt's tokens: a word, two of the image, a word.
  QTRY_VERIFY(!shelf.image(f.model.header()->request.images[0].picture).isNull());
  const QRect chip = strip.chipOfPrompt(1);
  QVERIFY(chip.width() > 30);
  QVERIFY(strip.chipOfPrompt(2).width() <= 0);
  QVERIFY(strip.chipOfPrompt(3).left() > chip.right());
  QVERIFY(strip.toolTipAt(chip.center())
              .startsWith(QStringLiteral("image 1: flag.ppm, tokens 1 to 2\nabsorbed")));
  QTRY_VERIFY(hasColour(strip.grab().toImage(), QColor(150, 160, 170)));
  const int before = f.selection.step();
  QStringList opened;
  QObject::connect(&strip, &TokenStrip::pictureActivated, &strip,
                   [&](const PictureSubject& subject) {
                     opened << QString::fromStdString(subject.image.picture->name);
                   });
  QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, chip.center());
  QCOMPARE(f.selection.step(), before);
  QCOMPARE(opened, QStringList{QStringLiteral("flag.ppm")});
  QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, strip.chipOf(2).center());
  QCOMPARE(f.selection.step(), 2);
  // Without a mouse, the context menu opens the image.
  QCOMPARE(strip.actions().size(), 2);
  QCOMPARE(strip.actions().last()->text(), QStringLiteral("Show flag.ppm large"));
  strip.actions().last()->trigger();
  QCOMPARE(opened.size(), 2);
  f.model.begin(nullptr);
  QCOMPARE(strip.actions().size(), 1);
}

void tst_token_strip::aPictureMissingFromTheFileIsNamed() {
  Fixture f;
  PictureShelf shelf({});
  TokenStrip strip(f.model, f.selection, f.theme, shelf);
  strip.resize(1000, 90);
  auto header = std::make_shared<RunHeader>(*test::withPicture(*headerOf({}, {})));
  auto file = std::make_shared<PictureFile>(*header->request.images[0].picture);
  file->bytes.clear();
  file->name = "a%2Cb.png";  // %2 is not a placeholder here
  header->request.images[0].picture = file;
  f.model.begin(header);
  const QPoint middle = strip.chipOfPrompt(1).center();
  QVERIFY(strip.toolTipAt(middle).startsWith(
      QStringLiteral("image 1: a%2Cb.png, tokens 1 to 2\nabsorbed")));
  QVERIFY(strip.toolTipAt(middle).endsWith(
      QStringLiteral("The run file does not contain this image.")));
  int opened = 0;
  QObject::connect(&strip, &TokenStrip::pictureActivated, &strip, [&] { ++opened; });
  QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, middle);
  QCOMPARE(opened, 0);
  QCOMPARE(strip.actions().size(), 1);
}

EQUIPATCH_TEST(tst_token_strip)
#include "tst_token_strip.moc"
