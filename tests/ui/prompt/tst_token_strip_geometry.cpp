// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_case.h"
#include "ui/prompt/token_strip_geometry.h"

using namespace equipatch;

namespace {

using G = TokenStripGeometry;

G ten() {
  G geometry(16);
  for (int i = 0; i < 10; ++i) geometry.append(20 + 3 * i);
  return geometry;
}

}  // namespace

class tst_token_strip_geometry : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void anEmptyStripHasNoChips();
  void chipsStandBesideOneAnother();
  void findsTheChipUnderAPoint();
  void visibleRangeHoldsOnlyChipsInView();
  void scrollsNoFurtherThanNeeded();
};

void tst_token_strip_geometry::anEmptyStripHasNoChips() {
  const G geometry(16);
  QCOMPARE(geometry.count(), 0);
  QCOMPARE(geometry.indexAt(0), -1);
  QCOMPARE(geometry.indexAt(G::kMargin), -1);
  const auto range = geometry.visible(0, 1000);
  QCOMPARE(range.first, range.last);
}

void tst_token_strip_geometry::chipsStandBesideOneAnother() {
  const G geometry = ten();
  QCOMPARE(geometry.chip(0).left(), G::kMargin);
  QCOMPARE(geometry.chip(0).width(), 20 + 2 * G::kPadding);
  QCOMPARE(geometry.chip(1).left(), geometry.chip(0).right() + 1 + G::kGap);
  QCOMPARE(geometry.contentWidth(), geometry.chip(9).right() + 1 + G::kMargin);
  QVERIFY(geometry.below(3).top() > geometry.chip(3).bottom());
  QVERIFY(geometry.below(3).bottom() < geometry.contentHeight());
  G narrow(16);
  narrow.append(0);
  QCOMPARE(narrow.chip(0).width(), G::kMinWidth);
}

void tst_token_strip_geometry::findsTheChipUnderAPoint() {
  const G geometry = ten();
  for (int i = 0; i < geometry.count(); ++i) {
    QCOMPARE(geometry.indexAt(geometry.chip(i).left()), i);
    QCOMPARE(geometry.indexAt(geometry.chip(i).right()), i);
  }
  QCOMPARE(geometry.indexAt(-5), -1);
  QCOMPARE(geometry.indexAt(geometry.contentWidth()), -1);
}

void tst_token_strip_geometry::visibleRangeHoldsOnlyChipsInView() {
  const G geometry = ten();
  const auto all = geometry.visible(0, geometry.contentWidth());
  QCOMPARE(all.first, 0);
  QCOMPARE(all.last, 10);
  const auto middle =
      geometry.visible(geometry.chip(3).center().x(), geometry.chip(5).center().x());
  QCOMPARE(middle.first, 3);
  QCOMPARE(middle.last, 6);
  const auto beyond = geometry.visible(geometry.contentWidth() + 5, 100000);
  QCOMPARE(beyond.first, beyond.last);
}

void tst_token_strip_geometry::scrollsNoFurtherThanNeeded() {
  const G geometry = ten();
  QCOMPARE(geometry.scrollToShow(0, 50, 100), 0);
  const int scroll = geometry.scrollToShow(9, 0, 100);
  QCOMPARE(scroll, geometry.contentWidth() - 100);
  QCOMPARE(geometry.scrollToShow(9, scroll, 100), scroll);
  const int middle = geometry.chip(4).left() - 20;
  QCOMPARE(geometry.scrollToShow(4, middle, 200), middle);
}

EQUIPATCH_TEST(tst_token_strip_geometry)
#include "tst_token_strip_geometry.moc"
