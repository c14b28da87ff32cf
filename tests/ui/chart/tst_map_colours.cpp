// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/map_colours.h"

#include <cmath>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

FigureMap mapOf(FigureMap::Colours colours, const std::vector<float>& values) {
  FigureMap map{.label = "map", .grid = HeatGrid(1, 0), .colours = colours};
  for (const float value : values) map.grid.addColumn({value});
  return map;
}

QMap<double, QString> ticksOf(const MapColours& colours) {
  const auto ticker = colours.ticker();
  auto* texts = dynamic_cast<QCPAxisTickerText*>(ticker.data());
  return texts ? texts->ticks() : QMap<double, QString>();
}

/// A linear colour scale: the place of a value is the value itself.
MapColours evenly(const HeatGrid& grid) {
  return MapColours(FigureMap{
      .label = "map", .grid = grid, .colours = FigureMap::Colours::FromZeroEvenly});
}

}  // namespace

class tst_map_colours : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void tickLabelsDoNotOverlap() {
    FigureMap map{.label = "Δm", .grid = HeatGrid(1, 2)};
    map.grid.set(0, 0, -1000.0F);
    map.grid.set(0, 1, 1000.0F);
    const MapColours colours(map);
    QCustomPlot plot;
    const auto labelsAt = [&](int height) {
      plot.setViewport({0, 0, 400, height});
      plot.yAxis->setRange(colours.range());
      plot.yAxis->setTicker(colours.ticker());
      keepTicksApart(*plot.yAxis);
      plot.replot();
      plot.replot();  // the first replot lays out the axes
      return plot.yAxis->tickVectorLabels();
    };
    const QVector<QString> many = labelsAt(800), few = labelsAt(110);
    QCOMPARE(many.size(), 7);
    QVERIFY(few.size() < many.size());
    QVERIFY(few.contains(QStringLiteral("0")));
    QCOMPARE(few.front(), many.front());
    QCOMPARE(few.back(), many.back());
    const double label = QFontMetricsF(plot.yAxis->tickLabelFont()).height();
    const QVector<double> places = plot.yAxis->tickVector();
    for (qsizetype i = 1; i < places.size(); ++i)
      QVERIFY(std::abs(plot.yAxis->coordToPixel(places[i]) -
                       plot.yAxis->coordToPixel(places[i - 1])) > 0.9 * label);
    const auto unlabelled = QSharedPointer<QCPAxisTicker>::create();
    plot.yAxis->setTicker(unlabelled);
    keepTicksApart(*plot.yAxis);
    QVERIFY(plot.yAxis->ticker() == unlabelled);  // only QCPAxisTickerText is replaced
  }

  void windowAndFiguresShareColourScales() {
    for (int colours = 0; colours <= int(FigureMap::Colours::RisingLogarithmic);
         ++colours) {
      FigureMap map = mapOf(FigureMap::Colours(colours), {-3.0F, 0.002F, 0.5F, 7.0F});
      for (const std::optional<double> largest : {std::optional<double>(), {5.0}}) {
        map.largest = largest;
        const MapColours screen(map);
        const FigureRange range = colourRange(map);
        for (const double value : {-3.0, 0.0, 0.002, 0.5, 7.0})
          QCOMPARE(screen(value), colourPlace(map.colours, range, value));
        QCOMPARE(screen.range().lower, colourPlace(map.colours, range, range.low));
        QCOMPARE(screen.range().upper, colourPlace(map.colours, range, range.high));
      }
    }
  }

  void cutScalesMarkTheirEnds() {
    FigureMap map = mapOf(FigureMap::Colours::AroundZero, {-3.0F, 7.0F});
    QVERIFY(!ticksOf(MapColours(map)).values().join(u' ').contains(u'≥'));
    for (const auto colours :
         {FigureMap::Colours::AroundZero, FigureMap::Colours::AroundZeroEvenly}) {
      map.colours = colours;
      map.largest = 5.0;
      const QMap<double, QString> ticks = ticksOf(MapColours(map));
      QCOMPARE(ticks.last(), QStringLiteral("≥ 5"));
      QCOMPARE(ticks.first(), QStringLiteral("≤ −5"));
      QCOMPARE(ticks.lastKey(), MapColours(map).range().upper);
      QVERIFY(colourTicks(map).back().isCut);
    }
  }

  void centresCellsAtTheirColumns();
  void drawsASingleCell();
  void emptyGridsEmptyTheMap();
  void linearTicksAreRoundNumbers();
  void symmetricLogIsOddAndMonotonic();
  void symmetricLogShowsSmallBesideLarge();
  void ticksAreLabelledWithTheirValues();
  void divergingIsNeutralAtZero();
  void missingValuesAreTransparent();

  void risingColoursAreLinear() {
    const MapColours colours(mapOf(FigureMap::Colours::Rising, {-1.0F, 3.0F}));
    QCOMPARE(colours(0.5), 0.5);
    QCOMPARE(colours.range(), QCPRange(-1.0, 3.0));
  }

  void powersOfTenAreEvenlySpacedInLogColours() {
    const MapColours colours(
        mapOf(FigureMap::Colours::RisingLogarithmic, {1e-6F, 1e-2F, 0.0F}));
    QVERIFY(std::abs(colours(1e-4) + 4.0) < 1e-6);
    QCOMPARE(colours(0.0), colours.range().lower);
    QCOMPARE(colours(-3.0), colours.range().lower);
    QVERIFY(std::isnan(colours(std::nan(""))));
    const QMap<double, QString> ticks = ticksOf(colours);
    QVERIFY(ticks.values().contains(QStringLiteral("10⁻⁴")));
    QVERIFY(!ticks.values().contains(QStringLiteral("2×10⁻⁴")));
  }

  void fewDecadesHaveTicksBetweenPowersOfTen() {
    const MapColours colours(
        mapOf(FigureMap::Colours::RisingLogarithmic, {1e-3F, 8e-3F}));
    const QMap<double, QString> ticks = ticksOf(colours);
    QCOMPARE(ticks.key(QStringLiteral("5×10⁻³")), std::log10(5e-3));
  }

  void zeroIsInTheMiddleOfColoursAroundZero() {
    const MapColours colours(mapOf(FigureMap::Colours::AroundZero, {-4.0F, 1.0F}));
    QCOMPARE(colours.range().center(), 0.0);
    QCOMPARE(colours(0.0), 0.0);
    QVERIFY(colours(1.0) > 0.5 * colours.range().upper);  // logarithmic on both sides
    const MapColours even(mapOf(FigureMap::Colours::AroundZeroEvenly, {-4.0F, 1.0F}));
    QCOMPARE(even.range(), QCPRange(-4.0, 4.0));
    QCOMPARE(even(1.0), 1.0);
  }

  void infinityHasTheColourOfTheScalesEnd() {
    const FigureMap map =
        mapOf(FigureMap::Colours::AroundZero, {2.0F, INFINITY, -INFINITY});
    const MapColours colours(map);
    QCustomPlot plot;
    auto* drawn = new QCPColorMap(plot.xAxis, plot.yAxis);  // owned by the plot
    const int columns = map.grid.columns();
    fillColourMap(*drawn, pool(map.grid, 0, columns, 100), colours);
    QCOMPARE(drawn->data()->keySize(), columns);
    QCOMPARE(drawn->data()->cell(1, 0), colours.range().upper);
    QCOMPARE(drawn->data()->cell(2, 0), colours.range().lower);
  }

  void coloursFromZeroBeginAtZero() {
    const MapColours even(mapOf(FigureMap::Colours::FromZeroEvenly, {2.0F, 4.0F}));
    QCOMPARE(even.range(), QCPRange(0.0, 4.0));
    QCOMPARE(even(2.0), 2.0);
    const MapColours logarithmic(mapOf(FigureMap::Colours::FromZero, {2.0F, 4.0F}));
    QCOMPARE(logarithmic.range().lower, 0.0);
    QVERIFY(logarithmic(2.0) > 0.5 * logarithmic.range().upper);
  }
};

