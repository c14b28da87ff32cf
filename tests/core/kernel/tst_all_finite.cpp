#include "core/kernel/row_operations.h"

#include <limits>
#include <vector>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

template <typename Real>
std::vector<Real> extremes() {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> all;
  for (int repeat = 0; repeat < 7; ++repeat)
    for (const Real x : {Real{0}, -Real{0}, Limits::max(), Limits::lowest(),
                         Limits::min(), Limits::denorm_min(), Real{1}})
      all.push_back(x);
  return all;
}

template <typename Real>
bool findsOneAnywhere() {
  using Limits = std::numeric_limits<Real>;
  for (std::size_t place = 0; place < extremes<Real>().size(); ++place)
    for (const Real bad :
         {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()}) {
      std::vector<Real> numbers = extremes<Real>();
      numbers[place] = bad;
      if (allFinite(numbers)) return false;
    }
  return true;
}

}  // namespace

class tst_all_finite : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void emptyIsFinite();
  void extremesAreFinite();
  void oneAnywhereIsFound();
};

void tst_all_finite::emptyIsFinite() {
  QVERIFY(allFinite(std::span<const float>()));
  QVERIFY(allFinite(std::span<const double>()));
}

void tst_all_finite::extremesAreFinite() {
  QVERIFY(allFinite(extremes<float>()));
  QVERIFY(allFinite(extremes<double>()));
}

void tst_all_finite::oneAnywhereIsFound() {
  QVERIFY(findsOneAnywhere<float>());
  QVERIFY(findsOneAnywhere<double>());
}

EQUIPATCH_TEST(tst_all_finite)
#include "tst_all_finite.moc"
