// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/plan_words.h"

#include <QStringList>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_plan_words : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aMethodPatchesEachParameterOnce() {
    ModelSpec spec;
    spec.mlpPostNorm = true;
    spec.layers.resize(2);
    const PatchPlan plan = planPatch(spec);
    for (const Method method : {Method::Balanced, Method::Direct, Method::Stable}) {
      const auto parameters = parametersOf(plan, method);
      QVERIFY(parameters.size() < plan.parameters.size());
      QStringList names;
      for (const ParameterPlan& parameter : parameters)
        names << QString::fromStdString(parameter.parameter);
      QCOMPARE(names.removeDuplicates(), qsizetype(0));
      QVERIFY(names.contains(QStringLiteral("m (mlp_post_norm)")));
    }
  }

  void symbolsOfAChangeAreListed() {
    const auto symbols = [](const char* change) {
      QStringList found;
      for (const SymbolMeaning& symbol : symbolsOf({{"W", change, "", "all"}}))
        found << QString::fromStdString(symbol.symbol);
      return found.join(u' ');
    };
    QCOMPARE(symbols("rank 1: ΔW = W_up (z_C − z) zᵀ / ‖z‖²"), QStringLiteral("z_C z"));
    QCOMPARE(symbols("Δm = Δv ⊘ n"), QStringLiteral("Δv n"));
    QCOMPARE(symbols("rank 1: ΔW = Δv hᵀ / ‖h‖²"), QStringLiteral("h Δv"));
    QCOMPARE(symbols("m' = m − μ / m, μ from mean(y²) = ρ²"),
             QStringLiteral("m m' y ρ μ"));
  }

  void reasonAndPlanNameTheTokenMixer() {
    ModelSpec spec;
    spec.layers = {LayerSpec{}};
    QVERIFY(reasonOf(planPatch(spec)).find("through attention alone") !=
            std::string::npos);
    spec.deltaNet.emplace();
    const PatchPlan plan = planPatch(spec);
    QVERIFY(reasonOf(plan).find("through attention or Gated DeltaNet alone") !=
            std::string::npos);
    QVERIFY(plan.untouched.front().starts_with("attention or Gated DeltaNet and its"));
  }

  void theReasonNamesWhatClosesTheBlock() {
    PatchPlan plan;
    QVERIFY(QString::fromStdString(reasonOf(plan)).contains(QStringLiteral("W_down")));
    plan.closesWithBias = true;
    QVERIFY(QString::fromStdString(reasonOf(plan)).contains(QStringLiteral("the bias")));
    plan.closesWithScale = true;
    QVERIFY(QString::fromStdString(reasonOf(plan)).contains(QStringLiteral("scale")));
  }
};

EQUIPATCH_TEST(tst_plan_words)
#include "tst_plan_words.moc"
