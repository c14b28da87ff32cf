#include "core/toy/kernel.h"

#include <cmath>

#include "core/toy/initial_values.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

class tst_kernel : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void valuesAreTheFormulas();
  void onlySymmetricKernelsAreMercers();
  void featuresGiveTheKernelBack();
};

namespace {

Tensor points(std::int64_t count) {
  Random random(1);
  return normalDraws(random, {count, 4}, at::kDouble);
}

}  // namespace

void tst_kernel::valuesAreTheFormulas() {
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

void tst_kernel::onlySymmetricKernelsAreMercers() {
  const Tensor x = points(7);
  QVERIFY(featuresOf(kernelMatrix(Kernel::Linear, x, x)).mercer);
  QVERIFY(featuresOf(kernelMatrix(Kernel::Rbf, x, x)).mercer);
  QVERIFY(!featuresOf(kernelMatrix(Kernel::Softmax, x, x)).mercer);
  QVERIFY(!featuresOf(kernelMatrix(Kernel::Linear, x, x.flip(1))).mercer);
  // Symmetric, yet with a negative eigenvalue: ⟨x, x'⟩ turned round.
  QVERIFY(!featuresOf(-kernelMatrix(Kernel::Linear, x, x)).mercer);
  QVERIFY(asymmetry(kernelMatrix(Kernel::Softmax, x, x)) > 1e-3);
}

void tst_kernel::featuresGiveTheKernelBack() {
  const Tensor x = points(7);
  for (const Kernel kernel : {Kernel::Linear, Kernel::Rbf, Kernel::Softmax}) {
    const Tensor K = kernelMatrix(kernel, x, x.flip(1));
    const KernelFeatures features = featuresOf(K);
    QVERIFY(at::matmul(features.keys, features.queries.t()).allclose(K, 0, 1e-12));
  }
  const KernelFeatures features = featuresOf(kernelMatrix(Kernel::Rbf, x, x));
  QVERIFY(features.keys.equal(features.queries));
}

EQUIPATCH_TEST(tst_kernel)
#include "tst_kernel.moc"
