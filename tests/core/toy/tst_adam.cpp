// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "core/toy/layers.h"
#include "core/toy/training.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::toy;

class tst_adam : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void tensorsBecomeViewsOfOneVector();
  void gradientsAreCollectedInOneVector();

  void followsAlgorithmOneOfKingmaAndBa();
};

void tst_adam::tensorsBecomeViewsOfOneVector() {
  Random random(1);
  const Tensor W = initialMatrix(random, 2, 3, at::kDouble);
  const Tensor b = initialVector(2, 5.0, at::kDouble);
  const Tensor before = W.detach().clone();
  FlatParameters flat({W, b});
  QCOMPARE(flat.values().numel(), std::int64_t{8});
  QVERIFY(W.detach().equal(before));
  flat.values().mul_(2.0);
  QVERIFY(W.detach().equal(2.0 * before));
  QVERIFY(b.detach().equal(at::full({2}, 10.0, at::kDouble)));
}

void tst_adam::gradientsAreCollectedInOneVector() {
  const Tensor a = initialVector(2, 3.0, at::kDouble);
  const Tensor b = initialVector(1, 4.0, at::kDouble);
  FlatParameters flat({a, b});
  for (int pass = 0; pass < 2; ++pass) {
    ((a * a).sum() + 7.0 * b.sum()).backward();  // 2a and 7
    QVERIFY(flat.gradients().equal(at::tensor({6.0, 6.0, 7.0}, at::kDouble)));
    flat.clearGradients();
  }
}

void tst_adam::followsAlgorithmOneOfKingmaAndBa() {
  // Minimizes f(x) = x⁴/4 from x = 2 by Kingma and Ba's Algorithm 1 as printed.
  const AdamOptions options{.rate = 0.1, .beta1 = 0.8, .beta2 = 0.95, .epsilon = 1e-3};
  double x = 2.0, m = 0.0, v = 0.0;
  const Tensor parameter = initialVector(1, x, at::kDouble);
  Adam adam({parameter}, options);
  for (int t = 1; t <= 30; ++t) {
    const double g = x * x * x;
    m = options.beta1 * m + (1.0 - options.beta1) * g;
    v = options.beta2 * v + (1.0 - options.beta2) * g * g;
    const double corrected = m / (1.0 - std::pow(options.beta1, t));
    const double squares = v / (1.0 - std::pow(options.beta2, t));
    x -= options.rate * corrected / (std::sqrt(squares) + options.epsilon);
    (parameter.pow(4) / 4.0).sum().backward();
    adam.step();
    QVERIFY(std::abs(parameter.item<double>() - x) < 1e-12);
  }
  QVERIFY(std::abs(x) < 1.0);
}

EQUIPATCH_TEST(tst_adam)
#include "tst_adam.moc"
