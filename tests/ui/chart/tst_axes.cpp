// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/axes.h"

#include <algorithm>
#include <cmath>

#include "core/figure/panel_range.h"
#include "core/figure/run_figures.h"
#include "core/figure/step_panels.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/contrast.h"

using namespace equipatch;

using test::contrast;

namespace {

/// The largest contrast between a pixel of `part` and the background.
double strongestContrast(const QImage& image, const QRect& part,
                         const QColor& background) {
  double most = 1.0;
  for (int y = part.top(); y <= part.bottom(); ++y)
    for (int x = part.left(); x <= part.right(); ++x)
      most = std::max(most, contrast(image.pixelColor(x, y), background));
  return most;
}

struct Ticks {
  QVector<double> values;
  QVector<QString> labels;
};

// The ticks inside the range. Tickers may add one tick beyond each end.
Ticks ticksOf(double lower, double upper) {
  LogTicker ticker;
  Ticks all;
  ticker.generate({lower, upper}, QLocale::c(), u'e', 0, all.values, nullptr,
                  &all.labels);
  Ticks inside;
  for (qsizetype i = 0; i < all.values.size(); ++i) {
    if (all.values[i] < lower || all.values[i] > upper) continue;
    inside.values << all.values[i];
    inside.labels << all.labels[i];
  }
  return inside;
}

}  // namespace

