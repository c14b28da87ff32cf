// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_list.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "tests/support/test_case.h"
#include "tests/ui/runs/listed_runs.h"

using namespace equipatch;
using equipatch::test::ListedRuns;

class tst_run_list : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aBranchKnowsItsParentAndEarlierTokens() {
    ListedRuns f;
    f.run("trunk.eqrun", 5);
    const std::vector<RunModel::Record> steps = f.list.at(0).steps;
    RunHeader branch = *f.list.at(0).header;
    branch.request = branchedRequest(branch.request, {steps[0], steps[1]},
                                     {TokenId(999), "other", 0.0, 0.1});
    f.file = "branch.eqrun";
    f.model.begin(std::make_shared<const RunHeader>(branch));
    f.model.append({steps[0], steps[1]});
    RunHeader twig = branch;
    twig.request =
        branchedRequest(branch.request, {steps[0]}, {TokenId(998), "else", 0.0, 0.1});
    f.file = "twig.eqrun";
    f.model.begin(std::make_shared<const RunHeader>(twig));
    f.model.append({steps[0]});
    QCOMPARE(f.list.earlierTokens(0), std::int64_t(0));
    QCOMPARE(f.list.earlierTokens(1), std::int64_t(3));
    QCOMPARE(f.list.earlierTokens(2), std::int64_t(5));
    QVERIFY(!f.list.parentOf(0));
    QCOMPARE(f.list.parentOf(1), std::optional(0));
    QCOMPARE(f.list.parentOf(2), std::optional(1));
  }

  void newRunsAreAppendedToTheList();
  void runsAreNamedByWhatTheyDifferIn();
  void onlyTheRunOnDisplayKeepsItsVectors();
  void aRunOfAListedFileKeepsItsRowAndName();
  void usersCanChangeNamesAndTicks();
  void aNameSetForAFileAppliesToItsRun();
  void aReopenedRunHasItsColourAndSteps();
  void runsClosedAsLateAreReopenedLast();
  void reopenAtRestoresAClosedRunsRow();
  void aClosedRunThatIsOpenedAgainIsListedOnce();
  void theRunOnDisplayMayBeClosed();
  void onlyTheRunOnDisplayStaysBold();
  void coloursAreReusedOnlyAfterClosing();
  void runsWithoutAMedianSortFirst();
  void stepCountGrowsWithTheRun();
  void headersAreAlignedLikeTheirColumns();
};

void tst_run_list::newRunsAreAppendedToTheList() {
  ListedRuns f;
  const QAbstractItemModelTester tester(
      &f.list, QAbstractItemModelTester::FailureReportingMode::QtTest);
  f.run("a.eqrun", 8, Method::Balanced, 4);
  f.run("b.eqrun", 5, Method::Direct);
  QCOMPARE(f.list.count(), 2);
  QCOMPARE(f.list.current(), 1);
  QCOMPARE(f.text(0, RunList::Steps), QStringLiteral("8"));
  QCOMPARE(f.text(0, RunList::Matches), QStringLiteral("75.0 %"));
  QCOMPARE(f.text(1, RunList::Matches), QStringLiteral("100 %"));
  QVERIFY(f.list.at(1).linf.median > 0.0);
}

void tst_run_list::runsAreNamedByWhatTheyDifferIn() {
  ListedRuns f;
  f.run("a.eqrun", 3, Method::Balanced);
  f.run("b.eqrun", 3, Method::Direct);
  QCOMPARE(f.text(0, RunList::Name), QStringLiteral("balanced"));
  QCOMPARE(f.text(1, RunList::Name), QStringLiteral("direct"));
}

