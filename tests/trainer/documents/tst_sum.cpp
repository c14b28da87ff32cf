#include <QRegularExpression>

#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::documentsOf;

class tst_sum : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theSumIsRight() {
    const QRegularExpression story(
        "^(\\w+) has (\\d+) (\\w+)\\. (\\w+) (gives|takes) (\\d+) .* (\\w+)\\. How many "
        "(\\w+) does (\\w+) have now\\? Answer: (\\d+)$");
    for (const Document& document : documentsOf(Skill::Sum, 300)) {
      const auto parts = story.match(QString::fromStdString(document.text));
      QVERIFY2(parts.hasMatch(), document.text.c_str());
      QCOMPARE(parts.captured(1), parts.captured(9));
      QCOMPARE(parts.captured(1), parts.captured(7));
      QCOMPARE(parts.captured(3), parts.captured(8));
      const int sign = parts.captured(5) == "gives" ? 1 : -1;
      const int now = parts.captured(2).toInt() + sign * parts.captured(6).toInt();
      QCOMPARE(parts.captured(10).toInt(), now);
      QVERIFY(now >= 0);
    }
  }
};

EQUIPATCH_TEST(tst_sum)
#include "tst_sum.moc"
