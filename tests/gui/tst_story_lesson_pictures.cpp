// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QLabel>
#include <QTemporaryDir>
#include <filesystem>
#include <fstream>

#include "tests/gui/lesson_story.h"
#include "tests/support/changed_environment.h"
#include "tests/support/image_model.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::kPatience;
using equipatch::test::LessonStory;

/// The pictures that a lesson puts into the prompt and shows.
class tst_story_lesson_pictures : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// A stranger's lesson may use only pictures in its own folder, which are checked like
  /// any other.
  void aLessonReadsPicturesOnlyInItsFolder() {
    const QTemporaryDir folder;
    const auto play = [&](LessonStory& story, const char* picture) {
      QFile file(folder.filePath(QStringLiteral("mine.md")));
      QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
      file.write(QByteArray("# M\n## S\n```lesson\ndo prompt ab\ndo picture ") + picture +
                 "\n```\n");
      file.close();
      story.window.lessons().open(file.fileName());
      QVERIFY(story.player());
      QTRY_VERIFY_WITH_TIMEOUT(!story.player()->isActing(), kPatience);
    };
    const QString image =
        QString::fromStdString(test::data("images/gemma3_mm/image0.png").string());
    QVERIFY(QFile::copy(image, folder.filePath(QStringLiteral("good.png"))));
    QVERIFY(QFile::link(image, folder.filePath(QStringLiteral("link.png"))));
    QFile bad(folder.filePath(QStringLiteral("bad.png")));
    QVERIFY(bad.open(QIODevice::WriteOnly));
    bad.write("no image");
    bad.close();
    LessonStory story;
    play(story, "good.png");
    QVERIFY2(story.player()->problem().isEmpty(), qPrintable(story.player()->problem()));
    const PromptParts parts = story.window.findChild<PromptEditor*>()->parts();
    QCOMPARE(parts.pictures.size(), std::size_t{1});
    QCOMPARE(parts.written(QStringLiteral("|")), QStringLiteral("|ab"));
    for (const char* name : {"missing.png", "link.png", "shapes.png"}) {
      play(story, name);
      QVERIFY(story.player()->problem().contains(
          QStringLiteral("There is no image %1").arg(QString::fromLatin1(name))));
    }
    play(story, "bad.png");
    QVERIFY2(story.player()->problem().contains(QStringLiteral("bad.png")),
             qPrintable(story.player()->problem()));
  }

  void aLessonShowsThePictureOfTheRunOnDisplay() {
    const QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString());
    test::writeImageModel(path / "models/equipatch-tiny-vision", test::Letters::All);
    std::filesystem::copy(test::data("images/gemma3_mm/image0.png"), path / "a.png");
    const test::ChangedEnvironment environment("EQUIPATCH_RESOURCES",
                                               folder.path().toUtf8());
    std::ofstream(path / "a.md")
        << "# M\n## A\n```lesson\nshow picture\ndo model vision\ndo steps 2\ndo prompt "
           "a\ndo picture a.png\ndo run\n```\n## B\n```lesson\nshow logits\ndo prompt "
           "ab\ndo run\n```\n## C\n```lesson\nshow picture\n```\n";
    LessonStory story;
    story.window.lessons().open(folder.filePath(QStringLiteral("a.md")));
    for (const char page : {'A', 'B', 'C'}) {
      story.settle();
      const auto* view = story.find<QWidget>("lessonPicture");
      const auto* none = view->findChild<QLabel*>({}, Qt::FindDirectChildrenOnly);
      QTRY_COMPARE(view->isVisible(), page != 'B');
      QTRY_COMPARE(none->isVisible(), page == 'C');  // B's run has no image
      story.button("lessonNext")->click();
    }
  }

  /// If the reader leaves a page while its picture is read, no page gets the picture.
  void aPageGetsNoPictureOfAnEarlierPage() {
    const QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString());
    for (const char* name : {"a.png", "b.png"})
      std::filesystem::copy(test::data("images/gemma3_mm/image0.png"), path / name);
    std::ofstream(path / "m.md")
        << "# M\n## A\n```lesson\ndo prompt ab\ndo picture a.png\n```\n"
           "## B\n```lesson\ndo prompt cd\ndo picture b.png\n```\n";
    LessonStory story;
    story.window.lessons().open(folder.filePath(QStringLiteral("m.md")));
    story.settle();
    const auto name = [&] {
      const PromptParts parts = story.window.findChild<PromptEditor*>()->parts();
      return parts.pictures.size() == 1 ? parts.pictures[0].picture->name : std::string();
    };
    QCOMPARE(name(), std::string("a.png"));
    story.button("lessonNext")->click();
    QCOMPARE(story.player()->index(), 1);
    QVERIFY(story.player()->isActing());
    story.button("lessonBack")->click();
    QCOMPARE(story.player()->index(), 0);
    story.settle();
    QCOMPARE(name(), std::string("a.png"));
  }

  void aPictureWithoutAPlaceholderIsPutFirst() {
    const QTemporaryDir folder;
    const auto path = std::filesystem::path(folder.path().toStdString());
    for (const char* name : {"a.png", "b.png"})
      std::filesystem::copy(test::data("images/gemma3_mm/image0.png"), path / name);
    std::ofstream(path / "m.md")
        << "# M\n## A\n```lesson\ndo prompt x<start_of_image>y\ndo picture a.png\n"
           "do picture b.png\n```\n";
    LessonStory story;
    story.window.lessons().open(folder.filePath(QStringLiteral("m.md")));
    story.settle();
    const PromptParts parts = story.window.findChild<PromptEditor*>()->parts();
    QCOMPARE(parts.written(QStringLiteral("|")), QStringLiteral("|x|y"));
    QCOMPARE(parts.pictures.size(), std::size_t{2});
    QCOMPARE(parts.pictures[0].picture->name, std::string("b.png"));
    QCOMPARE(parts.pictures[1].picture->name, std::string("a.png"));
  }
};

EQUIPATCH_TEST(tst_story_lesson_pictures)
#include "tst_story_lesson_pictures.moc"