class tst_axes : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void labelsAreReadableAndTheGridIsFaint_data();
  void labelsAreReadableAndTheGridIsFaint();
  void fontSizesFollowThePlots();
  void wideRangesHavePowersOfTen();
  void narrowRangesHaveMoreTicks_data();
  void narrowRangesHaveMoreTicks();
  void shortLabelsHaveNoExponent();
  void logAxesPlaceZeroFarBelow();
  void extremeValuesArePlacedExactlyOrOffTheAxis();
  void logAxesWithZerosHaveATickAtZero();
  void axesHaveThePanelsLabelAndScale();
  void negativeLabelsHaveAMinusSign();
  void labelsAreTheSameInEveryLanguage();
  void integerTicksAreWholeNumbers();
  void markedNumbersHaveThickTicks();

 private Q_SLOTS:
  void shortAxesHaveFewerTicks() {
    for (const auto& [lower, upper] : {std::pair(0.3, 2.0), {2e-4, 8e-3}, {1e-7, 10.0}}) {
      QCustomPlot plot;
      makeLogarithmic(plot.yAxis);
      plot.yAxis->setRange(lower, upper);
      const auto shown = [&] {
        plot.replot();
        return std::ranges::count_if(plot.yAxis->tickVector(), [&](double tick) {
          return plot.yAxis->range().contains(tick);
        });
      };
      const auto usual = shown();
      plot.yAxis->ticker()->setTickCount(3);
      const auto few = shown();
      QVERIFY2(few >= 1 && few <= 4 && few < usual,
               qPrintable(QStringLiteral("%1 of %2").arg(few).arg(usual)));
    }
  }

  void onlyNewPointsAreAdded() {
    QCustomPlot plot;
    setUpAxis({.scale = FigureScale::Logarithmic}, *plot.yAxis);
    plot.yAxis->setRange(1e-4, 10.0);
    QCPGraph& graph = *plot.addGraph();
    addPoints({0, 1}, {0.5, 0.0}, graph);
    addPoints({0, 1, 2, 3}, {7.0, 7.0, 8.0, -1.0}, graph);
    QCOMPARE(graph.dataCount(), 4);
    QCOMPARE(graph.dataMainValue(0), 0.5);
    QCOMPARE(graph.dataMainValue(1), zeroOn(*plot.yAxis));
    QCOMPARE(graph.dataMainValue(2), 8.0);
    QVERIFY(graph.dataMainValue(3) < 1e-100);  // below the axis
  }

  void addZerosAddsOnlyExactZeros() {
    QCustomPlot plot;
    makeLogarithmic(plot.yAxis);
    plot.yAxis->setRange(1e-4, 10.0);
    QCPGraph& graph = *plot.addGraph();
    addZeros({.x = {0, 1, 2}, .y = {1.0, 0.0, 2.0}}, graph);
    QCOMPARE(graph.dataCount(), 1);
    QCOMPARE(graph.dataMainKey(0), 1.0);
    QVERIFY(plot.yAxis->range().contains(graph.dataMainValue(0)));
  }

  void aBandHasAGapWhereAnEdgeIsNotFinite() {
    QCustomPlot plot;
    QCPGraph &lower = *plot.addGraph(), &upper = *plot.addGraph();
    FigureCurve curve{.x = {0, 1, 2}, .y = {2, 2, 2}};
    curve.lower = {1, 1, 1};
    curve.upper = {3, INFINITY, 3};
    addBandPoints(curve, lower, upper);
    QVERIFY(std::isnan(lower.dataMainValue(1)) && std::isnan(upper.dataMainValue(1)));
    curve.x.push_back(3);
    curve.lower.push_back(-INFINITY);
    curve.upper.push_back(4);
    addBandPoints(curve, lower, upper);  // keeps the existing points
    QCOMPARE(lower.dataCount(), 4);
    QCOMPARE(upper.dataMainValue(2), 3.0);
    QVERIFY(std::isnan(lower.dataMainValue(3)) && std::isnan(upper.dataMainValue(3)));
  }

  void rangesAndRightAxisFollowThePanel() {
    const FigurePanel panel = strengthPanel({});
    QCustomPlot plot;
    setUpAxes(panel, *plot.axisRect());
    setRanges(panel, *plot.axisRect());
    QVERIFY(plot.yAxis2->visible() && plot.yAxis2->tickLabels());
    QCOMPARE(plot.yAxis2->label(), QStringLiteral("probability"));
    QCOMPARE(plot.yAxis2->range().upper, rightRange(panel).high);
    QCOMPARE(plot.xAxis->range().upper, keyRange(panel).high);
  }

  void theAxisOfRowsIsReversed() {
    QCustomPlot plot;
    const FigurePanel panel = sharePanel({{.equal = {1, 2}}});
    setUpAxes(panel, *plot.axisRect());
    setRanges(panel, *plot.axisRect());
    QVERIFY(plot.yAxis->rangeReversed() && !plot.yAxis->ticks());
    QCOMPARE(plot.xAxis->range(), QCPRange(0.0, 100.0));
    FigurePanel wide = panel;
    wide.x.limits = FigureRange{0.0, 1e6};
    setUpAxes(wide, *plot.axisRect());
    setRanges(wide, *plot.axisRect());
    plot.replot();
    QVERIFY(plot.xAxis->tickVector().size() < 20);
    FigurePanel narrow = panel;
    narrow.x.limits = FigureRange{0.0, 20.0};
    setUpAxes(narrow, *plot.axisRect());
    setRanges(narrow, *plot.axisRect());
    plot.replot();
    const QVector<double> ticks = plot.xAxis->tickVector();
    QVERIFY(std::ranges::count_if(ticks, [](double x) { return x > 0 && x <= 20; }) > 1);
    setUpAxes({}, *plot.axisRect());
    QVERIFY(!plot.yAxis->rangeReversed() && plot.yAxis->ticks());
  }
};

void tst_axes::labelsAreReadableAndTheGridIsFaint_data() {
  QTest::addColumn<int>("mode");
  QTest::newRow("light") << int(Theme::Mode::Light);
  QTest::newRow("dark") << int(Theme::Mode::Dark);
}

