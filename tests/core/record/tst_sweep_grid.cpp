// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_grid.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_sweep_grid : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aGridIsEveryCombination();
  void strengthsAreNamed();
  void omittedSettingsAreTheDefaults();
  void severalGridsAreMerged();
  void invalidGridsAreRefused_data();
  void invalidGridsAreRefused();
};

namespace {

QStringList texts(const std::vector<SweepPoint>& points) {
  QStringList all;
  for (const SweepPoint& point : points) all += QString::fromStdString(pointText(point));
  return all;
}

}  // namespace

/// A value without a key belongs to the key before it.
void tst_sweep_grid::aGridIsEveryCombination() {
  QCOMPARE(
      texts(parseGrid("dtype=float32,bf16,method=direct,stable,loop=open,apply="
                      "materialised",
                      DType::F16)),
      (QStringList{"float32 direct open materialised", "float32 stable open materialised",
                   "bfloat16 direct open materialised",
                   "bfloat16 stable open materialised"}));
  const auto all = parseGrid(
      "apply=factored,materialised,loop=closed,half,open,method=balanced,direct,stable,"
      "dtype=float64,float32,bfloat16,float16",
      DType::F32);
  QCOMPARE(all.size(), std::size_t(2 * 3 * 3 * 4));
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) QVERIFY(all[a] != all[b]);
}

/// Names of points and of files contain the strength unless it is 1.
void tst_sweep_grid::strengthsAreNamed() {
  const auto points = parseGrid("strength=-0.5,0,1,method=direct", DType::F32);
  QCOMPARE(texts(points), (QStringList{"float32 direct closed factored strength=-0.5",
                                       "float32 direct closed factored strength=0",
                                       "float32 direct closed factored"}));
  QCOMPARE(pointText(points[0], '.'),
           std::string("float32.direct.closed.factored.strength=-0.5"));
}

void tst_sweep_grid::omittedSettingsAreTheDefaults() {
  QCOMPARE(texts(parseGrid("loop=half", DType::F16)),
           QStringList{"float16 balanced half factored"});
  const auto nothing = parseGrids({}, DType::BF16);
  QCOMPARE(texts(nothing), QStringList{"bfloat16 balanced closed factored"});
  QCOMPARE(pointText(nothing[0], '.'), std::string("bfloat16.balanced.closed.factored"));
}

/// Each point occurs once, and points of one dtype are adjacent, so that a model is
/// loaded once for each dtype.
void tst_sweep_grid::severalGridsAreMerged() {
  QCOMPARE(texts(parseGrids({"dtype=float32,bfloat16,loop=open",
                             "dtype=bfloat16,float32,loop=closed", "dtype=float32"},
                            DType::F32)),
           (QStringList{
               "float32 balanced open factored", "float32 balanced closed factored",
               "bfloat16 balanced open factored", "bfloat16 balanced closed factored"}));
}

void tst_sweep_grid::invalidGridsAreRefused_data() {
  QTest::addColumn<QString>("grid");
  QTest::addColumn<QString>("reason");
  QTest::newRow("empty") << ""
                         << "dtype=float32,bfloat16";
  QTest::newRow("no key") << "float32"
                          << "found \"float32\"";
  QTest::newRow("unknown key") << "dtype=float32,device=cpu"
                               << "found \"device\"";
  QTest::newRow("integers") << "dtype=int8"
                            << "the grid's dtype \"int8\"";
  QTest::newRow("unknown value") << "method=direct,best"
                                 << "the grid's method \"best\"";
  QTest::newRow("a comma too many") << "method=direct,"
                                    << "the grid's method \"\"";
  QTest::newRow("no value") << "loop="
                            << "expected closed, half, open";
  QTest::newRow("value twice") << "apply=factored,factored"
                               << "listed twice";
  QTest::newRow("same dtype twice") << "dtype=bf16,bfloat16"
                                    << "listed twice";
  QTest::newRow("key twice") << "loop=open,method=direct,loop=half"
                             << "\"loop\" twice";
  QTest::newRow("no number") << "strength=0,half"
                             << "strength \"half\"";
  QTest::newRow("too strong") << "strength=11"
                              << "numbers from -10 to 10";
  QTest::newRow("nan") << "strength=nan"
                       << "strength \"nan\"";
  QTest::newRow("zero twice") << "strength=0,-0.0"
                              << "listed twice";
  QTest::newRow("another separator") << "loop=open+half"
                                     << "\"open+half\"";
}

void tst_sweep_grid::invalidGridsAreRefused() {
  QFETCH(QString, grid);
  QFETCH(QString, reason);
  QVERIFY_ERROR(parseGrid(grid.toStdString(), DType::F32), reason);
}

EQUIPATCH_TEST(tst_sweep_grid)
#include "tst_sweep_grid.moc"
