// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/block_view.h"

#include "tests/support/test_case.h"
#include "tests/ui/support/run_fixture.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

namespace {

struct BlockFixture : test::RunFixture {
  test::SyntheticEngine engine;
  SharedWorker worker;
  RunController controller{engine, model, worker};
  BlockView view{{model, selection, controller, theme}};

  const BlockView::Box* find(const char* label) {
    boxes = view.boxes();
    const auto found =
        std::ranges::find(boxes, QString::fromUtf8(label), &BlockView::Box::label);
    return found == boxes.end() ? nullptr : &*found;
  }
  /// Begins a run of one step. In every layer, the norm of a matrix's change is the
  /// matrix's place in the list, from 1.
  void runWith(const std::vector<std::string>& matrices) {
    RunHeader header = *test::makeHeader();
    header.patchedMatrices = matrices;
    model.begin(std::make_shared<const RunHeader>(header));
    StepRecord step = *test::makeRecord(0);
    for (LayerRecord& layer : step.layers) {
      layer.matrices.clear();
      for (const std::string& matrix : matrices)
        layer.matrices.push_back({matrix, double(layer.matrices.size() + 1), 0.0});
    }
    model.append({std::make_shared<const StepRecord>(step)});
    selection.setStepCount(1);
    selection.selectStep(0);
  }

  std::vector<BlockView::Box> boxes;
};

}  // namespace

class tst_block_view : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void boxesShowTheSizesOfTheirPatches();
  void normsOfSumsAreDrawnOnTheResidualStream();
};

void tst_block_view::boxesShowTheSizesOfTheirPatches() {
  BlockFixture f;
  f.runWith({"router", "gate", "up", "down", "shared_router", "shared_gate", "shared_up",
             "shared_down"});
  QCOMPARE(f.find("router")->size, QStringLiteral("1, 5"));
  QCOMPARE(f.find("W_gate, W_up")->namedSizes,
           QStringLiteral("ΔW gate 2, ΔW up 3, ΔW shared gate 6, ΔW shared up 7"));
  QCOMPARE(f.find("W_down")->size, QStringLiteral("4, 8"));
  QCOMPARE(f.find("W_down")->share, 1.0);
  f.runWith(
      {"router", "gate", "up", "dense_gate", "dense_up", "dense_down", "dense_scale"});
  QCOMPARE(f.find("W_down")->size, QStringLiteral("6"));
  QCOMPARE(f.find("norm, scale m₁")->size, QStringLiteral("7"));
  f.runWith({"in"});
  QCOMPARE(f.find("W_in")->size, QStringLiteral("1"));
  QVERIFY(!f.find("W_down")->patched);
}

void tst_block_view::normsOfSumsAreDrawnOnTheResidualStream() {
  BlockFixture f;
  f.engine.spec.postNormPlace = PostNormPlace::Sum;
  f.engine.spec.attentionPostNorm = f.engine.spec.mlpPostNorm = true;
  f.engine.spec.attentionPreNorm = f.engine.spec.mlpPreNorm = false;
  f.controller.load({.folder = "/models/tiny"});
  QTRY_VERIFY(f.controller.loaded());
  const std::vector<BlockView::Box> boxes = f.view.boxes();
  QStringList labels;
  for (const BlockView::Box& box : boxes) labels << box.label;
  QCOMPARE(labels, QStringList({"attention", "norm", "W_gate, W_up", "W_down", "norm"}));
  for (const std::size_t norm : {1u, 4u}) {
    QVERIFY(boxes[norm].place.right() < boxes[0].place.left());
    QVERIFY(boxes[norm].place.top() > boxes[norm - 1].place.bottom());
  }
  QVERIFY(boxes[1].place.bottom() < boxes[2].place.top());
  QVERIFY(boxes[4].place.bottom() < f.view.sizeHint().height());
}

EQUIPATCH_TEST(tst_block_view)
#include "tst_block_view.moc"
