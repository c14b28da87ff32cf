// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/data_dialog.h"

#include <QFileDialog>
#include <QSettings>

#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/export/page_dialog.h"

using namespace equipatch;
using equipatch::test::makeHeader;
using equipatch::test::makeRecord;
using equipatch::test::RecordShape;

namespace {

/// A dialog that exports a run's data on the worker that also computes runs.
struct ExportSetup {
  test::QuietPlatform quiet;
  test::SyntheticEngine engine;
  RunModel model;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  RunExporter exporter{engine, worker, controller};
  DataDialog::Source source{.name = "a run",
                            .file = "/runs/a.eqrun",
                            .header = makeHeader(RecordShape()),
                            .steps = 2};
  DataDialog dialog{source, exporter};

  void exportTo(const QString& target) {
    dialog.forms()->setCurrentIndex(dialog.forms()->findData(int(RunForm::Csv)));
    dialog.target()->setText(target);
    dialog.exportButton()->click();
  }
  static RunSettings endlessRun() {
    RunSettings settings;
    settings.model.folder = "/models/tiny";
    settings.prompt.text = "Once upon a";
    settings.run.steps = 100'000;  // more than the test waits for
    return settings;
  }
};

}  // namespace

class tst_data_dialog : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// After a restart, QSettings returns the numbers in its file as strings.
  void theLastFileFormatIsChosenAgain() {
    const equipatch::test::ScratchSettings settings;
    QSettings().setValue(QStringLiteral("data/form"), QString::number(int(RunForm::Npz)));
    const ExportSetup s;
    QCOMPARE(s.dialog.forms()->currentData().toInt(), int(RunForm::Npz));
  }

  /// Nothing can be exported until the run has ended.
  void anExportThatARunStopsIsReported() {
    const equipatch::test::ScratchSettings settings;
    ExportSetup s;
    s.exportTo(QStringLiteral("/slow"));
    QTRY_VERIFY(s.dialog.message().isEmpty() && s.exporter.isBusy());
    s.controller.run(s.endlessRun());
    QTRY_VERIFY(!s.exporter.isBusy());
    QVERIFY2(s.dialog.message().startsWith(QStringLiteral("Stopped; ")),
             qPrintable(s.dialog.message()));
    QVERIFY(s.dialog.message().contains(QStringLiteral("in progress")));
    s.controller.stop();
    QTRY_COMPARE(s.controller.phase(), RunController::Phase::Idle);
    QVERIFY(s.dialog.message().startsWith(QStringLiteral("Stopped; ")));
    QVERIFY(!s.dialog.message().contains(QStringLiteral("in progress")));
  }

  void aSecondDialogSaysWhyItWaits() {
    const equipatch::test::ScratchSettings settings;
    ExportSetup s;
    const DataDialog second(s.source, s.exporter);
    s.exportTo(QStringLiteral("/slow"));
    QVERIFY(!second.exportButton()->isEnabled());
    QVERIFY(second.message().startsWith(QStringLiteral("Another export is in progress")));
    QVERIFY(s.dialog.message().isEmpty());
    s.exporter.stop();
    QTRY_VERIFY(second.exportButton()->isEnabled());
    QVERIFY(second.message().isEmpty());
  }

  /// QFileDialog adds its default suffix only to names without a dot.
  void aPageOfAModelWithADotInItsNameIsHtml() {
    const equipatch::test::ScratchSettings settings;
    const equipatch::test::QuietPlatform quiet;
    FigureRun run{{}, makeHeader(RecordShape()), {makeRecord(0, RecordShape())}};
    run.file = "/runs/2026_Qwen2.5-0.5B.eqrun";
    QWidget window;
    auto* pages = new PageDialog({run}, {QStringLiteral("a run")}, &window);
    pages->begin();
    const auto* dialog = window.findChild<QFileDialog*>(QStringLiteral("pageDialog"));
    QVERIFY(dialog);
    QVERIFY(dialog->selectedFiles().value(0).endsWith(u"/2026_Qwen2.5-0.5B.html"));
  }
};

EQUIPATCH_TEST(tst_data_dialog)
#include "tst_data_dialog.moc"
