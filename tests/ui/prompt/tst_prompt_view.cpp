// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_view.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QUrl>

#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

namespace {

int bracketPixels(PromptView& view, const QColor& colour) {
  const QImage picture = view.viewport()->grab().toImage();
  int count = 0;
  for (int y = 0; y < picture.height(); ++y)
    for (int x = 0; x < picture.width(); ++x)
      count += picture.pixelColor(x, y) == colour ? 1 : 0;
  return count;
}

}  // namespace

class tst_prompt_view : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void adjacentKeptTokensFormOneStretch();
  void keptTextIsBracketedOnEachLine();
  void bracketsLieBetweenTheLines();
  void pastedLinesHaveTheSameLineSpacing();
  void undoAndRedoEmitRequests();
  void noBreakSpacesStayUnchanged();
  void refusesFilesThatAreNotPictures();
  void findsTheTokenOfAPosition();
  void neighbouringTokensHaveDifferentTints();
  void theFirstTokensTintDependsOnItsIndex();
  void tintsATokenAlsoOnItsSecondLine();
  void convertsBetweenTokensAndSelections();
  void findsTheTokenUnderThePointer();
};

void tst_prompt_view::adjacentKeptTokensFormOneStretch() {
  const std::vector<TextSpan> spans{{0, 0}, {0, 4}, {4, 6}, {6, 6}, {6, 9}, {9, 12}};
  const auto stretches = [&](const std::vector<bool>& kept) {
    return keptStretches(spans, kept);
  };
  using Stretches = std::vector<TextSpan>;
  QVERIFY(stretches({true, false, false, false, false, false}).empty());  // BOS: no text
  QVERIFY(stretches({true, true, true, false, false, false}) == (Stretches{{0, 6}}));
  QVERIFY(stretches({false, true, false, false, true, true}) ==
          (Stretches{{0, 4}, {6, 12}}));
  QVERIFY(stretches({false, false, true, false, true, false}) ==
          (Stretches{{4, 6}, {6, 9}}));  // an absorbed token without text between them
  QVERIFY(stretches({false, false, true, true, true, false}) == (Stretches{{4, 9}}));
}

void tst_prompt_view::keptTextIsBracketedOnEachLine() {
  const test::QuietPlatform quiet;
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  view.resize(300, 120);
  view.show();
  view.showParts({QStringLiteral("first line\nsecond line")});
  const QColor colour = theme.colours().kept;
  QCOMPARE(bracketPixels(view, colour), 0);
  view.setKept({{0, 5}});
  const int first = bracketPixels(view, colour);
  QVERIFY(first > 20);
  view.setKept({{0, 5}, {11, 17}});
  const int both = bracketPixels(view, colour);
  QVERIFY(both > first + 20);
  view.setKept({{6, 17}});  // across the end of a line
  QVERIFY(bracketPixels(view, colour) > 20);
  view.setKept({});
  QCOMPARE(bracketPixels(view, colour), 0);
}

/// Except at its ends, a bracket lies below the line of text that it marks.
void tst_prompt_view::bracketsLieBetweenTheLines() {
  const test::QuietPlatform quiet;
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  view.resize(300, 120);
  view.show();
  view.showParts({QStringLiteral("gypsy jumping\ngypsy jumping")});
  const QImage plain = view.viewport()->grab().toImage();
  view.setKept({{0, 27}});
  const QImage marked = view.viewport()->grab().toImage();
  const QTextBlock block = view.document()->firstBlock();
  const QPointF origin = block.layout()->position();
  const QRectF line = block.layout()->lineAt(0).naturalTextRect().translated(origin);
  const int left = int(line.left()) + 4;  // without the bracket's ends
  bool drawn = false;
  for (int x = left; x < int(line.right()) - 4; ++x) {
    for (int y = 0; y <= int(line.bottom()) - 1; ++y)
      QCOMPARE(marked.pixelColor(x, y), plain.pixelColor(x, y));
    for (int y = int(line.bottom()); y < int(line.bottom()) + 6; ++y)
      drawn = drawn || marked.pixelColor(x, y) == theme.colours().kept;
  }
  QVERIFY(drawn);
}

