#include "core/lab/stack_model.h"

#include "core/toy/block_stack.h"
#include "tests/core/lab/lab_run.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_stack_model : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theSettingsDecideTheSizes();
  void headsMustDivideTheWidth();
};

void tst_stack_model::theSettingsDecideTheSizes() {
  const LabSettings paper(stackSettings(), LabPreset::Paper);
  const auto stack = makeStack(paper, 1);
  QCOMPARE(stack->blocks().size(), 10u);
  QCOMPARE(stack->blocks()[9].mlp().W_in.sizes(), (at::IntArrayRef{128, 32}));
  QCOMPARE(stack->embed(at::zeros({4, 3})).sizes(), (at::IntArrayRef{4, 32}));
}

void tst_stack_model::headsMustDivideTheWidth() {
  LabSettings settings(stackSettings(), LabPreset::Quick);
  settings.set("heads", "5");
  QVERIFY_ERROR(makeStack(settings, 1), "multiple of the 5 heads");
}

EQUIPATCH_TEST(tst_stack_model)
#include "tst_stack_model.moc"
