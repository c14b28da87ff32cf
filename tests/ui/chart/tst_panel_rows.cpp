// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/panel_rows.h"

#include <cmath>

#include "core/figure/run_figures.h"
#include "core/figure/statistics.h"
#include "tests/support/test_case.h"
#include "ui/chart/axes.h"

using namespace equipatch;

namespace {

FigureBox box(const std::string& name) {
  FigureBox box{.name = name, .low = 1.0, .lowerQuartile = 2.0, .median = 3.0};
  box.upperQuartile = 4.0;
  box.high = 5.0;
  box.outliers = {0.5, 9.0};
  box.equal = {3, 4};
  return box;
}

struct Drawn {
  QCustomPlot plot;
  Theme theme;
  PanelRows rows{*plot.axisRect()};

  void draw(const FigurePanel& panel, PanelRows::Names names = PanelRows::Names::Above) {
    setUpAxes(panel, *plot.axisRect());
    setRanges(panel, *plot.axisRect());
    rows.draw(panel, {theme.colours(), plot.font(), 1.0, 4.0, names});
  }
};

}  // namespace

class tst_panel_rows : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void boxesLieBelowTheirNames() {
    Drawn d;
    d.draw(distancePanel({box("a"), box("b")}));
    QCOMPARE(d.rows.boxes().size(), 2);
    const QCPStatisticalBoxData& data = *d.rows.boxes()[1]->data()->constBegin();
    QVERIFY(data.key > 1.0 && data.key < 1.5);
    QCOMPARE(data.median, 3.0);
    QCOMPARE(data.outliers, (QVector<double>{0.5, 9.0}));
    QCOMPARE(d.rows.boxes()[1]->valueAxis(), d.plot.xAxis);
    QCOMPARE(d.rows.name(1), QStringLiteral("b"));
    QCOMPARE(d.rows.share(1), QStringLiteral("75.0 % equal"));
  }

  void exactZerosHaveAnOpenMarkAtTheEdge() {
    Drawn d;
    FigureBox zero = box("a");
    zero.outliers = {0.0, 9.0};
    d.draw(distancePanel({zero}));
    QCOMPARE(d.rows.boxes()[0]->data()->constBegin()->outliers, QVector<double>{9.0});
    QCOMPARE(d.plot.graphCount(), 1);
    QCOMPARE(d.plot.graph(0)->dataMainValue(0), zeroOn(*d.plot.xAxis));
    QVERIFY(d.plot.xAxis->range().contains(zeroOn(*d.plot.xAxis)));
    d.draw(distancePanel({box("a")}));
    QCOMPARE(d.plot.graphCount(), 0);
  }

  /// PDF and SVG cannot hold a coordinate that is infinite or NaN.
  void boxesHaveFiniteCoordinates() {
    Drawn d;
    FigureBox broken = box("a");
    broken.upperQuartile = broken.high = broken.outliers[1] = INFINITY;
    d.draw(distancePanel({broken, boxOf({NAN})}));
    QCOMPARE(d.rows.boxes().size(), 1);
    const QCPStatisticalBoxData& data = *d.rows.boxes()[0]->data()->constBegin();
    QVERIFY(std::isfinite(data.upperQuartile) && std::isfinite(data.maximum));
    QVERIFY(data.upperQuartile > d.plot.xAxis->range().upper);
    QVERIFY(std::isfinite(data.outliers.back()));
  }

  void barsEndAtTheirPercentage() {
    Drawn d;
    d.draw(sharePanel({box("a")}));
    QCOMPARE(d.rows.bars().size(), 1);
    QCOMPARE(d.rows.bars()[0]->data()->constBegin()->value, 75.0);
    QCOMPARE(d.rows.share(0), QStringLiteral("75.0 %"));
    QVERIFY(d.rows.boxes().isEmpty());
  }

  void longNamesAreElidedBesidePercentages() {
    Drawn d;
    d.draw(distancePanel({box("a rather long name of a run")}));
    d.rows.fitNames(5000.0);
    QCOMPARE(d.rows.name(0), QStringLiteral("a rather long name of a run"));
    d.rows.fitNames(200.0);
    QVERIFY(d.rows.name(0).contains(u'…'));
    QCOMPARE(d.rows.share(0), QStringLiteral("75.0 % equal"));
  }

  /// Names in the rows are elided and stay different. Names beside the axes are broken
  /// into lines instead.
  void namesStayDifferentInRowsAndWholeBesideAxes() {
    const QString first = QStringLiteral("bfloat16 balanced closed absorbs all"),
                  second = QStringLiteral("bfloat16 keeps Mars closed absorbs all");
    Drawn d;
    d.draw(distancePanel({box(first.toStdString()), box(second.toStdString())}));
    d.rows.fitNames(220.0);
    QVERIFY(d.rows.name(0) != first);
    QVERIFY2(d.rows.name(0) != d.rows.name(1), qPrintable(d.rows.name(0)));
    d.draw(distancePanel({box(first.toStdString())}), PanelRows::Names::Beside);
    d.rows.fitNames(220.0);
    QVERIFY(d.rows.name(0).contains(u'\n'));
    QCOMPARE(d.rows.name(0).simplified(), first);
    QCOMPARE(PanelRows::linesBeside(distancePanel({box(first.toStdString())}),
                                    d.plot.yAxis->tickLabelFont(), 220.0),
             int(d.rows.name(0).count(u'\n')) + 1);
  }
};

EQUIPATCH_TEST(tst_panel_rows)
#include "tst_panel_rows.moc"
