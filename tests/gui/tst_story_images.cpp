// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <algorithm>

#include "tests/support/image_model.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/drop_files.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/run_to_end.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/prompt/picture_dialog.h"
#include "ui/prompt/token_strip.h"
#include "ui/run/run_files.h"
#include "ui/run/session_engine.h"
#include "ui/window/main_window.h"

using namespace equipatch;
using equipatch::test::kPatience;

namespace {

using Phase = RunController::Phase;

QString golden(const char* name) {
  return QString::fromStdString((test::data("images/gemma3_mm") / name).string());
}

/// The window with the real engine and a tiny model that reads images.
struct ImageStory {
  SessionEngine engine;
  MainWindow window{engine};

  explicit ImageStory(const QString& model) {
    window.setFolder(model);
    window.setSteps(3);
    window.show();
    static_cast<void>(QTest::qWaitForWindowActive(&window));
  }

  PromptEditor& prompt() const { return *window.findChild<PromptEditor*>(); }
  template <typename Widget>
  Widget* find(const char* name) const {
    return window.findChild<Widget*>(QString::fromLatin1(name));
  }
  void drop(const QString& file) { test::dropFiles(window, {file}); }
  void run() {
    test::runToEnd(window);
    QCOMPARE(window.model().stepCount(), 3);
  }
};

}  // namespace

