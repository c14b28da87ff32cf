// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"

#include <vector>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_random : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void drawsSplitMix64();
  void eachIndexHasItsOwnStream();
  void normalsHaveTheMomentsOfANormal();
  void normalsEqualAnIndependentImplementation();
};

void tst_random::drawsSplitMix64() {
  // The published reference output for the seed 1234567.
  Random random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
        4593380528125082431u, 16408922859458223821u})
    QCOMPARE(random.next(), expected);
}

void tst_random::eachIndexHasItsOwnStream() {
  QVERIFY(Random(7, 0).next() != Random(7, 1).next());
  QCOMPARE(Random(7, 3).next(), Random(7, 3).next());
}

void tst_random::normalsHaveTheMomentsOfANormal() {
  Random random(11);
  constexpr int kCount = 400000;
  double sum = 0.0, squares = 0.0, fourth = 0.0;
  int beyondTwo = 0;
  for (int i = 0; i < kCount; ++i) {
    const double x = random.normal();
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
    beyondTwo += std::abs(x) > 2.0 ? 1 : 0;
  }
  QVERIFY(std::abs(sum / kCount) < 0.01);
  QVERIFY(std::abs(squares / kCount - 1.0) < 0.01);
  QVERIFY(std::abs(fourth / kCount - 3.0) < 0.1);
  QVERIFY(std::abs(static_cast<double>(beyondTwo) / kCount - 0.0455) < 0.002);
}

void tst_random::normalsEqualAnIndependentImplementation() {
  // From an independent implementation in Python, whose floats are doubles.
  Random random(42);
  for (const double expected :
       {-2.257656495013351, -0.3705389874350459, 0.6598867386789679, 0.3079493886624846,
        -0.015127380909248537})
    QVERIFY(random.normal() == expected);  // QCOMPARE is approximate
}

EQUIPATCH_TEST(tst_random)
#include "tst_random.moc"
