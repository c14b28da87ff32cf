// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/curve_mark.h"

#include "tests/support/test_case.h"

using namespace equipatch;

using Shape = CurveMark::Shape;

class tst_curve_mark : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aRepeatedColourHasAnotherLineStyle() {
    for (int style = 0; style < kCurveColours; ++style) {
      QVERIFY(numberedLine(style) != numberedLine(style + kCurveColours));
      QVERIFY(numberedLine(style) != numberedLine(style + 2 * kCurveColours));
      QVERIFY(numberedLine(style + kCurveColours) !=
              numberedLine(style + 2 * kCurveColours));
    }
    QVERIFY(numberedLine(0) == CurveLine::Solid);
  }

  void numberedMarksRepeatAfterNine() {
    constexpr int kMarks = 9;
    for (int i = 0; i < kMarks; ++i) {
      const CurveMark mark = numberedMark(i);
      QVERIFY(mark.shape != Shape::None);
      for (int j = 0; j < i; ++j) QVERIFY(mark != numberedMark(j));
      QVERIFY(mark == numberedMark(i + kMarks));
      QVERIFY(!(mark.open && mark.shape == Shape::Disc));  // stands for an exact zero
    }
  }

  void markShapesDependOnTheLook() {
    using Look = FigureCurve::Look;
    const auto shapeOf = [](Look look) {
      return markOf(FigureCurve{.look = look, .style = 4}).shape;
    };
    QVERIFY(shapeOf(Look::Numbered) == numberedMark(4).shape);
    QVERIFY(shapeOf(Look::Patched) == Shape::Disc);
    QVERIFY(shapeOf(Look::Distribution) == Shape::Square);
    QVERIFY(shapeOf(Look::Probability) == Shape::Triangle);
    for (const Look look : {Look::Bare, Look::Ablated, Look::Margin, Look::Noise,
                            Look::Audit, Look::Reference})
      QVERIFY(shapeOf(look) == Shape::None);
  }

  void denseCurvesHaveNoMarks() {
    for (const int style : {1, 7})  // filled, open
      QVERIFY(markOf(FigureCurve{.style = style, .dense = true}) == CurveMark{});
  }

  void printedCurvesOfManyPointsHaveNoMarks() {
    const auto printed = [](std::size_t points, bool dense) {
      const std::vector<double> values(points, 1.0);
      return printedMark({.style = 1, .dense = dense, .x = values, .y = values});
    };
    QVERIFY(printed(60, false) == numberedMark(1));
    QVERIFY(printed(61, false) == CurveMark{});
    QVERIFY(printed(2, true) == CurveMark{});
    QVERIFY(printed(1, true).shape == Shape::Disc);  // else it would be invisible
  }
};

EQUIPATCH_TEST(tst_curve_mark)
#include "tst_curve_mark.moc"
