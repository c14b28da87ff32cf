// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/planner.h"

#include "core/patch/plan_words.h"

#include <algorithm>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::vector<std::string> parametersFor(const PatchPlan& plan, const std::string& method) {
  std::vector<std::string> names;
  for (const ParameterPlan& parameter : plan.parameters)
    if (parameter.methods == "all" || parameter.methods.find(method) != std::string::npos)
      names.push_back(parameter.parameter);
  return names;
}

/// A spec of one dense layer.
ModelSpec denseSpec(ModelSpec spec) {
  spec.layers = {LayerSpec{}};
  return spec;
}

ModelSpec moeSpec(std::int64_t sharedWidth) {
  ModelSpec spec;
  spec.moe = MoeSpec{.experts = 8, .active = 2, .expertWidth = 4};
  spec.moe->sharedWidth = sharedWidth;
  spec.layers = {LayerSpec{.moe = true}};
  return spec;
}

ModelSpec specOfLayers(std::int64_t layers) {
  ModelSpec spec{.width = 10, .mlpWidth = 40};
  spec.layers.resize(std::size_t(layers));
  return spec;
}

}  // namespace

class tst_planner : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void withoutAClosingScaleTheMlpsMatricesArePatched();
  void aClosingScaleIsPatched();
  void planOfAMethodHasOnlyItsParameters();
  void aBiasSuppliesTheMissingOutput();
  void moePatchesItsRouterAndExperts();
  void biasesOfExpertsStayUnpatched();
  void aDenseMlpBesideExpertsSuppliesTheOutput();
  void partsAfterTheMlpStayUnpatched();
  void aParallelBlockIsCoveredByLemma12();
  void mlpWithoutPreNormReadsTheResidualStream();
  void reportsWhetherMethodsDiffer();
  void everyParameterNamesItsTheorem();
  void theSizeCountsTheMatricesOfAllLayers() {
    ModelSpec spec = specOfLayers(3);
    QVERIFY(planPatch(spec).size == (ParameterCount{3 * 3 * 400, 3 * 3 * 50}));
    spec.mlpForm = MlpForm::Plain;
    QVERIFY(planPatch(spec).size == (ParameterCount{3 * 2 * 400, 3 * 2 * 50}));
  }

  void theSizeIncludesTheClosingScaleOrBias() {
    ModelSpec spec = specOfLayers(1);
    spec.mlpPostNorm = true;  // adds a patch of m
    QVERIFY(planPatch(spec).size == (ParameterCount{3 * 400 + 10, 3 * 50 + 10}));
    spec.norm.bias = true;  // the norm's bias is patched in place of m and W_down
    QVERIFY(planPatch(spec).size == (ParameterCount{2 * 400 + 10, 2 * 50 + 10}));
    ModelSpec biased = specOfLayers(1);
    biased.mlpBias = true;  // replaces the patch of W_down
    QVERIFY(planPatch(biased).size == (ParameterCount{2 * 400 + 10, 2 * 50 + 10}));
  }

  void theSizeCountsActiveAndSharedExperts() {
    ModelSpec spec = specOfLayers(2);
    spec.moe = MoeSpec{.experts = 8, .active = 2, .expertWidth = 5};
    spec.layers[1].moe = true;
    const ParameterCount dense{3 * 400, 3 * 50}, router{80, 18}, expert{3 * 50, 3 * 15};
    QVERIFY(planPatch(spec).size ==
            (ParameterCount{dense.changed + router.changed + 2 * expert.changed,
                            dense.factors + router.factors + 2 * expert.factors}));
    const ParameterCount without = planPatch(spec).size;
    spec.moe->sharedWidth = 7;
    QVERIFY(planPatch(spec).size == (ParameterCount{without.changed + 10 + 3 * 70,
                                                    without.factors + 11 + 3 * 17}));
  }
};

void tst_planner::withoutAClosingScaleTheMlpsMatricesArePatched() {
  const PatchPlan plan = planPatch(denseSpec({}));
  QVERIFY(!plan.closesWithScale);
  const std::vector<std::string> expected{"W_gate", "W_up", "W_down"};
  QCOMPARE(parametersFor(plan, "direct"), expected);
  QCOMPARE(parametersFor(plan, "balanced"), expected);
}

