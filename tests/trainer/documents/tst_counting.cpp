#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::between;
using equipatch::test::documentsOf;
using equipatch::test::wordsOf;

class tst_counting : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void countsAreRight() {
    int seen = 0;
    for (const Document& document : documentsOf(Skill::Counting, 300)) {
      const std::string word = between(document.text, "the word ", " occur");
      if (word.empty()) continue;
      ++seen;
      const auto row = wordsOf(between(document.text, "here? ", ". Answer"));
      QCOMPARE(std::string(document.lastAnswer()),
               " " + std::to_string(std::ranges::count(row, word)));
    }
    QVERIFY(seen > 150);
  }

  void countingGoesFromOneEndToTheOther() {
    int seen = 0;
    for (const Document& document : documentsOf(Skill::Counting, 300)) {
      const std::string from = between(document.text, "Count from ", " to ");
      if (from.empty()) continue;
      ++seen;
      const int first = std::stoi(from);
      const int last = std::stoi(between(document.text, " to ", "."));
      std::string expected;
      for (int i = first; i != last; i += first < last ? 1 : -1)
        expected += " " + std::to_string(i);
      QCOMPARE(std::string(document.lastAnswer()), expected + " " + std::to_string(last));
    }
    QVERIFY(seen > 30);
  }
};

EQUIPATCH_TEST(tst_counting)
#include "tst_counting.moc"
