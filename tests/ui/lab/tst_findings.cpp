#include "ui/lab/findings.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_findings : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void numbersStandBesideThePapers() {
    LabResult result;
    result.scalars = {{"mean difference", 2.5e-7, "", 1e-7}, {"loss", 0.5, "nats", {}}};
    const QString text = findingsText(result);
    QVERIFY(text.contains(QStringLiteral("2.50×10⁻⁷")) ||
            text.contains(QStringLiteral("2.5×10⁻⁷")));
    QCOMPARE(text.count(QStringLiteral("paper: about")), 1);
    QVERIFY(text.contains(QStringLiteral("nats")));
  }

  void wordsAreNoMarkup() {
    LabResult result;
    result.scalars = {{"<b>a & b</b>", 1.0, "<i>", {}}};
    result.notes = {"the token <s>"};
    const QString text = findingsText(result);
    QVERIFY(text.contains(QStringLiteral("&lt;b&gt;a &amp; b&lt;/b&gt;")));
    QVERIFY(text.contains(QStringLiteral("the token &lt;s&gt;")));
    QVERIFY(!text.contains(QStringLiteral("<i>")));
  }
};

EQUIPATCH_TEST(tst_findings)
#include "tst_findings.moc"