void tst_map_colours::centresCellsAtTheirColumns() {
  QCustomPlot plot;
  auto* map = new QCPColorMap(plot.xAxis, plot.yAxis);  // owned by the plot
  HeatGrid grid(3, 4);
  grid.set(2, 1, 9.0F);
  fillColourMap(*map, pool(grid, 0, 4, 100), evenly(grid));
  QCOMPARE(map->data()->keySize(), 4);
  QCOMPARE(map->data()->valueSize(), 3);
  QCOMPARE(map->data()->data(1.0, 2.0), 9.0);
  double key = -1;
  map->data()->cellToCoord(3, 0, &key, nullptr);
  QCOMPARE(key, 3.0);
}

void tst_map_colours::drawsASingleCell() {
  QCustomPlot plot;
  auto* map = new QCPColorMap(plot.xAxis, plot.yAxis);  // owned by the plot
  HeatGrid grid(1, 1);
  grid.set(0, 0, 4.0F);
  fillColourMap(*map, pool(grid, 0, 1, 100), evenly(grid));
  QCOMPARE(map->data()->data(0.0, 0.0), 4.0);
  // The centres of two half cells, which together reach from −0.5 to 0.5.
  QCOMPARE(map->data()->keyRange().lower, -0.25);
  QCOMPARE(map->data()->keyRange().upper, 0.25);
}

