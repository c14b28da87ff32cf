// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/panel_reading.h"

#include <cmath>

#include "core/figure/run_figures.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

FigurePanel somePanel() {
  FigurePanel panel;
  panel.x = {.label = "step", .counts = true};
  panel.curves = {{.name = "a", .x = {0, 1, 2}, .y = {1.0, 2.0, 3.0}},
                  {.name = "b", .x = {1}, .y = {5.0}}};
  panel.curves[1].look = FigureCurve::Look::Distribution;  // a and b show one run
  panel.marks = {{.name = "crosses", .x = {2, 1}, .y = {3.0, 2.0}},
                 {.symbol = FigureMarks::Symbol::SampledDifference,
                  .name = "samples",
                  .x = {2},
                  .y = {3.0}}};
  return panel;
}

FigurePanel mapPanel() {
  FigurePanel panel;
  panel.x = {.label = "channel"};
  panel.y = {.label = "layer"};
  panel.map = FigureMap{.label = "Δm", .grid = HeatGrid(2, 0)};
  panel.map->grid.addColumn({1.0F, 2.0F});
  panel.map->grid.addColumn({3.0F, 4.0F});
  return panel;
}

}  // namespace

class tst_panel_reading : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aTableHasAColumnForEachCurveAndKindOfMarks() {
    const PanelTable table = tableOf(somePanel());
    QCOMPARE(table.columns,
             (std::vector<std::string>{"step", "a", "b", "crosses", "samples"}));
    QCOMPARE(table.rows.size(), std::size_t{3});
    QVERIFY(std::isnan(table.rows[0][2]));
    QCOMPARE(table.rows[0][3], 0.0);
    QCOMPARE(table.rows[2][3], 1.0);
    QCOMPARE(table.rows[2][4], 1.0);
    QCOMPARE(tableOf({}).rows.size(), std::size_t{0});
  }

  void anXThatIsNoNumberHasNoRow() {
    FigurePanel panel = somePanel();
    panel.curves[0].x[2] = std::nan("");
    const PanelTable table = tableOf(panel);
    QCOMPARE(table.rows.size(), std::size_t{2});
    QCOMPARE(table.rows[0][0], 0.0);
    QCOMPARE(table.rows[1][0], 1.0);
  }

  void aTableHasEveryPointOfEveryRun() {
    FigurePanel panel = somePanel();
    for (FigureCurve& curve : panel.curves) curve.look = FigureCurve::Look::Numbered;
    panel.curves[1] = {.name = "b", .x = {1, 2, 5, 6}, .y = {5.0, 6.0, 7.0, 8.0}};
    panel.curves[1].look = FigureCurve::Look::Numbered;
    panel.marks[0] = {.name = "crosses", .x = {2, 2, 6}, .y = {3.0, 6.0, 8.0}};
    panel.marks.pop_back();
    const PanelTable table = tableOf(panel);
    QCOMPARE(table.columns,
             (std::vector<std::string>{"step", "a", "b", "crosses, a", "crosses, b"}));
    std::vector<double> places;
    for (const auto& row : table.rows) places.push_back(row[0]);
    QCOMPARE(places, (std::vector<double>{0, 1, 2, 5, 6}));
    QCOMPARE(table.rows[2], (std::vector<double>{2, 3.0, 6.0, 1.0, 1.0}));
    QCOMPARE(table.rows[4][4], 1.0);
    QCOMPARE(table.rows[3][4], 0.0);
    QVERIFY(std::isnan(table.rows[3][3]) && std::isnan(table.rows[3][1]));
    QCOMPARE(readingAt(panel, 5.4, 0.0)->values.front().name, std::string("b"));
    QVERIFY(!readingAt(panel, 3.5, 0.0));
  }

  /// At step 0, the values of a and b are equal, and only b has a mismatch. At step 1,
  /// only a has a mismatch, at NaN.
  void aMarkBelongsToItsRun() {
    FigurePanel panel = somePanel();
    panel.curves = {{.name = "a", .x = {0, 1}, .y = {0.25, NAN}},
                    {.name = "b", .x = {0, 1}, .y = {0.25, 0.5}}};
    panel.marks = {{.name = "crosses", .x = {0, 1}, .y = {0.25, NAN}, .curves = {1, 0}}};
    const PanelTable table = tableOf(panel);
    QCOMPARE(table.rows[0], (std::vector<double>{0, 0.25, 0.25, 0.0, 1.0}));
    QCOMPARE(table.rows[1][3], 1.0);
    QCOMPARE(table.rows[1][4], 0.0);
    const auto reading = readingAt(panel, 0.0, 0.0);
    QCOMPARE(reading->values[0].mark, std::string());
    QCOMPARE(reading->values[1].mark, std::string("✗ crosses"));
  }

  /// The panel shows a single run, so its marks have no `curves`.
  void aValueThatIsNoNumberKeepsItsMark() {
    FigurePanel panel = somePanel();
    panel.curves = {{.name = "L∞", .x = {0, 1}, .y = {0.25, NAN}},
                    {.name = "noise", .x = {0, 1}, .y = {0.25, 0.5}}};
    panel.marks = {{.name = "crosses", .x = {1}, .y = {NAN}}};
    const auto reading = readingAt(panel, 1.0, 0.0);
    QCOMPARE(reading->values[0].mark, std::string("✗ crosses"));
    QCOMPARE(reading->values[1].mark, std::string());
  }

  void aMapHasAColumnForEachRowOfCells() {
    const PanelTable table = tableOf(mapPanel());
    QCOMPARE(table.columns, (std::vector<std::string>{"channel", "layer 0", "layer 1"}));
    QCOMPARE(table.rows[1], (std::vector<double>{1, 3.0, 4.0}));
    FigurePanel lab = mapPanel();
    lab.y.label = "query";
    lab.map->y = {.first = -2.0, .step = 0.5};
    QCOMPARE(tableOf(lab).columns,
             (std::vector<std::string>{"channel", "query -2", "query -1.5"}));
  }

  void theNearestXIsRead() {
    const auto reading = readingAt(somePanel(), 1.4, 0.0);
    QVERIFY(reading);
    QCOMPARE(reading->x, 1.0);
    QCOMPARE(reading->values.size(), std::size_t{2});
    QCOMPARE(reading->values[0].mark, std::string("✗ crosses"));
    QCOMPARE(reading->values[1].name, std::string("b"));
    QCOMPARE(reading->values[1].mark, std::string());
  }

  void nothingIsReadOutsideTheCountedSteps() {
    QVERIFY(!readingAt(somePanel(), 2.6, 0.0));
    QVERIFY(!readingAt(somePanel(), -0.6, 0.0));
    FigurePanel measured = somePanel();
    measured.x.counts = false;
    QCOMPARE(readingAt(measured, 9.0, 0.0)->x, 2.0);
    QVERIFY(!readingAt({}, 0.0, 0.0));
  }

  void bothMarksOfAPointAreRead() {
    QCOMPARE(readingAt(somePanel(), 2.0, 0.0)->values[0].mark,
             std::string("✗ crosses  ◆ samples"));
  }

  void exactZerosOfLogarithmicAxesAreNamed() {
    FigurePanel panel = somePanel();
    panel.curves[1].y = {0.0};
    QCOMPARE(readingAt(panel, 1.0, 0.0)->values[1].mark, std::string());
    panel.y.scale = FigureScale::Logarithmic;
    QCOMPARE(readingAt(panel, 1.0, 0.0)->values[1].mark, std::string("○ exactly 0"));
  }

  void boxesAndBarsAreReadByRow() {
    FigureBox box{.name = "mine", .low = 1.0, .median = 3.0, .high = 5.0, .count = 4};
    box.outliers = {0.5};
    box.equal = {3, 4};
    const FigurePanel panel = distancePanel({{.name = "first"}, box});
    const auto reading = readingAt(panel, 1e-3, 1.3);
    QVERIFY(reading);
    QCOMPARE(reading->name, std::string("mine"));
    QCOMPARE(reading->values.front().name, std::string("smallest"));
    QCOMPARE(reading->values.front().value, 0.5);
    QCOMPARE(reading->values.back().name, std::string("equal tokens, %"));
    QCOMPARE(reading->values.back().value, 75.0);
    QVERIFY(!readingAt(panel, 1e-3, 1.6));
    const PanelTable table = tableOf(distancePanel({box}));
    QCOMPARE(table.names, std::vector<std::string>{"mine"});
    QCOMPARE(table.columns.front(), std::string("run"));
    QCOMPARE(table.columns.size(), table.rows[0].size());
    QCOMPARE(table.rows[0].back(), 75.0);
    QCOMPARE(tableOf(sharePanel({box})).rows[0], (std::vector<double>{0.0, 75.0}));
  }

  /// `whole` absorbs its whole context, so it has a bare pass but no ablated pass.
  void eachPassHasItsOwnColumnOfEqualTokens() {
    FigureBox whole{.name = "whole", .count = 4}, part{.name = "part", .count = 4};
    whole.equal = {1, 4, "bare"};
    part.equal = {3, 4, "ablated"};
    const PanelTable table = tableOf(effectPanel({whole, part}, ControlPass::Ablated));
    const std::size_t last = table.columns.size() - 1;
    QCOMPARE(table.columns[last - 1], std::string("equal tokens of the bare pass, %"));
    QCOMPARE(table.columns[last], std::string("equal tokens of the ablated pass, %"));
    QCOMPARE(table.rows[0][last - 1], 25.0);
    QVERIFY(std::isnan(table.rows[0][last]) && std::isnan(table.rows[1][last - 1]));
    QCOMPARE(table.rows[1][last], 75.0);
  }

  void aCellOfAMapIsRead() {
    const auto reading = readingAt(mapPanel(), 0.6, 1.2);
    QVERIFY(reading);
    QCOMPARE(reading->x, 1.0);
    QCOMPARE(reading->y, std::optional(1.0));
    QCOMPARE(reading->values[0].value, 4.0);
    QVERIFY(!readingAt(mapPanel(), 2.0, 0.0));
    QVERIFY(!readingAt(mapPanel(), 0.0, -0.7));
  }
};

EQUIPATCH_TEST(tst_panel_reading)
#include "tst_panel_reading.moc"
