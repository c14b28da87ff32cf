// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_tokens.h"

#include <QAbstractItemModelTester>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

namespace {

struct TokensFixture {
  test::QuietPlatform quiet;
  Theme theme;
  AbsorbedMarks marks;
  PictureShelf shelf{{}};
  PromptTokenModel model{marks, shelf};
  PromptTokens view{model, theme};

  TokensFixture() {
    std::vector<Token> tokens;
    for (int i = 0; i < 12; ++i)
      tokens.push_back({TokenId(i), "word" + std::to_string(i), {}, i == 0});
    marks.setTokens(tokens);
    model.tokensChanged({});
    view.resize(220, 120);
    view.show();
    QCoreApplication::processEvents();
  }

  QColor colourUnder(int row) {
    const QRect rect = view.visualRect(model.index(row));
    return view.viewport()->grab().toImage().pixelColor(rect.center().x(), rect.bottom());
  }
};

}  // namespace

class tst_prompt_tokens : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void listsEveryTokenWithItsMark();
  void reportsChangedMarks();
  void tokensBreakIntoLines();
  void selectsByMouseAndKeyboard();
  void drawsABracketUnderKeptTokens();
  void anImageIsOneChipForMouseAndKeyboard();
  void theToolTipSaysThatTheRunFileLacksTheImage();
  void theBracketOfAnImageEndsBeforeTheNextImage();
};

void tst_prompt_tokens::tokensBreakIntoLines() {
  TokensFixture f;
  QVERIFY(f.view.visualRect(f.model.index(11)).top() >
          f.view.visualRect(f.model.index(0)).top());
  QVERIFY(f.view.visualRect(f.model.index(1)).left() >
          f.view.visualRect(f.model.index(0)).left());
}

void tst_prompt_tokens::selectsByMouseAndKeyboard() {
  TokensFixture f;
  QSignalSpy changed(&f.view, &PromptTokens::chosenChanged);
  QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {},
                    f.view.visualRect(f.model.index(1)).center());
  QTest::keyClick(&f.view, Qt::Key_Right, Qt::ShiftModifier);
  QCOMPARE(f.view.chosen(), (QList<int>{1, 2}));
  QVERIFY(changed.count() >= 2);
  f.view.choose(4, 6);
  QCOMPARE(f.view.chosen(), (QList<int>{4, 5, 6}));
  f.view.choose(0, -1);
  QVERIFY(f.view.chosen().isEmpty());
}

void tst_prompt_tokens::drawsABracketUnderKeptTokens() {
  TokensFixture f;
  QVERIFY(f.colourUnder(1) != f.theme.colours().kept);
  f.marks.keep(1, 2);
  f.model.marksChanged();
  QCOMPARE(f.colourUnder(1), f.theme.colours().kept);
  QCOMPARE(f.colourUnder(2), f.theme.colours().kept);
  QVERIFY(f.colourUnder(0) != f.theme.colours().kept);
}

