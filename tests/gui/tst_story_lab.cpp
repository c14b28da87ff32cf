// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCheckBox>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/record/lab_result.h"
#include "tests/gui/lesson_story.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/lab/lab_window.h"
#include "ui/run/session_engine.h"
#include "ui/window/main_window.h"

using namespace equipatch;
namespace test = equipatch::test;

namespace {

using LabPhase = LabController::Phase;

/// The real engine, and the lab as the menu opens it.
struct LabStory {
  test::QuietPlatform quiet;
  test::ScratchSettings settings;
  SessionEngine engine;
  MainWindow window{engine};
  LabWindow* lab = nullptr;

  LabStory() {
    window.setPrompt(QStringLiteral("The cat sat"));
    window.show();
    window.command("lab")->trigger();
    lab = window.findChild<LabWindow*>();
    static_cast<void>(QTest::qWaitForWindowActive(lab));
  }

  void choose(const QString& title) const {
    lab->list()->setCurrentItem(lab->list()->findItems(title, Qt::MatchExactly).at(0));
  }
  void set(const char* setting, int value) const {
    qobject_cast<QSpinBox*>(lab->form()->field(QString::fromLatin1(setting)))
        ->setValue(value);
  }
  void setTiny(int steps) const {
    for (const auto& [name, value] : {std::pair{"pairs", 5}, {"tasks", 4}, {"batch", 4}})
      set(name, value);
    set("steps", steps);
    set("grid", 4);
  }
  LabPhase phase() const { return window.lab().phase(); }
  std::shared_ptr<const LabResult> result() const { return window.lab().result(); }
};

}  // namespace

/// Trains a model in the lab: watches, pauses, continues, exports, stops.
class tst_story_lab : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void trainsPausesGoesOnAndExports() {
    LabStory story;
    story.choose(QStringLiteral("Context as a change of weights"));
    story.setTiny(4000);
    QTest::keyClick(story.lab, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(story.result() && !story.result()->panels.empty(), 60000);
    QTest::keyClick(story.lab, Qt::Key_F6);
    QTRY_COMPARE_WITH_TIMEOUT(story.phase(), LabPhase::Paused, 60000);
    QVERIFY(!story.result()->finished);
    QTRY_VERIFY(!story.lab->figures()->image().isNull());
    QTest::keyClick(story.lab, Qt::Key_F5);
    QTRY_VERIFY_WITH_TIMEOUT(story.result()->finished, 60000);
    QTRY_COMPARE(story.phase(), LabPhase::Idle);
    const auto& scalars = story.result()->scalars;
    const auto difference = std::ranges::find_if(scalars, [](const LabScalar& scalar) {
      return scalar.name.starts_with("mean difference of the outputs");
    });
    QVERIFY(difference != scalars.end() && difference->value < 1e-4);
    const LabResult saved = readLabResult(story.window.lab().file().toStdString());
    QVERIFY(saved.finished && saved.panels == story.result()->panels &&
            saved.scalars == story.result()->scalars);

    story.lab->exportButton()->click();
    auto* dialog = story.lab->findChild<LabExport*>();
    QVERIFY(dialog);
    QTemporaryDir folder;
    dialog->save(folder.filePath("figure.pdf"));
    QVERIFY(QFile::exists(folder.filePath("figure.pdf")));
    QVERIFY(QFile::exists(folder.filePath("figure.json")));
  }

  void aStoppedExperimentKeepsItsResults() {
    LabStory story;
    story.choose(QStringLiteral("Context as a change of weights"));
    story.setTiny(10000000);
    story.lab->startButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(story.result() && !story.result()->panels.empty(), 60000);
    story.lab->stopButton()->click();
    QTRY_COMPARE_WITH_TIMEOUT(story.phase(), LabPhase::Idle, 60000);
    QVERIFY(!story.result()->finished);
    QVERIFY(QFile::exists(story.window.lab().file()));
    QVERIFY(story.lab->startButton()->isEnabled());
  }

  /// The earlier result has the page's experiment, but another seed.
  void aPageDoesNotAcceptAnEarlierLabResult() {
    test::LessonStory story;
    story.openLesson("show step\n```\n## Two\n```lesson\ndo lab theorem");
    story.window.command("lab")->trigger();
    auto* lab = story.window.findChild<LabWindow*>();
    lab->list()->setCurrentRow(0);  // the theorem
    lab->form()->seedBox()->setValue(5);
    lab->startButton()->click();
    QTRY_COMPARE_WITH_TIMEOUT(story.window.lab().phase(), LabController::Phase::Idle,
                              test::kPatience);
    story.stopExperiments();
    story.button("lessonNext")->click();
    QTRY_VERIFY_WITH_TIMEOUT(!story.player()->isActing(), test::kPatience);
    QCOMPARE(story.window.lab().result()->origin.seed, std::uint64_t{5});
    QVERIFY(story.player()->problem().contains(QStringLiteral("was stopped")));
  }

  void theWordsExperimentUsesThePrompt() {
    LabStory story;
    story.choose(QStringLiteral("Which words teach a language model"));
    QCOMPARE(qobject_cast<QLineEdit*>(story.lab->form()->field("prompt"))->text(),
             QStringLiteral("The cat sat"));
  }
};

EQUIPATCH_TEST(tst_story_lab)
#include "tst_story_lab.moc"
