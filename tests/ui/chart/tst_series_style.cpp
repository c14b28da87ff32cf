// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>

#include "core/figure/tex/tex_plots.h"
#include "tests/support/test_case.h"
#include "ui/chart/series_style.h"

using namespace equipatch;

class tst_series_style : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void numberedStylesDifferInShapeAndColour();
  void marksAreTheSameInPgfplots();
  void matrixLabelsHaveSpaces();
  void pensFollowTheTheme();
  void enlargedStylesHaveThickLinesAndLargeShapes();
  void dashesOfManyPointsAreThin();
  void swatchesAreDrawn();
  void selectedSwatchesHaveTheChartsBackground();
  void exactZerosAreOpenCircles();
  void quantitiesDifferInTheirLineStyles();
  void denseCurvesHaveDashesButNoShapes();
  void referencesBesideRunsHaveOtherStyles();
  void shapesKeepApartOnALine();
};

void tst_series_style::shapesKeepApartOnALine() {
  QCustomPlot plot;
  plot.resize(400, 200);
  QCPGraph& graph = *plot.addGraph();
  graph.setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssSquare, 5.0));
  const auto skippedOf = [&](int points) {
    graph.data()->clear();
    for (int i = 0; i < points; ++i) graph.addData(i, 1.0);
    plot.xAxis->setRange(0.0, points - 1.0);
    plot.replot();
    thinShapes(graph);
    const double apart = plot.xAxis->coordToPixel(1.0) - plot.xAxis->coordToPixel(0.0);
    return std::pair(graph.scatterSkip(), apart * (graph.scatterSkip() + 1));
  };
  QCOMPARE(skippedOf(10).first, 0);
  QVERIFY(skippedOf(200).first > 0);
  for (const int points : {100, 200, 5000}) QVERIFY(skippedOf(points).second >= 9.99);
  QCOMPARE(skippedOf(10).first, 0);
}

void tst_series_style::referencesBesideRunsHaveOtherStyles() {
  using Look = FigureCurve::Look;
  const Theme theme;
  QList<SeriesStyle> references;
  for (const Look look :
       {Look::Bare, Look::Ablated, Look::Margin, Look::Noise, Look::Audit})
    references << styleOf(FigureCurve{.look = look, .dense = true, .besideRuns = true});
  for (qsizetype i = 0; i < references.size(); ++i) {
    QVERIFY(!dashesOf(references[i].line).isEmpty());
    for (qsizetype j = 0; j < i; ++j)
      QVERIFY(!looksAlike(references[i], references[j], theme.colours()));
    for (int run = 0; run < kRunStyles; ++run)
      QVERIFY(!looksAlike(references[i],
                          styleOf(FigureCurve{.style = run, .dense = true}),
                          theme.colours()));
  }
  // A quantity that is not a reference has its run's colour and its own shape.
  const SeriesStyle ofRun =
      styleOf(FigureCurve{.look = Look::Distribution, .style = 3, .besideRuns = true});
  QCOMPARE(ofRun.in(theme.colours()), numberedStyle({}, 3).in(theme.colours()));
  QCOMPARE(ofRun.shape, QCPScatterStyle::ssSquare);
}

void tst_series_style::quantitiesDifferInTheirLineStyles() {
  const Theme theme;
  const SeriesStyle bare =
      styleOf(FigureCurve{.name = "bare L∞", .look = FigureCurve::Look::Bare});
  QCOMPARE(bare.name, QStringLiteral("bare L∞"));
  QCOMPARE(bare.colour(theme.colours()), theme.colours().bare);
  QVERIFY(bare.line == SeriesStyle::Line::Dash);
  QList<SeriesStyle::Line> lines;
  for (const FigureCurve::Look look :
       {FigureCurve::Look::Patched, FigureCurve::Look::Distribution,
        FigureCurve::Look::Bare, FigureCurve::Look::Ablated, FigureCurve::Look::Margin,
        FigureCurve::Look::Noise, FigureCurve::Look::Audit}) {
    const SeriesStyle::Line line = styleOf(FigureCurve{.look = look, .dense = true}).line;
    QVERIFY(!lines.contains(line));
    lines << line;
  }
  const SeriesStyle crosses = styleOf(FigureMarks{.name = "tokens differ"}, {});
  QCOMPARE(crosses.shape, QCPScatterStyle::ssCross);
  QCOMPARE(crosses.colour(theme.colours()), theme.colours().mismatch);
}

