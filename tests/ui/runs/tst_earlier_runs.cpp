// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/earlier_runs.h"

#include <QMessageBox>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <cmath>
#include <fstream>
#include <optional>

#include "core/record/file/file_claim.h"
#include "core/record/file/run_writer.h"
#include "core/record/file/sqlite.h"
#include "tests/core/record/small_run.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"
#include "ui/runs/earlier_run_items.h"

using namespace equipatch;

class tst_earlier_runs : public test::TestCase {
  Q_OBJECT

  void prepare() override;

 private Q_SLOTS:
  void cleanup() {
    m_dialog.reset();
    m_quiet.reset();
  }
  void runsAreListedNewestFirst();
  void searchFiltersTheRuns();
  void noSearchResultIsShownBeforeTheFirstReading();
  void runsAreGroupedByDayOrModel();
  void typedLabelsAreSaved();
  void rereadingKeepsTheTextCursor();
  void labelsChangedElsewhereAreKept();
  void labelsSetByAnotherProgramAreKept();
  void closingTheProgramSavesTypedLabels();
  void aFailureToSaveLabelsIsShown();
  void notesTooLongToSaveAreNotLost();
  void theFileBeingRecordedIsNotLabelled();
  void aDoubleClickOpensTheRun();
  void severalRunsAreOpened();
  void runsThatEndedEarlyCanBeContinued();
  void severalRunsMoveToTheTrash();
  void aRunContinuedMeanwhileIsNotTrashed();
  void unreadableFilesSayWhy();
  void outlinesShowARunsValuesAndGaps();

 private:
  std::filesystem::path path(const char* name) const {
    return m_folder->filePath(name).toStdString();
  }
  void record(const char* name, const char* time, const char* prompt,
              RunEnding ending = RunEnding::Complete) const;
  template <typename Widget>
  Widget* find(const char* name) const {
    return m_dialog->findChild<Widget*>(QString::fromLatin1(name));
  }
  QTreeWidget& tree() const { return *find<QTreeWidget>("earlierTree"); }
  void select(int row) const { tree().setCurrentItem(tree().topLevelItem(row)); }
  QStringList prompts() const;

  std::optional<test::QuietPlatform> m_quiet;  // made after Qt Test's message handler
  Theme m_theme;
  std::filesystem::path m_recording;
  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<EarlierRunsDialog> m_dialog;
};

void tst_earlier_runs::record(const char* name, const char* time, const char* prompt,
                              RunEnding ending) const {
  const StoredRun run = test::smallRun();
  RunHeader header = *run.header;
  header.modelName = "tiny";
  header.provenance.startTime = time;
  header.request.promptText = prompt;
  RunWriter writer(path(name), header);
  for (const auto& step : run.steps) writer.add(*step);
  writer.finish(ending);
}

void tst_earlier_runs::prepare() {
  m_quiet.emplace();
  m_recording.clear();
  m_folder = std::make_unique<QTemporaryDir>();
  record("a.eqrun", "2026-11-20T08:00:00Z", "Write a rhyme");
  record("b.eqrun", "2026-11-21T08:00:00Z", "What is the capital");
  m_dialog = std::make_unique<EarlierRunsDialog>(m_folder->path().toStdString(), m_theme,
                                                 [this] { return m_recording; });
  m_dialog->open();
  QTRY_COMPARE(tree().topLevelItemCount(), 2);
}

QStringList tst_earlier_runs::prompts() const {
  QStringList texts;
  for (QTreeWidgetItemIterator item(&tree()); *item; ++item)
    if (!(*item)->text(EarlierRunItem::Prompt).isEmpty())
      texts << (*item)->text(EarlierRunItem::Prompt);
  return texts;
}

