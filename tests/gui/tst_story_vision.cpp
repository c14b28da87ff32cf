// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QMenu>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "core/base/program_files.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/run_to_end.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/prompt/picture_dialog.h"
#include "ui/prompt/sample_prompts.h"
#include "ui/prompt/token_strip.h"
#include "ui/run/session_engine.h"
#include "ui/window/main_window.h"

using namespace equipatch;
using equipatch::test::kPatience;

namespace {

/// The window with the real engine; starts with the bundled text model.
struct VisionStory {
  test::QuietPlatform quiet;
  test::ScratchSettings settings;
  SessionEngine engine;
  MainWindow window{engine};

  VisionStory() {
    const auto folder = test::data("../../resources/models/equipatch-tiny");
    window.setFolder(QString::fromStdString(folder.lexically_normal().string()));
    window.setSteps(40);
    window.show();
    static_cast<void>(QTest::qWaitForWindowActive(&window));
  }

  const RunModel& model() const { return window.model(); }
  QStringList samples() const {
    QStringList titles;
    const auto* button = window.findChild<QToolButton*>(QStringLiteral("samplePrompts"));
    for (const QAction* action : button->menu()->actions()) titles << action->text();
    return titles;
  }
  void choose(const QString& sample) const {
    const auto* button = window.findChild<QToolButton*>(QStringLiteral("samplePrompts"));
    button->menu()->actions().at(samples().indexOf(sample))->trigger();
  }
  void waitForModel() const {
    QTRY_VERIFY_WITH_TIMEOUT(
        window.controller().loaded() &&
            window.controller().phase() == RunController::Phase::Idle &&
            window.command("run")->isEnabled(),
        kPatience);
  }
  void run() { test::runToEnd(window); }
  QString answer() const {
    std::string text;
    for (int step = 0; step < model().stepCount(); ++step)
      text += model().step(step).continuedBytes;
    return QString::fromStdString(text).remove(QStringLiteral("<eos>"));
  }
};

}  // namespace

class tst_story_vision : public equipatch::test::TestCase {
  Q_OBJECT
 private:
  /// For inspection: saves a screenshot in the folder that EQUIPATCH_PICTURES names, if
  /// any.
  static void savePicture(QWidget& widget, const char* name) {
    const QString folder = qEnvironmentVariable("EQUIPATCH_PICTURES");
    if (folder.isEmpty()) return;
    QCoreApplication::processEvents();
    QVERIFY(widget.grab().save(QStringLiteral("%1/%2-%3.png")
                                   .arg(folder, QString::fromLatin1(name),
                                        QString::fromLatin1(QTest::currentDataTag()))));
  }

 private Q_SLOTS:
  void initTestCase() {
    if (!findResource(Resource::BundledVisionModel))
      QSKIP("resources/models/equipatch-tiny-vision is not there");
  }

  /// Only the image holds the answer, and the patched pass does not see the image.
  void questionsOfTheSamplesAreAnswered_data() {
    QTest::addColumn<QString>("sample");
    QTest::addColumn<QString>("answer");
    const auto row = [](const char* sample, const char* answer) {
      QTest::newRow(sample) << QString::fromUtf8(sample) << QString::fromUtf8(answer);
    };
    row("What stands above the number?", " a red circle");
    row("How many triangles?", " 3");
    row("The colour of the largest shape", " yellow");
    row("A number to read", " 59");
    row("An image in words",
        " top right a blue triangle, left the number 16, middle a purple circle, right a "
        "large yellow cross, bottom an orange cross.");
  }
  void questionsOfTheSamplesAreAnswered() {
    QFETCH(QString, sample);
    QFETCH(QString, answer);
    VisionStory story;
    story.choose(sample);  // loads the vision model
    story.waitForModel();
    QVERIFY(visionOf(*story.window.controller().loaded()));
    QCOMPARE(story.samples().at(1), QStringLiteral("What stands above the number?"));
    story.run();
    QCOMPARE(story.model().mismatchCount(), 0);
    QVERIFY(story.model().step(0).bareDistance->linf > 1.0);
    QCOMPARE(story.answer(), answer);
    QCOMPARE(story.window.line().hint(), QString());
  }