void tst_axes::labelsAreReadableAndTheGridIsFaint() {
  QFETCH(int, mode);
  Theme theme;
  // Begins with the other theme, because a theme may change while plots are shown.
  const auto other =
      mode == int(Theme::Mode::Dark) ? Theme::Mode::Light : Theme::Mode::Dark;
  QCustomPlot plot;
  plot.setBackground(QBrush(Qt::white));
  for (const auto next : {other, Theme::Mode(mode)}) {
    theme.setMode(next);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis})
      styleAxis(*axis, theme.colours(), plot.font());
  }
  const QColor surface = theme.colours().surface;
  plot.setBackground(QBrush(surface));
  plot.setFont(QFont(plot.font().family(), 20));  // makes strokes wider than a pixel
  for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
    styleAxis(*axis, theme.colours(), plot.font());
    axis->setLabel(QStringLiteral("HHHH"));
  }
  const QImage image = plot.toPixmap(400, 300).toImage();
  const QRect inside = plot.axisRect()->rect();
  const QRect below(inside.left(), inside.bottom() + 12, inside.width(),
                    image.height() - inside.bottom() - 13);
  const double text = strongestContrast(image, below, surface);
  // Without the ticks, which reach five pixels into the plot.
  const double grid = strongestContrast(image, inside.adjusted(8, 8, -8, -8), surface);
  const double line = strongestContrast(
      image, {inside.center().x() + 3, inside.bottom() - 1, 1, 4}, surface);
  QVERIFY2(text > 4.5, qPrintable(QString::number(text)));
  QVERIFY2(grid > 1.01 && grid < 1.35, qPrintable(QString::number(grid)));
  QVERIFY2(line > grid && line < text, qPrintable(QString::number(line)));
}

void tst_axes::fontSizesFollowThePlots() {
  const Theme theme;
  QCustomPlot plot;
  const auto heightAt = [&](double points) {
    QFont font = plot.font();
    font.setPointSizeF(points);
    styleAxis(*plot.xAxis, theme.colours(), font);
    if (plot.xAxis->labelFont() != plot.xAxis->tickLabelFont()) return -1.0;
    return plot.xAxis->tickLabelFont().pointSizeF();
  };
  QVERIFY(heightAt(10.0) < 10.0 && heightAt(10.0) >= 8.0);
  QVERIFY(std::abs(heightAt(20.0) - 2.0 * heightAt(10.0)) < 0.1);
}

void tst_axes::wideRangesHavePowersOfTen() {
  const Ticks ticks = ticksOf(1e-6, 1.0);
  QVERIFY(ticks.values.size() >= 3);
  for (const double value : ticks.values) {
    const double exponent = std::log10(value);
    QVERIFY(std::abs(exponent - std::round(exponent)) < 1e-9);
  }
}

void tst_axes::narrowRangesHaveMoreTicks_data() {
  QTest::addColumn<double>("lower");
  QTest::addColumn<double>("upper");
  QTest::newRow("two decades") << 0.3 << 25.0;
  QTest::newRow("one decade") << 0.3 << 2.0;
  QTest::newRow("inside a decade") << 2.2e-5 << 8.8e-5;
}

void tst_axes::narrowRangesHaveMoreTicks() {
  QFETCH(double, lower);
  QFETCH(double, upper);
  QVERIFY(ticksOf(lower, upper).values.size() >= 3);
}

void tst_axes::shortLabelsHaveNoExponent() {
  QVERIFY(ticksOf(0.3, 25.0).labels.contains(QStringLiteral("0.5")));
  QVERIFY(ticksOf(0.3, 25.0).labels.contains(QStringLiteral("20")));
  QVERIFY(ticksOf(0.5, 3000.0).labels.contains(QStringLiteral("1000")));
  const QStringList small = ticksOf(2e-6, 1e-5).labels;
  QVERIFY(small.contains(QStringLiteral("5×10⁻⁶")) &&
          small.contains(QStringLiteral("10⁻⁵")));
  const QStringList between = ticksOf(6.1e-5, 6.9e-5).labels;
  QVERIFY2(between.contains(QStringLiteral("6.2×10⁻⁵")), qPrintable(between.join(u' ')));
  QVERIFY(ticksOf(1.1, 1.9).labels.contains(QStringLiteral("1.4")));
  const QStringList wide = ticksOf(1e-6, 20.0).labels;
  QVERIFY(wide.contains(QStringLiteral("1")) && wide.contains(QStringLiteral("10⁻²")));
}

