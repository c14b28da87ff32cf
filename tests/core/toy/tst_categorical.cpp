#include "core/toy/categorical.h"

#include "core/toy/initial_values.h"
#include "tests/core/toy/oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;
using equipatch::test::toEigen;

namespace {

CategoricalTask taskOf(Kernel kernel, std::int64_t heads) {
  Random random(2);
  const Tensor x = normalDraws(random, {6, 3}, at::kDouble);
  CategoricalTask task{.embeddings = normalDraws(random, {4, 3}, at::kDouble),
                       .next = at::tensor({1, 3, 0, 1, 2}, at::kLong),
                       .kernels = {},
                       .rate = 0.7,
                       .layers = 5};
  for (std::int64_t head = 0; head < heads; ++head) {
    const Tensor projected = at::matmul(x, normalDraws(random, {3, 3}, at::kDouble));
    task.kernels.push_back(kernelMatrix(kernel, projected, projected));
  }
  return task;
}

}  // namespace

class tst_categorical : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aLayerIsTheFormula();
  void descentAndLayersAgree_data();
  void descentAndLayersAgree();
  void theLossFalls();
};

void tst_categorical::aLayerIsTheFormula() {
  const CategoricalTask task = taskOf(Kernel::Rbf, 1);
  const Eigen::MatrixXd W = toEigen(task.embeddings), K = toEigen(task.kernels[0]);
  Eigen::MatrixXd f = Eigen::MatrixXd::Zero(6, 3);
  const Residuals layers = byLayers(task);
  QCOMPARE(layers.size(), 6u);
  for (const Tensor& layer : layers) {
    QVERIFY((toEigen(layer) - f).cwiseAbs().maxCoeff() < 1e-13);
    Eigen::MatrixXd next = f;
    for (int i = 0; i < 5; ++i) {
      Eigen::VectorXd p = (W * f.row(i).transpose()).array().exp();
      p /= p.sum();
      const Eigen::RowVectorXd missed =
          W.row(task.next[i].item<std::int64_t>()) - p.transpose() * W;
      for (int j = 0; j < 6; ++j) next.row(j) += 0.7 / 5.0 * K(i, j) * missed;
    }
    f = next;
  }
}

void tst_categorical::descentAndLayersAgree_data() {
  QTest::addColumn<int>("kernel");
  QTest::addColumn<int>("heads");
  for (const Kernel kernel : {Kernel::Linear, Kernel::Rbf, Kernel::Softmax})
    for (const int heads : {1, 3})
      QTest::addRow("%d, %d heads", int(kernel), heads) << int(kernel) << heads;
}

void tst_categorical::descentAndLayersAgree() {
  QFETCH(int, kernel);
  QFETCH(int, heads);
  const CategoricalTask task = taskOf(Kernel(kernel), heads);
  const Residuals layers = byLayers(task), descent = byDescent(task);
  QCOMPARE(descent.size(), layers.size());
  for (std::size_t layer = 0; layer < layers.size(); ++layer)
    QVERIFY(layers[layer].allclose(descent[layer], 0, 1e-11));
  QVERIFY(layers.back().abs().max().item<double>() > 1e-2);
}

void tst_categorical::theLossFalls() {
  const CategoricalTask task = taskOf(Kernel::Rbf, 1);
  const Residuals layers = byLayers(task);
  QVERIFY(std::abs(crossEntropy(task, layers[0]).item<double>() - std::log(4.0)) < 1e-14);
  for (std::size_t layer = 1; layer < layers.size(); ++layer)
    QVERIFY(crossEntropy(task, layers[layer]).item<double>() <
            crossEntropy(task, layers[layer - 1]).item<double>());
  const Tensor p = distribution(task, layers.back());
  QVERIFY(p.sum(1).allclose(at::ones({6}, at::kDouble), 0, 1e-14));
}

EQUIPATCH_TEST(tst_categorical)
#include "tst_categorical.moc"
