#include "ui/runs/difference_dialog.h"

#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

class tst_difference_dialog : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void tellsAndWalks() {
    const test::QuietPlatform quiet;
    RunDifferenceSides sides{QStringLiteral("one"), QStringLiteral("two"), {}, {}};
    for (int i = 0; i < 5; ++i) {
      sides.a.push_back(test::makeRecord(i));
      StepRecord step = *test::makeRecord(i);
      if (i == 3) step.continued = TokenId(4711);
      sides.b.push_back(std::make_shared<const StepRecord>(step));
    }
    DifferenceDialog dialog(sides);
    QVERIFY(dialog.summary().startsWith(QStringLiteral("A is one, B is two.")));
    QVERIFY(dialog.summary().contains(QStringLiteral("part at step 3")));
    dialog.selectNext();
    QCOMPARE(dialog.table()->currentIndex().row(), 3);
    const QStringList lines = dialog.text().split(u'\n');
    QCOMPARE(lines.size(), 6);
    QCOMPARE(lines.front().count(u'\t'), 6);
    QVERIFY(lines.at(4).startsWith(QStringLiteral("3 ≠\t")));
  }
};

EQUIPATCH_TEST(tst_difference_dialog)
#include "tst_difference_dialog.moc"
