// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileInfo>
#include <QLabel>
#include <QScrollBar>
#include <QTextBrowser>

#include "tests/gui/lesson_story.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::LessonStory;

namespace {

/// The first size is a screen of 1280 × 720 less a title bar.
constexpr QSize kSizes[] = {
    {1280, 680}, {1280, 720}, {1366, 768}, {1440, 900}, {1920, 1080}};

/// Names the first part of the lesson's panel that is cut off; empty if there is none.
QString cutText(LessonStory& story) {
  const auto* text = story.find<QTextBrowser>("lessonText");
  const int hidden = text->verticalScrollBar()->maximum();
  if (hidden > 0) return QStringLiteral("%1 pixels of the text").arg(hidden);
  for (const auto* label : story.find<QWidget>("lessonPanel")->findChildren<QLabel*>())
    if (label->isVisible() && label->height() < label->heightForWidth(label->width()))
      return label->text();
  for (const auto* button :
       story.find<QWidget>("lessonPanel")->findChildren<QPushButton*>())
    if (button->isVisible() &&
        button->width() < button->fontMetrics().horizontalAdvance(button->text()))
      return button->text();
  return {};
}

QString placeOf(LessonStory& story) {
  const QSize size = story.window.size();
  return QStringLiteral("step %1 at %2x%3: ")
      .arg(story.player()->index() + 1)
      .arg(size.width())
      .arg(size.height());
}

}  // namespace

/// A lesson's text is fully visible at each usual size of the window.
class tst_story_lesson_sizes : public equipatch::test::TestCase {
  Q_OBJECT

  static void show(LessonStory& story, const QSize& size) {
    story.window.resize(size);
    QTRY_COMPARE(story.window.size(), size);
    QTRY_VERIFY2(cutText(story).isEmpty(), qPrintable(placeOf(story) + cutText(story)));
  }

 private Q_SLOTS:
  void noTextIsCut_data() {
    const LessonStory story;  // registers the resources
    QTest::addColumn<QString>("file");
    for (const QString& file : LessonDesk::ownLessons())
      QTest::newRow(qPrintable(QFileInfo(file).baseName())) << file;
  }

  /// Pages open at the two largest sizes in turn.
  void noTextIsCut() {
    QFETCH(QString, file);
    LessonStory story;
    story.window.resize(kSizes[3]);
    story.window.lessons().open(file);
    for (int page = 0;; ++page) {
      story.settle();
      const QSize begun = story.window.size(), next = kSizes[3 + (page + 1) % 2];
      show(story, begun);
      for (const QSize& size : kSizes) show(story, size);
      show(story, next);
      if (QTest::currentTestFailed() || story.player()->isLast()) return;
      story.button("lessonNext")->click();
    }
  }
};

EQUIPATCH_TEST(tst_story_lesson_sizes)
#include "tst_story_lesson_sizes.moc"
