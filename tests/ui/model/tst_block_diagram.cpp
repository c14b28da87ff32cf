// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/block_diagram.h"

#include <QGuiApplication>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// A plan for this MLP form, made by hand because `planPatch` reads the kinds of layers,
/// and these specs have no layers.
PatchPlan planOf(const ModelSpec& spec) {
  PatchPlan plan;
  plan.closesWithScale = spec.scalesBranch();
  plan.closesWithBias = spec.mlpBias && !spec.scalesBranch();
  if (spec.moe) plan.matrices = {"router"};
  if (spec.mlpForm == MlpForm::Gated)
    plan.matrices.insert(plan.matrices.end(), {"gate", "up"});
  else
    plan.matrices.emplace_back("in");
  if (!plan.closesWithBias) plan.matrices.emplace_back("down");
  return plan;
}

BlockBoxes boxesFor(const ModelSpec& spec) {
  return blockBoxes(spec, planOf(spec));
}

QStringList patched(const BlockBoxes& block) {
  QStringList labels;
  for (const auto* branch : {&block.attention, &block.feedForward})
    for (const DiagramBox& box : *branch)
      if (box.patched) labels << box.label;
  return labels;
}

int pixelsOf(const QImage& image, const QColor& colour) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      count += image.pixelColor(x, y) == colour ? 1 : 0;
  return count;
}

}  // namespace

class tst_block_diagram : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void boxesThatThePatchChangesAreMarked() {
    QCOMPARE(patched(boxesFor({})),
             QStringList({QStringLiteral("W_gate, W_up"), QStringLiteral("W_down")}));
    QCOMPARE(patched(boxesFor({.mlpPostNorm = true})),
             QStringList({QStringLiteral("W_gate, W_up"), QStringLiteral("W_down"),
                          QStringLiteral("norm, scale m")}));
    QCOMPARE(patched(boxesFor({.mlpBias = true, .mlpForm = MlpForm::Plain})),
             QStringList({QStringLiteral("W_in"), QStringLiteral("bias b")}));
    ModelSpec spec;
    spec.moe = MoeSpec{.experts = 8, .active = 2, .expertWidth = 4};
    QCOMPARE(patched(boxesFor(spec)).front(), QStringLiteral("router"));
  }

  void boxesFollowTheBlocksArchitecture() {
    QVERIFY(!boxesFor({}).parallel);
    QVERIFY(boxesFor({.mlpInput = MlpInput::ResidPre}).parallel);
    QCOMPARE(boxesFor({}).attention.size(), std::size_t(2));
    QCOMPARE(boxesFor({.attentionPostNorm = true}).attention.size(), std::size_t(3));
    const BlockBoxes vaswani = boxesFor({.attentionPreNorm = false,
                                         .attentionPostNorm = true,
                                         .mlpPreNorm = false,
                                         .mlpPostNorm = true,
                                         .postNormPlace = PostNormPlace::Sum});
    QVERIFY(vaswani.normAfterAttention && vaswani.normAfterFeedForward);
    QCOMPARE(vaswani.attention.size(), std::size_t(1));
  }

  void patchedBoxesHaveTheHighlightColour() {
    QPalette palette;
    palette.setColor(QPalette::Highlight, QColor(1, 2, 200));
    const QImage scale =
        blockDiagram(boxesFor({.mlpPostNorm = true}), palette, QGuiApplication::font());
    const QImage plain = blockDiagram(boxesFor({}), palette, QGuiApplication::font());
    QVERIFY(scale.width() > plain.width());
    const int filled = pixelsOf(plain, QColor(1, 2, 200));
    QVERIFY(filled > 500);
    QVERIFY(pixelsOf(scale, QColor(1, 2, 200)) > filled);
  }
};

EQUIPATCH_TEST(tst_block_diagram)
#include "tst_block_diagram.moc"
