#include "ui/figure/map_colours.h"

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

}  // namespace

class tst_map_colours : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void risingIsEven() {
    const MapColours colours(mapOf(FigureMap::Colours::Rising, {-1.0F, 3.0F}));
    QCOMPARE(colours(0.5), 0.5);
    QCOMPARE(colours.range(), QCPRange(-1.0, 3.0));
  }

  void powersOfTenAreEvenWhereItIsLogarithmic() {
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

  void fewDecadesNameDigits() {
    const MapColours colours(
        mapOf(FigureMap::Colours::RisingLogarithmic, {1e-3F, 8e-3F}));
    const QMap<double, QString> ticks = ticksOf(colours);
    QCOMPARE(ticks.key(QStringLiteral("5×10⁻³")), std::log10(5e-3));
  }

  void aroundZeroHasZeroInTheMiddle() {
    const MapColours colours(mapOf(FigureMap::Colours::AroundZero, {-4.0F, 1.0F}));
    QCOMPARE(colours.range().center(), 0.0);
    QCOMPARE(colours(0.0), 0.0);
    QVERIFY(colours(1.0) > 0.5 * colours.range().upper);  // logarithmic on both sides
    const MapColours even(mapOf(FigureMap::Colours::AroundZeroEvenly, {-4.0F, 1.0F}));
    QCOMPARE(even.range(), QCPRange(-4.0, 4.0));
    QCOMPARE(even(1.0), 1.0);
  }

  void sizesRiseFromZero() {
    const MapColours even(mapOf(FigureMap::Colours::FromZeroEvenly, {2.0F, 4.0F}));
    QCOMPARE(even.range(), QCPRange(0.0, 4.0));
    QCOMPARE(even(2.0), 2.0);
    const MapColours logarithmic(mapOf(FigureMap::Colours::FromZero, {2.0F, 4.0F}));
    QCOMPARE(logarithmic.range().lower, 0.0);
    QVERIFY(logarithmic(2.0) > 0.5 * logarithmic.range().upper);
  }
};

EQUIPATCH_TEST(tst_map_colours)
#include "tst_map_colours.moc"