void tst_prompt_view::pastedLinesHaveTheSameLineSpacing() {
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  QGuiApplication::clipboard()->setText(QStringLiteral("one\ntwo\nthree"));
  view.paste();
  QCOMPARE(view.document()->blockCount(), 3);
  for (QTextBlock block = view.document()->begin(); block.isValid(); block = block.next())
    QCOMPARE(block.blockFormat().lineHeightType(),
             int(QTextBlockFormat::LineDistanceHeight));
}

void tst_prompt_view::undoAndRedoEmitRequests() {
  const test::QuietPlatform quiet;
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  QSignalSpy undo(&view, &PromptView::undoRequested);
  QSignalSpy redo(&view, &PromptView::redoRequested);
  QTest::keyClicks(&view, QStringLiteral("a"));
  QTest::keySequence(&view, QKeySequence::Undo);
  QTest::keySequence(&view, QKeySequence::Redo);
  QCOMPARE(undo.count(), 1);
  QCOMPARE(redo.count(), 1);
  QCOMPARE(view.toPlainText(), QStringLiteral("a"));
  // The context menu's entries emit the same requests.
  QContextMenuEvent event(QContextMenuEvent::Mouse, {}, view.mapToGlobal(QPoint()));
  QCoreApplication::sendEvent(view.viewport(), &event);
  const auto* menu = view.findChild<QMenu*>();
  QVERIFY(menu);
  QVERIFY(!menu->findChild<QAction*>(QStringLiteral("edit-undo")));
  menu->actions().value(0)->trigger();
  menu->actions().value(1)->trigger();
  QCOMPARE(undo.count(), 2);
  QCOMPARE(redo.count(), 2);
}

/// A no-break space and a space are different tokens.
void tst_prompt_view::noBreakSpacesStayUnchanged() {
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  const QString text = QStringLiteral("5\u00A0km\nand more");
  view.setParts({.text = text});
  QCOMPARE(view.text(), text);
  QCOMPARE(view.parts().text, text);
  QGuiApplication::clipboard()->setText(text);
  view.selectAll();
  view.paste();
  QCOMPARE(view.parts().text, text);
}

void tst_prompt_view::refusesFilesThatAreNotPictures() {
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  QMimeData file;
  file.setUrls({QUrl(QStringLiteral("file:///models/one"))});
  QMimeData text;
  text.setText(QStringLiteral("text"));
  const auto takes = [&](const QMimeData& data) {
    QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, {});
    enter.ignore();
    QCoreApplication::sendEvent(view.viewport(), &enter);
    return enter.isAccepted();
  };
  QVERIFY(takes(text));
  QVERIFY(!takes(file));
  file.setUrls({QUrl(QStringLiteral("file:///pictures/one.png"))});
  QVERIFY(takes(file));
}

void tst_prompt_view::findsTheTokenOfAPosition() {
  const Theme theme;
  QTextDocument document(QStringLiteral("Once upon"));
  TokenHighlighter highlighter(&document, theme);
  highlighter.setSpans({{0, 0}, {0, 5}, {5, 9}});
  QCOMPARE(highlighter.tokenAt(0), 1);
  QCOMPARE(highlighter.tokenAt(4), 1);
  QCOMPARE(highlighter.tokenAt(5), 2);
  QCOMPARE(highlighter.tokenAt(9), -1);
}

void tst_prompt_view::neighbouringTokensHaveDifferentTints() {
  const Theme theme;
  QTextDocument document(QStringLiteral("Once upon"));
  TokenHighlighter highlighter(&document, theme);
  highlighter.setSpans({{0, 5}, {5, 5}, {5, 9}});  // the second has no text
  const auto formats = document.firstBlock().layout()->formats();
  QCOMPARE(formats.size(), 2);
  QCOMPARE(formats[0].start, 0);
  QCOMPARE(formats[0].length, 5);
  QCOMPARE(formats[1].start, 5);
  QVERIFY(formats[0].format.background() != formats[1].format.background());
}

