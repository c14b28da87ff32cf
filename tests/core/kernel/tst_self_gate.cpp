#include "core/kernel/row_operations.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::Source;

namespace {

constexpr SelfGate kGates[] = {{}, {1.702}, {1.5957691216057308, 0.0713548162726009}};

struct Expected {
  double y;
  double tolerance;  // relative, before y is rounded
};

/// The exponent's own rounding is magnified by its size; 9 terms leave 1e-11 of a float's
/// exponential.
template <typename T>
Expected byDefinition(SelfGate gate, T x) {
  const long double t =
      gate.a * static_cast<long double>(x) + gate.b * static_cast<long double>(x) * x * x;
  const double rounding = std::numeric_limits<double>::epsilon() *
                          (4.0 + 2.0 * std::abs(static_cast<double>(t)));
  return {static_cast<double>(x / (1.0L + std::exp(-t))),
          sizeof(T) == sizeof(float) ? 1e-11 : rounding};
}

/// Within half a unit in the last place, the tolerance, and what the largest exponential
/// leaves.
template <typename T>
bool isNear(T y, Expected expected) {
  const double half = 0.501 * std::numeric_limits<T>::epsilon();
  return std::abs(y - expected.y) <=
         std::abs(expected.y) * (half + expected.tolerance) +
             std::max(1e-300, double{std::numeric_limits<T>::denorm_min()});
}

}  // namespace

class tst_self_gate : public test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void equalsTheDefinition() {
    checkDefinition<float>();
    checkDefinition<double>();
  }
  void neighboursAndPlaceChangeNoBit();
  void whatIsNoNumberStaysNone();

 private:
  template <typename T>
  void checkDefinition();
};

template <typename T>
void tst_self_gate::checkDefinition() {
  std::vector<T> x = Source(1).vector<T>(3001);
  for (std::size_t i = 0; i < x.size(); i += 2) x[i] *= 8;
  std::vector<T> y(x.size());
  for (const InstructionSet set : test::runnableSets()) {
    const test::ForcedSet forced(set);
    for (const SelfGate gate : kGates) {
      selfGate(gate, x, y);
      for (std::size_t i = 0; i < x.size(); ++i)
        QVERIFY(isNear(y[i], byDefinition(gate, x[i])));
    }
  }
}

void tst_self_gate::neighboursAndPlaceChangeNoBit() {
  const std::vector<float> x = Source(2).vector<float>(100);
  std::vector<float> all(x.size());
  selfGate(kGates[2], x, all);
  for (std::size_t first = 0; first < x.size(); first += 7)
    for (const std::size_t count : {1U, 3U, 8U, 31U, 33U}) {
      if (first + count > x.size()) continue;
      std::vector<float> part(x.begin() + first, x.begin() + first + count);
      part.push_back(7.0F);
      selfGate(kGates[2], std::span(part).first(count), std::span(part).first(count));
      QVERIFY(part.back() == 7.0F);
      part.pop_back();
      QVERIFY(test::sameBits(part, {all.begin() + first, all.begin() + first + count}));
    }
}

void tst_self_gate::whatIsNoNumberStaysNone() {
  std::vector<float> x{std::numeric_limits<float>::quiet_NaN(),
                       std::numeric_limits<float>::infinity(), -1e38F};
  selfGate({}, x, x);
  QVERIFY(std::isnan(x[0]) && !std::isfinite(x[1]) && std::abs(x[2]) < 1e-30F);
}

EQUIPATCH_TEST(tst_self_gate)
#include "tst_self_gate.moc"
