#include "trainer/documents/document.h"

#include <set>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_document : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void remembersWhichPartsAreAnswers() {
    Document document;
    document.give("one ").answer("two").give(" three ").answer("four");
    QCOMPARE(document.text, "one two three four");
    QCOMPARE(document.answers, (std::vector<ByteSpan>{{4, 7}, {14, 18}}));
    QCOMPARE(document.prompt(), "one two three ");
    QCOMPARE(document.lastAnswer(), "four");
  }

  void everySkillHasAName() {
    std::set<std::string_view> names;
    for (int i = 0; i < kSkills; ++i) names.insert(skillName(static_cast<Skill>(i)));
    QCOMPARE(names.size(), std::size_t{kSkills});
    QVERIFY(!names.contains(""));
  }
};

EQUIPATCH_TEST(tst_document)
#include "tst_document.moc"