void tst_map_colours::emptyGridsEmptyTheMap() {
  QCustomPlot plot;
  auto* map = new QCPColorMap(plot.xAxis, plot.yAxis);  // owned by the plot
  fillColourMap(*map, {}, evenly({}));
  QVERIFY(map->data()->isEmpty());
}

void tst_map_colours::linearTicksAreRoundNumbers() {
  const auto labels = [](double largest) {
    const MapColours colours(
        mapOf(FigureMap::Colours::AroundZeroEvenly, {float(largest)}));
    QVector<double> ticks;
    QVector<QString> texts;
    colours.ticker()->generate({-largest, largest}, QLocale::c(), u'g', 6, ticks, nullptr,
                               &texts);
    return QStringList(texts.begin(), texts.end());
  };
  QVERIFY(labels(2000.0).contains(QStringLiteral("1000")));
  QVERIFY(labels(2000.0).contains(QStringLiteral("0")));
  QVERIFY(labels(10.0).contains(QStringLiteral("−5")));
  QVERIFY(labels(1e-6).contains(QStringLiteral("5×10⁻⁷")));
  const MapColours narrow(mapOf(FigureMap::Colours::Rising, {0.99991F, 0.9999996F}));
  QVector<double> ticks;
  QVector<QString> texts;
  narrow.ticker()->generate(narrow.range(), QLocale::c(), u'g', 6, ticks, nullptr,
                            &texts);
  QVERIFY2(texts.contains(QStringLiteral("0.99994")),
           qPrintable(QStringList(texts).join(u' ')));
  QCOMPARE(QStringList(texts).removeDuplicates(), 0);
}

void tst_map_colours::symmetricLogIsOddAndMonotonic() {
  const MapColours colours(mapOf(FigureMap::Colours::AroundZero, {10.0F}));
  double before = -INFINITY;
  for (double value = -10.0; value <= 10.0; value += 0.37) {
    QCOMPARE(colours(-value), -colours(value));
    QVERIFY(colours(value) > before);
    before = colours(value);
  }
  QCOMPARE(colours(0.0), 0.0);
}

void tst_map_colours::symmetricLogShowsSmallBesideLarge() {
  const MapColours colours(mapOf(FigureMap::Colours::AroundZero, {1.0F}));
  QVERIFY(colours(0.03) / colours.range().upper > 0.4);
  const MapColours degenerate(mapOf(FigureMap::Colours::AroundZero, {0.0F}));
  QVERIFY(std::isfinite(degenerate.range().upper));
}

void tst_map_colours::ticksAreLabelledWithTheirValues() {
  const MapColours both(mapOf(FigureMap::Colours::AroundZero, {5.0F}));
  const QMap<double, QString> ticks = ticksOf(both);
  QCOMPARE(ticks.value(0.0), QStringLiteral("0"));
  QCOMPARE(ticks.value(both(1.0)), QStringLiteral("1"));
  QCOMPARE(ticks.value(both(-0.1)), QStringLiteral("−10⁻¹"));
  QCOMPARE(ticks.size(), 7);
  const MapColours positive(mapOf(FigureMap::Colours::FromZero, {5.0F}));
  QCOMPARE(ticksOf(positive).size(), 4);
}

void tst_map_colours::divergingIsNeutralAtZero() {
  for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark}) {
    Theme theme;
    theme.setMode(mode);
    QCPColorGradient gradient = divergingGradient(theme.colours());
    const QColor middle = QColor(gradient.color(0.0, {-1.0, 1.0}));
    QVERIFY(middle.hsvSaturation() < 80);
    const QColor low(gradient.color(-1.0, {-1.0, 1.0}));
    const QColor high(gradient.color(1.0, {-1.0, 1.0}));
    QVERIFY(low.blue() > low.red());
    QVERIFY(high.red() > high.blue());
    QVERIFY(std::abs(low.lightness() - middle.lightness()) > 60);
    QVERIFY(std::abs(high.lightness() - middle.lightness()) > 60);
  }
}

void tst_map_colours::missingValuesAreTransparent() {
  const Theme theme;
  QCOMPARE(divergingGradient(theme.colours()).nanHandling(),
           QCPColorGradient::nhTransparent);
  QCOMPARE(sequentialGradient().nanHandling(), QCPColorGradient::nhTransparent);
}

EQUIPATCH_TEST(tst_map_colours)
#include "tst_map_colours.moc"
