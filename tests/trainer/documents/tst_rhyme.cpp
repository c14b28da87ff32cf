// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::documentsOf;
using equipatch::test::wordLists;
using equipatch::test::wordsOf;

class tst_rhyme : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void twoLinesRhyme() {
    const auto documents = documentsOf(Skill::Rhyme, 200);
    QCOMPARE(documents.size(), std::size_t{200});
    for (const Document& document : documents) {
      const std::string answer(document.lastAnswer());
      const std::size_t turn = answer.find(",\n");
      QVERIFY(turn != std::string::npos);
      const std::string first = wordsOf(answer.substr(0, turn)).back();
      const std::string second = wordsOf(answer.substr(turn)).back();
      QVERIFY(first != second);
      QVERIFY2(std::ranges::any_of(wordLists().rhymes(),
                                   [&](const Words& group) {
                                     return std::ranges::count(group, first) > 0 &&
                                            std::ranges::count(group, second) > 0;
                                   }),
               answer.c_str());
    }
  }

  void theRhymeContainsNameAndThing() {
    for (const Document& document : documentsOf(Skill::Rhyme, 200)) {
      QVERIFY(document.mentions.size() >= 2);
      for (const std::string& thing : document.mentions) {
        QVERIFY(document.prompt().find(thing) != std::string_view::npos);
        QVERIFY(document.lastAnswer().find(thing) != std::string_view::npos);
      }
    }
  }
};

EQUIPATCH_TEST(tst_rhyme)
#include "tst_rhyme.moc"