void tst_planner::aClosingScaleIsPatched() {
  const PatchPlan plan = planPatch(denseSpec({.mlpPostNorm = true}));
  QVERIFY(plan.closesWithScale);
  QCOMPARE(parametersFor(plan, "direct"),
           (std::vector<std::string>{"W_gate", "W_up", "m (mlp_post_norm)"}));
  QCOMPARE(parametersFor(plan, "balanced"),
           (std::vector<std::string>{"W_gate", "W_up", "W_down", "m (mlp_post_norm)"}));
  QCOMPARE(parametersFor(plan, "stable"), parametersFor(plan, "balanced"));
  QVERIFY(plan.block.find("⊙ m") != std::string::npos);
}

void tst_planner::planOfAMethodHasOnlyItsParameters() {
  const ModelSpec spec = denseSpec({.width = 10, .mlpWidth = 40, .mlpPostNorm = true});
  const PatchPlan plan = planPatch(spec);
  const PatchPlan direct = planOfMethod(plan, spec, Method::Direct);
  QCOMPARE(direct.parameters.size(), std::size_t(3));
  QCOMPARE(direct.matrices, (std::vector<std::string>{"gate", "up"}));
  QVERIFY(direct.untouched.front().starts_with("W_down"));
  QVERIFY(direct.size.changed < plan.size.changed &&
          direct.size.factors < plan.size.factors);
  QVERIFY(reasonOf(direct).ends_with("the norm's scale makes up for it."));
  const PatchPlan balanced = planOfMethod(plan, spec, Method::Balanced);
  QVERIFY(balanced.size == plan.size);
  QCOMPARE(balanced.matrices, plan.matrices);
  QVERIFY(reasonOf(balanced).find("with W_down") != std::string::npos);
  // In a dense block that no scale closes, all methods are alike.
  const ModelSpec plain = denseSpec({});
  QVERIFY(planOfMethod(planPatch(plain), plain, Method::Direct).size ==
          planPatch(plain).size);
}

void tst_planner::aBiasSuppliesTheMissingOutput() {
  const PatchPlan plan =
      planPatch(denseSpec({.mlpBias = true, .mlpForm = MlpForm::Plain}));
  QVERIFY(plan.closesWithBias);
  QCOMPARE(parametersFor(plan, "balanced"), (std::vector<std::string>{"W_in", "b_down"}));
  QCOMPARE(plan.matrices, (std::vector<std::string>{"in"}));
  QVERIFY(plan.block.find("W_down h + b_down") != std::string::npos);
  const PatchPlan multiplied =
      planPatch(denseSpec({.mlpBias = true, .residualScale = 0.5}));
  QCOMPARE(multiplied.parameters.back().change, "Δb = Δv / r, residual multiplier r");
}

void tst_planner::moePatchesItsRouterAndExperts() {
  const PatchPlan plain = planPatch(moeSpec(0));
  QCOMPARE(plain.matrices, (std::vector<std::string>{"router", "gate", "up", "down"}));
  QCOMPARE(parametersFor(plain, "direct").size(), std::size_t{4});
  QVERIFY(plain.block.find("2 of 8 experts") != std::string::npos);
  const PatchPlan shared = planPatch(moeSpec(16));
  QCOMPARE(shared.matrices.size(), std::size_t{8});
  QVERIFY(shared.block.find("the shared one") != std::string::npos);
}

void tst_planner::biasesOfExpertsStayUnpatched() {
  ModelSpec spec = moeSpec(0);
  spec.moe->bias = true;
  spec.gateLimit = 7.0;
  const PatchPlan plan = planPatch(spec);
  QVERIFY(plan.block.find("Σ s_e (W_down,e h_e + b_e)") != std::string::npos);
  QVERIFY(plan.block.find("(clamp(W_up z + b, ±c) + 1)") != std::string::npos);
  QVERIFY(std::ranges::any_of(plan.untouched, [](const std::string& part) {
    return part.starts_with("biases of the router and the experts");
  }));
  QVERIFY(!plan.closesWithBias);
  QVERIFY(std::ranges::count(plan.matrices, "down") == 1);
}

