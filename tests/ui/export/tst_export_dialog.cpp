// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include <QAction>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "core/text/tex_text.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/chart/heatmap_chart.h"

using namespace equipatch;
using equipatch::test::makeHeader;
using equipatch::test::makeRecord;
using equipatch::test::RecordShape;

namespace {

FigureRun aRun(const RecordShape& shape = {}) {
  return {{}, makeHeader(shape), {makeRecord(0, shape), makeRecord(1, shape)}};
}

}  // namespace

class tst_export_dialog : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void everyKindIsPreviewedAndSaved() {
    const equipatch::test::ScratchSettings settings;
    const equipatch::test::QuietPlatform quiet;
    QTemporaryDir folder;
    FigureRun run = aRun();
    QCOMPARE(ExportDialog({run}).kinds()->count(), kFigureKinds - 1);  // no images
    run.header = equipatch::test::withPicture(*run.header);
    ExportDialog dialog({run});
    dialog.show();
    QCOMPARE(dialog.kinds()->count(), kFigureKinds);
    QSignalSpy drawn(dialog.preview(), &FigurePreview::drawn);
    // Kind 0, which the dialog already shows, comes last.
    for (int kind = kFigureKinds; kind-- > 0;) {
      drawn.clear();
      dialog.kinds()->setCurrentIndex(kind);
      QTRY_VERIFY2(!drawn.isEmpty(), qPrintable(dialog.preview()->sentence()));
      QVERIFY(dialog.saveButton()->isEnabled());
      const QString path = folder.filePath(QStringLiteral("%1.svg").arg(kind));
      dialog.save(path);
      QVERIFY(QFile::exists(path));
    }
  }

  void imageFigureIsOfferedWhileARunHasImages() {
    const equipatch::test::ScratchSettings settings;
    FigureRun pictured = aRun();
    pictured.header = equipatch::test::withPicture(*pictured.header);
    ExportDialog dialog({aRun(), pictured});
    const int at = dialog.kinds()->findData(int(FigureKind::Image));
    QVERIFY(at >= 0);
    dialog.kinds()->setCurrentIndex(at);
    QVERIFY(dialog.preview()->sentence().contains(QStringLiteral("image")));
    auto* remove = dialog.findChild<QPushButton*>(QStringLiteral("removeRun"));
    dialog.runs()->setCurrentRow(0);
    remove->click();
    QVERIFY(dialog.preview()->sentence().isEmpty());
    ExportDialog other({aRun(), pictured});
    other.runs()->setCurrentRow(1);
    other.findChild<QPushButton*>(QStringLiteral("removeRun"))->click();
    QVERIFY(other.kinds()->findData(int(FigureKind::Image)) < 0);
  }

  /// A map always shows exactly one step.
  void theStepOfAMapHasNoTickBox() {
    const equipatch::test::ScratchSettings settings;
    ExportDialog dialog({aRun()});
    for (const FigureKind kind : {FigureKind::ScaleHeatmap, FigureKind::PatchNorms}) {
      dialog.kinds()->setCurrentIndex(int(kind));
      QCOMPARE(dialog.oneStep()->isHidden(), kind == FigureKind::ScaleHeatmap);
      QCOMPARE(dialog.step()->isEnabled(), kind == FigureKind::ScaleHeatmap);
    }
  }

  void aMapFollowsTheLogColourSetting() {
    const equipatch::test::ScratchSettings settings;
    const equipatch::test::QuietPlatform quiet;
    {
      QSettings().setValue(kLogarithmicKey, false);
      const ExportDialog dialog({aRun()});
      QVERIFY(!dialog.logarithmicMap()->isChecked());
      QSettings().remove(kLogarithmicKey);
    }
    ExportDialog dialog({aRun()});
    QVERIFY(dialog.logarithmicMap()->isChecked());  // the default, as on the command line
    dialog.kinds()->setCurrentIndex(int(FigureKind::ScaleHeatmap));
    QVERIFY(dialog.logarithmicMap()->isEnabled());
    dialog.show();
    QTRY_VERIFY(!dialog.preview()->image().isNull());
    const QImage logarithmic = dialog.preview()->image();
    dialog.logarithmicMap()->setChecked(false);
    QTRY_VERIFY(dialog.preview()->image() != logarithmic);
  }

  void panelsGroupsAndLimitsAreChosen() {
    const equipatch::test::ScratchSettings settings;
    QTemporaryDir folder;
    FigureRun second = aRun();
    auto header = std::make_shared<RunHeader>(*second.header);
    header->request.promptText = "another prompt";
    second.header = header;
    ExportDialog dialog({aRun(), second});
    const auto saved = [&](FigureKind kind) {
      dialog.kinds()->setCurrentIndex(dialog.kinds()->findData(int(kind)));
      dialog.save(folder.filePath("f.svg"));
      QFile file(folder.filePath("f.json"));
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QVERIFY(!saved(FigureKind::ByToken).contains("\"lower\""));
    dialog.groupings()->setCurrentIndex(1);
    QVERIFY(saved(FigureKind::ByToken).contains("median of 2"));
    QVERIFY(dialog.spaces()->isEnabled());  // the runs' tokens are the same
    const QByteArray without = saved(FigureKind::ByToken);
    dialog.spaces()->setChecked(true);
    QVERIFY(saved(FigureKind::ByToken) != without);
    dialog.spaces()->setChecked(false);
    dialog.groupings()->setCurrentIndex(0);
    QVERIFY(saved(FigureKind::Overview).contains("‖patch‖"));
    QVERIFY(!dialog.part(OverviewPart::PatchSizes)->isHidden());
    QVERIFY(saved(FigureKind::Overview).contains(", step 0\""));
    dialog.mapStep()->setValue(1);
    QVERIFY(saved(FigureKind::Overview).contains(", step 1\""));
    QVERIFY(!saved(FigureKind::Overview).contains(", step 0\""));
    dialog.part(OverviewPart::PatchSizes)->setChecked(false);
    QVERIFY(!saved(FigureKind::Overview).contains("‖patch‖"));
    for (int part = 0; part < kOverviewParts; ++part)
      dialog.part(OverviewPart(part))->setChecked(false);
    QVERIFY(dialog.preview()->sentence().contains(QStringLiteral("at least one")));
    const auto drawn = [&] {
      saved(FigureKind::ScaleHeatmap);
      QFile file(folder.filePath("f.svg"));
      return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray before = drawn();
    dialog.mapLimit()->setValue(12.5);
    QVERIFY(drawn() != before);
    dialog.mapLimit()->setValue(0.0);
    QCOMPARE(drawn(), before);
  }

  /// After a restart, QSettings returns the numbers in its file as strings.
  void theLastFigureKindIsChosenAgain() {
    const equipatch::test::ScratchSettings settings;
    QSettings().setValue(QStringLiteral("figure/kind"),
                         QString::number(int(FigureKind::LayerError)));
    const ExportDialog dialog({aRun()});
    QCOMPARE(dialog.kinds()->currentData().toInt(), int(FigureKind::LayerError));
  }

  void errorsReplaceThePreview() {
    const equipatch::test::ScratchSettings settings;
    ExportDialog dialog({aRun({.closesWithScale = false})});
    dialog.kinds()->setCurrentIndex(int(FigureKind::ScaleHeatmap));
    QVERIFY(dialog.preview()->sentence().contains(QStringLiteral("no Δm")));
    QVERIFY(!dialog.saveButton()->isEnabled());
    dialog.kinds()->setCurrentIndex(int(FigureKind::ByToken));
    QVERIFY(dialog.saveButton()->isEnabled());
  }

  void theCaptionIsCopied() {
    const equipatch::test::ScratchSettings settings;
    const ExportDialog dialog({aRun()});
    auto* copy = dialog.findChild<QPushButton*>(QStringLiteral("copyCaption"));
    QVERIFY(copy && copy->isEnabled());
    dialog.findChild<QAction*>(QStringLiteral("captionAsText"))->trigger();
    const QString caption = QGuiApplication::clipboard()->text();
    QVERIFY2(caption.contains(QStringLiteral("Settings: ")), qPrintable(caption));
    dialog.findChild<QAction*>(QStringLiteral("captionAsTex"))->trigger();
    QCOMPARE(QGuiApplication::clipboard()->text().toStdString(),
             texText(caption.toStdString()));
    QVERIFY(copy->toolTip().contains(QStringLiteral("Settings: ")));
  }

  void runsAreRenamed() {
    const equipatch::test::ScratchSettings settings;
    const equipatch::test::QuietPlatform quiet;
    QTemporaryDir folder;
    ExportDialog dialog({aRun()});
    dialog.kinds()->setCurrentIndex(int(FigureKind::ByToken));
    QCOMPARE(dialog.runs()->item(0)->text(), QStringLiteral("bfloat16 balanced closed"));
    dialog.show();
    dialog.findChild<QPushButton*>(QStringLiteral("renameRun"))->click();
    auto* name = dialog.runs()->findChild<QLineEdit*>();
    QVERIFY(name);
    name->setText(QStringLiteral("ours"));
    QTest::keyClick(name, Qt::Key_Return);
    QTRY_COMPARE(dialog.runs()->item(0)->text(), QStringLiteral("ours"));
    dialog.save(folder.filePath("f.svg"));
    QFile file(folder.filePath("f.json"));
    QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains("\"ours\""));
  }

  void runsAreOrderedAndRemovedTogether() {
    const equipatch::test::ScratchSettings settings;
    FigureRun a = aRun(), b = aRun(), c = aRun();
    a.name = "a", b.name = "b", c.name = "c";
    ExportDialog dialog({a, b, c});
    const auto names = [&] {
      QStringList all;
      for (int row = 0; row < dialog.runs()->count(); ++row)
        all << dialog.runs()->item(row)->text();
      return all.join(u' ');
    };
    dialog.runs()->setCurrentRow(2);
    auto* up = dialog.findChild<QPushButton*>(QStringLiteral("moveUp"));
    for (int press = 0; press < 3; ++press) up->click();
    QCOMPARE(names(), QStringLiteral("c a b"));
    QVERIFY(dialog.runs()->model()->moveRow({}, 0, {}, 3));  // as dragging does
    QCoreApplication::processEvents();
    QCOMPARE(dialog.runs()->currentRow(), 2);
    QCOMPARE(names(), QStringLiteral("a b c"));
    const QTemporaryDir folder;
    dialog.kinds()->setCurrentIndex(int(FigureKind::ByToken));
    dialog.save(folder.filePath("f.svg"));
    QFile file(folder.filePath("f.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray drawn = file.readAll();
    const auto placeOf = [&](const char* name) { return drawn.indexOf(name); };
    QVERIFY(placeOf("\"a\"") >= 0);
    QVERIFY(placeOf("\"a\"") < placeOf("\"b\"") && placeOf("\"b\"") < placeOf("\"c\""));
    auto* remove = dialog.findChild<QPushButton*>(QStringLiteral("removeRun"));
    dialog.runs()->selectAll();
    remove->click();
    QCOMPARE(names(), QStringLiteral("a b c"));  // one run must stay
    dialog.runs()->setCurrentRow(0);
    dialog.runs()->clearSelection();
    remove->click();
    QCOMPARE(names(), QStringLiteral("a b c"));  // the current run is not selected
    dialog.runs()->item(0)->setSelected(true);
    dialog.runs()->item(1)->setSelected(true);
    remove->click();
    QCOMPARE(names(), QStringLiteral("c"));
  }

  void aRunIsAddedFromItsFile() {
    const equipatch::test::ScratchSettings settings;
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("a.eqrun"));
    const FigureRun run = aRun();
    test::recordRun(*run.header, run.steps, path.toStdString());
    ExportDialog dialog({run});
    const auto* message = dialog.findChild<QLabel*>(QStringLiteral("figureMessage"));
    const QSignalSpy added(&dialog, &ExportDialog::added);
    const QString idle = dialog.addButton()->text();
    dialog.addRun(path);
    QVERIFY(dialog.addButton()->text() != idle);
    QVERIFY2(message->text().startsWith(QStringLiteral("Reading ")),
             qPrintable(message->text()));
    QTRY_COMPARE(dialog.runs()->count(), 2);
    QCOMPARE(dialog.addButton()->text(), idle);
    dialog.addRun(path);
    dialog.addButton()->click();  // cancels the reading
    QCOMPARE(dialog.addButton()->text(), idle);
    QCOMPARE(message->text(), QString());
    dialog.addRun(folder.filePath(QStringLiteral("missing.eqrun")));
    QTRY_VERIFY(message->text().contains(QStringLiteral("missing.eqrun:")));
    QCOMPARE(dialog.addButton()->text(), idle);
    QCOMPARE(added.count(), 1);
    QCOMPARE(dialog.runs()->count(), 2);
  }

  void theSizeOfTheFigureIsShown() {
    const equipatch::test::ScratchSettings settings;
    const equipatch::test::QuietPlatform quiet;
    ExportDialog dialog({aRun()});
    dialog.show();
    const auto* size = dialog.findChild<QLabel*>(QStringLiteral("figureSize"));
    QTRY_VERIFY2(
        size->text().startsWith(u"3.25 × ") || size->text().startsWith(u"6.75 × "),
        qPrintable(size->text()));
    dialog.limits()->setText(QStringLiteral("y"));  // an error replaces the figure
    QVERIFY2(size->text().isEmpty(), qPrintable(size->text()));
  }

  /// Only the run on display keeps its vectors in memory.
  void theMapOfARunNotOnDisplayIsReadFromItsFile() {
    const equipatch::test::ScratchSettings settings;
    QTemporaryDir folder;
    FigureRun other = aRun();
    other.file = folder.filePath("other.eqrun").toStdString();
    test::recordRun(*other.header, other.steps, other.file);
    for (auto& step : other.steps) step = withoutVectors(*step);
    ExportDialog dialog({aRun(), other});
    dialog.kinds()->setCurrentIndex(int(FigureKind::ScaleHeatmap));
    dialog.runs()->setCurrentRow(0);
    dialog.findChild<QPushButton*>(QStringLiteral("removeRun"))->click();
    QVERIFY2(dialog.saveButton()->isEnabled(), qPrintable(dialog.preview()->sentence()));
    dialog.save(folder.filePath("map.svg"));
    QFile file(folder.filePath("map.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(!file.readAll().contains("\"rows\":[[]"));
    other.file.clear();
    ExportDialog lost({aRun(), other});
    lost.kinds()->setCurrentIndex(int(FigureKind::ScaleHeatmap));
    QVERIFY(lost.preview()->sentence().contains(QStringLiteral("no longer in memory")));
    QVERIFY(!lost.saveButton()->isEnabled());
  }

  void oneStepIsOfferedForLayerFigures() {
    const equipatch::test::ScratchSettings settings;
    ExportDialog dialog({aRun()});
    dialog.kinds()->setCurrentIndex(int(FigureKind::ByToken));
    QVERIFY(!dialog.oneStep()->isEnabled());
    dialog.kinds()->setCurrentIndex(int(FigureKind::LayerError));
    QVERIFY(dialog.oneStep()->isEnabled());
    QCOMPARE(dialog.step()->maximum(), 1);
  }
};

EQUIPATCH_TEST(tst_export_dialog)
#include "tst_export_dialog.moc"
