// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_export.h"

#include <QFile>
#include <QTemporaryDir>

#include "tests/core/figure/lab_results.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"

using namespace equipatch;

class tst_lab_export : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void allPanelsOrOneAreSaved() {
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

EQUIPATCH_TEST(tst_lab_export)
#include "tst_lab_export.moc"
