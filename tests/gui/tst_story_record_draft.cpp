// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QMessageBox>
#include <QPlainTextEdit>

#include "core/lesson/lesson_reader.h"
#include "tests/gui/record_story.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::RecordStory;

/// The drafts that keep a recorded lesson on disk until the user saves the lesson.
class tst_story_record_draft : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aDraftIsSavedWhenTheWindowCloses() {
    QString draft;
    {
      RecordStory story;
      story.window.setPrompt(
          QStringLiteral("Say this backwards: lamp coin key. Answer:"));
      story.useModel("float32", 2);
      story.record().start();
      story.run();
      QTRY_COMPARE(story.stepCount(), std::size_t{1});
      const QStringList files =
          QDir(LessonDesk::folder()).entryList({QStringLiteral("draft-*.md")});
      QCOMPARE(files.size(), 1);  // written at once, in case of a crash
      story.window.setSteps(1);
      story.window.close();
      draft = LessonDesk::folder() + u'/' + files.front();
      const Lesson lesson = readLessonFile(draft.toStdString());
      QCOMPARE(lesson.steps.size(), std::size_t{2});
      QVERIFY(lesson.title.starts_with("Draft of "));

      MainWindow next(story.engine);
      next.lessons().record().edit(draft);
      auto* dialog = next.lessons().record().dialog();
      QVERIFY(dialog);
      auto* text = dialog->findChild<QPlainTextEdit*>(QStringLiteral("recordText"));
      text->setPlainText(QStringLiteral("# A heading\nis no title."));
      next.close();
      QCOMPARE(readLessonFile(draft.toStdString()).steps[0].text,
               std::string("\\# A heading\nis no title.\n"));
    }
  }

  /// A draft may have more pages than a saved lesson. The window reports this once.
  void aLongRecordingIsKeptAsADraft() {
    RecordStory story;
    story.record().start();
    const auto draft = [] {
      const QDir folder(LessonDesk::folder());
      return folder.filePath(folder.entryList({QStringLiteral("draft-*.md")}).value(0));
    };
    auto& messages = *story.window.findChild<MessageBar*>();
    for (int page = 0; page < 60; ++page) story.button("recordStep")->click();
    QCOMPARE(messages.text(), QString());
    story.button("recordStep")->click();
    QVERIFY2(messages.text().contains(
                 QStringLiteral("the lesson has 61 pages, 1 more than the 60 allowed")),
             qPrintable(messages.text()));
    messages.showNotice(QStringLiteral("Another."));
    story.button("recordStep")->click();
    QCOMPARE(messages.text(), QStringLiteral("Another."));
    QCOMPARE(readLessonFile(draft().toStdString(), kDraftLimits).steps.size(),
             std::size_t{62});
    story.record().stop();
    RecordDialog* dialog = story.record().dialog();
    QVERIFY(dialog);
    dialog->findChild<QPushButton*>(QStringLiteral("recordLater"))->click();
    QTRY_VERIFY(!story.record().dialog());
    story.record().edit(draft());
    dialog = story.record().dialog();
    QVERIFY(dialog);
    const auto click = [&](const char* name) {
      dialog->findChild<QPushButton*>(QString::fromLatin1(name))->click();
    };
    click("recordSave");
    auto* problem = dialog->findChild<QMessageBox*>();
    QVERIFY(problem && problem->text().contains(QStringLiteral("62 pages, 2 more")));
    problem->accept();
    for (int page = 0; page < 2; ++page) click("recordRemove");
    click("recordSave");
    QVERIFY(!story.record().dialog());
    QVERIFY(!draft().endsWith(QStringLiteral(".md")));
  }

  /// Removing a page, or deleting the draft, deletes the recorded pictures (`picture-…`)
  /// that no remaining page or lesson names. Files with other names stay.
  void deletingADraftDeletesItsPictures() {
    RecordStory story;
    const QDir folder(LessonDesk::folder());
    QVERIFY(folder.mkpath(QStringLiteral(".")));
    const auto write = [&folder](const char* name, const QByteArray& text) {
      QFile file(folder.filePath(QString::fromLatin1(name)));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(text);
    };
    const QByteArray both =
        "do picture picture-a.png\ndo picture picture-b.png\ndo picture own.png\n";
    write("draft-1.md",
          "# Draft\n## One\n```lesson\ndo picture picture-c.png\n"
          "do picture picture-b.png\n```\n## Two\n```lesson\n" +
              both + "```\n");
    write("mine.md", "# Mine\n## One\n```lesson\ndo picture picture-b.png\n```\n");
    for (const char* image :
         {"picture-a.png", "picture-b.png", "picture-c.png", "own.png"})
      write(image, "image");
    story.record().edit(folder.filePath(QStringLiteral("draft-1.md")));
    RecordDialog* dialog = story.record().dialog();
    QVERIFY(dialog);
    dialog->findChild<QPushButton*>(QStringLiteral("recordRemove"))->click();
    QVERIFY(!folder.exists(QStringLiteral("picture-c.png")));
    QVERIFY(folder.exists(QStringLiteral("picture-a.png")));
    dialog->findChild<QPushButton*>(QStringLiteral("recordDelete"))->click();
    QCOMPARE(folder.entryList(QDir::Files, QDir::Name),
             (QStringList{QStringLiteral("mine.md"), QStringLiteral("own.png"),
                          QStringLiteral("picture-b.png")}));
  }
};

EQUIPATCH_TEST(tst_story_record_draft)
#include "tst_story_record_draft.moc"
