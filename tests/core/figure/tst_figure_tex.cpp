// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_tex.h"

#include <QRegularExpression>
#include <QString>

#include "core/figure/lab_figure.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/core/figure/lab_results.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::figureRun;
using equipatch::test::someLabResult;

namespace {

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
    for (const Figure& figure :
         {generationFigure({run}), accuracyFigure({run}), patchNormFigure({run}, {}),
          scaleHeatmapFigure({run}, {}), layerErrorFigure({run}, {}),
          overviewFigure({run, run}, {}), labFigure(someLabResult())}) {
      QString text = withoutComments(texOf(figure));
      QCOMPARE(text.count("\\begin{"), text.count("\\end{"));
      text.remove("\\\\").remove("\\{").remove("\\}");
      QCOMPARE(text.count('{'), text.count('}'));
      QVERIFY(text.toLatin1() == text.toUtf8());  // plain ASCII works with every engine
    }
  }

  void pointsAreTheNumbers() {
    const FigureRun run = figureRun("mine", 2);
    const QString expected =
        QString("(1,%1)").arg(run.steps[1]->patchedDistance.linf, 0, 'g', 6);
    QVERIFY(texOf(generationFigure({run})).contains(expected));
  }

  void provenanceStaysInAComment() {
    const QString text = texOf(generationFigure({figureRun("mine", 2)}));
    QVERIFY(text.contains("% provenance: {\"a\": \"b c\"}\n"));
  }

  void risingMapsHavePlacesAndPowersOfTen() {
    const QString text = texOf(labFigure(someLabResult()));
    QVERIFY(text.contains("colormap name=equipatchrising, point meta min=-7, "));
    QVERIFY(text.contains("\n-2 0 -7\n-0.5 0 -6.69897\n"));
    QVERIFY(text.contains("\n-2 2 -7\n"));  // zero, below the smallest
    QVERIFY(text.contains("ymode=log"));
  }

  void mapsArePooledWithTheirOutliers() {
    FigureRun run = figureRun("mine", 1, {.layers = 2, .width = 1000});
    run = equipatch::test::changed(
        run, 0, [](StepRecord& record) { record.layers[1].scaleDelta[777] = -99.0F; });
    const QString text = texOf(scaleHeatmapFigure({run}, {}));
    QVERIFY(text.contains("mesh/cols=200]"));
    QVERIFY(text.contains("1 -99\n"));
  }
};

EQUIPATCH_TEST(tst_figure_tex)
#include "tst_figure_tex.moc"
