#include "ui/window/runs_desk.h"

#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

namespace {

struct DeskFixture {
  test::ScratchSettings scratch;
  test::SyntheticEngine engine;
  QWidget window;
  Theme theme;
  RunModel model;
  Selection selection;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  RunFiles files{controller, window};
  Actions actions{theme, nullptr};
  LogitChart chart{model, selection, theme};
  RunsDesk desk{{model, controller, files, chart, actions, theme}};

  void run(int steps, bool recorded = true) {
    RunSettings settings;
    settings.model.folder = "/models/tiny";
    settings.run.promptText = "Once upon a";
    settings.run.steps = steps;
    if (recorded) settings.record = files.begin(QStringLiteral("tiny"));
    controller.startOver(settings);
    QTRY_VERIFY(controller.phase() == RunController::Phase::Idle && !model.empty());
  }
};

}  // namespace

class tst_runs_desk : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void actionsFollowTheList() {
    DeskFixture f;
    QVERIFY(!f.actions.compareSteps->isEnabled() && !f.actions.closeRun->isEnabled());
    f.run(4);
    QVERIFY(!f.actions.compareSteps->isEnabled() && f.actions.closeRun->isEnabled());
    f.run(5);
    QVERIFY(f.actions.compareSteps->isEnabled());
    f.actions.closeRun->trigger();
    QVERIFY(f.actions.reopenRun->isEnabled());
    QCOMPARE(f.chart.others().size(), 1);
  }

  void figuresBeginWithTheRunOnDisplay() {
    DeskFixture f;
    f.run(4);
    f.run(6);
    const std::vector<FigureRun> runs = f.desk.figureRuns();
    QCOMPARE(runs.size(), std::size_t(2));
    QCOMPARE(runs[0].steps.size(), std::size_t(6));
    QCOMPARE(runs[1].steps.size(), std::size_t(4));
    QCOMPARE(runs[0].style, std::optional(1));
    f.desk.list().setColour(1, 4);
    QCOMPARE(f.desk.figureRuns()[0].style, std::optional(4));
    QCOMPARE(f.desk.figureRuns()[1].style, std::optional(0));
    f.desk.list().setData(f.desk.list().index(1, RunList::Name), Qt::Unchecked,
                          Qt::CheckStateRole);
    QCOMPARE(f.desk.figureRuns()[0].style, std::optional(4));  // on display all the same
  }

  void theRunOnDisplayIsNamed() {
    DeskFixture f;
    QString name;
    bool drawn = false;
    QObject::connect(&f.desk, &RunsDesk::displayNamed, &f.desk,
                     [&](const QString& shown, const QIcon& swatch) {
                       name = shown;
                       drawn = !swatch.isNull();
                     });
    f.run(4);
    QCOMPARE(name, QStringLiteral("synthetic · bfloat16 balanced closed"));
    QVERIFY(drawn);
    f.run(5);
    QCOMPARE(name, QStringLiteral("synthetic · bfloat16 balanced closed #2"));
    RunList& list = f.desk.list();
    list.setData(list.index(1, RunList::Name), QStringLiteral("synthetic, again"),
                 Qt::EditRole);
    QCOMPARE(name, QStringLiteral("synthetic, again"));
    list.close(1);
    QCOMPARE(name, QStringLiteral("synthetic · bfloat16 balanced closed"));
    QVERIFY(!drawn);
  }

  void runsWithoutAFileAreNotOpened() {
    DeskFixture f;
    f.run(4, false);
    f.run(5);
    const QSignalSpy failed(&f.desk, &RunsDesk::failed);
    Q_EMIT f.desk.panel()->displayWanted(0);
    QCOMPARE(failed.count(), 1);
    QVERIFY(failed.front().front().toString().contains(QStringLiteral("not recorded")));
    QVERIFY(f.engine.lastOpened().empty());
  }
};

EQUIPATCH_TEST(tst_runs_desk)
#include "tst_runs_desk.moc"
