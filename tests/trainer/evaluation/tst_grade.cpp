#include "trainer/evaluation/grade.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_grade : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void whatIsFreeMustMentionEverything() {
    Document document{.mentions = {"Mars", "cat"}};
    document.give("…").answer("\nThis cat sees rain on Mars.");
    QVERIFY(isRight(document, "\nOn Mars the cat is happy."));
    QVERIFY(!isRight(document, "\nOn Mars the dog is happy."));
    QVERIFY(!isRight(document, "\nOn mars the cat is happy."));
    QVERIFY(!isRight(document, ""));
  }

  void whatIsNotMustBeAsWritten() {
    Document document;
    document.give("1 and 1. Answer:").answer(" 2");
    QVERIFY(isRight(document, " 2"));
    QVERIFY(!isRight(document, "2"));
    QVERIFY(!isRight(document, " 23"));
    QVERIFY(!isRight(document, ""));
  }
};

EQUIPATCH_TEST(tst_grade)
#include "tst_grade.moc"
