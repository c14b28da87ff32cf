// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_labeller.h"

#include <QTemporaryDir>

#include "core/record/file/run_writer.h"
#include "core/record/run_catalogue.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_run_labeller : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void eachRunIsLabelledOnce() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("run.eqrun").toStdString();
    {
      RunHeader header = *test::makeHeader();
      header.request.prompt = {{.id = TokenId(1)}};
      RunWriter writer(file, header);
      writer.finish(RunEnding::Complete);
    }
    const auto nameOf = [&] { return readCatalogueRun(file).labels.name; };
    {
      RunLabeller labeller;
      labeller.label(file);  // there are no labels yet, so this does not count
      labeller.setLabels({.name = "first"});
      labeller.label(file);
      QTRY_COMPARE(nameOf(), std::string("first"));
      saveLabels(file, {.name = "the user's"});
      labeller.label(file);
      labeller.label({});                                     // was not recorded
      labeller.label(folder.filePath("gone").toStdString());  // was moved
    }
    QCOMPARE(nameOf(), std::string("the user's"));
  }
};

EQUIPATCH_TEST(tst_run_labeller)
#include "tst_run_labeller.moc"
