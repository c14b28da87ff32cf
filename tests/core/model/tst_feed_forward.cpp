// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feed_forward.h"

#include <cmath>
#include <limits>

#include "tests/core/model/eigen_tensor.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

double byDefinition(double x, Activation activation) {
  switch (activation) {
    case Activation::Silu:
      return x / (1.0 + std::exp(-x));
    case Activation::GeluExact:
      return 0.5 * x * std::erfc(-x * M_SQRT1_2);
    case Activation::QuickGelu:
      return x / (1.0 + std::exp(-1.702 * x));
    case Activation::Relu:
      return std::max(x, 0.0);
    case Activation::GeluTanh:
      break;
  }
  return x / (1.0 + std::exp(-2.0 * std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x)));
}

}  // namespace

class tst_feed_forward : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void activationsHaveKnownValues_data();
  void activationsHaveKnownValues();
  void equalsTheDefinition();
  void largeInputsGiveThemselvesOrZero();
  void nonFiniteInputsStayNonFinite();
  void gateLimitHidesNoInfinityOrNaN();
  void eachOperationIsRounded_data();
  void eachOperationIsRounded();
};

void tst_feed_forward::initTestCase_data() {
  QTest::addColumn<int>("activation");
  QTest::newRow("silu") << static_cast<int>(Activation::Silu);
  QTest::newRow("gelu, tanh") << static_cast<int>(Activation::GeluTanh);
  QTest::newRow("gelu, exact") << static_cast<int>(Activation::GeluExact);
  QTest::newRow("quick gelu") << static_cast<int>(Activation::QuickGelu);
  QTest::newRow("relu") << static_cast<int>(Activation::Relu);
}

void tst_feed_forward::activationsHaveKnownValues_data() {
  QTest::addColumn<double>("x");
  QTest::addColumn<QList<double>>("values");  // in the order of Activation
  QTest::newRow("0") << 0.0 << QList<double>{0.0, 0.0, 0.0, 0.0, 0.0};
  QTest::newRow("1") << 1.0
                     << QList<double>{0.7310585786300049, 0.8411919906082768,
                                      0.8413447460685429, 0.8457957659328212, 1.0};
  QTest::newRow("-1") << -1.0
                      << QList<double>{-0.2689414213699951, -0.15880800939172324,
                                       -0.15865525393145707, -0.1542042340671787, 0.0};
  QTest::newRow("3") << 3.0
                     << QList<double>{2.8577223804672998, 2.996362607918227,
                                      2.9959503059051, 2.981928690292214, 3.0};
}

void tst_feed_forward::activationsHaveKnownValues() {
  QFETCH_GLOBAL(int, activation);
  QFETCH(double, x);
  QFETCH(QList<double>, values);
  const Tensor y =
      activated(at::full({1}, x, at::kDouble), static_cast<Activation>(activation));
  QVERIFY(std::abs(y.item<double>() - values[activation]) < 1e-13);
}

void tst_feed_forward::equalsTheDefinition() {
  QFETCH_GLOBAL(int, activation);
  const auto which = static_cast<Activation>(activation);
  const Tensor x = at::linspace(-12.0, 12.0, 4801, at::kDouble);
  const Matrix oracle =
      toMatrix(x).unaryExpr([&](double value) { return byDefinition(value, which); });
  const Tensor y = activated(x, which);
  QCOMPARE(y.scalar_type(), at::kDouble);
  QVERIFY(distance(y, oracle) < 1e-14);
  const Tensor narrow = activated(x.to(at::kFloat), which);
  QCOMPARE(narrow.scalar_type(), at::kFloat);
  QVERIFY(distance(narrow, oracle) < 4e-6);
}

void tst_feed_forward::largeInputsGiveThemselvesOrZero() {
  QFETCH_GLOBAL(int, activation);
  const auto which = static_cast<Activation>(activation);
  for (const double size : {60.0, 65504.0, 3e15, 3e38}) {
    const Tensor x = at::tensor({size, -size}).to(at::kFloat);
    const Matrix y = toMatrix(activated(x, which));
    QVERIFY(y(0, 0) == x[0].item<double>());
    QVERIFY(std::abs(y(0, 1)) < 1e-20);
  }
}

void tst_feed_forward::nonFiniteInputsStayNonFinite() {
  QFETCH_GLOBAL(int, activation);
  const auto which = static_cast<Activation>(activation);
  for (const double damage : {double{NAN}, double{INFINITY}, double{-INFINITY}})
    QVERIFY(!std::isfinite(
        activated(at::full({1}, damage, at::kFloat), which).item<double>()));
}

/// The check for finite activations must find an infinite gate or up projection.
void tst_feed_forward::gateLimitHidesNoInfinityOrNaN() {
  QFETCH_GLOBAL(int, activation);
  const Arithmetic a(DType::F64, at::kCPU);
  ModelSpec spec;
  spec.activation = static_cast<Activation>(activation);
  spec.gateLimit = 7.0;
  const auto hidden = [&](double gate, double up) {
    return clampedHidden(at::full({1}, gate, at::kDouble), at::full({1}, up, at::kDouble),
                         spec, a)
        .item<double>();
  };
  QVERIFY(std::isfinite(hidden(60.0, -60.0)));
  for (const double damage : {double{NAN}, double{INFINITY}, double{-INFINITY}}) {
    QVERIFY(!std::isfinite(hidden(damage, 1.0)));
    QVERIFY(!std::isfinite(hidden(1.0, damage)));
  }
}

void tst_feed_forward::eachOperationIsRounded_data() {
  QTest::addColumn<int>("dtype");
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16})
    QTest::newRow(std::string(torchName(dtype)).c_str()) << static_cast<int>(dtype);
}

void tst_feed_forward::eachOperationIsRounded() {
  QFETCH_GLOBAL(int, activation);
  QFETCH(int, dtype);
  const auto which = static_cast<Activation>(activation);
  const Arithmetic a(static_cast<DType>(dtype), at::kCPU);
  const Tensor gate = randomTensor("gate", {9, 13}, a, 2.0);
  const Tensor up = randomTensor("up", {9, 13}, a, 2.0);
  const Tensor h = gatedHidden(gate, up, which, a);
  QCOMPARE(h.scalar_type(), a.wide());
  const Matrix act = toMatrix(activated(gate, which)), factor = toMatrix(up);
  for (Eigen::Index i = 0; i < act.size(); ++i) {
    double expected = act.data()[i] * factor.data()[i];
    if (a.dtype() != DType::F64) {
      const float activatedGate = roundedTo(static_cast<float>(act.data()[i]), a.dtype());
      expected = static_cast<double>(
          roundedTo(activatedGate * static_cast<float>(factor.data()[i]), a.dtype()));
    }
    QVERIFY(toMatrix(h).data()[i] == expected);
  }
}

EQUIPATCH_TEST(tst_feed_forward)
#include "tst_feed_forward.moc"
