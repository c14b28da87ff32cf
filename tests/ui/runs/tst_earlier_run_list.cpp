// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QTemporaryDir>
#include <optional>

#include "core/record/file/file_claim.h"
#include "core/record/file/run_writer.h"
#include "tests/core/record/small_run.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/runs/earlier_run_items.h"
#include "ui/runs/earlier_runs.h"

using namespace equipatch;
using Grouping = EarlierRunsDialog::Grouping;

/// Which runs the list of earlier runs shows, in which groups and order, and what it says
/// about those that cannot be moved to the trash.
class tst_earlier_run_list : public test::TestCase {
  Q_OBJECT

  void prepare() override {
    m_quiet.emplace();
    m_folder = std::make_unique<QTemporaryDir>();
    m_dialog = std::make_unique<EarlierRunsDialog>(
        m_folder->path().toStdString(), m_theme, [] { return std::filesystem::path(); });
  }

 private Q_SLOTS:
  void cleanup() {
    m_dialog.reset();
    m_quiet.reset();
  }
  void runsNotMovedToTheTrashAreNamedOrCounted_data();
  void runsNotMovedToTheTrashAreNamedOrCounted();
  void aRunMovesToTheGroupsOfItsNewTags();
  void groupsOfDaysAreSortedByTime();
  void searchFindsTheDisplayedStartTime();

 private:
  std::filesystem::path path(const QString& name) const {
    return m_folder->filePath(name).toStdString();
  }
  void record(const QString& name, const char* time,
              const std::vector<std::string>& tags = {}) const;
  void list(int groups) const {
    m_dialog->open();
    QTRY_COMPARE(tree().topLevelItemCount(), groups);
  }
  template <typename Widget>
  Widget* find(const char* name) const {
    return m_dialog->findChild<Widget*>(QString::fromLatin1(name));
  }
  QTreeWidget& tree() const { return *find<QTreeWidget>("earlierTree"); }

  std::optional<test::QuietPlatform> m_quiet;  // made after Qt Test installed its handler
  Theme m_theme;
  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<EarlierRunsDialog> m_dialog;
};

void tst_earlier_run_list::record(const QString& name, const char* time,
                                  const std::vector<std::string>& tags) const {
  const StoredRun run = test::smallRun();
  RunHeader header = *run.header;
  header.provenance.startTime = time;
  {
    RunWriter writer(path(name), header);
    for (const auto& step : run.steps) writer.add(*step);
    writer.finish(RunEnding::Complete);
  }
  saveLabels(path(name), {.name = {}, .notes = {}, .tags = tags});
}

void tst_earlier_run_list::runsNotMovedToTheTrashAreNamedOrCounted_data() {
  QTest::addColumn<int>("runs");
  QTest::addColumn<bool>("allNamed");
  QTest::newRow("three") << 3 << true;
  QTest::newRow("four") << 4 << false;
}

void tst_earlier_run_list::runsNotMovedToTheTrashAreNamedOrCounted() {
  QFETCH(int, runs);
  QFETCH(bool, allNamed);
  QStringList names;
  for (int run = 0; run < runs; ++run) names << QStringLiteral("%1.eqrun").arg(run);
  for (const QString& name : names) record(name, "2026-11-20T08:00:00Z");
  list(runs);
  tree().selectAll();
  std::vector<FileClaim> claims;
  for (const QString& name : names) claims.push_back(FileClaim::take(path(name)));
  QTest::keyClick(&tree(), Qt::Key_Delete);
  for (QAbstractButton* button : find<QMessageBox>("trashQuestion")->buttons())
    if (button->text() == QStringLiteral("Move them")) button->click();
  const auto* message = find<QLabel>("earlierMessage");
  QTRY_VERIFY(message->text().contains(QStringLiteral("is being recorded")));
  int named = 0;
  for (const QString& name : names) named += message->text().contains(name) ? 1 : 0;
  QCOMPARE(named, allNamed ? runs : 1);
  QCOMPARE(message->text().contains(QStringLiteral("3 other runs")), !allNamed);
}

/// A run moves after Return or when the field loses the focus, not during typing.
void tst_earlier_run_list::aRunMovesToTheGroupsOfItsNewTags() {
  record("a.eqrun", "2026-11-20T08:00:00Z", {"old"});
  record("b.eqrun", "2026-11-21T08:00:00Z", {"other"});
  list(2);
  find<QComboBox>("earlierGrouping")->setCurrentIndex(int(Grouping::Tag));
  const auto group = [this](const char* title) {
    for (int row = 0; row < tree().topLevelItemCount(); ++row)
      if (tree().topLevelItem(row)->text(0) == QString::fromLatin1(title))
        return tree().topLevelItem(row);
    return static_cast<QTreeWidgetItem*>(nullptr);
  };
  QVERIFY(group("old"));
  tree().setCurrentItem(group("old")->child(0));
  auto* tags = find<QLineEdit>("earlierTags");
  tags->selectAll();
  QTest::keyClicks(tags, "new");
  QTest::keyClick(tags, Qt::Key_Return);
  QVERIFY(group("new") && !group("old"));
  QVERIFY(group("other"));
  QVERIFY(group("new")->child(0)->isSelected());
  QCOMPARE(tags->text(), QStringLiteral("new"));
  QTest::keyClicks(tags, "er");
  Q_EMIT tags->editingFinished();
  QTRY_VERIFY(group("newer") && !group("new"));
}

void tst_earlier_run_list::groupsOfDaysAreSortedByTime() {
  for (const char* day : {"20", "21", "22", "23", "24"})
    record(
        QStringLiteral("%1.eqrun").arg(QLatin1StringView(day)),
        qPrintable(QStringLiteral("2026-11-%1T12:00:00Z").arg(QLatin1StringView(day))));
  list(5);
  find<QComboBox>("earlierGrouping")->setCurrentIndex(int(Grouping::Day));
  const auto files = [this] {
    QStringList names;
    for (int row = 0; row < tree().topLevelItemCount(); ++row)
      names << QFileInfo(
                   tree().topLevelItem(row)->child(0)->data(0, Qt::UserRole).toString())
                   .baseName();
    return names;
  };
  const QStringList newestLast{"20", "21", "22", "23", "24"};
  for (const int column : {int(EarlierRunItem::Started), int(EarlierRunItem::Run)}) {
    tree().sortByColumn(column, Qt::AscendingOrder);
    QCOMPARE(files(), newestLast);
  }
}

/// The list shows local time in the locale's format; the file stores ISO 8601 in UTC.
void tst_earlier_run_list::searchFindsTheDisplayedStartTime() {
  record("a.eqrun", "2026-11-20T08:00:00Z");
  record("b.eqrun", "2025-10-01T10:30:00Z");
  list(2);
  const QString seen = tree().topLevelItem(0)->text(EarlierRunItem::Started);
  auto* search = find<QLineEdit>("earlierSearch");
  search->setText(seen);
  QCOMPARE(tree().topLevelItemCount(), 1);
  QCOMPARE(tree().topLevelItem(0)->text(EarlierRunItem::Started), seen);
  search->clear();
  find<QComboBox>("earlierGrouping")->setCurrentIndex(int(Grouping::Day));
  const QString day = tree().topLevelItem(0)->text(0);
  search->setText(day);
  QCOMPARE(tree().topLevelItemCount(), 1);
  QCOMPARE(tree().topLevelItem(0)->text(0), day);
}

EQUIPATCH_TEST(tst_earlier_run_list)
#include "tst_earlier_run_list.moc"
