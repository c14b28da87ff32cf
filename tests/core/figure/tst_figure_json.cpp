// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/figure/figure_json.h"

#include <nlohmann/json.hpp>

#include "core/figure/step_panels.h"
#include "tests/core/figure/figure_runs.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::figureRun;

namespace {

nlohmann::json jsonOf(Figure figure) {
  figure.provenance = provenanceJson({equipatch::test::makeHeader()});
  return nlohmann::json::parse(figureJson(figure));
}

}  // namespace

class tst_figure_json : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void containsCurvesMarksAndAxes() {
    const Figure figure = generationFigure({figureRun("mine", 5, {.mismatchEvery = 2})});
    const auto json = jsonOf(figure);
    QCOMPARE(json["kind"].get<std::string>(), std::string("generation"));
    const auto& panel = json["panels"][0];
    QCOMPARE(panel["curves"][0]["y"].get<std::vector<double>>(),
             figure.panels[0].curves[0].y);
    QCOMPARE(panel["marks"][0]["x"].get<std::vector<double>>(),
             (std::vector<double>{1, 3}));
    QCOMPARE(panel["y"]["scale"].get<std::string>(), std::string("logarithmic"));
    QCOMPARE(json["panels"][1]["x"]["names"].size(), std::size_t{5});
  }

  void containsMapsAndBoxes() {
    const FigureRun run = figureRun("mine", 2, {.layers = 3, .width = 4});
    const auto map = jsonOf(scaleHeatmapFigure({run}, {}))["panels"][0]["map"];
    QCOMPARE(map["rows"].size(), std::size_t{3});
    QCOMPARE(map["rows"][2][1].get<float>(), run.steps[0]->layers[2].scaleDelta[1]);
    const auto box = jsonOf(accuracyFigure({run}))["panels"][0]["boxes"][0];
    QCOMPARE(box["values"].get<int>(), 2);
    const auto shares = jsonOf(accuracyFigure({run}))["panels"][1];
    QCOMPARE(shares["bars"][0]["value"].get<double>(), 100.0);
    QCOMPARE(shares["x"]["limits"].get<std::vector<double>>(),
             (std::vector<double>{0.0, 100.0}));
  }

  /// "panels" has an object for each picture; the first one has the caption.
  void picturesAreListed() {
    const FigurePicture picture{
        .name = "a.png", .width = 1, .height = 1, .rgb = {1, 2, 3}};
    FigurePanel panel;
    panel.pictures = {picture, picture};
    panel.caption = "What is this?";
    const auto panels = jsonOf({.panels = {panel}})["panels"];
    QCOMPARE(panels.size(), std::size_t{2});
    QCOMPARE(panels[1]["picture"].get<std::string>(), std::string("a.png"));
    QCOMPARE(panels[0]["caption"].get<std::string>(), panel.caption);
    QCOMPARE(panels[1]["caption"].get<std::string>(), std::string());
  }

  void theRightAxisIsNamed() {
    const auto panel =
        jsonOf({.panels = {strengthPanel({{.probability = 0.25}})}})["panels"][0];
    QCOMPARE(panel["right"]["label"].get<std::string>(), std::string("probability"));
    QCOMPARE(panel["curves"][2]["axis"].get<std::string>(), std::string("right"));
    QVERIFY(!panel["curves"][0].contains("axis"));
  }

  void provenanceNamesDtypeAndMethod() {
    const auto run =
        jsonOf(generationFigure({figureRun("mine", 1)}))["provenance"]["runs"][0];
    QCOMPARE(run["dtype"].get<std::string>(), std::string("bfloat16"));
    QCOMPARE(run["method"].get<std::string>(), std::string("balanced"));
  }
};

EQUIPATCH_TEST(tst_figure_json)
#include "tst_figure_json.moc"
