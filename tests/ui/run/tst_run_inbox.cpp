// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_inbox.h"

#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "ui/run/loaded_model.h"

using namespace equipatch;

class tst_run_inbox : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void keepsTheKindsAndOrderOfItems() {
    const auto inbox = std::make_shared<RunInbox>();
    const auto sink = inbox->makeRunSink();
    sink->runStarted(test::makeHeader());
    sink->stepTaken(test::makeRecord(0));
    sink->stepTaken(test::makeRecord(1));
    const auto items = inbox->take();
    QCOMPARE(items.size(), std::size_t(3));
    QVERIFY(std::holds_alternative<std::shared_ptr<const RunHeader>>(items[0]));
    QCOMPARE(std::get<2>(items[2])->step.value, 1);
  }

  void itemsOfOlderSinksAreDropped() {
    const auto inbox = std::make_shared<RunInbox>();
    const auto old = inbox->makeRunSink();
    const auto current = inbox->makeModelSink();
    old->stepTaken(test::makeRecord(0));
    current->modelLoaded(std::make_shared<const LoadedModel>());
    const auto items = inbox->take();
    QCOMPARE(items.size(), std::size_t(1));
    QVERIFY(std::holds_alternative<std::shared_ptr<const LoadedModel>>(items[0]));
  }
};

EQUIPATCH_TEST(tst_run_inbox)
#include "tst_run_inbox.moc"