void tst_earlier_runs::runsAreListedNewestFirst() {
  QCOMPARE(prompts(), (QStringList{"What is the capital", "Write a rhyme"}));
  const QTreeWidgetItem& newest = *tree().topLevelItem(0);
  QCOMPARE(newest.text(EarlierRunItem::Model), QString("tiny"));
  QCOMPARE(newest.text(EarlierRunItem::Equal), QString("1 of 2"));
  QVERIFY(!newest.icon(EarlierRunItem::Run).isNull());
  tree().sortByColumn(EarlierRunItem::Started, Qt::AscendingOrder);
  QCOMPARE(prompts().front(), QString("Write a rhyme"));
}

void tst_earlier_runs::searchFiltersTheRuns() {
  QTest::keyClicks(find<QLineEdit>("earlierSearch"), "rhyme TINY");
  QCOMPARE(prompts(), QStringList{"Write a rhyme"});
  QCOMPARE(find<QLabel>("earlierMessage")->text(), QString("1 of 2 runs"));
  find<QLineEdit>("earlierSearch")->setText("goose");
  QVERIFY(prompts().isEmpty());
}

/// The user may type while a large folder is being read.
void tst_earlier_runs::noSearchResultIsShownBeforeTheFirstReading() {
  m_dialog = std::make_unique<EarlierRunsDialog>(m_folder->path().toStdString(), m_theme,
                                                 [this] { return m_recording; });
  find<QLineEdit>("earlierSearch")->setText("rhyme");
  QVERIFY(find<QLabel>("earlierMessage")->text().isEmpty());
  m_dialog->open();
  QTRY_COMPARE(find<QLabel>("earlierMessage")->text(), QString("1 of 2 runs"));
}

void tst_earlier_runs::runsAreGroupedByDayOrModel() {
  using Grouping = EarlierRunsDialog::Grouping;
  auto* grouping = find<QComboBox>("earlierGrouping");
  grouping->setCurrentIndex(int(Grouping::Day));
  QCOMPARE(tree().topLevelItemCount(), 2);
  QCOMPARE(tree().topLevelItem(0)->childCount(), 1);
  grouping->setCurrentIndex(int(Grouping::Model));
  QCOMPARE(tree().topLevelItemCount(), 1);
  QCOMPARE(tree().topLevelItem(0)->text(0), QString("tiny"));
  QCOMPARE(tree().topLevelItem(0)->childCount(), 2);
  QVERIFY(tree().topLevelItem(0)->isExpanded());
}

void tst_earlier_runs::typedLabelsAreSaved() {
  select(1);
  QSignalSpy labelled(m_dialog.get(), &EarlierRunsDialog::labelled);
  QTest::keyClicks(find<QLineEdit>("earlierName"), "Lina");
  QTest::keyClick(find<QLineEdit>("earlierName"), Qt::Key_Return);
  QVERIFY(m_dialog->isVisible());  // Return opens no run
  QTest::keyClicks(find<QLineEdit>("earlierTags"), "rhyme, paper");
  find<QPlainTextEdit>("earlierNotes")->setPlainText("two\nlines");
  QTRY_VERIFY(readCatalogueRun(path("a.eqrun")).labels ==
              (RunLabels{"Lina", "two\nlines", {"paper", "rhyme"}}));
  QTRY_VERIFY(!labelled.isEmpty());
  QCOMPARE(labelled.back().at(1).toString(), QString("Lina"));
  QCOMPARE(tree().topLevelItem(1)->text(EarlierRunItem::Run),
           QStringLiteral("Lina · float32 balanced closed"));
  select(0);
  QVERIFY(find<QLineEdit>("earlierName")->text().isEmpty());
  select(1);
  QCOMPARE(find<QLineEdit>("earlierTags")->text(), QString("paper, rhyme"));
}

/// For example, a run ends while the user is writing notes.
void tst_earlier_runs::rereadingKeepsTheTextCursor() {
  select(1);
  auto* notes = find<QPlainTextEdit>("earlierNotes");
  QTest::keyClicks(notes, "goos");
  QTRY_COMPARE(readCatalogueRun(path("a.eqrun")).labels.notes, std::string("goos"));
  record("c.eqrun", "2026-11-22T08:00:00Z", "Count to ten");
  m_dialog->refreshShown();
  QTRY_COMPARE(tree().topLevelItemCount(), 3);
  QTest::keyClicks(notes, "e");
  QCOMPARE(notes->toPlainText(), QString("goose"));
}