void tst_series_style::denseCurvesHaveDashesButNoShapes() {
  const SeriesStyle sparse = styleOf(FigureCurve{.style = 1});
  QVERIFY(sparse == numberedStyle({}, 1));
  const SeriesStyle dense = styleOf(FigureCurve{.style = 1, .dense = true});
  QCOMPARE(dense.shape, QCPScatterStyle::ssNone);
  QVERIFY(dense.line == SeriesStyle::Line::Dash);
}

void tst_series_style::numberedStylesDifferInShapeAndColour() {
  Theme theme;
  std::set<int> shapes;
  std::set<QRgb> colours;
  for (int i = 0; i < 6; ++i) {
    const SeriesStyle style = numberedStyle(QString::number(i), i);
    shapes.insert(style.shape);
    colours.insert(style.colour(theme.colours()).rgb());
  }
  QCOMPARE(shapes.size(), std::size_t(6));
  QCOMPARE(colours.size(), std::size_t(6));
  for (int i = 0; i < kRunStyles; ++i)
    for (int j = 0; j < i; ++j) {
      const auto dense = [](int style) {
        return styleOf(FigureCurve{.style = style, .dense = true});
      };
      QVERIFY2(!looksAlike(dense(i), dense(j), theme.colours()),
               qPrintable(QStringLiteral("%1 and %2").arg(i).arg(j)));
      QVERIFY(styleText(i) != styleText(j));
    }
  SeriesStyle own = styleOf(FigureCurve{.style = 7, .colour = "#0072b3", .dense = true});
  QCOMPARE(own.in(theme.colours()), QColor(0, 0x72, 0xb3));
  own.line = SeriesStyle::Line::Solid;
  theme.setMode(Theme::Mode::Light);
  QVERIFY(looksAlike(own, styleOf(FigureCurve{.dense = true}), theme.colours()));
  const SeriesStyle again = numberedStyle({}, 6);
  QVERIFY(again.shape != numberedStyle({}, 0).shape);
  QVERIFY(again.line != numberedStyle({}, 0).line);
}

void tst_series_style::marksAreTheSameInPgfplots() {
  struct Mark {
    QCPScatterStyle::ScatterShape shape;
    bool open;
    bool turned;  // by 180° in pgfplots
    const char* tex;
  };
  const QList<Mark> marks = {
      {QCPScatterStyle::ssDisc, false, false, "*"},
      {QCPScatterStyle::ssSquare, false, false, "square*"},
      {QCPScatterStyle::ssTriangle, false, false, "triangle*"},
      {QCPScatterStyle::ssTriangleInverted, false, true, "triangle*"},
      {QCPScatterStyle::ssPlus, false, false, "+"},
      {QCPScatterStyle::ssStar, false, false, "equipatchstar"},
      {QCPScatterStyle::ssSquare, true, false, "square*"},
      {QCPScatterStyle::ssTriangle, true, false, "triangle*"},
      {QCPScatterStyle::ssTriangleInverted, true, true, "triangle*"}};
  const auto symbolShape = [](FigureMarks::Symbol symbol) {
    return styleOf(FigureMarks{.symbol = symbol}, {}).shape;
  };
  for (int i = 0; i < 2 * kRunStyles; ++i) {
    const Mark& mark = marks[i % marks.size()];
    FigurePanel panel;
    panel.curves = {{.style = i, .x = {0, 1}, .y = {1, 2}}};
    const SeriesStyle style = styleOf(panel.curves[0]);
    QCOMPARE(style.shape, mark.shape);
    QCOMPARE(style.open, mark.open);
    for (const auto symbol :
         {FigureMarks::Symbol::Mismatch, FigureMarks::Symbol::SampledDifference})
      QVERIFY(style.shape != symbolShape(symbol));
    const QString tex = QString::fromStdString(texPlots(panel));
    QVERIFY2(tex.contains(QStringLiteral(", mark=%1, ").arg(QLatin1String(mark.tex))),
             qPrintable(tex));
    QCOMPARE(tex.contains(QStringLiteral("rotate=180")), mark.turned);
    QCOMPARE(tex.contains(QStringLiteral("fill=white")), mark.open);
  }
}

