#include "tests/support/test_case.h"
#include "ui/chart/colour_map.h"
#include "ui/chart/colour_scale.h"

using namespace equipatch;

class tst_colour_map : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void centresCellsAtTheirColumns();
  void drawsASingleCell();
  void emptyGridsEmptyTheMap();
};

void tst_colour_map::centresCellsAtTheirColumns() {
  QCustomPlot plot;
  auto* map = new QCPColorMap(plot.xAxis, plot.yAxis);  // the plot's
  HeatGrid grid(3, 4);
  grid.set(2, 1, 9.0F);
  fillColourMap(*map, pool(grid, 0, 4, 100), ColourTransform());
  QCOMPARE(map->data()->keySize(), 4);
  QCOMPARE(map->data()->valueSize(), 3);
  QCOMPARE(map->data()->data(1.0, 2.0), 9.0);
  double key = -1;
  map->data()->cellToCoord(3, 0, &key, nullptr);
  QCOMPARE(key, 3.0);
}

void tst_colour_map::drawsASingleCell() {
  QCustomPlot plot;
  auto* map = new QCPColorMap(plot.xAxis, plot.yAxis);  // the plot's
  HeatGrid grid(1, 1);
  grid.set(0, 0, 4.0F);
  fillColourMap(*map, pool(grid, 0, 1, 100), ColourTransform());
  QCOMPARE(map->data()->data(0.0, 0.0), 4.0);
  // Two half cells that reach from -0.5 to 0.5.
  QCOMPARE(map->data()->keyRange().lower, -0.25);
  QCOMPARE(map->data()->keyRange().upper, 0.25);
}

void tst_colour_map::emptyGridsEmptyTheMap() {
  QCustomPlot plot;
  auto* map = new QCPColorMap(plot.xAxis, plot.yAxis);  // the plot's
  fillColourMap(*map, {}, ColourTransform());
  QVERIFY(map->data()->isEmpty());
}

EQUIPATCH_TEST(tst_colour_map)
#include "tst_colour_map.moc"