/// For example, the user renames the run in the list of runs.
void tst_earlier_runs::labelsChangedElsewhereAreKept() {
  select(1);
  const std::string name(200, 'n');  // longer than the field allows
  changeLabels(path("a.eqrun"), {.name = name});
  m_dialog->open();
  QTRY_VERIFY(find<QLineEdit>("earlierName")->text().startsWith("nnn"));
  QTest::keyClicks(find<QLineEdit>("earlierTags"), "paper");
  m_dialog.reset();
  QVERIFY((readCatalogueRun(path("a.eqrun")).labels ==
           RunLabels{.name = name, .notes = {}, .tags = {"paper"}}));
}

/// For example, `equipatch-cli label` sets labels without telling the window.
void tst_earlier_runs::labelsSetByAnotherProgramAreKept() {
  select(1);
  saveLabels(path("a.eqrun"), {.name = "Lina", .notes = "theirs", .tags = {"theirs"}});
  QTest::keyClicks(find<QLineEdit>("earlierTags"), "paper");
  QTest::keyClick(find<QLineEdit>("earlierTags"), Qt::Key_Return);
  const RunLabels both{.name = "Lina", .notes = "theirs", .tags = {"paper"}};
  QTRY_VERIFY(readCatalogueRun(path("a.eqrun")).labels == both);
  m_dialog->open();
  QTRY_COMPARE(find<QLineEdit>("earlierName")->text(), QString("Lina"));
  m_dialog.reset();
  QVERIFY(readCatalogueRun(path("a.eqrun")).labels == both);
}

void tst_earlier_runs::closingTheProgramSavesTypedLabels() {
  select(0);
  QTest::keyClicks(find<QLineEdit>("earlierName"), "last words");
  m_dialog.reset();
  QCOMPARE(readCatalogueRun(path("b.eqrun")).labels.name, std::string("last words"));
}

void tst_earlier_runs::aFailureToSaveLabelsIsShown() {
  select(0);
  std::filesystem::remove(path("b.eqrun"));
  QTest::keyClicks(find<QLineEdit>("earlierName"), "gone");
  QTRY_VERIFY(find<QLabel>("earlierMessage")->text().contains("no such run file"));
  QCOMPARE(find<QLineEdit>("earlierName")->text(), QString("gone"));
}

