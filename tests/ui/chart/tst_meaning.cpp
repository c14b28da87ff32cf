// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/meaning.h"

#include <QComboBox>

#include "tests/support/test_case.h"
#include "tests/ui/support/run_fixture.h"
#include "tests/ui/support/scratch_settings.h"
#include "ui/chart/layer_charts.h"
#include "ui/chart/logit_chart.h"
#include "ui/inspect/step_panel.h"
#include "ui/model/model_panel.h"

using namespace equipatch;

class tst_meaning : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void meaningsAreFoundForLabels() {
    QVERIFY(meaningOf(QStringLiteral("L∞, logits"))
                .startsWith(QStringLiteral("The largest")));
    QCOMPARE(meaningOf(QStringLiteral("‖ΔW gate‖")), meaningOf(QStringLiteral("ΔW")));
    QVERIFY(!meaningOf(QStringLiteral("cos(z, z_C)")).isEmpty());
    QVERIFY(!meaningOf(QStringLiteral("ε of bfloat16")).isEmpty());
    QVERIFY(meaningOf(QStringLiteral("bare L∞")) != meaningOf(QStringLiteral("bare")));
    QVERIFY(meaningOf(QStringLiteral("time, ms")).isEmpty());
  }

  /// The terms of legends, of settings and of the step's numbers.
  void toolTipsExplainTheTermsOfTheWindow() {
    const test::ScratchSettings scratch;
    test::RunFixture f;
    const LogitChart logits(f.model, f.selection, f.theme);
    const NormChart norms(f.model, f.selection, f.theme);
    const StepPanel step(f.model, f.selection, f.theme);
    f.begin({.noise = true});
    f.append(2, {.noise = true});
    f.selection.selectLayer(0);
    for (const ChartView* chart : {static_cast<const ChartView*>(&logits),
                                   static_cast<const ChartView*>(&norms)}) {
      const auto entries =
          chart->findChildren<QToolButton*>(QStringLiteral("legendEntry"));
      QVERIFY(!entries.isEmpty());
      for (const auto* entry : entries) {
        QVERIFY(entry->accessibleName().startsWith(QStringLiteral("Show ")));
        const QString explained = entry->accessibleName().mid(5) + QStringLiteral(": ");
        QVERIFY2(entry->toolTip().contains(explained), qPrintable(entry->toolTip()));
      }
    }
    const ModelPanel panel;
    for (const char* name : {"method", "loop", "application"}) {
      const auto* box = panel.findChild<QComboBox*>(QString::fromLatin1(name));
      QVERIFY(box && box->count() > 1);
      for (int i = 0; i < box->count(); ++i)
        QVERIFY2(!box->itemData(i, Qt::ToolTipRole).toString().isEmpty(),
                 qPrintable(box->itemText(i)));
      QVERIFY(box->toolTip().contains(meaningOf(box->currentText())));
    }
    QStringList unexplained;
    for (const auto* label : step.findChildren<QLabel*>())
      if (label->parentWidget()->inherits("equipatch::NumberGrid") &&
          label->objectName() == QStringLiteral("muted") && !label->text().isEmpty() &&
          label->toolTip().isEmpty())
        unexplained << label->text();
    QCOMPARE(unexplained,
             (QStringList{QStringLiteral("position of x"), QStringLiteral("time, ms")}));
  }
};

EQUIPATCH_TEST(tst_meaning)
#include "tst_meaning.moc"
