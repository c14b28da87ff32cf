// SPDX-License-Identifier: GPL-3.0-or-later
#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>
#include <QUrl>

#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "ui/prompt/prompt_view.h"

using namespace equipatch;

/// Images in the prompt's text, and pasting.
class tst_prompt_view_pictures : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void picturesStandInTheText();
  void picturesAreCopiedAndPasted();
  void offersPastedPictures();
  void anImagesTokensAreOneCharacter();
  void pastingScrollsToTheCursor();
};

void tst_prompt_view_pictures::picturesStandInTheText() {
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  const auto picture = readPicture(test::data("pictures/photo.jpg"));
  view.showParts({QStringLiteral("ab")});
  view.moveCursor(QTextCursor::Start);
  view.moveCursor(QTextCursor::Right);
  view.insertPictures({picture});
  QCOMPARE(view.parts().written(), QStringLiteral("a<start_of_image>b"));
  QCOMPARE(view.parts().files(), Pictures{picture});
  QTest::keyClicks(&view, QStringLiteral("xy"));
  QCOMPARE(view.parts().written(), QStringLiteral("a<start_of_image>xyb"));
  view.undo();
  view.undo();
  QCOMPARE(view.parts().written(), QStringLiteral("ab"));
  view.redo();
  QCOMPARE(view.parts().files(), Pictures{picture});
  // The image is drawn once it has been decoded.
  view.resize(300, 120);
  view.show();
  QTRY_VERIFY(!shelf.image(picture).isNull());
  QTRY_VERIFY(view.document()->size().height() > 2 * view.fontMetrics().height());
  QSignalSpy activated(&view, &PromptView::pictureActivated);
  QTextCursor cursor(view.document());
  cursor.setPosition(1);
  QTest::mouseDClick(view.viewport(), Qt::LeftButton, {},
                     view.cursorRect(cursor).center() + QPoint(8, 0));
  QCOMPARE(activated.count(), 1);
  QCOMPARE(activated.front().front().toInt(), 0);
}

void tst_prompt_view_pictures::picturesAreCopiedAndPasted() {
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  const auto picture = readPicture(test::data("pictures/photo.jpg"));
  PromptParts parts{QStringLiteral("one ")};
  parts.append(picture);
  parts.append(QStringLiteral(" two"));
  view.showParts(parts);
  view.selectAll();
  view.copy();
  QCOMPARE(QGuiApplication::clipboard()->text(),
           QStringLiteral("one <start_of_image> two"));
  PromptView other(theme, shelf);
  other.paste();
  QVERIFY(other.parts() == parts);
  // A pasted character U+FFFC is not an image.
  QGuiApplication::clipboard()->setText(QStringLiteral("a\uFFFCb"));
  other.showParts({});
  other.paste();
  QVERIFY(other.parts() == PromptParts{QStringLiteral("ab")});
  // An image that the user inserts next goes to the cursor, not to where text was pasted.
  other.moveCursor(QTextCursor::Start);
  other.insertPictures({picture});
  QCOMPARE(other.text(), QStringLiteral("\uFFFCab"));
}

void tst_prompt_view_pictures::offersPastedPictures() {
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  QSignalSpy files(&view, &PromptView::filesOffered);
  QSignalSpy images(&view, &PromptView::imageOffered);
  auto* pictures = new QMimeData;
  pictures->setUrls({QUrl::fromLocalFile(QStringLiteral("/a.PNG")),
                     QUrl::fromLocalFile(QStringLiteral("/b.jpg"))});
  QGuiApplication::clipboard()->setMimeData(pictures);
  view.paste();
  QCOMPARE(files.front().front().toStringList(),
           (QStringList{QStringLiteral("/a.PNG"), QStringLiteral("/b.jpg")}));
  auto* run = new QMimeData;
  run->setUrls({QUrl::fromLocalFile(QStringLiteral("/a.eqrun"))});
  QGuiApplication::clipboard()->setMimeData(run);
  view.paste();
  QCOMPARE(files.count(), 1);
  view.clear();
  QImage image(3, 2, QImage::Format_RGB32);
  image.fill(Qt::red);
  QGuiApplication::clipboard()->setImage(image);
  view.paste();
  QCOMPARE(images.count(), 1);
  // After an image that cannot be read, the next image goes to the cursor.
  view.showParts({QStringLiteral("ab")});
  view.moveCursor(QTextCursor::End);
  view.paste();
  view.forgetOffer();
  view.moveCursor(QTextCursor::Start);
  view.insertPictures({readPicture(test::data("pictures/photo.jpg"))});
  QCOMPARE(view.text(), QStringLiteral("\uFFFCab"));
}

void tst_prompt_view_pictures::anImagesTokensAreOneCharacter() {
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  PromptParts parts{QStringLiteral("a")};
  parts.append(readPicture(test::data("pictures/photo.jpg")));
  parts.append(QStringLiteral("b"));
  view.showParts(parts);
  // "a", "\n\n", begin, two image tokens, end, "\n\n", "b"
  view.setTokens({{.span = {0, 1}},
                  {.span = {1, 3}},
                  {.span = {3, 5}},
                  {.span = {5, 7}},
                  {.span = {7, 9}},
                  {.span = {9, 11}},
                  {.span = {11, 13}},
                  {.span = {13, 14}}},
                 {{.tokens = {3, 4}, .span = {.written = {1, 13}, .firstToken = 5}}});
  QTextCursor cursor(view.document());
  cursor.setPosition(1);
  cursor.setPosition(2, QTextCursor::KeepAnchor);
  view.setTextCursor(cursor);
  QCOMPARE(view.selectedTokens().first, 3);
  QCOMPARE(view.selectedTokens().last, 4);
  view.setKeptTokens({false, false, false, true, true, false, false, false});
  QVERIFY(view.kept() == (std::vector<TextSpan>{{1, 2}}));
  view.selectTokens({7, 7});
  QCOMPARE(view.textCursor().selectedText(), QStringLiteral("b"));
}

void tst_prompt_view_pictures::pastingScrollsToTheCursor() {
  const Theme theme;
  PictureShelf shelf({});
  PromptView view(theme, shelf);
  view.resize(300, 120);
  view.show();
  view.showParts({QStringLiteral("line\n").repeated(100)});
  const auto isShownAfter = [&](const auto& paste) {
    view.moveCursor(QTextCursor::End);
    view.verticalScrollBar()->setValue(0);
    paste();
    return view.viewport()->rect().contains(view.cursorRect().center());
  };
  QGuiApplication::clipboard()->setText(QStringLiteral("word"));
  QVERIFY(isShownAfter([&] { view.paste(); }));
  PromptParts parts{QStringLiteral("one")};
  parts.append(readPicture(test::data("pictures/photo.jpg")));
  PromptView other(theme, shelf);
  other.showParts(parts);
  other.selectAll();
  other.copy();
  QVERIFY(isShownAfter([&] { view.paste(); }));
  QVERIFY(isShownAfter([&] { view.insertPictures(parts.files()); }));
}

EQUIPATCH_TEST(tst_prompt_view_pictures)
#include "tst_prompt_view_pictures.moc"
