#include "core/toy/linear_tasks.h"

#include <Eigen/Dense>

#include "tests/core/toy/oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

class tst_linear_tasks : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void pairsAndAnswerHaveOneWeight();
  void drawsAreStandardNormal();
};

void tst_linear_tasks::pairsAndAnswerHaveOneWeight() {
  Random random(5);
  const LinearTasks tasks =
      drawTasks(random, {.tasks = 4, .pairs = 9, .dimension = 3}, at::kDouble);
  QCOMPARE(tasks.columns.sizes(), (at::IntArrayRef{4, 10, 4}));
  for (std::int64_t task = 0; task < 4; ++task) {
    const Eigen::MatrixXd columns = test::toEigen(tasks.columns[task]);
    const Eigen::MatrixXd x = columns.topLeftCorner(9, 3);
    const Eigen::VectorXd y = columns.col(3).head(9);
    const Eigen::VectorXd omega = x.colPivHouseholderQr().solve(y);
    QVERIFY((x * omega - y).norm() < 1e-12);
    QCOMPARE(columns(9, 3), 0.0);
    const double answer = columns.row(9).head(3) * omega;
    QVERIFY(std::abs(answer - tasks.answers[task].item<double>()) < 1e-12);
  }
}

void tst_linear_tasks::drawsAreStandardNormal() {
  Random random(6);
  const LinearTasks tasks = drawTasks(random, {.tasks = 400, .pairs = 50}, at::kDouble);
  const Tensor x = tasks.columns.slice(2, 0, 2);
  QVERIFY(std::abs(x.mean().item<double>()) < 0.03);
  QVERIFY(std::abs(x.var().item<double>() - 1.0) < 0.03);
  // y = ⟨ω, x⟩ of two such numbers each has variance d = 2.
  QVERIFY(std::abs(tasks.answers.var().item<double>() - 2.0) < 0.6);
}

EQUIPATCH_TEST(tst_linear_tasks)
#include "tst_linear_tasks.moc"
