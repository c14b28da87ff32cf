// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_window.h"

#include <QAbstractItemView>
#include <QFile>
#include <QScrollArea>
#include <QTemporaryDir>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

#include "tests/core/figure/lab_results.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

namespace {

using LabPhase = LabController::Phase;

struct LabWindowSetup {
  test::QuietPlatform quiet;
  test::ScratchSettings settings;
  test::SyntheticEngine engine;
  Theme theme;
  RunModel model;
  SharedWorker worker;
  RunController runs{engine, model, worker};
  LabController lab{engine, worker};
  LabWindow window{lab, runs, theme};

  LabWindowSetup() {
    window.show();
    static_cast<void>(QTest::qWaitForWindowActive(&window));
  }
  void setSteps(int steps) {
    qobject_cast<QSpinBox*>(window.form()->field("steps"))->setValue(steps);
  }
};

}  // namespace

class tst_lab_window : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void listsEveryExperiment() {
    LabWindowSetup s;
    QCOMPARE(s.window.list()->count(), 2);
    QCOMPARE(s.window.list()->item(1)->text(), QStringLiteral("Words"));
    QVERIFY(s.window.form()->field("steps"));
    s.window.list()->setCurrentRow(1);
    QVERIFY(s.window.form()->field("prompt"));
    QVERIFY(s.window.startButton()->isEnabled());
    QVERIFY(!s.window.pauseButton()->isEnabled());
    QVERIFY(!s.window.exportButton()->isEnabled());
  }

  void allExperimentsAreVisibleInLargeType() {
    LabWindowSetup s;
    QFont large = s.window.font();
    large.setPointSizeF(3.0 * large.pointSizeF());
    s.window.setFont(large);
    const QListWidget& list = *s.window.list();
    QCOMPARE(list.font().pointSizeF(), large.pointSizeF());
    for (int row = 0; row < list.count(); ++row)
      QTRY_VERIFY(list.viewport()->rect().contains(list.visualItemRect(list.item(row))));
    QVERIFY(list.viewport()->width() >= list.sizeHintForColumn(0));
  }

  void resultsThatHaveTheFocusHaveAFrame() {
    LabWindowSetup s;
    s.window.setStyleSheet(s.theme.styleSheet());
    for (const char* name : {"labFigureArea", "labFindingArea"}) {
      auto* area = s.window.findChild<QScrollArea*>(QString::fromLatin1(name));
      const auto edge = [area] {
        const QImage image = area->grab().toImage();
        return image.pixelColor(0, image.height() / 2);
      };
      s.window.list()->setFocus();
      QVERIFY(edge() != s.theme.colours().accent);
      area->setFocus(Qt::TabFocusReason);
      QTRY_COMPARE(edge(), s.theme.colours().accent);
    }
  }

  void escapeClosesTheWindow() {
    LabWindowSetup s;
    QComboBox* presets = s.window.form()->presets();
    presets->showPopup();
    QTRY_VERIFY(presets->view()->isVisible());
    QTest::keyClick(presets->view(), Qt::Key_Escape);
    QTRY_VERIFY(!presets->view()->isVisible());
    QVERIFY(s.window.isVisible());
    QTest::keyClick(s.window.form()->seedBox(), Qt::Key_Escape);
    QTRY_VERIFY(!s.window.isVisible());
    s.window.show();
    static_cast<void>(QTest::qWaitForWindowActive(&s.window));
    QTest::keyClick(&s.window, Qt::Key_W, Qt::ControlModifier);
    QTRY_VERIFY(!s.window.isVisible());
  }

  void resultsAreShownAndCanBeExported() {
    LabWindowSetup s;
    s.setSteps(40);
    QTest::keyClick(&s.window, Qt::Key_F5);
    QTRY_VERIFY(!s.window.figures()->image().isNull());
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    QVERIFY(s.window.findings()->text().contains(QStringLiteral("39")));
    QVERIFY(s.window.status()->text().contains(s.lab.file()));
    s.window.exportButton()->click();
    const auto* dialog = s.window.findChild<LabExport*>();
    QVERIFY(dialog && dialog->isVisible());
  }

  void anotherExperimentShowsItsOwnResult() {
    LabWindowSetup s;
    s.setSteps(40);
    s.window.start();
    QTRY_VERIFY(!s.window.figures()->image().isNull());
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    const QString findings = s.window.findings()->text();
    QVERIFY(s.window.list()->count() > 1);
    s.window.list()->setCurrentRow(1);
    QTRY_VERIFY(s.window.figures()->image().isNull());
    QVERIFY(!s.window.exportButton()->isEnabled());
    QVERIFY(s.window.findings()->text() != findings);
    s.window.list()->setCurrentRow(0);
    QCOMPARE(s.window.findings()->text(), findings);
    QTRY_VERIFY(!s.window.figures()->image().isNull());
  }

  void pausesResumesAndStopsByKeyboard() {
    LabWindowSetup s;
    s.setSteps(1000000);
    QTest::keyClick(&s.window, Qt::Key_F5);
    QTRY_VERIFY(s.lab.result());
    QTest::keyClick(&s.window, Qt::Key_F6);
    QTRY_COMPARE(s.lab.phase(), LabPhase::Paused);
    QVERIFY(s.window.status()->text().startsWith(QStringLiteral("Paused")));
    QTest::keyClick(&s.window, Qt::Key_F5);
    QTRY_COMPARE(s.lab.phase(), LabPhase::Running);
    QCOMPARE(s.engine.labs(), 1);
    QTest::keyClick(&s.window, Qt::Key_F8);
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    QVERIFY(s.window.startButton()->isEnabled());
  }

  void underlinedLettersPressTheButtons() {
    LabWindowSetup s;
    s.setSteps(1000000);
    QTest::keyClick(&s.window, Qt::Key_S, Qt::AltModifier);
    QTRY_VERIFY(s.lab.result());
    QTest::keyClick(&s.window, Qt::Key_U, Qt::AltModifier);
    QTRY_COMPARE(s.lab.phase(), LabPhase::Paused);
    QTest::keyClick(&s.window, Qt::Key_R, Qt::AltModifier);
    QTRY_COMPARE(s.lab.phase(), LabPhase::Running);
    QTest::keyClick(&s.window, Qt::Key_T, Qt::AltModifier);
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
  }

  void warnsThatARunWillStop() {
    LabWindowSetup s;
    RunSettings run;
    run.model.folder = "/models/tiny";
    run.prompt.text = "Once";
    run.run.steps = 100000;
    s.runs.run(run);
    const QString warning = QStringLiteral("A run or a load is in progress");
    QCOMPARE(s.runs.phase(), RunController::Phase::Loading);
    QVERIFY(s.window.status()->text().contains(warning));
    QTRY_COMPARE(s.runs.phase(), RunController::Phase::Running);
    QVERIFY(s.window.status()->text().contains(warning));
    s.window.start();
    QTRY_COMPARE(s.runs.phase(), RunController::Phase::Idle);
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    QVERIFY(s.lab.result()->finished);
  }

  void wrongSettingsAreReported() {
    LabWindowSetup s;
    qobject_cast<QLineEdit*>(s.window.form()->field("rate"))->setText("7");
    s.window.start();
    QCOMPARE(s.lab.phase(), LabPhase::Idle);
    QVERIFY(s.window.status()->text().contains(QStringLiteral("rate: expected")));
    QCOMPARE(s.engine.labs(), 0);
  }

  void theResultsFileReplacesAnEarlierFailure() {
    LabWindowSetup s;
    s.setSteps(40);
    s.window.start();
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
    auto* rate = qobject_cast<QLineEdit*>(s.window.form()->field("rate"));
    const QString usual = rate->text();
    rate->setText("7");
    s.window.start();
    QVERIFY(s.window.status()->text().contains(QStringLiteral("rate: expected")));
    rate->setText(usual);
    s.window.showOrStart();
    QCOMPARE(s.engine.labs(), 1);
    QVERIFY(s.window.status()->text().contains(s.lab.file()));
  }

  /// A lesson's page may show an experiment while the user has paused another experiment.
  void showingAnExperimentDoesNotResumeAPausedOne() {
    LabWindowSetup s;
    s.setSteps(1000000);
    s.window.start();
    QTRY_VERIFY(s.lab.result());
    s.window.pauseButton()->click();
    QTRY_COMPARE(s.lab.phase(), LabPhase::Paused);
    const std::string paused = s.lab.newest();
    s.window.list()->setCurrentRow(1);
    s.window.showOrStart();
    QCOMPARE(s.engine.labs(), 2);
    QVERIFY(s.lab.newest() != paused);
    QTRY_COMPARE(s.lab.phase(), LabPhase::Idle);
  }

  void findingsShowThePapersValues() {
    LabResult result;
    result.scalars = {{"mean difference", 2.5e-7, "", 1e-7}, {"loss", 0.5, "nats", {}}};
    const QString text = findingsText(result);
    QVERIFY(text.contains(QStringLiteral("2.50×10⁻⁷")) ||
            text.contains(QStringLiteral("2.5×10⁻⁷")));
    QCOMPARE(text.count(QStringLiteral("paper: about")), 1);
    // The paper's value is an order of magnitude and therefore has one digit.
    QVERIFY2(text.contains(QStringLiteral("paper: about 1×10⁻⁷")), qPrintable(text));
    QVERIFY(text.contains(QStringLiteral("nats")));
  }

  void findingValuesAreNotWrapped() {
    LabResult result;
    result.scalars = {{"largest relative difference of the losses", 3.28e-7, "", {}}};
    QTextDocument document;
    document.setHtml(findingsText(result));
    document.setTextWidth(120);          // less than the row needs
    static_cast<void>(document.size());  // lays out the text
    int lines = 0;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
      if (block.text().contains(QStringLiteral("10⁻⁷")))
        lines = block.layout()->lineCount();
    QCOMPARE(lines, 1);
  }

  void findingsAreEscaped() {
    LabResult result;
    result.scalars = {{"<b>a & b</b>", 1.0, "<i>", {}}};
    result.notes = {"the token <s>"};
    const QString text = findingsText(result);
    QVERIFY(text.contains(QStringLiteral("&lt;b&gt;a &amp; b&lt;/b&gt;")));
    QVERIFY(text.contains(QStringLiteral("the token &lt;s&gt;")));
    QVERIFY(!text.contains(QStringLiteral("<i>")));
  }

 private Q_SLOTS:
  void savesAllPanelsOrOnlyTheChosenOne() {
    const equipatch::test::ScratchSettings settings;
    const equipatch::test::QuietPlatform quiet;
    QTemporaryDir folder;
    LabExport dialog(std::make_shared<const LabResult>(test::someLabResult()));
    dialog.show();
    QCOMPARE(dialog.panels()->count(), 3);
    QCOMPARE(dialog.styleForm()->style().width, kDoubleColumn);
    const auto saved = [&] {
      dialog.save(folder.filePath("f.svg"));
      QFile file(folder.filePath("f.svg"));
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray all = saved();
    QVERIFY(all.contains("Loss") && all.contains("Difference"));
    dialog.panels()->setCurrentIndex(2);
    QCOMPARE(dialog.styleForm()->style().width, kSingleColumn);
    const QByteArray one = saved();
    QVERIFY(!one.contains("Loss") && one.contains("Difference"));
    QTRY_VERIFY(!dialog.preview()->image().isNull());
  }

  void aFigureThatFailsIsReported() {
    const equipatch::test::ScratchSettings settings;
    LabResult result = test::someLabResult();
    result.panels[1].map->x[1] = 0.75;
    const LabExport dialog(std::make_shared<const LabResult>(result));
    QVERIFY(!dialog.saveButton()->isEnabled());
    QVERIFY(dialog.preview()->sentence().contains(QStringLiteral("evenly")));
  }
};

EQUIPATCH_TEST(tst_lab_window)
#include "tst_lab_window.moc"
