// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/tex/figure_tex.h"

#include <QRegularExpression>
#include <QString>
#include <cmath>

#include "core/figure/lab_figure.h"
#include "core/figure/panel_range.h"
#include "core/figure/step_panels.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/core/figure/lab_results.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::figureRun;
using equipatch::test::resultOverPicture;
using equipatch::test::someLabResult;

namespace {

/// The line of data that draws one pixel.
const QRegularExpression kSquare("\n([0-9.]+) ([0-9.]+) rgb255=");

QString texOf(Figure figure) {
  figure.provenance = "{\"a\": \"b\nc\"}";
  return QString::fromStdString(figureTex(figure, {}));
}

QString withoutComments(QString text) {
  return text.remove(QRegularExpression("(?<!\\\\)%[^\n]*\n"));
}

}  // namespace

class tst_figure_tex : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void bracesAndEnvironmentsAreBalanced() {
    const FigureRun run = figureRun("50 % {x}_y^z & #1 \\ $", 8, {.mismatchEvery = 3});
    FigureRun seen = run;
    seen.header = test::withPicture(*seen.header);
    for (const Figure& figure :
         {imageFigure({seen}), generationFigure({run}), accuracyFigure({run}),
          patchNormFigure({run}, {}), scaleHeatmapFigure({run}, {}),
          layerErrorFigure({run}, {}), overviewFigure({run, run}, {}),
          labFigure(someLabResult()), labFigure(resultOverPicture())}) {
      QString text = withoutComments(texOf(figure));
      QCOMPARE(text.count("\\begin{"), text.count("\\end{"));
      text.remove("\\\\").remove("\\{").remove("\\}");
      QCOMPARE(text.count('{'), text.count('}'));
      QVERIFY(text.toLatin1() == text.toUtf8());  // ASCII works in every TeX engine
    }
  }

  void aFigureHigherThanAPageHasARemark() {
    const FigureRun run = figureRun("mine", 3);
    const auto heightOf = [](const QString& text) {
      static const QRegularExpression kSize("% about 3.25 x ([0-9.]+) in");
      return kSize.match(text).captured(1).toDouble();
    };
    const QString one = texOf(patchNormFigure({run}, {}));
    QVERIFY(heightOf(one) > 1.0 && heightOf(one) < 4.0);
    QVERIFY(!one.contains("higher than a page"));
    const QString many =
        texOf(patchNormFigure(std::vector<FigureRun>(9, run), FigureChoice{}));
    QVERIFY(heightOf(many) > 9.5 && many.contains("higher than a page"));
  }

  void picturesAreDrawnAsPixels() {
    FigureRun run = figureRun("mine", 2);
    run.header = test::withPicture(*run.header);
    const QString text = texOf(imageFigure({run}));
    QCOMPARE(text.count(kSquare), 6);
    QVERIFY(text.contains(" rgb255=150,160,170\n"));
    QVERIFY(text.contains("{What is this?}"));
  }

  /// The picture of 3 × 2 pixels is drawn twice: by itself, and in grey under the map.
  void mapsLieOverTheirPicture() {
    const QString text = texOf(labFigure(resultOverPicture()));
    QCOMPARE(text.count(kSquare), 12);
    const qsizetype map = text.indexOf("y dir=reverse, ylabel={row}");
    QVERIFY(map > text.lastIndexOf("rgb255=150,160,170"));
    const QString size = "width=([0-9.]+)pt, height=([0-9.]+)pt";
    const auto found = QRegularExpression(size).match(text, map);
    const double width = found.captured(1).toDouble();
    QVERIFY(width > 20.0);
    QVERIFY(std::abs(width * 2.0 / 3.0 - found.captured(2).toDouble()) < 0.01);
    const qsizetype last = text.lastIndexOf("rgb255=113,113,113");
    QVERIFY(map < last && last < text.indexOf("opacity=0.5"));
    QVERIFY(text.contains("\n2 1 5\n"));
    QVERIFY(text.contains("(axis cs:2,1) {5}"));  // the cell's value
  }

  void picturesStandSideBySide() {
    const FigurePicture square{.name = "a", .width = 1, .height = 1, .rgb = {1, 2, 3}};
    FigurePanel panel;
    panel.pictures = {square, square};
    panel.caption = "Which is larger?";
    const QString text = texOf({.panels = {panel}});
    auto found = kSquare.globalMatch(text);
    std::vector<QRegularExpressionMatch> squares;
    while (found.hasNext()) squares.push_back(found.next());
    QCOMPARE(squares.size(), 8u);  // a single row or column is drawn twice
    QCOMPARE(squares[0].captured(2), squares[4].captured(2));  // the same y
    QVERIFY(squares[4].captured(1).toDouble() > squares[1].captured(1).toDouble());
    QVERIFY(text.contains("(rel axis cs:0,-0.02) {Which is larger?}"));
  }

  void pointsHaveTheRecordedNumbers() {
    const FigureRun run = figureRun("mine", 2);
    const QString expected =
        QString("(1,%1)").arg(run.steps[1]->patchedDistance.linf, 0, 'g', 6);
    QVERIFY(texOf(generationFigure({run})).contains(expected));
  }

  void aStarOfEightArmsIsDeclared() {
    const QString text = texOf(generationFigure({figureRun("mine", 2)}));
    const qsizetype declared = text.indexOf("\\pgfdeclareplotmark{equipatchstar}");
    QVERIFY(declared >= 0 && declared < text.indexOf("\\begin{tikzpicture}"));
    QCOMPARE(text.count("\\pgfpathlineto{\\pgfqpointpolar{"), 4);  // two arms each
  }

  void provenanceStaysInAComment() {
    const QString text = texOf(generationFigure({figureRun("mine", 2)}));
    QVERIFY(text.contains("% provenance: {\"a\": \"b c\"}\n"));
  }

  void logarithmicMapsHoldLogarithms() {
    const QString text = texOf(labFigure(someLabResult()));
    QVERIFY(text.contains("colormap name=equipatchrising, point meta min=-7, "));
    QVERIFY(text.contains("\n-2 0 -7\n-0.5 0 -6.69897\n"));
    QVERIFY(text.contains("\n-2 2 -7\n"));  // zero has the lowest colour
    QVERIFY(text.contains("ymode=log"));
  }

  void crossesHaveTheColoursOfTheirRuns() {
    const FigureRun run = figureRun("run", 6, {.mismatchEvery = 2});
    QVERIFY(texOf(generationFigure({run})).contains("thick, equipatchred]"));
    const QString text = texOf(generationFigure({run, run}));
    QVERIFY(!text.contains("thick, equipatchred]"));
    QVERIFY(text.contains("\\addlegendimage{only marks, mark=x"));
    for (const char* colour : {"equipatch0", "equipatch1"})
      QVERIFY2(text.contains(QString("thick, %1, forget plot]").arg(colour)), colour);
  }

  void boxesAndBarsAreDrawnInRows() {
    const Figure figure = accuracyFigure({figureRun("mine", 4)});
    const QString text = texOf(figure);
    QVERIFY(text.contains("xmin=0, xmax=100, ymin=-0.5, ymax=0.5"));
    QVERIFY(text.contains("boxplot/draw direction=x"));
    QVERIFY(text.contains("{100 \\%}"));
  }

  void namesOfRowsStandLeftOfTheAxes() {
    const FigureRun open =
        equipatch::test::computedBy(figureRun("open", 4), DType::F32,
                                    {Method::Direct, Loop::Open, Application::Factored});
    const Figure figure = accuracyFigure({figureRun("mine", 4), open});
    const auto tex = [&](double width) {
      return QString::fromStdString(figureTex(figure, {.width = width}));
    };
    const QString wide = tex(6.75);
    QCOMPARE(wide.count("float32 direct open"), 1);
    QVERIFY(
        wide.contains("yticklabels={{bfloat16 balanced closed},{float32 direct open}}"));
    QVERIFY(wide.contains("yticklabels={{},{}}"));
    QCOMPARE(wide.count("{100 \\%}"), 2);
    const QString narrow = tex(3.25);
    QVERIFY(narrow.contains("{float32 direct\\\\open}"));
    QVERIFY(narrow.contains("xtick={0,50,100}"));
  }

  /// The height includes titles, legends and labels. A narrow figure has one column.
  void panelsFitTheSizeOfTheFigure() {
    const auto inches = [](const Figure& figure, const TexSize& size) {
      const auto found =
          QRegularExpression(
              "group size=(\\d) by (\\d), .* vertical sep=([0-9.]+)in\\}, scale only "
              "axis, width=([0-9.]+)in, height=([0-9.]+)in")
              .match(QString::fromStdString(figureTex(figure, size)));
      std::vector<double> numbers;
      for (int i = 1; i <= 5; ++i) numbers.push_back(found.captured(i).toDouble());
      return numbers;
    };
    const Figure figure = generationFigure({figureRun("a", 4), figureRun("b", 4)});
    const auto low = inches(figure, {.width = 6.75, .height = 3.5});
    QVERIFY2(2 * low[4] + low[2] + 0.6 < 3.5, qPrintable(QString::number(low[4])));
    const auto high = inches(figure, {.width = 6.75, .height = 5.5});
    QVERIFY(std::abs(2 * (high[4] - low[4]) - 2.0) < 1e-4);
    const auto usual = inches(figure, {.width = 6.75});
    QVERIFY(2 * usual[4] + usual[2] < 5.5);
    Figure wide = figure;
    wide.columns = 2;
    QCOMPARE(inches(wide, {.width = 6.75})[0], 2.0);
    const auto narrow = inches(wide, {.width = 3.25});
    QCOMPARE(narrow[0], 1.0);
    QCOMPARE(narrow[3], 2.5);
    QVERIFY_ERROR(figureTex(figure, {.width = 3.25, .height = 1.6}),
                  "do not fit into 3.25 × 1.6 in");
    QVERIFY_ERROR(figureTex(figure, {.width = 1.0}), "do not fit into a width of 1 in");
  }

  /// pgfplots has one gap for all rows and centres each panel below the panel above.
  /// `yshift` narrows a gap, `xshift` aligns left edges.
  void rowsAreAsNearAsTheirLabelsAllow() {
    FigurePanel bare, titled;
    bare.curves = {{.name = "a", .x = {0, 1}, .y = {1.0, 2.0}}};
    titled = bare;
    titled.title = "Of this panel";
    QVERIFY(!texOf({.panels = {bare, titled}}).contains("\\nextgroupplot[yshift="));
    QVERIFY(texOf({.panels = {bare, titled, bare}}).contains("\\nextgroupplot[yshift="));
    FigurePanel map;
    map.map = FigureMap{.label = "m", .grid = HeatGrid(3, 3)};
    QVERIFY(texOf({.panels = {bare, map}}).contains("\\nextgroupplot[xshift=-"));
    QVERIFY(!texOf({.panels = {map, map}}).contains("shift=-"));
  }

  /// A picture and its caption share the width of the axes below.
  void picturesTakeTheWidthOfAxes() {
    FigurePanel panel;
    panel.pictures = {{.name = "a", .width = 1, .height = 1, .rgb = {1, 2, 3}}};
    panel.caption = "What is this?";
    const QString low = QString::fromStdString(
        figureTex({.panels = {panel, {}}}, {.width = 3.25, .height = 3.0}));
    QVERIFY2(low.contains("width=180.675pt, height=65.043pt"), qPrintable(low));
    QVERIFY(low.contains("] at (axis cs:73.043,0)"));
  }

  void longLegendNamesAreWrapped() {
    const Figure figure = generationFigure(
        {figureRun("A very long method name: a balanced patch with a closed loop (ours)",
                   4),
         figureRun("b", 4)});
    QVERIFY(texOf(figure).contains("a balanced\\\\patch"));
  }

  void markedNumbersHaveThickTicks() {
    FigurePanel panel;
    panel.x = {.label = "layer", .counts = true};
    panel.curves = {{.name = "a", .x = {0, 1, 2}, .y = {0.3, 0.4, 9e3}}};
    QVERIFY(!texOf({.panels = {panel}}).contains("extra x tick"));
    panel.x.marked = {0, 2};
    panel.x.markedAs = "recurrent";
    const QString text = texOf({.panels = {panel}});
    QVERIFY(text.contains("xlabel={layer (thick ticks: recurrent)}"));
    QVERIFY(text.contains("extra x ticks={0,2}, extra x tick labels={}, "));
    QVERIFY(text.contains("line width=1.6pt"));
  }

  void zerosHaveATickOfTheirOwn() {
    FigurePanel panel;
    panel.y.scale = FigureScale::Logarithmic;
    panel.curves = {{.name = "a", .x = {0, 1, 2}, .y = {0.0, 0.4, 9e3}}};
    const QString text = texOf({.panels = {panel}});
    // 0.1 has no tick, because its label would be too near to the label 0.
    QVERIFY(valueRange(panel).low < 0.1);
    QVERIFY(
        text.contains("ytick={1,10,100,1000,10000}, "
                      "yticklabels={1,10,$10^{2}$,$10^{3}$,$10^{4}$}, extra y ticks={"));
    QVERIFY(text.contains("extra y tick labels={0}"));
    panel.curves[0].y[0] = 1.0;
    QVERIFY(!texOf({.panels = {panel}}).contains("extra y ticks"));
  }

  void theRightAxisCoversItsPanel() {
    const FigurePanel panel = strengthPanel(
        {{.strength = {.alpha = 0.5}, .distance = {2.0, 0.1, 0.0}, .probability = 0.25}});
    const QString text = QString::fromStdString(
        figureTex({.columns = 2, .panels = {{}, panel}}, {.width = 6.75}));
    QVERIFY(text.contains("at={(group c2r1.south west)}"));
    QVERIFY(text.contains("axis y line*=right, ylabel={probability}"));
    const qsizetype after = text.indexOf("\\end{groupplot}");
    QVERIFY(text.indexOf("(0.5,0.25)") > after);
    QVERIFY(text.indexOf("(0.5,2)") < after);
    // The left axis's legend also has the right axis's curve.
    QVERIFY(text.contains("\\addlegendimage{equipatch1"));
  }

  void mapsArePooledWithTheirOutliers() {
    FigureRun run = figureRun("mine", 1, {.layers = 2, .width = 1000});
    run = equipatch::test::changed(
        run, 0, [](StepRecord& record) { record.layers[1].scaleDelta[777] = -99.0F; });
    const QString text = texOf(scaleHeatmapFigure({run}, {}));
    QVERIFY(text.contains("mesh/cols=200]"));
    const FigureMap map = *scaleHeatmapFigure({run}, {}).panels[0].map;
    const double place = colourPlace(map.colours, colourRange(map), -99.0);
    QVERIFY(place < 0.0 && place > -10.0);  // a logarithm
    QVERIFY(text.contains(QString("1 %1\n").arg(place, 0, 'g', 6)));
  }
};

EQUIPATCH_TEST(tst_figure_tex)
#include "tst_figure_tex.moc"