/// Images in the prompt: inserted, absorbed, recorded and restored.
class tst_story_images : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    m_model = QString::fromStdString(
        test::writeImageModel(m_folder.filePath(QStringLiteral("model")).toStdString())
            .string());
  }

  void aDroppedPictureIsAbsorbed() {
    const test::QuietPlatform quiet;
    const test::ScratchSettings settings;
    ImageStory story(m_model);
    story.window.setPrompt(QStringLiteral("abc"));
    story.drop(golden("image0.png"));
    QTRY_COMPARE(story.prompt().parts().pictures.size(), std::size_t{1});
    story.run();
    const RunRequest& request = story.window.model().header()->request;
    QCOMPARE(request.images.size(), std::size_t{1});
    QVERIFY(request.absorbed.whole());
    QCOMPARE(story.window.model().mismatchCount(), 0);
    QVERIFY(story.window.model().step(0).bareDistance->linf > 0.0);

    // A click on one token adds the whole image to the kept part of the context.
    auto* chips = story.find<QListView>("promptTokens");
    const int first = int(request.images[0].tokens.first);
    QTRY_VERIFY(!chips->visualRect(chips->model()->index(first, 0)).isEmpty());
    QTest::mouseClick(chips->viewport(), Qt::LeftButton, {},
                      chips->visualRect(chips->model()->index(first, 0)).center());
    QCOMPARE(story.prompt().absorbed(), std::string("text"));
    QCOMPARE(story.find<QComboBox>("absorb")->currentText(), QStringLiteral("text"));
    story.run();
    const RunRequest& second = story.window.model().header()->request;
    QCOMPARE(second.absorbed.keptPrompt.size(), std::size_t{1});
    QVERIFY(second.absorbed.keptPrompt.front() == request.images[0].tokens);

    auto* strip = story.window.findChild<TokenStrip*>();
    QTest::mouseClick(strip->viewport(), Qt::LeftButton, {},
                      strip->chipOfPrompt(first).center());
    auto* dialog = story.find<PictureDialog>("pictureDialog");
    QVERIFY(dialog);
    QCOMPARE(dialog->tokens().model()->rowCount(), 4);

    // The first map computes the step once for each of the image's 2 × 2 cells, and keeps
    // only this cell.
    dialog->map()->startButton().click();
    QTRY_VERIFY_WITH_TIMEOUT(dialog->map()->exportButton().isEnabled(), kPatience);
    QCOMPARE(dialog->view().accessibleDescription().count(QStringLiteral(", ")), 2);

    // The map of the last quantity shows how much the patch changes while the context
    // grows by the image's tokens, one at a time.
    auto* quantity = dialog->findChild<QComboBox*>(QStringLiteral("mapQuantity"));
    quantity->setCurrentIndex(quantity->count() - 1);
    QVERIFY(!dialog->map()->exportButton().isEnabled());
    QVERIFY(dialog->map()->message().text().contains(
        QStringLiteral("10 passes of one token")));
    QVERIFY(dialog->view().accessibleDescription().isEmpty());
    dialog->map()->startButton().click();
    QTRY_VERIFY_WITH_TIMEOUT(dialog->map()->exportButton().isEnabled(), kPatience);
    QVERIFY(dialog->view().accessibleDescription().startsWith(
        QStringLiteral("‖change of ΔW‖, growing: ")));
    quantity->setCurrentIndex(0);  // the first map is still there
    QVERIFY(!dialog->view().accessibleDescription().isEmpty());
    dialog->close();
  }

  void picturesAreInsertedAndPasted() {
    const test::QuietPlatform quiet;
    const test::ScratchSettings settings;
    ImageStory story(m_model);
    story.window.setPrompt(QStringLiteral("ab"));
    story.run();    // loads the model, so that the button is enabled
    QTimer answer;  // the click returns only when the button's dialog closes
    connect(&answer, &QTimer::timeout, this, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      answer.stop();
      dialog->selectFile(golden("image1.png"));
      static_cast<QDialog*>(dialog)->accept();
    });
    answer.start(10);
    QTest::mouseClick(story.find<QToolButton>("insertPicture"), Qt::LeftButton);
    QTRY_COMPARE(story.prompt().parts().pictures.size(), std::size_t{1});
    QGuiApplication::clipboard()->setImage(QImage(golden("image0.png")));
    auto* text = story.find<PromptView>("prompt");
    text->moveCursor(QTextCursor::End);
    text->setFocus();
    QTest::keySequence(text, QKeySequence::Paste);
    QTRY_COMPARE(story.prompt().parts().pictures.size(), std::size_t{2});
    story.run();
    const RunRequest& request = story.window.model().header()->request;
    QCOMPARE(request.images.size(), std::size_t{2});
    QCOMPARE(std::ranges::count(request.images, std::string("image1.png"),
                                [](const PromptImage& i) { return i.picture->name; }),
             1);
    QCOMPARE(story.window.model().mismatchCount(), 0);
  }

  void thePictureIsRestoredAtTheNextStart() {
    const test::QuietPlatform quiet;
    const test::ScratchSettings settings;
    Pictures before;
    {
      ImageStory story(m_model);
      story.window.setPrompt(QStringLiteral("ab"));
      story.drop(golden("image1.png"));
      QTRY_COMPARE(story.prompt().parts().pictures.size(), std::size_t{1});
      before = story.prompt().parts().files();
      story.window.close();
    }
    const ImageStory story(m_model);
    const PromptParts parts = story.prompt().parts();
    QCOMPARE(parts.pictures.size(), std::size_t{1});
    QCOMPARE(parts.pictures[0].picture->bytes, before[0]->bytes);
    QCOMPARE(parts.written(QStringLiteral("|")).remove(u'|'), QStringLiteral("ab"));
  }

  void useSettingsRestoresAPromptWithItsImage() {
    const test::QuietPlatform quiet;
    const test::ScratchSettings settings;
    ImageStory story(m_model);
    story.window.setPrompt(QStringLiteral("ab"));
    story.drop(golden("image0.png"));
    QTRY_COMPARE(story.prompt().parts().pictures.size(), std::size_t{1});
    story.run();
    const PromptParts parts = story.prompt().parts();
    const std::string absorbed = story.prompt().absorbed();
    story.window.setPrompt(QStringLiteral("c"));
    story.window.command("useSettings")->trigger();
    QVERIFY(story.prompt().parts() == parts);
    QCOMPARE(story.prompt().absorbed(), absorbed);
    QVERIFY(story.prompt().prepared());
  }

  /// The recording contains the images, so their files are not needed.
  void aRunWithTwoImagesIsRunAgain() {
    const test::QuietPlatform quiet;
    const test::ScratchSettings settings;
    const QTemporaryDir folder;
    const QString first = folder.filePath(QStringLiteral("first.png"));
    const QString second = folder.filePath(QStringLiteral("second.png"));
    QVERIFY(QFile::copy(golden("image0.png"), first));
    QVERIFY(QFile::copy(golden("image1.png"), second));
    QString recording;
    std::vector<std::shared_ptr<const StepRecord>> steps;
    {
      ImageStory story(m_model);
      story.window.setPrompt(QStringLiteral("ab"));
      story.drop(first);
      story.drop(second);
      QTRY_COMPARE(story.prompt().parts().pictures.size(), std::size_t{2});
      story.run();
      steps = story.window.model().records();
      const QDir runs(RunStore::defaultFolder());
      recording = runs.filePath(runs.entryList(QDir::Files).value(0));
    }
    QVERIFY(QFile::remove(first) && QFile::remove(second));
    ImageStory story(m_model);
    story.window.openRuns({recording});
    QTRY_COMPARE(story.window.model().stepCount(), 3);
    const auto opened = story.window.model().sharedHeader();
    QCOMPARE(opened->request.images.size(), std::size_t{2});
    QTRY_VERIFY(story.window.command("runAgain")->isEnabled());
    story.window.command("runAgain")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(story.window.model().sharedHeader() != opened &&
                                 story.window.model().stepCount() == 3 &&
                                 story.window.controller().phase() == Phase::Idle,
                             kPatience);
    QVERIFY(story.window.model().header()->request.images == opened->request.images);
    for (int step = 0; step < 3; ++step)
      QVERIFY(sameResults(story.window.model().step(step), *steps[std::size_t(step)]));
  }

  void imagesThatDoNotFitAreReported() {
    const test::QuietPlatform quiet;
    const test::ScratchSettings settings;
    ImageStory story(m_model);
    story.window.setPrompt(QStringLiteral("abc"));
    story.run();
    story.window.setPrompt(QStringLiteral("a<start_of_image>"));
    QTRY_VERIFY(
        story.prompt().noteText().contains(QStringLiteral("but 0 images were given")));
    story.drop(golden("config.json") + QStringLiteral(".png"));  // no such file
    QTRY_VERIFY(story.prompt().noteText().contains(QStringLiteral("config.json.png")));
    story.drop(QString::fromStdString(test::data("pictures/animated.png").string()));
    QTRY_VERIFY(story.prompt().noteText().contains(QStringLiteral("animated PNG")));
    QCOMPARE(story.prompt().text(), QStringLiteral("a<start_of_image>"));  // unchanged
    story.window.setFolder(QString::fromStdString(
        test::data("../../resources/models/equipatch-tiny").string()));
    story.window.setPrompt(QStringLiteral("Once"));
    story.run();  // on a model that reads text only
    QVERIFY(!story.find<QToolButton>("insertPicture")->isEnabled());
    story.drop(golden("image0.png"));
    QTRY_VERIFY(story.prompt().noteText().contains(QStringLiteral("reads text only")));
    QVERIFY(!story.prompt().prepared());
  }

 private:
  QTemporaryDir m_folder;
  QString m_model;
};

EQUIPATCH_TEST(tst_story_images)
#include "tst_story_images.moc"
