#include "core/kernel/row_operations.h"

#include <cmath>
#include <vector>

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

template <typename Real>
std::vector<Real> normalisedRows(const Eigen::MatrixXd& x, const RowNorm& norm) {
  std::vector<Real> from, n(static_cast<std::size_t>(x.size()));
  for (Eigen::Index row = 0; row < x.rows(); ++row)
    for (Eigen::Index column = 0; column < x.cols(); ++column)
      from.push_back(static_cast<Real>(x(row, column)));
  normaliseRows(from.data(), x.rows(), x.cols(), norm, n.data());
  return n;
}

Eigen::RowVectorXd byDefinition(Eigen::RowVectorXd row, const RowNorm& norm) {
  if (norm.centred) row.array() -= row.mean();
  return row /
         std::sqrt(row.squaredNorm() / static_cast<double>(row.size()) + norm.epsilon);
}

template <typename Real>
double distance(const std::vector<Real>& n, const Eigen::MatrixXd& x,
                const RowNorm& norm) {
  double largest = 0.0;
  for (Eigen::Index row = 0; row < x.rows(); ++row) {
    const Eigen::RowVectorXd expected = byDefinition(x.row(row), norm);
    for (Eigen::Index column = 0; column < x.cols(); ++column) {
      const auto at = static_cast<std::size_t>(row * x.cols() + column);
      largest = std::max(largest, std::abs(double{n[at]} - expected(column)));
    }
  }
  return largest;
}

}  // namespace

class tst_normalise_rows : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void equalsTheDefinition_data();
  void equalsTheDefinition();
  void rowsDoNotMeet();
  void theOrdersDifferByRoundingAlone();
};

void tst_normalise_rows::equalsTheDefinition_data() {
  QTest::addColumn<int>("width");
  QTest::addColumn<bool>("centred");
  QTest::addColumn<int>("order");
  for (const int width : {1, 2, 15, 16, 17, 64, 1152})
    for (const bool centred : {false, true})
      for (const SummationOrder order :
           {SummationOrder::Standard, SummationOrder::Alternate})
        QTest::addRow("%d%s%s", width, centred ? ", centred" : "",
                      order == SummationOrder::Alternate ? ", other order" : "")
            << width << centred << static_cast<int>(order);
}

void tst_normalise_rows::equalsTheDefinition() {
  QFETCH(int, width);
  QFETCH(bool, centred);
  QFETCH(int, order);
  const RowNorm norm{centred, 1e-3, static_cast<SummationOrder>(order)};
  const Eigen::MatrixXd x = Source(7).matrix(5, width);
  QVERIFY(distance(normalisedRows<double>(x, norm), x, norm) < 1e-13);
  QVERIFY(distance(normalisedRows<float>(x, norm), x, norm) < 2e-5);
}

void tst_normalise_rows::rowsDoNotMeet() {
  const Eigen::MatrixXd x = Source(8).matrix(300, 1000);
  const std::vector<float> all = normalisedRows<float>(x, {});
  for (const Eigen::Index row : {0, 17, 299}) {
    const std::vector<float> alone = normalisedRows<float>(x.row(row), {});
    QVERIFY(std::equal(alone.begin(), alone.end(), all.begin() + row * 1000));
  }
}

void tst_normalise_rows::theOrdersDifferByRoundingAlone() {
  const Eigen::MatrixXd x = Source(9).matrix(64, 999);
  const auto standard = normalisedRows<float>(x, {});
  const auto other = normalisedRows<float>(x, {.order = SummationOrder::Alternate});
  QVERIFY(standard != other);
  for (std::size_t i = 0; i < standard.size(); ++i)
    QVERIFY(std::abs(standard[i] - other[i]) < 2e-6F * std::abs(standard[i]) + 1e-30F);
}

EQUIPATCH_TEST(tst_normalise_rows)
#include "tst_normalise_rows.moc"
