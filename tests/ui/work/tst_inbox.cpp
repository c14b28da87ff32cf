// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/work/inbox.h"

#include <thread>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_inbox : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void keepsTheOrder();
  void dropsItemsOfOlderRounds();
  void takesWhatAnotherThreadPuts();
};

void tst_inbox::keepsTheOrder() {
  Inbox<int> inbox;
  const Round round = inbox.renew();
  for (int i = 0; i < 5; ++i) QVERIFY(inbox.put(round, i));
  QCOMPARE(inbox.take(), (std::vector<int>{0, 1, 2, 3, 4}));
  QVERIFY(inbox.take().empty());
}

void tst_inbox::dropsItemsOfOlderRounds() {
  Inbox<int> inbox;
  const Round old = inbox.renew();
  QVERIFY(inbox.put(old, 1));
  const Round current = inbox.renew();
  QVERIFY(current > old);
  QVERIFY(!inbox.put(old, 2));
  QVERIFY(inbox.put(current, 3));
  QCOMPARE(inbox.take(), (std::vector<int>{3}));
}

void tst_inbox::takesWhatAnotherThreadPuts() {
  constexpr int kCount = 20000;
  Inbox<int> inbox;
  const Round round = inbox.renew();
  std::jthread writer([&] {
    for (int i = 0; i < kCount; ++i) inbox.put(round, i);
  });
  std::vector<int> all;
  while (all.size() < kCount)
    for (const int value : inbox.take()) all.push_back(value);
  for (int i = 0; i < kCount; ++i) QCOMPARE(all[std::size_t(i)], i);
}

EQUIPATCH_TEST(tst_inbox)
#include "tst_inbox.moc"
