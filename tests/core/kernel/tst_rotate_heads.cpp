#include "core/kernel/row_operations.h"

#include <cmath>
#include <complex>
#include <vector>

#include "tests/core/kernel/kernel_oracle.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

template <typename Real>
struct Heads {
  explicit Heads(const HeadShape& given) : shape(given) {
    x = Source(4).vector<Real>(shape.rows * shape.heads * shape.headDim);
    for (const Real angle : Source(5).vector<Real>(shape.rows * shape.pairs)) {
      cosine.push_back(std::cos(angle));
      sine.push_back(std::sin(angle));
    }
  }
  std::vector<Real> rotated() const {
    std::vector<Real> y(x.size());
    rotateHeads(shape, x.data(), cosine.data(), sine.data(), y.data());
    return y;
  }

  HeadShape shape;
  std::vector<Real> x, cosine, sine;
};

/// Where pair `pair` of a head begins and how far apart its two numbers are.
std::pair<std::int64_t, std::int64_t> placeOf(const HeadShape& shape, std::int64_t pair) {
  return shape.neighbours ? std::pair{2 * pair, std::int64_t{1}}
                          : std::pair{pair, shape.pairs};
}

}  // namespace

class tst_rotate_heads : public TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void multipliesByAUnitNumber_data() { shapes(); }
  void multipliesByAUnitNumber();
  void whatIsBeyondThePairsStays_data() { shapes(); }
  void whatIsBeyondThePairsStays();

 private:
  static void shapes() {
    QTest::addColumn<bool>("neighbours");
    QTest::addColumn<int>("pairs");
    for (const bool neighbours : {false, true})
      for (const int pairs : {1, 3, 8})
        QTest::addRow("%d %s", pairs, neighbours ? "neighbours" : "halves")
            << neighbours << pairs;
  }
};

void tst_rotate_heads::multipliesByAUnitNumber() {
  QFETCH(bool, neighbours);
  QFETCH(int, pairs);
  const Heads<double> heads({3, 2, 17, pairs, neighbours});
  const std::vector<double> y = heads.rotated();
  for (std::int64_t row = 0; row < 3; ++row)
    for (std::int64_t head = 0; head < 2; ++head)
      for (std::int64_t pair = 0; pair < pairs; ++pair) {
        const auto [first, apart] = placeOf(heads.shape, pair);
        const auto at = static_cast<std::size_t>((row * 2 + head) * 17 + first);
        const auto angle = static_cast<std::size_t>(row * pairs + pair);
        const std::size_t other = at + static_cast<std::size_t>(apart);
        const std::complex<double> expected =
            std::complex(heads.x[at], heads.x[other]) *
            std::complex(heads.cosine[angle], heads.sine[angle]);
        QVERIFY(std::abs(y[at] - expected.real()) < 1e-15);
        QVERIFY(std::abs(y[other] - expected.imag()) < 1e-15);
      }
}

void tst_rotate_heads::whatIsBeyondThePairsStays() {
  QFETCH(bool, neighbours);
  QFETCH(int, pairs);
  const Heads<float> heads({3, 2, 17, pairs, neighbours});
  const std::vector<float> y = heads.rotated();
  for (std::size_t i = 0; i < y.size(); ++i)
    if (static_cast<int>(i % 17) >= 2 * pairs) QCOMPARE(y[i], heads.x[i]);
}

EQUIPATCH_TEST(tst_rotate_heads)
#include "tst_rotate_heads.moc"