/// A run file has notes of at most 100'000 bytes.
void tst_earlier_runs::notesTooLongToSaveAreNotLost() {
  select(1);
  QTest::keyClicks(find<QLineEdit>("earlierTags"), "paper");
  QTRY_VERIFY(readCatalogueRun(path("a.eqrun")).labels.tags ==
              std::vector<std::string>{"paper"});
  const QString notes(100'001, u'n');
  find<QPlainTextEdit>("earlierNotes")->setPlainText(notes);
  QTRY_VERIFY(find<QLabel>("earlierMessage")->text().contains("notes"));
  select(0);
  select(1);
  QCOMPARE(find<QPlainTextEdit>("earlierNotes")->toPlainText().size(), notes.size());
  QCOMPARE(find<QLineEdit>("earlierTags")->text(), QString("paper"));
  find<QPlainTextEdit>("earlierNotes")->setPlainText("short");
  QTRY_COMPARE(readCatalogueRun(path("a.eqrun")).labels.notes, std::string("short"));
  QCOMPARE(readCatalogueRun(path("a.eqrun")).labels.tags,
           std::vector<std::string>{"paper"});
}

void tst_earlier_runs::theFileBeingRecordedIsNotLabelled() {
  m_recording = path("b.eqrun");
  select(0);
  QVERIFY(!find<QLineEdit>("earlierName")->isEnabled());
  QVERIFY(!find<QPushButton>("earlierTrash")->isEnabled());
  select(1);
  QVERIFY(find<QLineEdit>("earlierName")->isEnabled());
}

void tst_earlier_runs::aDoubleClickOpensTheRun() {
  QSignalSpy opens(m_dialog.get(), &EarlierRunsDialog::openRequested);
  select(1);
  Q_EMIT tree().itemActivated(tree().topLevelItem(1), 0);
  QCOMPARE(opens.count(), 1);
  QCOMPARE(opens[0][0].toString(), m_folder->filePath("a.eqrun"));
  QVERIFY(!m_dialog->isVisible());
}

/// The first run of the list is opened last, so that it stays on display.
void tst_earlier_runs::severalRunsAreOpened() {
  QSignalSpy opens(m_dialog.get(), &EarlierRunsDialog::openRequested);
  select(1);
  tree().topLevelItem(0)->setSelected(true);
  auto* open = find<QPushButton>("earlierOpen");
  QVERIFY(open->text().contains(u'2'));
  open->click();
  QCOMPARE(opens.count(), 2);
  QCOMPARE(opens[0][0].toString(), m_folder->filePath("a.eqrun"));
  QCOMPARE(opens[1][0].toString(), m_folder->filePath("b.eqrun"));
  select(0);
  QVERIFY(!open->text().contains(u'2'));
}

void tst_earlier_runs::runsThatEndedEarlyCanBeContinued() {
  QSignalSpy continues(m_dialog.get(), &EarlierRunsDialog::continueRequested);
  auto* button = find<QPushButton>("earlierContinue");
  select(0);
  QVERIFY(!button->isEnabled());
  std::filesystem::remove(path("a.eqrun"));
  record("a.eqrun", "2026-11-20T08:00:00Z", "Write a rhyme", RunEnding::Stopped);
  m_dialog->open();
  const auto says = [&] { return tree().topLevelItem(1)->text(EarlierRunItem::Steps); };
  QTRY_VERIFY(says().contains(QStringLiteral("stopped")));
  select(1);
  QVERIFY(button->isEnabled());
  button->click();
  QCOMPARE(continues.count(), 1);
  QCOMPARE(continues[0][0].toString(), m_folder->filePath("a.eqrun"));
  // A complete run can also be continued if one of its steps cannot be read.
  SqlDatabase::openToChange(path("b.eqrun"))
      ->execute("UPDATE steps SET match = 7 WHERE step = 1");
  m_dialog->open();
  QTRY_VERIFY(tree().topLevelItem(0)->text(EarlierRunItem::Steps).startsWith(u'1'));
  select(0);
  QVERIFY(button->isEnabled() && find<QPushButton>("earlierOpen")->isEnabled());
  QVERIFY(tree().topLevelItem(0)->toolTip(EarlierRunItem::Run).contains("expected 0 or"));
}

void tst_earlier_runs::severalRunsMoveToTheTrash() {
  record("c.eqrun", "2026-11-22T08:00:00Z", "Count to ten");
  record("d.eqrun", "2026-11-23T08:00:00Z", "Being recorded");
  m_recording = path("d.eqrun");
  m_dialog->refreshShown();
  QTRY_COMPARE(tree().topLevelItemCount(), 4);
  select(1);
  for (const int row : {0, 2}) tree().topLevelItem(row)->setSelected(true);
  const auto* trash = find<QPushButton>("earlierTrash");
  QVERIFY(trash->isEnabled() && trash->text().contains(u'2'));
  QVERIFY(!find<QLineEdit>("earlierName")->isEnabled());
  m_dialog->refreshShown();
  find<QLineEdit>("earlierSearch")->setText("tiny");
  QCOMPARE(tree().selectedItems().size(), 3);
  bool hasNumber = false;
  const auto answer = [&](const char* choice) {
    QTest::keyClick(&tree(), Qt::Key_Delete);
    auto* box = find<QMessageBox>("trashQuestion");
    hasNumber = box->text().contains(u'2');
    for (QAbstractButton* button : box->buttons())
      if (button->text() == QString::fromLatin1(choice)) button->click();
    QTRY_VERIFY(!find<QMessageBox>("trashQuestion"));
  };
  const QSignalSpy removed(m_dialog.get(), &EarlierRunsDialog::removed);
  answer("Keep them");
  QVERIFY(hasNumber && removed.isEmpty() && std::filesystem::exists(path("b.eqrun")));
  {
    const FileClaim others = FileClaim::take(path("b.eqrun"));  // as another window does
    answer("Move them");
    QTRY_VERIFY(find<QLabel>("earlierMessage")->text().contains("is being recorded"));
    QVERIFY(std::filesystem::exists(path("b.eqrun")));
  }
  QTRY_COMPARE(tree().topLevelItemCount(), 3);
  tree().clearSelection();
  tree().topLevelItem(1)->setSelected(true);
  answer("Move it");
  QCOMPARE(removed.count(), 2);
  QTRY_VERIFY2(prompts() == (QStringList{"Being recorded", "Write a rhyme"}),
               qPrintable(find<QLabel>("earlierMessage")->text()));
  tree().topLevelItem(1)->setSelected(true);
  std::filesystem::remove(path("a.eqrun"));
  answer("Move it");
  QTRY_VERIFY(find<QLabel>("earlierMessage")->text().contains("cannot be moved"));
  QVERIFY(!std::filesystem::exists(path("b.eqrun")) &&
          !std::filesystem::exists(path("c.eqrun")));
}

/// A continued run begins only after its model is loaded. Meanwhile the user may ask to
/// trash the run.
void tst_earlier_runs::aRunContinuedMeanwhileIsNotTrashed() {
  select(1);
  QTest::keyClick(&tree(), Qt::Key_Delete);
  m_recording = path("a.eqrun");
  for (QAbstractButton* button : find<QMessageBox>("trashQuestion")->buttons())
    if (button->text() == QStringLiteral("Move it")) button->click();
  QTRY_VERIFY(find<QLabel>("earlierMessage")->text().contains("is being recorded"));
  QVERIFY(std::filesystem::exists(path("a.eqrun")));
}

void tst_earlier_runs::unreadableFilesSayWhy() {
  std::ofstream(path("text.eqrun")) << "not a database, but long enough to be looked at";
  m_dialog->open();
  QTRY_COMPARE(tree().topLevelItemCount(), 3);
  find<QLineEdit>("earlierSearch")->setText("text.eqrun");
  QCOMPARE(tree().topLevelItemCount(), 1);
  QVERIFY(prompts().front().contains("not a run file"));
  select(0);
  QVERIFY(!find<QPushButton>("earlierOpen")->isEnabled());
  QTest::keyClick(&tree(), Qt::Key_Delete);
  auto* box = find<QMessageBox>("trashQuestion");
  QCOMPARE(box->text(), QStringLiteral("Move the run “text.eqrun” to the trash?"));
  box->close();
}

void tst_earlier_runs::outlinesShowARunsValuesAndGaps() {
  const auto pictureOf = [this](const std::vector<double>& linf) {
    return outlinePicture(linf, m_theme.colours(), QSize(40, 20), 1.0).toImage();
  };
  QVERIFY(pictureOf({1.0, 2.0, 300.0}) != pictureOf({300.0, 2.0, 1.0}));
  const QImage broken = pictureOf({1.0, NAN, 1.0});
  bool isRed = false;
  for (int y = 0; y < broken.height(); ++y) {
    const QColor colour = broken.pixelColor(20, y);
    isRed = isRed || colour.red() - colour.green() > 60;  // false for white
  }
  QVERIFY(isRed);
  // An isolated value is visible, both in a run of one step and between gaps.
  const QImage empty = pictureOf({});
  QVERIFY(pictureOf({1.0}) != empty);
  const QRect middle(10, 0, 20, 20);
  QVERIFY(pictureOf({NAN, 1.0, NAN}).copy(middle) != empty.copy(middle));
}

EQUIPATCH_TEST(tst_earlier_runs)
#include "tst_earlier_runs.moc"