  void questionsBeyondTheTrainingShowAHint_data() {
    QTest::addColumn<QString>("question");
    QTest::addColumn<QString>("hint");
    const auto row = [](const char* question, const char* hint) {
      QTest::newRow(question) << QString::fromLatin1(question)
                              << QString::fromLatin1(hint);
    };
    row("What is the weather like?", "The model guesses");
    row("Write a poem about this picture.", "The model writes nothing");
    row("hello", "The model repeats");
  }
  void questionsBeyondTheTrainingShowAHint() {
    QFETCH(QString, question);
    QFETCH(QString, hint);
    VisionStory story;
    story.window.resize(1440, 900);
    story.choose(QStringLiteral("What stands above the number?"));
    story.waitForModel();
    auto* prompt = story.window.findChild<PromptEditor*>();
    PromptParts parts = prompt->parts();
    parts.text.replace(QStringLiteral("What stands above the number?"), question);
    prompt->setParts(parts);
    story.run();
    QVERIFY2(story.window.line().hint().startsWith(hint),
             qPrintable(story.window.line().hint() + story.answer()));
    savePicture(story.window, "vision-hint");
    const auto* samples =
        story.window.line().findChild<QToolButton*>(QStringLiteral("doubtSamples"));
    samples->menu()->actions().at(3)->trigger();
    QVERIFY(prompt->parts().text.contains(QStringLiteral("Read the number.")));
    QCOMPARE(prompt->parts().pictures.size(), std::size_t{1});
    story.run();
    QCOMPARE(story.answer(), QStringLiteral(" 59"));
    QCOMPARE(story.window.line().hint(), QString());
  }

  /// In this sample's picture the number is at the right.
  void theImageMapIsLargestAtTheNumber_data() {
    QTest::addColumn<int>("mode");
    QTest::newRow("light") << int(Theme::Mode::Light);
    QTest::newRow("dark") << int(Theme::Mode::Dark);
  }
  void theImageMapIsLargestAtTheNumber() {
    QFETCH(int, mode);
    VisionStory story;
    story.window.setThemeMode(Theme::Mode(mode));
    story.window.resize(1440, 900);
    story.choose(QStringLiteral("A number to read"));
    story.waitForModel();
    story.run();
    auto* strip = story.window.findChild<TokenStrip*>();
    const PromptImage& image = story.model().header()->request.images.at(0);
    QTest::mouseClick(strip->viewport(), Qt::LeftButton, {},
                      strip->chipOfPrompt(int(image.tokens.first)).center());
    auto* dialog = story.window.findChild<PictureDialog*>();
    QVERIFY(dialog);
    dialog->resize(900, 600);
    savePicture(story.window, "vision-window");
    const auto map = [&](int quantity) {
      auto* choice = dialog->findChild<QComboBox*>(QStringLiteral("mapQuantity"));
      choice->setCurrentIndex(quantity < 0 ? choice->count() - 1 : quantity);
      dialog->map()->startButton().click();
      QTRY_VERIFY_WITH_TIMEOUT(dialog->map()->exportButton().isEnabled(), kPatience);
    };
    map(0);
    dialog->view().select(24);
    savePicture(*dialog, "vision-cells");
    map(-1);
    savePicture(*dialog, "vision-growth");
    const QString numbers = dialog->view().accessibleDescription().section(u':', 1);
    QList<double> changes;
    for (const QString& row : numbers.split(u';'))
      for (const QString& cell : row.split(u',')) changes << cell.trimmed().toDouble();
    QCOMPARE(changes.size(), 36);
    const auto most = std::ranges::max_element(changes) - changes.begin();
    QVERIFY2(most / 6 >= 2 && most / 6 < 4 && most % 6 >= 3,
             qPrintable(QString::number(most)));
  }

  /// The vision model has not learnt to answer texts without an image.
  void aTextSampleGoesBackToTheTextModel() {
    const VisionStory story;
    story.choose(QStringLiteral("How many triangles?"));
    story.waitForModel();
    QCOMPARE(story.window.controller().loaded()->name,
             std::string("equipatch-tiny-vision"));
    story.choose(QStringLiteral("Counting"));
    const auto name = [&story] {  // empty while the next model is being loaded
      const auto model = story.window.controller().loaded();
      return model ? model->name : std::string();
    };
    QTRY_COMPARE_WITH_TIMEOUT(name(), std::string("equipatch-tiny"), kPatience);
  }

  void aSecondImageSampleLoadsNoModel() {
    VisionStory story;
    story.choose(QStringLiteral("How many triangles?"));
    story.waitForModel();
    const auto loaded = story.window.controller().loaded();
    story.choose(QStringLiteral("A number to read"));
    QCOMPARE(story.window.controller().phase(), RunController::Phase::Idle);
    QCOMPARE(story.window.controller().loaded(), loaded);
  }
};

EQUIPATCH_TEST(tst_story_vision)
#include "tst_story_vision.moc"
