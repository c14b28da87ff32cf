// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figure/panel_plot.h"

#include <cmath>

#include "core/figure/step_panels.h"
#include "tests/support/test_case.h"
#include "tests/ui/figure/figures.h"

using namespace equipatch;
using equipatch::test::someFigure;

class tst_panel_plot : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void curvesAndMarksHaveThePanelsValues() {
    const FigurePanel panel = someFigure(FigureKind::ByToken).panels[0];
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.add(panel);
    QCOMPARE(content.named().size(), 3);
    QCOMPARE(plot.graphCount(), 3);
    QCOMPARE(plot.graph(0)->dataMainValue(4), panel.curves[0].y[4]);
    QCOMPARE(plot.graph(2)->dataCount(), 2);
    QCOMPARE(plot.graph(2)->scatterStyle().shape(), QCPScatterStyle::ssCross);
    QVERIFY(plot.yAxis->scaleType() == QCPAxis::stLogarithmic);
  }

  void aSinglePointIsVisible() {
    FigurePanel panel;
    FigureCurve bare{.name = "bare pass", .x = {0}, .y = {1.0}};
    bare.look = FigureCurve::Look::Reference;
    panel.curves = {bare};
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.add(panel);
    QCOMPARE(plot.graph(0)->scatterStyle().shape(), QCPScatterStyle::ssDisc);
  }

  void openStylesHaveUnfilledMarks() {
    FigurePanel panel;
    panel.curves = {{.name = "a", .style = 1, .x = {0, 1}, .y = {1.0, 2.0}},
                    {.name = "b", .style = 8, .x = {0, 1}, .y = {2.0, 3.0}}};
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.add(panel);
    const auto fillOf = [&plot](int graph) {
      return plot.graph(graph)->scatterStyle().brush().color();
    };
    QCOMPARE(fillOf(0), plot.graph(0)->pen().color());
    QCOMPARE(fillOf(1), paper.colours().surface);
  }

  void lineBreaksInLabelsDoNotSplitNorms() {
    FigurePanel panel;
    panel.y.label = "‖x′ − x_C‖ / ‖x_C‖";
    panel.curves = {{.name = "a", .x = {0, 1}, .y = {1.0, 2.0}}};
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.add(panel);
    bool isBroken = false;
    for (int height = 20; height < 100; height += 4) {
      plot.axisRect()->setOuterRect(QRect(0, 0, 400, Paper::units(height)));
      for (const auto phase : {QCPLayoutElement::upPreparation,
                               QCPLayoutElement::upMargins, QCPLayoutElement::upLayout})
        plot.axisRect()->update(phase);
      content.fit(panel);
      isBroken = isBroken || plot.yAxis->label().contains(u'\n');
      for (const QString& line : plot.yAxis->label().split(u'\n'))
        QVERIFY2(line.count(u'‖') % 2 == 0, qPrintable(plot.yAxis->label()));
    }
    QVERIFY(isBroken);
  }

  void bandsHaveNoLegendEntries() {
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.add(someFigure(FigureKind::LayerError).panels[0]);
    QCOMPARE(content.named().size(), 2);  // the error and ε
    QCOMPARE(plot.graphCount(), 4);
  }

  /// The mark of a sampled difference is open, so that a ✗ inside it stays visible.
  void sampledDifferencesHaveOpenMarks() {
    FigurePanel panel;
    panel.curves = {{.name = "a", .x = {0, 1}, .y = {1.0, 2.0}}};
    panel.marks = {{.name = "tokens", .x = {1}, .y = {2.0}},
                   {.symbol = FigureMarks::Symbol::SampledDifference,
                    .name = "sampled",
                    .x = {1},
                    .y = {2.0}}};
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.add(panel);
    const QCPScatterStyle cross = plot.graph(1)->scatterStyle();
    const QCPScatterStyle sign = plot.graph(2)->scatterStyle();
    QCOMPARE(sign.brush().style(), Qt::NoBrush);
    QVERIFY(sign.size() > 1.4 * cross.size());
    QVERIFY(sign.pen().color() != plot.graph(0)->pen().color());
  }

  /// Marks are not clipped, so a mark outside the limits would be drawn beside the axes.
  void marksOutsideTheLimitsAreNotDrawn() {
    FigurePanel panel;
    panel.x.limits = FigureRange{0.0, 2.0};
    panel.y.limits = FigureRange{1.0, 2.0};
    panel.curves = {{.name = "a", .x = {0, 1, 2, 3}, .y = {1.0, 2.0, 9.0, 1.5}}};
    panel.marks = {{.name = "tokens", .x = {0, 1, 2, 3}, .y = {1.0, 2.0, 9.0, 1.5}}};
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.add(panel);
    QCOMPARE(plot.graph(1)->dataCount(), 2);
    QCOMPARE(plot.graph(1)->dataMainKey(1), 1.0);
  }

  void theRightAxisIsDrawnInFigures() {
    const FigurePanel panel =
        strengthPanel({{.strength = {.alpha = 0.5}, .probability = 0.25}});
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.add(panel);
    QVERIFY(plot.yAxis2->visible());
    QCOMPARE(plot.yAxis2->label(), QStringLiteral("probability"));
    QCOMPARE(plot.yAxis2->range(), QCPRange(-0.05, 1.05));
    QCOMPARE(plot.graph(2)->valueAxis(), plot.yAxis2);
    QCOMPARE(plot.graph(2)->dataMainValue(0), 0.25);
    QCOMPARE(plot.graph(0)->valueAxis(), plot.yAxis);
  }

  void exactZerosAreOpenMarksWithALegend() {
    FigurePanel panel;
    panel.y.scale = FigureScale::Logarithmic;
    panel.curves = {{.name = "a", .x = {0, 1}, .y = {0.0, 2.0}}};
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.add(panel);
    QCOMPARE(plot.graphCount(), 3);  // the curve, its zeros, the legend's entry
    QCOMPARE(content.named().size(), 2);
    QCOMPARE(content.named().back()->name(), QStringLiteral("exactly 0"));
    QCOMPARE(plot.graph(1)->dataCount(), 1);
    QCOMPARE(plot.graph(1)->dataMainValue(0), plot.graph(0)->dataMainValue(0));
    QVERIFY(plot.yAxis->range().contains(plot.graph(1)->dataMainValue(0)));
    QCOMPARE(plot.graph(1)->scatterStyle().brush().color(), QColor(Qt::white));
  }

  void exactZerosOutsideTheAxesAreNotDrawn() {
    FigurePanel panel;
    panel.x.limits = FigureRange{1.0, 3.0};
    panel.y.scale = FigureScale::Logarithmic;
    panel.curves = {{.name = "a", .x = {0, 1, 2, 3, 4}, .y = {0.0, 2.0, 0.0, 2.0, 0.0}}};
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.add(panel);
    QCOMPARE(plot.graph(1)->dataCount(), 1);
    QCOMPARE(plot.graph(1)->dataMainKey(0), 2.0);
  }

  void thePercentAxisEndsAt100() {
    const FigurePanel panel = someFigure(FigureKind::Accuracy).panels[1];
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.add(panel);
    QCOMPARE(plot.xAxis->range(), QCPRange(0.0, 100.0));
    const int width = Paper::units(200);
    QVERIFY(PanelPlot::rowHeight(panel, paper, width) >
            Paper::units(3 * paper.fontSize()));
    QCOMPARE(PanelPlot::rowHeight({}, paper, width), 0);
    // Rows are higher if their names have several lines.
    FigurePanel named = panel;
    named.y.names = {"bfloat16 balanced closed materialised"};
    QVERIFY(PanelPlot::rowHeight(named, paper, width / 4) >
            PanelPlot::rowHeight(named, paper, width));
  }

  void mapsLieAtTheirCoordinates() {
    FigurePanel panel;
    FigureMap map{.label = "map",
                  .grid = HeatGrid(2, 3),
                  .colours = FigureMap::Colours::RisingLogarithmic,
                  .x = {-2.0, 1.5},
                  .y = {10.0, 5.0}};
    map.grid.set(1, 2, 1e-3F);
    map.grid.set(0, 0, 1e-5F);
    panel.map = map;
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.add(panel);
    auto* drawn = qobject_cast<QCPColorMap*>(plot.plottable(0));
    QVERIFY(drawn);
    QCOMPARE(drawn->data()->keyRange(), QCPRange(-2.0, 1.0));
    QCOMPARE(drawn->data()->valueRange(), QCPRange(10.0, 15.0));
    QVERIFY(std::abs(drawn->data()->data(1.0, 15.0) + 3.0) < 1e-6);
  }

  void tokenNamesAreThinnedToTheAxisWidth() {
    FigurePanel panel;
    panel.x.names.assign(100, "token");
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    content.fitTicks(panel, 400);
    const auto ticker = plot.xAxis->ticker().dynamicCast<QCPAxisTickerText>();
    QVERIFY(ticker && ticker->ticks().size() > 3 && ticker->ticks().size() < 30);
    QCOMPARE(plot.xAxis->tickLabelRotation(), -90.0);
    QVERIFY(PanelPlot::nameHeight(panel, paper, 400) > 0);
    panel.x.limits = FigureRange{0.0, 3.0};  // three tokens fill the width
    content.fitTicks(panel, 4000);
    QCOMPARE(plot.xAxis->ticker().dynamicCast<QCPAxisTickerText>()->ticks().size(), 100);
    QCOMPARE(plot.xAxis->tickLabelRotation(), 0.0);
    QCOMPARE(PanelPlot::nameHeight(panel, paper, 4000), 0);
    panel.x.limits.reset();
    panel.x.names.assign(2, "token");
    content.fitTicks(panel, 4000);
    QCOMPARE(plot.xAxis->tickLabelRotation(), 0.0);
  }

  void narrowAxesHaveFewerNumbers() {
    QCustomPlot plot;
    const Paper paper({});
    PanelPlot content(paper, *plot.axisRect());
    const int usual = plot.xAxis->ticker()->tickCount();
    content.fitTicks({}, 4000);
    QCOMPARE(plot.xAxis->ticker()->tickCount(), usual);
    content.fitTicks({}, 250);
    QCOMPARE(plot.xAxis->ticker()->tickCount(), 2);
  }
};

EQUIPATCH_TEST(tst_panel_plot)
#include "tst_panel_plot.moc"
