#include "core/figure/colour_range.h"

#include <limits>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

ColourRange rangeOf(FigureMap::Colours colours, const std::vector<float>& values) {
  FigureMap map{.label = "map", .grid = HeatGrid(1, 0), .colours = colours};
  for (const float value : values) map.grid.addColumn({value});
  return colourRange(map);
}

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

}  // namespace

class tst_colour_range : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aroundZeroIsSymmetric() {
    const ColourRange range =
        rangeOf(FigureMap::Colours::AroundZero, {1.0F, -3.0F, kMissing});
    QCOMPARE(range.low, -3.0);
    QCOMPARE(range.high, 3.0);
  }

  void sizesBeginAtZero() {
    const ColourRange range = rangeOf(FigureMap::Colours::FromZeroEvenly, {2.0F, 3.0F});
    QCOMPARE(range.low, 0.0);
    QCOMPARE(range.high, 3.0);
    QCOMPARE(rangeOf(FigureMap::Colours::FromZero, {0.0F}).high, 1.0);
  }

  void risingHoldsEveryFiniteValue() {
    const ColourRange range =
        rangeOf(FigureMap::Colours::Rising, {kMissing, 2.0F, -1.0F, kInfinity});
    QCOMPARE(range.low, -1.0);
    QCOMPARE(range.high, 2.0);
  }

  void aLogarithmHasPositiveEnds() {
    const ColourRange range =
        rangeOf(FigureMap::Colours::RisingLogarithmic, {0.0F, -5.0F, 0.25F, 8.0F});
    QCOMPARE(range.low, 0.25);
    QCOMPARE(range.high, 8.0);
  }

  void neverIsEmpty_data() {
    QTest::addColumn<int>("colours");
    QTest::addColumn<float>("value");
    for (const int colours : {0, 1, 2})
      for (const float value : {0.0F, -2.0F, 3.0F, kMissing})
        QTest::addRow("%d %g", colours, double(value)) << colours << value;
  }
  void neverIsEmpty() {
    QFETCH(int, colours);
    QFETCH(float, value);
    const auto kind = FigureMap::Colours(colours);
    const ColourRange range = rangeOf(kind, {value, value});
    QVERIFY(range.low < range.high);
    QVERIFY(kind != FigureMap::Colours::RisingLogarithmic || range.low > 0.0);
    if (kind == FigureMap::Colours::Rising && value == value)
      QVERIFY(range.low < double(value) && double(value) < range.high);
  }
};

EQUIPATCH_TEST(tst_colour_range)
#include "tst_colour_range.moc"