void tst_planner::aDenseMlpBesideExpertsSuppliesTheOutput() {
  ModelSpec spec = moeSpec(0);
  spec.width = 10;
  spec.mlpWidth = 40;
  spec.moe->besideDense = true;
  spec.mlpPostNorm = true;
  const PatchPlan plan = planPatch(spec);
  QCOMPARE(plan.matrices,
           (std::vector<std::string>{"router", "gate", "up", "dense_gate", "dense_up",
                                     "dense_down", "dense_scale"}));
  const std::vector<std::string> inputs{
      "W_router", "W_gate of each expert in use", "W_up of each expert in use",
      "W_gate of the dense MLP", "W_up of the dense MLP"};
  std::vector<std::string> direct = inputs, balanced = inputs;
  direct.emplace_back("m (mlp_post_norm)");
  balanced.insert(balanced.end(), {"W_down of the dense MLP", "m₁ (dense_post_norm)",
                                   "m (mlp_post_norm)"});
  QCOMPARE(parametersFor(plan, "direct"), direct);
  QCOMPARE(parametersFor(plan, "balanced"), balanced);
  QCOMPARE(parametersFor(plan, "stable"), balanced);
  const auto suppliesOutput = [](const std::string& part) {
    return part.find("the dense MLP's branch supplies") != std::string::npos;
  };
  QVERIFY(std::ranges::any_of(plan.untouched, suppliesOutput));
  const PatchPlan ofDirect = planOfMethod(plan, spec, Method::Direct);
  QVERIFY(std::ranges::none_of(ofDirect.untouched, suppliesOutput));
  QVERIFY(ofDirect.untouched.front().starts_with("W_down of the experts and of the"));
  QVERIFY(plan.block.find("x' = v + norm(norm(W_down h) ⊙ m₁ + norm(Σ s_e W_down,e h_e "
                          "over the 2 of 8 experts in use)) ⊙ m") != std::string::npos);
  // Router 8 × 10, gate and up of two experts, the dense MLP, both scales.
  QVERIFY(plan.size == (ParameterCount{80 + 4 * 40 + 3 * 400 + 2 * 10,
                                       18 + 4 * 14 + 3 * 50 + 2 * 10}));
}

void tst_planner::partsAfterTheMlpStayUnpatched() {
  ModelSpec spec = denseSpec({.perLayerWidth = 4, .layerScalar = true});
  const PatchPlan plan = planPatch(spec);
  QVERIFY(plan.block.find("embedding p of the token") != std::string::npos);
  QVERIFY(plan.block.find("multiplied by the layer's scalar") != std::string::npos);
  QVERIFY(std::ranges::any_of(plan.untouched, [](const std::string& part) {
    return part.starts_with("all parts between the MLP and the next layer");
  }));
}

void tst_planner::aParallelBlockIsCoveredByLemma12() {
  const PatchPlan plan = planPatch(denseSpec({.mlpInput = MlpInput::AttentionInput}));
  for (const ParameterPlan& parameter : plan.parameters)
    QVERIFY(parameter.theorem.find("Lemma 12") != std::string::npos);
  QVERIFY(plan.block.find("parallel") != std::string::npos);
  const std::string another = "the MLP sees another input";
  QVERIFY(reasonOf(plan).find(another) == std::string::npos);
  QVERIFY(reasonOf(planPatch(denseSpec({}))).find(another) != std::string::npos);
}

void tst_planner::mlpWithoutPreNormReadsTheResidualStream() {
  const PatchPlan plan = planPatch(denseSpec({.attentionPreNorm = false,
                                              .attentionPostNorm = true,
                                              .mlpPreNorm = false,
                                              .mlpPostNorm = true}));
  QVERIFY(plan.block.find("z = v;") != std::string::npos);
  QVERIFY(plan.closesWithScale);
}

void tst_planner::reportsWhetherMethodsDiffer() {
  QVERIFY(!planPatch(denseSpec({})).methodsDiffer());
  QVERIFY(planPatch(denseSpec({.mlpPostNorm = true})).methodsDiffer());
  QVERIFY(planPatch(moeSpec(0)).methodsDiffer());
}

void tst_planner::everyParameterNamesItsTheorem() {
  ModelSpec closing = denseSpec({.mlpPostNorm = true}), mixed = moeSpec(3);
  mixed.layers.emplace_back();
  for (const ModelSpec& spec : {denseSpec({}), closing, mixed}) {
    for (const ParameterPlan& parameter : planPatch(spec).parameters) {
      const QString theorem = QString::fromStdString(parameter.theorem);
      QVERIFY(theorem.contains("Lemma") || theorem.contains("Theorem"));
      QVERIFY(!parameter.change.empty());
    }
  }
}

EQUIPATCH_TEST(tst_planner)
#include "tst_planner.moc"
