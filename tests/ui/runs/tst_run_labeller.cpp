// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_labeller.h"

#include <QTemporaryDir>

#include "core/record/run_catalogue.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_run_labeller : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aNewNameLeavesNotesAndTags() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("run.eqrun").toStdString();
    test::recordRun(*test::makeHeader(), {}, file);
    saveLabels(file, {.name = "old", .notes = "n", .tags = {"a"}});
    std::string read;
    {
      RunLabeller labeller;
      labeller.rename(file, "new", false);
      labeller.readName(file, [&read](const std::string& name) { read = name; });
    }
    QCOMPARE(read, std::string("new"));
    QVERIFY((readCatalogueRun(file).labels ==
             RunLabels{.name = "new", .notes = "n", .tags = {"a"}}));
  }

  void aRunInProgressIsNamedAfterItsEnd() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("run.eqrun").toStdString();
    test::recordRun(*test::makeHeader(), {}, file);
    std::string read;
    {
      RunLabeller labeller;
      labeller.rename(file, "mine", true);
      labeller.readName(file, [&read](const std::string& name) { read = name; });
    }
    QCOMPARE(read, std::string());
    // A window that is closed during the run does not see its end.
    QCOMPARE(readCatalogueRun(file).labels.name, std::string("mine"));
    saveLabels(file, {});
    {
      RunLabeller labeller;
      labeller.setLabels({.name = "series", .tags = {"a"}});
      labeller.begin(file);
      labeller.setLabels({});  // of later runs
      labeller.rename(file, "mine", true);
      labeller.label(file);
    }
    QVERIFY((readCatalogueRun(file).labels == RunLabels{.name = "mine", .tags = {"a"}}));
  }

  void aContinuedRunKeepsTheUsersLabels() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("run.eqrun").toStdString();
    test::recordRun(*test::makeHeader(), {}, file);
    const RunLabels own{.name = {}, .notes = "the user's", .tags = {"a"}};
    saveLabels(file, own);
    {
      RunLabeller labeller;
      labeller.setLabels({.tags = {"lesson"}});
      labeller.begin(file);
      labeller.label(file);
    }
    QVERIFY(readCatalogueRun(file).labels == own);
  }

  void aNameThatCannotBeSavedIsReported() {
    std::string sentence;
    {
      RunLabeller labeller([&sentence](const std::string& text) { sentence = text; });
      labeller.rename("/nowhere/run.eqrun", "mine", false);
    }
    QVERIFY2(sentence.find("run.eqrun") != std::string::npos, sentence.c_str());
  }

  void eachRunIsLabelledOnce() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("run.eqrun").toStdString();
    test::recordRun(*test::makeHeader(), {}, file);
    const auto nameOf = [&] { return readCatalogueRun(file).labels.name; };
    {
      RunLabeller labeller;
      labeller.begin(file);  // there are no labels yet, so this does not count
      labeller.label(file);
      labeller.setLabels({.name = "first"});
      labeller.begin(file);
      labeller.label(file);
      QTRY_COMPARE(nameOf(), std::string("first"));
      saveLabels(file, {});  // as a user who removes them
      const std::filesystem::path gone = folder.filePath("gone").toStdString();  // moved
      for (const auto& each : {file, std::filesystem::path(), gone}) {
        labeller.begin(each);
        labeller.label(each);
      }
    }
    QCOMPARE(nameOf(), std::string());
  }
};

EQUIPATCH_TEST(tst_run_labeller)
#include "tst_run_labeller.moc"
