// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProgressDialog>
#include <QPushButton>
#include <QTemporaryDir>

#include "tests/gui/story.h"
#include "tests/support/test_case.h"
#include "ui/export/page_dialog.h"

using namespace equipatch;
using equipatch::test::Phase;
using equipatch::test::Story;

/// Runs become a web page.
class tst_story_page : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aPageShowsTheTickedRuns();
  void aPageHasTheStepsKnownWhenItIsWritten();
  void pagesAreWrittenOneAfterAnother();
  void aRefusedPageKeepsTheChosenRuns();
};

void tst_story_page::aPageShowsTheTickedRuns() {
  Story story;
  story.find<QPushButton>("runGrid")->click();
  QTRY_COMPARE(story.engine.runs(), 4);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  RunList& runs = story.window.runs();
  runs.setData(runs.index(0, RunList::Name), QStringLiteral("<b>reference"),
               Qt::EditRole);
  runs.setShown(2, false);
  story.window.command("exportPage")->trigger();
  auto* choice = story.find<PageDialog>("pageRuns");
  QVERIFY(choice && choice->isVisible());
  QCOMPARE(choice->list()->count(), 3);
  QStringList listed;
  for (int row = 0; row < 3; ++row) listed << choice->list()->item(row)->text();
  QCOMPARE(listed, (QStringList{QStringLiteral("bfloat16 balanced closed"),
                                QStringLiteral("<b>reference"),
                                QStringLiteral("bfloat16 direct open")}));
  for (int row = 0; row < 3; ++row)
    choice->list()->item(row)->setCheckState(Qt::Unchecked);
  QVERIFY(!choice->saveButton()->isEnabled());
  for (int row = 0; row < 3; ++row) choice->list()->item(row)->setCheckState(Qt::Checked);
  choice->saveButton()->click();
  auto* dialog = story.find<QFileDialog>("pageDialog");
  QVERIFY(dialog && dialog->isVisible());
  const QTemporaryDir folder;
  QCOMPARE(dialog->directory(), QDir::home());
  dialog->setDirectory(folder.path());
  dialog->selectFile(QStringLiteral("page"));
  static_cast<QDialog*>(dialog)->accept();
  QFile file(folder.filePath(QStringLiteral("page.html")));
  QTRY_COMPARE(story.window.messages().text(),
               QStringLiteral("Saved %1, with 3 runs")
                   .arg(QDir::toNativeSeparators(file.fileName())));
  QVERIFY(file.open(QIODevice::ReadOnly));
  const QByteArray page = file.readAll();
  const QByteArray start = "id=\"data\">";
  const qsizetype begin = page.indexOf(start) + start.size();
  const QByteArray data = page.mid(begin, page.indexOf("</script>", begin) - begin);
  const QJsonArray shown = QJsonDocument::fromJson(data).object()["runs"].toArray();
  QStringList names;
  for (const QJsonValue& run : shown) names << run.toObject()["name"].toString();
  QCOMPARE(names, QStringList({QStringLiteral("bfloat16 balanced closed"),
                               QStringLiteral("<b>reference"),
                               QStringLiteral("bfloat16 direct open")}));
  const QJsonObject own = shown[0].toObject();
  QCOMPARE(own["steps"].toArray().size(), 20);
  QCOMPARE(own["ending"].toString(), QStringLiteral("20 steps"));
  const QJsonObject map = own["charts"].toObject()["map"].toObject();
  QVERIFY(!map["steps"].toArray()[7].toObject()["cells"].toString().isEmpty());
  QTRY_VERIFY(!story.window.findChild<PageDialog*>());
  story.window.command("exportPage")->trigger();  // begins in the same folder
  for (const int row : {1, 2})
    story.find<PageDialog>("pageRuns")->list()->item(row)->setCheckState(Qt::Unchecked);
  story.find<PageDialog>("pageRuns")->saveButton()->click();
  auto* again = story.window.findChildren<QFileDialog*>().last();
  QVERIFY(again->isVisible());
  QCOMPARE(again->directory(), QDir(folder.path()));
  again->selectFile(QStringLiteral("one"));
  static_cast<QDialog*>(again)->accept();
  const QString one = folder.filePath(QStringLiteral("one.html"));
  QTRY_COMPARE(story.window.messages().text(),
               QStringLiteral("Saved %1").arg(QDir::toNativeSeparators(one)));
}