void tst_run_list::onlyTheRunOnDisplayKeepsItsVectors() {
  ListedRuns f;
  f.run("a.eqrun", 3);
  QVERIFY(!f.list.at(0).steps[0]->layers[0].scaleDelta.empty());
  f.run("b.eqrun", 3);
  QVERIFY(f.list.at(0).steps[0]->layers[0].scaleDelta.empty());
  QVERIFY(!f.list.at(1).steps[0]->layers[0].scaleDelta.empty());
  f.list.close(1);
  f.model.append({test::makeRecord(3)});  // the closed run continues
  const std::weak_ptr<const StepRecord> complete = f.model.records().back();
  f.run("c.eqrun", 3);
  QVERIFY(complete.expired());
}

void tst_run_list::aRunOfAListedFileKeepsItsRowAndName() {
  ListedRuns f;
  f.run("a.eqrun", 3);
  f.list.setData(f.list.index(0, 0), QStringLiteral("mine"), Qt::EditRole);
  f.run("b.eqrun", 4);
  f.run("a.eqrun", 3);
  QCOMPARE(f.list.count(), 2);
  QCOMPARE(f.list.current(), 0);
  QCOMPARE(f.list.at(0).steps.size(), std::size_t(3));
  QCOMPARE(f.text(0, RunList::Name), QStringLiteral("mine"));
  QVERIFY(!f.list.at(0).steps[0]->layers[0].scaleDelta.empty());
}