/// The first token with text has one tint at an even index, the other at an odd one.
void tst_prompt_view::theFirstTokensTintDependsOnItsIndex() {
  const Theme theme;
  const Colours& colours = theme.colours();
  QTextDocument document(QStringLiteral("Once upon"));
  TokenHighlighter highlighter(&document, theme);
  std::vector<TextSpan> spans{{0, 5}, {5, 9}};
  for (int before = 0; before < 4; ++before) {
    highlighter.setSpans(spans);
    const auto formats = document.firstBlock().layout()->formats();
    QCOMPARE(formats.size(), 2);
    QCOMPARE(formats[0].format.background().color(),
             before % 2 == 0 ? colours.tokenA : colours.tokenB);
    spans.insert(spans.begin(), TextSpan{});  // such as BOS, or "▁" before a line break
  }
}

void tst_prompt_view::tintsATokenAlsoOnItsSecondLine() {
  const Theme theme;
  QTextDocument document(QStringLiteral("ab\ncd"));
  TokenHighlighter highlighter(&document, theme);
  highlighter.setSpans({{0, 1}, {1, 4}, {4, 5}});
  const auto second = document.lastBlock().layout()->formats();
  QCOMPARE(second.size(), 2);
  QCOMPARE(second[0].start, 0);
  QCOMPARE(second[0].length, 1);
}

void tst_prompt_view::convertsBetweenTokensAndSelections() {
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  view.showParts({QStringLiteral("Once upon")});
  view.setTokens({{.span = {0, 0}}, {.span = {0, 5}}, {.span = {5, 9}}});
  QVERIFY(view.selectedTokens().first > view.selectedTokens().last);
  view.selectTokens({1, 2});
  QCOMPARE(view.textCursor().selectedText(), QStringLiteral("Once upon"));
  QCOMPARE(view.selectedTokens().first, 1);
  QCOMPARE(view.selectedTokens().last, 2);
  view.setKeptTokens({true, false, true});
  QVERIFY(view.kept() == (std::vector<TextSpan>{{5, 9}}));
  // Selecting only the space before a word does not select the word's token.
  view.setTokens({{.span = {0, 0}}, {.span = {0, 4}}, {.span = {4, 9}}});
  const auto select = [&view](int end) {
    QTextCursor cursor = view.textCursor();
    cursor.setPosition(0);
    cursor.setPosition(end, QTextCursor::KeepAnchor);
    view.setTextCursor(cursor);
    return view.selectedTokens().last;
  };
  QCOMPARE(select(5), 1);
  QCOMPARE(select(6), 2);
  // Here no token contains the space.
  view.setTokens({{.span = {0, 0}}, {.span = {0, 4}}, {.span = {5, 9}}});
  QCOMPARE(select(5), 1);
  QTextCursor cursor = view.textCursor();
  cursor.setPosition(4);
  cursor.setPosition(9, QTextCursor::KeepAnchor);
  view.setTextCursor(cursor);
  QCOMPARE(view.selectedTokens().first, 2);
  QCOMPARE(view.selectedTokens().last, 2);
}

void tst_prompt_view::findsTheTokenUnderThePointer() {
  const test::QuietPlatform quiet;
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  view.resize(400, 100);
  view.show();
  view.showParts({QStringLiteral("Once upon")});
  view.setTokens({{.span = {0, 4}}, {.span = {4, 9}}});
  const auto before = [&](int position) {
    QTextCursor cursor(view.document());
    cursor.setPosition(position);
    return view.cursorRect(cursor).center();
  };
  QCOMPARE(view.tokenAt(before(0) + QPoint(2, 0)), 0);
  QCOMPARE(view.tokenAt(before(4) - QPoint(2, 0)), 0);
  QCOMPARE(view.tokenAt(before(4) + QPoint(2, 0)), 1);
  QCOMPARE(view.tokenAt(before(9) - QPoint(2, 0)), 1);
  QCOMPARE(view.tokenAt(before(9) + QPoint(40, 0)), -1);
}

EQUIPATCH_TEST(tst_prompt_view)
#include "tst_prompt_view.moc"