/// The run goes on while the user chooses the page's file.
void tst_story_page::aPageHasTheStepsKnownWhenItIsWritten() {
  Story story;
  story.window.command("step")->trigger();
  QTRY_COMPARE(story.phase(), Phase::Paused);
  QCOMPARE(story.steps(), 1);
  story.window.command("exportPage")->trigger();
  auto* dialog = story.find<QFileDialog>("pageDialog");
  QVERIFY(dialog && dialog->isVisible());
  story.window.command("run")->trigger();
  QTRY_COMPARE(story.phase(), Phase::Idle);
  QCOMPARE(story.steps(), 20);
  const QTemporaryDir folder;
  dialog->setDirectory(folder.path());
  QFile file(dialog->selectedFiles().value(0));
  static_cast<QDialog*>(dialog)->accept();
  QTRY_VERIFY(file.exists());
  QVERIFY(file.open(QIODevice::ReadOnly));
  QVERIFY(file.readAll().contains("\"ending\":\"20 steps\""));
}

/// A page that is chosen while another is being written is refused; the window goes on.
void tst_story_page::pagesAreWrittenOneAfterAnother() {
  Story story;
  story.window.command("run")->trigger();
  QTRY_COMPARE(story.phase(), Phase::Idle);
  story.window.command("exportPage")->trigger();
  auto* choice = story.window.findChild<PageDialog*>();
  QVERIFY(choice);
  const QTemporaryDir folder;
  const QString one = folder.filePath(QStringLiteral("one.html"));
  const QString two = folder.filePath(QStringLiteral("two.html"));
  Q_EMIT choice->fileChosen(one);
  QVERIFY(story.window.messages().text().isEmpty());  // it is not written yet
  QVERIFY(story.find<QProgressDialog>("saveProgress"));
  Q_EMIT choice->fileChosen(two);
  QVERIFY(
      story.window.messages().text().contains(QStringLiteral("is still being saved")));
  QTRY_VERIFY(!story.find<QProgressDialog>("saveProgress"));
  Q_EMIT choice->fileChosen(two);
  QTRY_VERIFY(QFile::exists(two));
  QVERIFY(QFile::exists(one));
  QTRY_VERIFY(!story.find<QProgressDialog>("saveProgress"));
}

/// The choice is kept even when the page before, which has other runs, is written.
void tst_story_page::aRefusedPageKeepsTheChosenRuns() {
  Story story;
  story.find<QPushButton>("runGrid")->click();
  QTRY_COMPARE(story.engine.runs(), 4);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  story.window.command("exportPage")->trigger();
  auto* choice = story.find<PageDialog>("pageRuns");
  QVERIFY(choice);
  const QTemporaryDir folder;
  choice->list()->item(1)->setCheckState(Qt::Unchecked);
  Q_EMIT choice->fileChosen(folder.filePath(QStringLiteral("one.html")));
  choice->list()->item(2)->setCheckState(Qt::Unchecked);
  Q_EMIT choice->fileChosen(folder.filePath(QStringLiteral("two.html")));
  const PageDialog::Headers leftOut = choice->leftOut();
  QCOMPARE(leftOut.size(), std::size_t{2});
  choice->close();
  QTRY_VERIFY(story.window.messages().text().startsWith(QStringLiteral("Saved ")));
  QTRY_VERIFY(!story.window.findChild<PageDialog*>());
  story.window.command("exportPage")->trigger();
  QVERIFY(story.find<PageDialog>("pageRuns")->leftOut() == leftOut);
}

EQUIPATCH_TEST(tst_story_page)
#include "tst_story_page.moc"
