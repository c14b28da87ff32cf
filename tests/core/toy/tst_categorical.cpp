// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/base/error.h"
#include "core/toy/categorical.h"
#include "core/toy/layers.h"
#include "tests/core/toy/oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;
using equipatch::test::toEigen;

namespace {

Tensor points(std::int64_t count) {
  Random random(1);
  return normalSamples(random, {count, 4}, at::kDouble);
}

CategoricalTask taskOf(Kernel kernel, std::int64_t heads) {
  Random random(2);
  const Tensor x = normalSamples(random, {6, 3}, at::kDouble);
  CategoricalTask task{.embeddings = normalSamples(random, {4, 3}, at::kDouble),
                       .next = at::tensor({1, 3, 0, 1, 2}, at::kLong),
                       .kernels = {},
                       .rate = 0.7,
                       .layers = 5};
  for (std::int64_t head = 0; head < heads; ++head) {
    const Tensor projected = at::matmul(x, normalSamples(random, {3, 3}, at::kDouble));
    task.kernels.push_back(kernelMatrix(kernel, projected, projected));
  }
  return task;
}

}  // namespace

class tst_categorical : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void kernelValuesEqualTheirFormulas();
  void mercerKernelsAreRecognized();
  void featureProductsEqualTheKernel();

  void aLayerEqualsItsFormula();
  void descentAndLayersAgree_data();
  void descentAndLayersAgree();
  void theLossFalls();
  void computationCanEndAfterEachUnitOfWork_data();
  void computationCanEndAfterEachUnitOfWork();
};

void tst_categorical::kernelValuesEqualTheirFormulas() {
  const Tensor keys = points(5), queries = keys.flip(0) * 0.5;
  const Tensor rbf = kernelMatrix(Kernel::Rbf, keys, queries);
  const Tensor linear = kernelMatrix(Kernel::Linear, keys, queries);
  const Tensor softmax = kernelMatrix(Kernel::Softmax, keys, queries);
  for (std::int64_t i = 0; i < 5; ++i)
    for (std::int64_t j = 0; j < 5; ++j) {
      const double inner = (keys[i] * queries[j]).sum().item<double>();
      const double square = (keys[i] - queries[j]).square().sum().item<double>();
      double sum = 0.0;
      for (std::int64_t k = 0; k < 5; ++k)
        sum += std::exp((keys[k] * queries[j]).sum().item<double>());
      QVERIFY(std::abs(linear[i][j].item<double>() - inner) < 1e-14);
      QVERIFY(std::abs(rbf[i][j].item<double>() - std::exp(-0.5 * square)) < 1e-14);
      QVERIFY(std::abs(softmax[i][j].item<double>() - std::exp(inner) / sum) < 1e-14);
    }
}

void tst_categorical::mercerKernelsAreRecognized() {
  const Tensor x = points(7);
  QVERIFY(featuresOf(kernelMatrix(Kernel::Linear, x, x)).mercer);
  QVERIFY(featuresOf(kernelMatrix(Kernel::Rbf, x, x)).mercer);
  QVERIFY(!featuresOf(kernelMatrix(Kernel::Softmax, x, x)).mercer);
  // Reversed points: reversed coordinates would leave the kernel symmetric.
  const Tensor reversed = kernelMatrix(Kernel::Linear, x, x.flip(0));
  QVERIFY(asymmetry(reversed) > 1e-3);
  QVERIFY(!featuresOf(reversed).mercer);
  // Symmetric, yet with a negative eigenvalue: −⟨x, x'⟩.
  QVERIFY(!featuresOf(-kernelMatrix(Kernel::Linear, x, x)).mercer);
  QVERIFY(asymmetry(kernelMatrix(Kernel::Softmax, x, x)) > 1e-3);
}

void tst_categorical::featureProductsEqualTheKernel() {
  const Tensor x = points(7);
  for (const Kernel kernel : {Kernel::Linear, Kernel::Rbf, Kernel::Softmax}) {
    const Tensor K = kernelMatrix(kernel, x, x.flip(0));
    const KernelFeatures features = featuresOf(K);
    QVERIFY(at::matmul(features.keys, features.queries.t()).allclose(K, 0, 1e-12));
  }
  const KernelFeatures features = featuresOf(kernelMatrix(Kernel::Rbf, x, x));
  QVERIFY(features.keys.equal(features.queries));
}

void tst_categorical::aLayerEqualsItsFormula() {
  const CategoricalTask task = taskOf(Kernel::Rbf, 1);
  const Eigen::MatrixXd W = toEigen(task.embeddings), K = toEigen(task.kernels[0]);
  Eigen::MatrixXd f = Eigen::MatrixXd::Zero(6, 3);
  const Residuals layers = byLayers(task);
  QCOMPARE(layers.size(), 6u);
  for (const Tensor& layer : layers) {
    QVERIFY((toEigen(layer) - f).norm() < 1e-12);  // maxCoeff() may drop a NaN
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

void tst_categorical::computationCanEndAfterEachUnitOfWork_data() {
  QTest::addColumn<int>("kernel");
  QTest::addRow("with a gradient") << int(Kernel::Rbf);
  QTest::addRow("without") << int(Kernel::Softmax);
}

/// Every head of every layer has at least two units of work, such as one forward and one
/// backward.
void tst_categorical::computationCanEndAfterEachUnitOfWork() {
  QFETCH(int, kernel);
  constexpr int kHeads = 3;
  CategoricalTask task = taskOf(Kernel(kernel), kHeads);
  for (Tensor& K : task.kernels) K.requires_grad_(true);
  const auto unitsOf = [&](const auto& compute, int allowed) {
    int units = 0;
    try {
      compute([&] {
        if (++units > allowed) throw badInput("ended");
      });
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::BadInput || units != allowed + 1) return -1;
    }
    return units;
  };
  const auto forwardAndBack = [&](const BetweenUnits& between) {
    crossEntropy(task, byLayers(task, between).back()).backward();
  };
  const auto descent = [&](const BetweenUnits& between) { byDescent(task, between); };
  constexpr int kAll = 1000000;
  const int trained = unitsOf(forwardAndBack, kAll), descended = unitsOf(descent, kAll);
  QVERIFY(trained >= 2 * kHeads * int(task.layers));
  QVERIFY(descended >= 2 * kHeads * int(task.layers));
  for (int allowed = 0; allowed < trained; ++allowed)
    QCOMPARE(unitsOf(forwardAndBack, allowed), allowed + 1);
  for (int allowed = 0; allowed < descended; ++allowed)
    QCOMPARE(unitsOf(descent, allowed), allowed + 1);
}

EQUIPATCH_TEST(tst_categorical)
#include "tst_categorical.moc"
