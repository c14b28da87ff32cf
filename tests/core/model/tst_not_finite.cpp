// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/not_finite.h"

#include <cmath>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

QString sentenceOf(const NotFinitePart& part, DType dtype,
                   Compute compute = Compute::Native) {
  return QString::fromStdString(
      notFinite(part, Arithmetic(dtype, at::kCPU, compute)).what());
}

}  // namespace

class tst_not_finite : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void infinityAndNaNAreFoundInEveryType();
  void infinityBecomesNaN();
  void errorNamesTheNonFiniteParameter();
  void errorNamesTheDtypeThatOverflowed();
};

void tst_not_finite::infinityAndNaNAreFoundInEveryType() {
  for (const at::ScalarType type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16})
    for (const double damage : {double{INFINITY}, -double{INFINITY}, std::nan("")}) {
      const Tensor x = at::ones({5, 7}, type);
      QVERIFY(allFinite(x) && allFinite(x.t()));
      x[3][2].fill_(damage);
      QVERIFY(!allFinite(x) && !allFinite(x.t()));
      QVERIFY(allFinite(x.narrow(0, 0, 3)) && !allFinite(x.narrow(0, 3, 1)));
    }
}

void tst_not_finite::infinityBecomesNaN() {
  const Tensor ordinary = at::ones({4});
  QVERIFY(infinityAsNaN(ordinary).is_same(ordinary));  // nothing is copied
  const Tensor y =
      infinityAsNaN(at::tensor({1.0, double{INFINITY}, -double{INFINITY}, -2.0}));
  QCOMPARE(y[0].item<double>(), 1.0);
  QCOMPARE(y[3].item<double>(), -2.0);
  QVERIFY(std::isnan(y[1].item<double>()) && std::isnan(y[2].item<double>()));
}

void tst_not_finite::errorNamesTheNonFiniteParameter() {
  const NotFinitePart part{"layer 3's MLP",
                           {{"W_up", at::ones({2, 2})},
                            {"b_up", {}},
                            {"W_down", at::full({2, 2}, double{INFINITY}, at::kHalf)}}};
  const QString half = sentenceOf(part, DType::F16);
  QVERIFY2(half.startsWith("layer 3's MLP is not finite, because W_down holds NaN"),
           qPrintable(half));
  QVERIFY(half.contains("float16") && half.contains("bfloat16 or float32"));
  const QString wide = sentenceOf(part, DType::F32);
  QVERIFY(wide.contains("W_down") && wide.endsWith("use another copy of the checkpoint"));
}

void tst_not_finite::errorNamesTheDtypeThatOverflowed() {
  const NotFinitePart part{"layer 0's attention", {{"W_q", at::ones({2, 2})}}};
  QVERIFY(sentenceOf(part, DType::F16).contains("left the range of float16"));
  QVERIFY(sentenceOf(part, DType::F16).endsWith("use bfloat16 or float32"));
  QVERIFY(sentenceOf(part, DType::BF16).endsWith("use float64"));
  QVERIFY(sentenceOf(part, DType::F64).contains("no dtype is wider"));
  // Weights in float16, activations in float32.
  const QString mixed = sentenceOf(part, DType::F16, Compute::Float32);
  QVERIFY(mixed.contains("range of float32") && mixed.endsWith("use float64"));
}

EQUIPATCH_TEST(tst_not_finite)
#include "tst_not_finite.moc"