void tst_run_list::usersCanChangeNamesAndTicks() {
  ListedRuns f;
  f.run("a.eqrun", 3);
  f.run("b.eqrun", 3, Method::Direct);
  const QSignalSpy changed(&f.list, &RunList::changed);
  QVERIFY(f.list.setData(f.list.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
  QCOMPARE(f.list.shownRows(), std::vector<int>{1});
  QVERIFY(
      f.list.setData(f.list.index(1, 0), QStringLiteral("  the  one "), Qt::EditRole));
  QCOMPARE(f.text(1, RunList::Name), QStringLiteral("the one"));
  QVERIFY(f.list.setData(f.list.index(1, 0), QString(), Qt::EditRole));
  QCOMPARE(f.text(1, RunList::Name), QStringLiteral("direct"));
  QVERIFY(!f.list.setData(f.list.index(1, RunList::Steps), 7, Qt::EditRole));
  QCOMPARE(changed.count(), 3);
}

void tst_run_list::aNameSetForAFileAppliesToItsRun() {
  ListedRuns f;
  f.list.setNameOf("b.eqrun", "Lina");
  f.run("a.eqrun", 2);
  f.run("b.eqrun", 2, Method::Direct);
  QCOMPARE(f.text(1, RunList::Name), QStringLiteral("Lina"));
  QCOMPARE(figureRunOf(f.list.at(1)).name, std::string("Lina"));
  QCOMPARE(figureRunOf(f.list.at(1)).own, std::string("Lina"));
  QVERIFY(figureRunOf(f.list.at(0)).own.empty());
  f.list.setNameOf("a.eqrun", "goose");
  QCOMPARE(f.text(0, RunList::Name), QStringLiteral("goose"));
  f.list.setNameOf("a.eqrun", {});
  QVERIFY(f.text(0, RunList::Name) != QStringLiteral("goose"));
}

void tst_run_list::aReopenedRunHasItsColourAndSteps() {
  ListedRuns f;
  f.run("a.eqrun", 3);
  f.list.setColour(0, 4);
  f.run("b.eqrun", 3);
  f.list.close(0);
  QCOMPARE(f.list.count(), 1);
  QCOMPARE(f.list.current(), 0);
  QVERIFY(f.list.canReopen());
  f.list.setNameOf("a.eqrun", "renamed meanwhile");
  f.list.reopen();
  QCOMPARE(f.list.at(1).name, QStringLiteral("renamed meanwhile"));
  QVERIFY(!f.list.canReopen());
  QCOMPARE(f.list.count(), 2);
  QCOMPARE(f.list.at(1).file.string(), "a.eqrun");
  QCOMPARE(f.list.at(1).colour, 4);
  QCOMPARE(f.list.at(1).steps.size(), std::size_t(3));
}

/// Lessons close their runs as `Late`, so runs that the user closed are reopened first.
void tst_run_list::runsClosedAsLateAreReopenedLast() {
  ListedRuns f;
  for (const char* file : {"a", "b", "c", "d", "e"}) f.run(file, 3);
  f.list.close(0);
  f.list.close({0, 1}, RunList::Reopened::Late);  // b and c
  f.list.close({0}, RunList::Reopened::Late);     // d
  f.list.close(0);
  QCOMPARE(f.list.count(), 0);
  std::string order;
  while (f.list.canReopen()) {
    const int before = f.list.count();
    f.list.reopen();
    for (int row = before; row < f.list.count(); ++row)
      order += f.list.at(row).file.string();
    order += ' ';
  }
  QCOMPARE(order, std::string("e a d bc "));
}

void tst_run_list::reopenAtRestoresAClosedRunsRow() {
  ListedRuns f;
  const QAbstractItemModelTester tester(
      &f.list, QAbstractItemModelTester::FailureReportingMode::QtTest);
  for (const char* file : {"a.eqrun", "b.eqrun", "c.eqrun"}) f.run(file, 3);
  f.list.setColour(0, 4);
  f.list.close({0, 2});  // c.eqrun stays on display
  QCOMPARE(f.list.current(), -1);
  const auto isFile = [](const char* file) {
    return [file](const ListedRun& run) { return run.file == file; };
  };
  f.list.reopenAt(0, isFile("none.eqrun"));
  f.list.reopenAt(0, isFile("a.eqrun"));
  f.list.reopenAt(9, isFile("c.eqrun"));
  QVERIFY(!f.list.canReopen());
  QCOMPARE(f.list.count(), 3);
  QCOMPARE(f.list.at(0).file.string(), "a.eqrun");
  QCOMPARE(f.list.at(0).colour, 4);
  QCOMPARE(f.list.at(2).file.string(), "c.eqrun");
  QCOMPARE(f.list.current(), 2);
  QVERIFY(!f.list.at(2).steps[0]->layers[0].scaleDelta.empty());
  f.list.close(0);
  QCOMPARE(f.list.current(), 1);
  f.list.reopenAt(0, isFile("a.eqrun"));
  QCOMPARE(f.list.current(), 2);
}

void tst_run_list::aClosedRunThatIsOpenedAgainIsListedOnce() {
  ListedRuns f;
  f.run("a.eqrun", 3);
  f.run("b.eqrun", 3);
  f.list.setColour(0, 4);
  f.list.close(0);
  f.run("a.eqrun", 3);  // as if opened from its file
  QCOMPARE(f.list.at(1).colour, 4);
  QVERIFY(!f.list.canReopen());
  f.list.reopen();
  QCOMPARE(f.list.count(), 2);
  f.run("", 3);  // not recorded
  const auto header = f.model.sharedHeader();
  const std::vector<RunModel::Record> steps = f.model.records();
  f.list.setOwnColour(2, Qt::darkCyan);
  QVERIFY(f.list.setData(f.list.index(2, RunList::Name), "mine", Qt::EditRole));
  f.list.close(2);
  f.model.begin({});
  f.model.begin(header);  // as after a lesson
  f.model.append(steps);
  QVERIFY(!f.list.canReopen());
  f.list.reopen();
  QCOMPARE(f.list.count(), 3);
  QCOMPARE(f.list.at(2).name, QStringLiteral("mine"));
  QCOMPARE(f.list.at(2).own, QColor(Qt::darkCyan));
  QCOMPARE(f.list.at(2).steps.size(), steps.size());
}

void tst_run_list::theRunOnDisplayMayBeClosed() {
  ListedRuns f;
  f.run("a.eqrun", 3);
  f.list.close(0);
  QCOMPARE(f.list.current(), -1);
  f.model.append({test::makeRecord(3)});  // the run continues
  QCOMPARE(f.list.count(), 0);
  f.list.setEnding(f.model.header(), RunEnding::Stopped);
  f.list.reopen();
  QVERIFY(f.list.at(0).ending == RunEnding::Stopped);
  QCOMPARE(f.list.current(), 0);
  QCOMPARE(f.list.at(0).steps.size(), std::size_t(4));
  f.list.close(0);
  f.model.append({test::makeRecord(4)});
  f.run("b.eqrun", 3);
  f.list.reopen();
  QCOMPARE(f.list.at(1).steps.size(), std::size_t(5));
  QCOMPARE(f.text(1, RunList::Steps), QStringLiteral("5"));
}

/// Like a view, the test rereads only the cells that the list reports as changed.
void tst_run_list::onlyTheRunOnDisplayStaysBold() {
  ListedRuns f;
  for (const char* file : {"a.eqrun", "b.eqrun", "c.eqrun"}) f.run(file, 3);
  std::map<std::pair<int, int>, bool> bold;  // by row and column
  const auto look = [&](const QModelIndex& first, const QModelIndex& last) {
    for (int row = first.row(); row <= last.row(); ++row)
      for (int column = first.column(); column <= last.column(); ++column)
        bold[{row, column}] =
            f.list.index(row, column).data(Qt::FontRole).value<QFont>().bold();
  };
  const auto boldRows = [&] {
    std::set<int> rows;
    for (const auto& [cell, isBold] : bold)
      if (isBold) rows.insert(cell.first);
    return rows;
  };
  look(f.list.index(0, 0), f.list.index(2, RunList::kColumns - 1));
  QCOMPARE(boldRows(), std::set<int>{2});
  connect(&f.list, &RunList::dataChanged, this, look);
  f.run("a.eqrun", 3);
  QCOMPARE(boldRows(), std::set<int>{0});
  f.run("b.eqrun", 3);
  QCOMPARE(boldRows(), std::set<int>{1});
  f.run("d.eqrun", 3);
  QCOMPARE(boldRows(), std::set<int>{3});
  f.model.begin({});
  QCOMPARE(boldRows(), std::set<int>{});
}

void tst_run_list::coloursAreReusedOnlyAfterClosing() {
  ListedRuns f;
  for (int i = 0; i < 6; ++i) f.run("run" + std::to_string(i), 2);
  std::set<int> colours;
  for (int row = 0; row < 6; ++row) colours.insert(f.list.at(row).colour);
  QCOMPARE(colours.size(), std::size_t(6));
  f.list.close(2);
  f.run("another", 2);
  QCOMPARE(f.list.at(5).colour, 2);
}

void tst_run_list::runsWithoutAMedianSortFirst() {
  ListedRuns f;
  f.file = "a.eqrun";
  f.model.begin(test::makeHeader());
  StepRecord overflown = *test::makeRecord(0);
  overflown.patchedDistance.linf = std::nan("");
  f.model.append({std::make_shared<const StepRecord>(overflown)});
  const QModelIndex median = f.list.index(0, RunList::Median);
  QCOMPARE(median.data(RunList::kSortRole).toDouble(), -1.0);
}

void tst_run_list::stepCountGrowsWithTheRun() {
  ListedRuns f;
  f.run("a.eqrun", 2);
  const QSignalSpy grew(&f.list, &RunList::grew);
  const QSignalSpy changed(&f.list, &RunList::changed);
  f.model.append({test::makeRecord(2)});
  QCOMPARE(grew.count(), 1);
  QCOMPARE(changed.count(), 0);  // no chart of other runs is redrawn
  QCOMPARE(f.text(0, RunList::Steps), QStringLiteral("3"));
}

void tst_run_list::headersAreAlignedLikeTheirColumns() {
  ListedRuns f;
  f.run("a.eqrun", 3);
  for (int column = 0; column < RunList::kColumns; ++column) {
    const QVariant cell = f.list.index(0, column).data(Qt::TextAlignmentRole);
    QVERIFY(cell.isValid());
    QCOMPARE(f.list.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole), cell);
  }
}

EQUIPATCH_TEST(tst_run_list)
#include "tst_run_list.moc"
