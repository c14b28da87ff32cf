// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/evaluation/examination.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_report : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theReportShowsPercentagesAndSamples() {
    Examination found;
    found.skills[Skill::Forecast] = {.prompts = 8,
                                     .right = 7,
                                     .ended = 8,
                                     .steps = 100,
                                     .matches = 99,
                                     .rightWithoutContext = 1};
    found.byExamples[3] = {.prompts = 8, .right = 2, .steps = 10, .matches = 10};
    Document document;
    document.give("Ask.").answer("\nRight.");
    found.samples[Skill::Forecast] = {document, {.text = "\nWritten."}};
    const QString report = QString::fromStdString(reportOf(found));
    QVERIFY(report.contains("Of 8 held-out prompts"));
    QVERIFY(report.contains("| forecast | 87.5 % | 12.5 % | 100.0 % | 99.0 % of 100 |"));
    QVERIFY(report.contains("| 3 | 25.0 % | 0.0 % | 0.0 % | 100.0 % of 10 |"));
    QVERIFY(report.contains("> Ask.\n> **Written.**"));
  }

  void aReportReplacesOnlyItsPartOfTheCard() {
    const std::string card =
        "Title\n<!-- measured: begin -->\nold\n<!-- measured: end -->\nFoot\n";
    QCOMPARE(withReport(card, "new\n"),
             "Title\n<!-- measured: begin -->\nnew\n<!-- measured: end -->\nFoot\n");
    QVERIFY_ERROR(withReport("Title\n", "new\n"), "measured: begin", "measured: end");
    QVERIFY_ERROR(
        withReport("<!-- measured: end -->\n<!-- measured: begin -->\n", "new\n"),
        "measured: begin");
  }
};

EQUIPATCH_TEST(tst_report)
#include "tst_report.moc"