void tst_axes::logAxesPlaceZeroFarBelow() {
  QCOMPARE(logValue(0.25), 0.25);
  QVERIFY(logValue(0.0) > 0.0);
  QVERIFY(logValue(0.0) < 1e-100);
  QVERIFY(logValue(-1.0) < 1e-100);
  QVERIFY(logValue(NAN) < 1e-100);
  QVERIFY(logValue(INFINITY) > 1e60);
  // QCPAxis divides a value by the range's lower end, 1e-30 on an axis zoomed out far.
  QVERIFY(std::isfinite(logValue(INFINITY) / 1e-30));
}

void tst_axes::extremeValuesArePlacedExactlyOrOffTheAxis() {
  FigurePanel panel;
  panel.y.scale = FigureScale::Logarithmic;
  panel.curves = {{.x = {0, 1, 2, 3}, .y = {1e-320, 1e-199, 1e39, 1e160}}};
  QCustomPlot plot;
  setUpAxes(panel, *plot.axisRect());
  setRanges(panel, *plot.axisRect());
  QCOMPARE(plot.yAxis->range(), QCPRange(valueRange(panel).low, valueRange(panel).high));
  for (const double value : panel.curves[0].y) {
    const double place = placeOn(*plot.yAxis, value);
    QCOMPARE(plot.yAxis->range().contains(place), place == value);
  }
}

void tst_axes::logAxesWithZerosHaveATickAtZero() {
  QCustomPlot plot;
  makeLogarithmic(plot.yAxis);
  const auto labels = [&] {
    plot.yAxis->setRange(0.95e-6, 1.0);
    plot.setViewport({0, 0, 400, 300});
    plot.replot();
    return plot.yAxis->tickVectorLabels();
  };
  QVERIFY(!labels().contains(QStringLiteral("0")));
  FigurePanel panel;
  panel.y.scale = FigureScale::Logarithmic;
  panel.curves = {{.x = {0, 1}, .y = {0.0, 1e-3}}};
  markZeros(panel, *plot.axisRect());
  QCOMPARE(labels().front(), QStringLiteral("0"));
  // The label of 0 takes the place of 10⁻⁶.
  QVERIFY(plot.yAxis->tickVector()[1] > 2e-6);
  QVERIFY(zeroOn(*plot.yAxis) > plot.yAxis->range().lower);
  panel.curves[0].y[1] = 0.96e-6;  // at the place of the label 0
  markZeros(panel, *plot.axisRect());
  QCOMPARE(zeroOn(*plot.yAxis), plot.yAxis->range().lower);
  QCOMPARE(labels().front(), QStringLiteral("0"));
  panel.curves[0].y[0] = 1.0;
  markZeros(panel, *plot.axisRect());
  QVERIFY(!labels().contains(QStringLiteral("0")));
  panel.boxes = {{.name = "rows", .low = 0.0}};
  const QVector<QString> before = plot.xAxis->tickVectorLabels();
  markZeros(panel, *plot.axisRect());
  plot.replot();
  QCOMPARE(plot.xAxis->tickVectorLabels(), before);  // the x axis is linear
}

