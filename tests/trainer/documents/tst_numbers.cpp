// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>

#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::between;
using equipatch::test::documentsOf;
using equipatch::test::wordsOf;

class tst_numbers : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void answersCountTheOccurrencesOfTheWord() {
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

  void countingCoversTheRange() {
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

EQUIPATCH_TEST(tst_numbers)
#include "tst_numbers.moc"