void tst_prompt_tokens::listsEveryTokenWithItsMark() {
  AbsorbedMarks marks;
  PictureShelf shelf({});
  PromptTokenModel model(marks, shelf);
  const QAbstractItemModelTester tester(
      &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  QCOMPARE(model.rowCount(), 0);
  marks.setTokens(
      {{TokenId(2), "<bos>", {}, true}, {TokenId(7), "▁word", {0, 5}, false}});
  model.tokensChanged(" word");
  marks.keep(0, 0);
  QCOMPARE(model.rowCount(), 2);
  const QModelIndex bos = model.index(0);
  QCOMPARE(bos.data().toString(), QStringLiteral("<bos>"));
  QVERIFY(bos.data(PromptTokenModel::SpecialRole).toBool());
  QVERIFY(bos.data(PromptTokenModel::KeptRole).toBool());
  QCOMPARE(model.index(1).data(Qt::AccessibleTextRole).toString(),
           QStringLiteral("token 1: ·word, absorbed"));
  QVERIFY(bos.data(Qt::ToolTipRole).toString().contains(QStringLiteral("id 2\nkept")));
  marks.setTokens({{TokenId(7), "%4", {0, 2}, false}});
  model.tokensChanged("%4");
  QVERIFY(model.index(0)
              .data(Qt::ToolTipRole)
              .toString()
              .contains(QStringLiteral("token 0: %4, id 7\nabsorbed")));
}

void tst_prompt_tokens::reportsChangedMarks() {
  AbsorbedMarks marks;
  PictureShelf shelf({});
  PromptTokenModel model(marks, shelf);
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  model.marksChanged();
  QCOMPARE(changed.count(), 0);  // there are no tokens yet
  marks.setTokens({{TokenId(2), "a", {}, false}});
  model.tokensChanged("a");
  model.marksChanged();
  QCOMPARE(changed.count(), 1);
}

void tst_prompt_tokens::anImageIsOneChipForMouseAndKeyboard() {
  TokensFixture f;
  const auto picture = readPicture(test::data("pictures/photo.jpg"));
  const std::vector<PromptImage> images{{picture, {2, 9}}};
  f.marks.setTokens(f.marks.tokens(), imageTokens(images));
  f.model.tokensChanged({}, images);
  f.view.hideTokensWithinImages(images);
  QTRY_VERIFY(!f.shelf.image(picture).isNull());
  QVERIFY(f.view.isRowHidden(3) && f.view.isRowHidden(9) && !f.view.isRowHidden(10));
  const QRect chip = f.view.visualRect(f.model.index(2));
  QVERIFY(chip.height() > 2 * f.view.visualRect(f.model.index(1)).height());
  QVERIFY(f.model.index(2)
              .data(Qt::ToolTipRole)
              .toString()
              .startsWith(QStringLiteral("image 1: photo.jpg, tokens 2 to 9\nabsorbed")));
  QSignalSpy clicked(&f.view, &PromptTokens::pictureClicked);
  QSignalSpy opened(&f.view, &PromptTokens::pictureDoubleClicked);
  QTest::mouseClick(f.view.viewport(), Qt::LeftButton, {}, chip.center());
  QCOMPARE(clicked.count(), 1);
  QCOMPARE(f.view.chosen(), (QList<int>{2, 3, 4, 5, 6, 7, 8, 9}));
  QTest::mouseDClick(f.view.viewport(), Qt::LeftButton, {}, chip.center());
  QCOMPARE(opened.count(), 1);
  QCOMPARE(opened.front().front().toInt(), 2);
  // With a modifier, the first click is not reported and so makes no mark. The double
  // click is not reported either, because its receiver would undo an older mark.
  const auto before = clicked.count();
  QTest::mouseDClick(f.view.viewport(), Qt::LeftButton, Qt::ControlModifier,
                     chip.center());
  QCOMPARE(clicked.count(), before);
  QCOMPARE(opened.count(), 1);
  // If only the first click had a modifier, the double click counts as one plain click.
  QTest::mouseClick(f.view.viewport(), Qt::LeftButton, Qt::ControlModifier,
                    chip.center());
  const QPointF place = chip.center();
  QMouseEvent second(QEvent::MouseButtonDblClick, place,
                     f.view.viewport()->mapToGlobal(place), Qt::LeftButton,
                     Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(f.view.viewport(), &second);
  QTest::mouseRelease(f.view.viewport(), Qt::LeftButton, {}, chip.center());
  QCOMPARE(opened.count(), 1);
  QCOMPARE(clicked.count(), before + 1);
  QSignalSpy entered(&f.view, &PromptTokens::pictureEntered);
  f.view.setCurrentIndex(f.model.index(1));
  QTest::keyClick(&f.view, Qt::Key_Return);
  QCOMPARE(entered.count(), 0);
  QTest::keyClick(&f.view, Qt::Key_Right);
  QTest::keyClick(&f.view, Qt::Key_Return);
  QCOMPARE(entered.count(), 1);
  QCOMPARE(entered.front().front().toInt(), 2);
  f.marks.keep(2, 2);
  f.model.marksChanged();
  QCOMPARE(f.colourUnder(2), f.theme.colours().kept);
  f.model.tokensChanged({});
  f.view.hideTokensWithinImages({});
  QVERIFY(!f.view.isRowHidden(3));
}

void tst_prompt_tokens::theBracketOfAnImageEndsBeforeTheNextImage() {
  TokensFixture f;
  const auto picture = readPicture(test::data("pictures/photo.jpg"));
  const std::vector<PromptImage> images{{picture, {2, 4}}, {picture, {5, 8}}};
  f.marks.setTokens(f.marks.tokens(), imageTokens(images));
  f.model.tokensChanged({}, images);
  f.view.hideTokensWithinImages(images);
  QTRY_VERIFY(!f.shelf.image(picture).isNull());
  f.marks.keep(2, 4);
  f.model.marksChanged();
  const auto lastOf = [&f](int row) {
    return f.model.index(row).data(PromptTokenModel::LastTokenRole).toInt();
  };
  QCOMPARE(lastOf(1), 1);
  QCOMPARE(lastOf(2), 4);
  QCOMPARE(lastOf(5), 8);
  // The bracket of the first image ends with an upward stroke at its right edge.
  const QImage shown = f.view.viewport()->grab().toImage();
  const QRect chip = f.view.visualRect(f.model.index(2));
  int strokes = 0;
  for (int x = chip.right() - 3; x <= chip.right(); ++x)
    strokes += shown.pixelColor(x, chip.bottom() - 2) == f.theme.colours().kept;
  QVERIFY(strokes > 0);
}

/// `compare --no-pictures` writes such run files.
void tst_prompt_tokens::theToolTipSaysThatTheRunFileLacksTheImage() {
  TokensFixture f;
  const auto picture = std::make_shared<const PictureFile>(
      PictureFile{.name = "photo.jpg", .sha256 = "0", .bytes = {}});
  f.model.tokensChanged({}, {{picture, {2, 9}}});
  const QString help = f.model.index(2).data(Qt::ToolTipRole).toString();
  QVERIFY2(help.contains(QStringLiteral("does not contain")), qPrintable(help));
  QVERIFY(!help.contains(QStringLiteral("see it large")));
}

EQUIPATCH_TEST(tst_prompt_tokens)
#include "tst_prompt_tokens.moc"
