#include "core/patch/planner.h"

#include <algorithm>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::vector<std::string> parametersFor(const PatchPlan& plan, const std::string& method) {
  std::vector<std::string> names;
  for (const ParameterPlan& parameter : plan.parameters)
    if (parameter.methods == "all" || parameter.methods == method)
      names.push_back(parameter.parameter);
  return names;
}

}  // namespace

class tst_planner : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aPlainBlockEndsInItsLastMatrix();
  void aBlockWithAClosingScaleUsesIt();
  void everyParameterNamesItsTheorem();
};

void tst_planner::aPlainBlockEndsInItsLastMatrix() {
  const PatchPlan plan = planPatch({});
  QVERIFY(!plan.closesWithScale);
  const std::vector<std::string> expected{"W_gate", "W_up", "W_down"};
  QCOMPARE(parametersFor(plan, "direct"), expected);
  QCOMPARE(parametersFor(plan, "balanced"), expected);
}

void tst_planner::aBlockWithAClosingScaleUsesIt() {
  const PatchPlan plan = planPatch({.mlpPostNorm = true});
  QVERIFY(plan.closesWithScale);
  QCOMPARE(parametersFor(plan, "direct"),
           (std::vector<std::string>{"W_gate", "W_up", "m (mlp_post_norm)"}));
  QCOMPARE(parametersFor(plan, "balanced"),
           (std::vector<std::string>{"W_gate", "W_up", "W_down", "m (mlp_post_norm)"}));
  QVERIFY(plan.block.find("⊙ m") != std::string::npos);
}

void tst_planner::everyParameterNamesItsTheorem() {
  for (const bool postNorm : {false, true}) {
    ModelSpec spec;
    spec.mlpPostNorm = postNorm;
    for (const ParameterPlan& parameter : planPatch(spec).parameters) {
      const QString theorem = QString::fromStdString(parameter.theorem);
      QVERIFY(theorem.contains("Lemma") || theorem.contains("Theorem"));
      QVERIFY(!parameter.change.empty());
    }
  }
}

EQUIPATCH_TEST(tst_planner)
#include "tst_planner.moc"