void tst_series_style::matrixLabelsHaveSpaces() {
  QCOMPARE(matrixLabel("shared_gate"), QStringLiteral("shared gate"));
  QCOMPARE(matrixLabel("down"), QStringLiteral("down"));
}

void tst_series_style::pensFollowTheTheme() {
  Theme theme;
  theme.setMode(Theme::Mode::Light);
  const SeriesStyle style = numberedStyle({}, 0);
  const QColor light = penOf(style, theme.colours()).color();
  theme.setMode(Theme::Mode::Dark);
  QVERIFY(penOf(style, theme.colours()).color() != light);
  QCOMPARE(scatterOf(style, theme.colours()).pen().color(),
           penOf(style, theme.colours()).color());
  SeriesStyle none = style;
  none.line = SeriesStyle::Line::None;
  QCOMPARE(penOf(none, theme.colours()).style(), Qt::NoPen);
}

void tst_series_style::enlargedStylesHaveThickLinesAndLargeShapes() {
  const Theme theme;
  for (const auto line : {SeriesStyle::Line::Solid, SeriesStyle::Line::Dash}) {
    SeriesStyle style = numberedStyle({}, 0);
    style.line = line;
    const SeriesStyle large = enlarged(style, 2.0);
    QVERIFY(penOf(large, theme.colours()).widthF() >
            1.9 * penOf(style, theme.colours()).widthF());
    QCOMPARE(scatterOf(large, theme.colours()).size(), 2.0 * style.size);
  }
}

/// Wide dashes take a hundred times as long to draw as thin ones.
void tst_series_style::dashesOfManyPointsAreThin() {
  const Theme theme;
  SeriesStyle style = enlarged(numberedStyle({}, 0), 2.0);
  style.line = SeriesStyle::Line::Dash;
  QVERIFY(penOf(style, theme.colours(), 100).widthF() > 2.0);
  QVERIFY(!penOf(numberedStyle({}, 1), theme.colours(), 100).isCosmetic());
  QVERIFY(penOf(numberedStyle({}, 1), theme.colours(), 1000).isCosmetic());
  QCOMPARE(penOf(style, theme.colours(), 1000).widthF(), 1.0);
  QVERIFY(penOf(style, theme.colours(), 1000).style() == Qt::CustomDashLine);
  style.line = SeriesStyle::Line::Solid;
  QVERIFY(penOf(style, theme.colours(), 1000).widthF() > 2.0);
}

void tst_series_style::swatchesAreDrawn() {
  const Theme theme;
  const QImage image =
      swatchOf(numberedStyle({}, 1), theme.colours()).pixmap(20, 12).toImage();
  bool drawn = false;
  for (int x = 0; x < image.width(); ++x)
    for (int y = 0; y < image.height(); ++y)
      drawn = drawn || qAlpha(image.pixel(x, y)) > 128;
  QVERIFY(drawn);
}

/// The first run's colour is close to the colour of a selection.
void tst_series_style::selectedSwatchesHaveTheChartsBackground() {
  const Theme theme;
  const QIcon swatch = swatchOf(numberedStyle({}, 0), theme.colours());
  const auto edge = [&](QIcon::Mode mode) {
    const QImage image = swatch.pixmap(QSize(20, 12), mode).toImage();
    return image.pixelColor(image.width() / 2, image.height() / 6);
  };
  QCOMPARE(edge(QIcon::Normal).alpha(), 0);
  QCOMPARE(edge(QIcon::Selected), theme.colours().surface);
}

void tst_series_style::exactZerosAreOpenCircles() {
  const Theme theme;
  const SeriesStyle curve = numberedStyle(QStringLiteral("a"), 1);
  const SeriesStyle zero = zeroStyle(curve);
  const QCPScatterStyle scatter = scatterOf(zero, theme.colours());
  QCOMPARE(scatter.shape(), QCPScatterStyle::ssCircle);
  QCOMPARE(scatter.pen().color(), curve.colour(theme.colours()));
  QCOMPARE(scatter.brush().color(), theme.colours().surface);
  QVERIFY(scatter.size() > curve.size);  // covers the curve's own shape
  QVERIFY(zeroRemark().open && !zeroRemark().name.isEmpty());
}

EQUIPATCH_TEST(tst_series_style)
#include "tst_series_style.moc"