void tst_axes::axesHaveThePanelsLabelAndScale() {
  QCustomPlot plot;
  setUpAxis({.label = "L∞", .scale = FigureScale::Logarithmic}, *plot.yAxis);
  QCOMPARE(plot.yAxis->label(), QStringLiteral("L∞"));
  QCOMPARE(plot.yAxis->scaleType(), QCPAxis::stLogarithmic);
  QVERIFY(plot.yAxis->ticker().dynamicCast<LogTicker>());
  QVERIFY(placeOn(*plot.yAxis, 0.0) > 0.0);
  QVERIFY(std::isnan(placeOn(*plot.yAxis, NAN)));
  setUpAxis({.label = "step", .counts = true}, *plot.yAxis);
  QCOMPARE(plot.yAxis->scaleType(), QCPAxis::stLinear);
  makeLogarithmic(plot.yAxis2);
  QCOMPARE(plot.yAxis2->scaleType(), QCPAxis::stLogarithmic);
  QCOMPARE(placeOn(*plot.yAxis, 0.0), 0.0);
  QVERIFY(std::isnan(placeOn(*plot.yAxis, INFINITY)));
}

/// The thick ticks are the axis's subticks.
void tst_axes::markedNumbersHaveThickTicks() {
  QCustomPlot plot;
  QCPAxis& axis = *plot.xAxis;
  styleAxis(axis, Theme().colours(), QFont());
  const QPen thin = axis.subTickPen();
  const int inside = axis.subTickLengthIn(), outside = axis.subTickLengthOut();
  setUpAxis({.label = "layer",
             .counts = true,
             .marked = {0, 1, 2, 4, 23},
             .markedAs = "recurrent"},
            axis);
  QCOMPARE(axis.label(), QString("layer (thick ticks: recurrent)"));
  QVector<double> ticks, marks;
  axis.ticker()->generate({-0.5, 20.5}, QLocale::c(), u'f', 0, ticks, &marks, nullptr);
  QCOMPARE(marks, (QVector<double>{0, 1, 2, 4}));
  QVERIFY(axis.subTickPen().widthF() >= 2.5 * axis.tickPen().widthF());
  QCOMPARE(axis.subTickPen().color(), axis.labelColor());
  QVERIFY(axis.subTickLengthOut() > axis.tickLengthOut());
  setUpAxis({.label = "layer", .counts = true}, axis);
  QCOMPARE(axis.label(), QString("layer"));
  QCOMPARE(axis.subTickPen(), thin);
  QCOMPARE(axis.subTickLengthIn(), inside);
  QCOMPARE(axis.subTickLengthOut(), outside);
}

void tst_axes::negativeLabelsHaveAMinusSign() {
  QCustomPlot plot;
  setUpAxis({}, *plot.yAxis);
  const auto labels = [&](double low, double high) {
    plot.yAxis->setRange(low, high);
    plot.replot();
    return plot.yAxis->tickVectorLabels();
  };
  QVERIFY2(labels(-1.2, 1.2).contains(QStringLiteral("−1")),
           qPrintable(plot.yAxis->tickVectorLabels().join(u' ')));
  const QStringList small = labels(-2.2e-7, 2.2e-7);
  QVERIFY2(
      small.contains(QStringLiteral("−10⁻⁷")) && small.contains(QStringLiteral("2×10⁻⁷")),
      qPrintable(small.join(u' ')));
}

void tst_axes::labelsAreTheSameInEveryLanguage() {
  QCustomPlot plot;
  plot.setLocale(QLocale(QLocale::German));  // has a decimal comma
  setUpAxis({}, *plot.yAxis);
  for (const double high : {1.2, 2.2e-7}) {
    plot.yAxis->setRange(0.0, high);
    plot.replot();
    const QString labels = plot.yAxis->tickVectorLabels().join(u' ');
    QVERIFY2(!labels.contains(u',') && labels.contains(high > 1.0 ? "0.5" : "10⁻⁷"),
             qPrintable(labels));
  }
}

void tst_axes::integerTicksAreWholeNumbers() {
  IntegerTicker ticker;
  QVector<double> values;
  QVector<QString> labels;
  ticker.generate({0.0, 2.0}, QLocale::c(), u'g', 6, values, nullptr, &labels);
  QVERIFY(labels.contains(QStringLiteral("1")));
  for (const double value : values) QCOMPARE(value, std::round(value));
}

EQUIPATCH_TEST(tst_axes)
#include "tst_axes.moc"
