#include "core/record/run_record.h"

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

Steps stepsOf(const std::vector<int>& tokens, const std::vector<bool>& matches = {}) {
  Steps steps;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    auto step = std::make_shared<StepRecord>();
    step->token = step->continued = TokenId(tokens[i]);
    step->tokenText = "t" + std::to_string(tokens[i]);
    step->match = matches.empty() || matches[i];
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace

class tst_run_difference : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void findsWhereRunsPart() {
    const Steps a = stepsOf({1, 2, 3, 4}), b = stepsOf({1, 2, 7, 4, 5});
    const RunDifference difference = differenceOf(a, b);
    QCOMPARE(difference.common, std::size_t{4});
    QCOMPARE(difference.parting.value(), std::size_t{2});
    QCOMPARE(inWords(difference, a, b),
             "The runs part at step 2, \"t3\" against \"t7\"; what follows has different "
             "contexts.");
  }

  void equalRunsDoNotPart() {
    const Steps a = stepsOf({1, 2}), b = stepsOf({1, 2, 3});
    QVERIFY(!differenceOf(a, b).parting);
    QCOMPARE(inWords(differenceOf(a, b), a, b),
             "Both runs choose the same tokens in all 2 steps that they share.");
  }

  void countsVerdictsThatDiffer() {
    const Steps a = stepsOf({1, 2, 3}, {true, false, false}),
                b = stepsOf({1, 2, 3}, {true, true, false});
    QCOMPARE(differenceOf(a, b).verdicts, std::size_t{1});
    QCOMPARE(inWords(differenceOf(a, b), a, b),
             "Both runs choose the same tokens in all 3 steps that they share. In 1 step "
             "the patched pass agrees in one run only.");
  }

  /// A sampled run goes on with another token than the most likely one.
  void whatARunWentOnWithCounts() {
    const Steps a = stepsOf({1});
    auto sampled = std::make_shared<StepRecord>(*a[0]);
    sampled->continued = TokenId(9);
    QCOMPARE(differenceOf(a, {sampled}).parting.value(), std::size_t{0});
  }

  void nothingInCommonIsSaid() {
    QCOMPARE(inWords(differenceOf({}, stepsOf({1})), {}, stepsOf({1})),
             "The runs have no step in common.");
  }
};

EQUIPATCH_TEST(tst_run_difference)
#include "tst_run_difference.moc"
