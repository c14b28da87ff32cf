// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/cell_claim.h"

#include <sys/stat.h>
#include <QTemporaryDir>
#include <fstream>

#include "tests/core/record/small_sweep.h"
#include "tests/support/full_disk.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace fs = std::filesystem;

class tst_cell_claim : public equipatch::test::TestCase {
  Q_OBJECT

  void prepare() override;

 private Q_SLOTS:
  void onlyOneProgramClaimsACell();
  void onlyAnAbandonedCellIsTakenOver_data();
  void onlyAnAbandonedCellIsTakenOver();
  void aClaimantSuspendedTooLongPublishesNothing();
  void aClaimantWhoseCellIsPublishedPublishesNothing();
  void publishingRemovesFilesOfAbandonedClaims();
  void publishingLeavesTheFilesOfOtherStrengths();
  void failuresAreKeptUntilTheCellIsFinished();
  void aDamagedClaimStillHoldsItsCell();
  void aPipeIsADamagedClaim();
  void claimsWithAbsurdNumbersAreIgnored();
  void aFullDiskIsReported();

 private:
  fs::path folder() const { return m_folder->path().toStdString(); }
  fs::path work() const { return folder() / "work"; }
  fs::path place() const { return folder() / m_cell.fileName(); }
  std::optional<CellClaim> take(const Claimant& claimant) const {
    return CellClaim::take(folder(), m_cell, claimant);
  }
  void silence(int number) const;
  static void record(const CellClaim& claim, const char* text) {
    std::ofstream(claim.recording()) << text;
  }
  std::string published() const {
    std::ifstream file(place());
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::unique_ptr<QTemporaryDir> m_folder;
  SweepCell m_cell = cellsOf(test::smallSweep()).front();
  const Claimant m_here{.host = "here", .process = 1, .task = {}};
  const Claimant m_there{.host = "there", .process = 2, .task = "7_1"};
};

void tst_cell_claim::prepare() {
  m_folder = std::make_unique<QTemporaryDir>();
}

/// Makes a claim look as if its owner had not touched it for an hour.
void tst_cell_claim::silence(int number) const {
  const fs::path path =
      work() / ("one.float32.balanced.open.factored.claim." + std::to_string(number));
  QVERIFY(fs::exists(path));
  fs::last_write_time(path, fs::last_write_time(path) - std::chrono::hours(1));
}

void tst_cell_claim::onlyOneProgramClaimsACell() {
  {
    auto first = take(m_here);
    QVERIFY(first);
    QVERIFY(!take(m_there));
    QVERIFY(first->isOurs());
    QCOMPARE(readCellNotes(folder()).claims.at(m_cell.fileName()).claimant.host,
             std::string("here"));
    record(*first, "half");
  }
  QVERIFY(fs::is_empty(work()));  // the claim was released
  auto second = take(m_there);
  QVERIFY(second);
  record(*second, "whole");
  QVERIFY(second->publish());
  QCOMPARE(published(), std::string("whole"));
}

void tst_cell_claim::onlyAnAbandonedCellIsTakenOver_data() {
  QTest::addColumn<QString>("host");
  QTest::addColumn<int>("process");
  QTest::addColumn<QString>("task");
  QTest::addColumn<bool>("silent");
  QTest::addColumn<bool>("taken");
  const QString here = QString::fromStdString(Claimant::self().host);
  const int dead = 1 << 30;  // larger than any process's id
  QTest::newRow("alive") << here << int(::getpid()) << "" << false << false;
  QTest::newRow("elsewhere") << "far" << dead << "" << false << false;
  QTest::newRow("dead") << here << dead << "" << false << true;
  QTest::newRow("silent") << "far" << 5 << "" << true << true;
  QTest::newRow("requeued") << "far" << 5 << "7_1" << false << true;
  QTest::newRow("another task") << "far" << 5 << "7_11" << false << false;
}

void tst_cell_claim::onlyAnAbandonedCellIsTakenOver() {
  QFETCH(QString, host);
  QFETCH(int, process);
  QFETCH(QString, task);
  QFETCH(bool, silent);
  QFETCH(bool, taken);
  auto first = take({host.toStdString(), process, task.toStdString()});
  QVERIFY(first);
  if (silent) silence(1);
  const Claimant self{
      .host = Claimant::self().host, .process = ::getpid() + 1, .task = "7_1"};
  auto second = take(self);
  QCOMPARE(second.has_value(), taken);
  QCOMPARE(first->isOurs(), !taken);
}

void tst_cell_claim::aClaimantSuspendedTooLongPublishesNothing() {
  auto first = take(m_here);
  record(*first, "late");
  silence(1);
  auto second = take(m_there);
  QVERIFY(second);
  record(*second, "soon");
  QVERIFY(first->recording() != second->recording());
  QVERIFY(!first->publish());
  QVERIFY(!fs::exists(place()));
  first.reset();  // leaves the second claim as it is
  QVERIFY(second->isOurs());
  QVERIFY(second->publish());
  QCOMPARE(published(), std::string("soon"));
}

void tst_cell_claim::aClaimantWhoseCellIsPublishedPublishesNothing() {
  auto first = take(m_here);
  record(*first, "late");
  silence(1);
  {
    auto second = take(m_there);
    record(*second, "soon");
    QVERIFY(second->publish());
  }
  QVERIFY(!first->publish());
  // The third claim has the number of the first.
  auto third = take(m_there);
  QVERIFY(third);
  QVERIFY(!first->isOurs());
  QVERIFY(third->isOurs());
  QCOMPARE(published(), std::string("soon"));
}

void tst_cell_claim::publishingRemovesFilesOfAbandonedClaims() {
  auto first = take(m_here);
  record(*first, "killed");
  std::ofstream(first->recording().string() + "-journal") << "j";
  silence(1);
  {
    auto second = take(m_there);
    record(*second, "whole");
    QVERIFY(second->publish());
  }
  QVERIFY(fs::is_empty(work()));
}

/// The cell names of strengths 1 and 0 are prefixes of the cell name of strength 0.5.
void tst_cell_claim::publishingLeavesTheFilesOfOtherStrengths() {
  for (const double strength : {1.0, 0.0}) {
    SweepCell cell = m_cell, half = m_cell;
    cell.point.strength = strength;
    half.point.strength = 0.5;
    auto other = CellClaim::take(folder(), half, m_there);
    QVERIFY(other);
    record(*other, "half");
    other->noteFailure(badInput("the first try failed"));
    {
      auto claim = CellClaim::take(folder(), cell, m_here);
      QVERIFY(claim);
      record(*claim, "whole");
      QVERIFY(claim->publish());
    }
    CellClaim::removeRemains(folder(), cell);
    QVERIFY(fs::exists(other->recording()));
    QCOMPARE(readCellNotes(folder()).failures.size(), 1u);
    QVERIFY(other->publish());
    other.reset();
    QVERIFY(fs::is_empty(work()));
  }
}

void tst_cell_claim::failuresAreKeptUntilTheCellIsFinished() {
  {
    auto claim = take(m_here);
    claim->noteFailure(badInput("the prompt is too long"));
  }
  QCOMPARE(readCellNotes(folder()).failures.at(m_cell.fileName()),
           std::string("the prompt is too long"));
  auto again = take(m_here);
  record(*again, "whole");
  QVERIFY(again->publish());
  QVERIFY(readCellNotes(folder()).failures.empty());
}

/// The file's modification time alone decides whether an unreadable claim is abandoned.
void tst_cell_claim::aDamagedClaimStillHoldsItsCell() {
  fs::create_directory(work());
  const fs::path path = work() / "one.float32.balanced.open.factored.claim.1";
  for (const char* text : {"", "{\"token\": 3, \"process\": \"x\"}", "[1]"}) {
    std::ofstream(path) << text;
    QVERIFY(!take(m_here));
  }
  fs::permissions(path, fs::perms::none);  // as if another user owned the file
  QVERIFY(!take(m_here));
  silence(1);
  QVERIFY(take(m_here));
}

/// Opening a pipe that nobody writes to blocks, unless with O_NONBLOCK.
void tst_cell_claim::aPipeIsADamagedClaim() {
  fs::create_directory(work());
  const fs::path path = work() / "one.float32.balanced.open.factored.claim.1";
  QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
  const CellNotes notes = readCellNotes(folder());
  QVERIFY(notes.claims.at(m_cell.fileName()).token.empty());
  QVERIFY(!take(m_here));
}

/// If the largest of these numbers counted, the next claim's number would overflow.
void tst_cell_claim::claimsWithAbsurdNumbersAreIgnored() {
  fs::create_directory(work());
  for (const char* number : {"4000000000000", "9223372036854775807", "-3"})
    std::ofstream(work() /
                  ("one.float32.balanced.open.factored.claim." + std::string(number)))
        << "{}";
  {
    auto claim = take(m_here);
    QVERIFY(claim);
    record(*claim, "whole");
    QVERIFY(claim->publish());
  }
  QVERIFY(!fs::exists(work() / "one.float32.balanced.open.factored.claim.1"));
}

void tst_cell_claim::aFullDiskIsReported() {
  {
    const test::FullDisk disk(10);
    QVERIFY_ERROR(take(m_here), "cannot be written (File too large)");
  }
  QVERIFY(fs::is_empty(work()));
  QVERIFY(take(m_here).has_value());
}

EQUIPATCH_TEST(tst_cell_claim)
#include "tst_cell_claim.moc"
