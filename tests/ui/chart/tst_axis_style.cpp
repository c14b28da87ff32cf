#include "tests/support/test_case.h"
#include "ui/chart/axis_style.h"

using namespace equipatch;

class tst_axis_style : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void takesTheThemesColours();
};

void tst_axis_style::takesTheThemesColours() {
  Theme theme;
  theme.setMode(Theme::Mode::Dark);
  QCustomPlot plot;
  styleAxis(*plot.xAxis, theme.colours(), plot.font());
  QCOMPARE(plot.xAxis->labelColor(), theme.colours().muted);
  QCOMPARE(plot.xAxis->basePen().color(), theme.colours().border);
  QVERIFY(plot.xAxis->tickLabelFont().pointSizeF() < plot.font().pointSizeF());
}

EQUIPATCH_TEST(tst_axis_style)
#include "tst_axis_style.moc"
