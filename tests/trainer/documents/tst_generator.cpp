// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>
#include <set>

#include "tests/support/test_case.h"
#include "tests/trainer/word_folder.h"
#include "trainer/documents/document.h"
#include "trainer/documents/generator.h"

using namespace equipatch;
using equipatch::test::wordLists;

class tst_generator : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void answersAreRecordedAsByteSpans() {
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

  void aDocumentIsReproducible() {
    const Generator one(wordLists(), Split::Training, 3);
    const Generator same(wordLists(), Split::Training, 3);
    const Generator other(wordLists(), Split::Training, 4);
    int equal = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
      QCOMPARE(one.document(i).text, same.document(i).text);
      equal += one.document(i).text == other.document(i).text ? 1 : 0;
    }
    QVERIFY(equal < 5);
  }

  /// The texts must not depend on the order in which a compiler evaluates the parts of an
  /// expression that draw random numbers.
  void documentsEqualTheExpectedTexts() {
    const Generator generator(wordLists(), Split::Training, 1);
    QCOMPARE(generator.document(Skill::Rhyme, 1).text,
             "Make a short poem for Rit and the bear.\n"
             "Hungry Rit went to find the bear,\nthen drew a picture of the chair.");
    QCOMPARE(generator.document(Skill::Counting, 0).text,
             "How often does the word chin occur here? chin chin. Answer: 2");
    QCOMPARE(generator.document(Skill::Copy, 1).text,
             "Repeat this without bridros: bridros plin pakskak. Answer: plin pakskak");
  }

  void skillsOccurInTheExpectedProportions() {
    const Generator generator(wordLists(), Split::Training, 1);
    std::map<Skill, int> counts;
    for (std::uint64_t i = 0; i < 4000; ++i) ++counts[generator.document(i).skill];
    QCOMPARE(counts.size(), std::size_t{kSkills});
    QVERIFY(counts[Skill::Invented] > 680 && counts[Skill::Invented] < 920);
    QVERIFY(counts[Skill::Sum] > 140 && counts[Skill::Sum] < 260);
  }

  void skillAndExamplesCanBeChosen() {
    const Generator generator(wordLists(), Split::HeldOut, 1);
    for (int i = 0; i < kSkills; ++i)
      QCOMPARE(generator.document(static_cast<Skill>(i), 0).skill, static_cast<Skill>(i));
    for (const Skill skill : {Skill::Relation, Skill::Invented})
      for (int examples = 1; examples <= 8; ++examples) {
        const Document document = generator.document(skill, 5, examples);
        QCOMPARE(std::ranges::count(document.text, ';'), examples);
      }
  }

  /// The test does not use the hash that decides the split.
  void heldOutFreshPartsAreNotInTrainingText() {
    const Generator training(wordLists(), Split::Training, 1);
    const Generator heldOut(wordLists(), Split::HeldOut, 2);
    std::set<std::string> trained;
    for (std::uint64_t i = 0; i < 20000; ++i)
      for (std::string& thing : training.document(i).fresh)
        trained.insert(std::move(thing));
    for (std::uint64_t i = 0; i < 3000; ++i)
      for (const std::string& thing : heldOut.document(i).fresh)
        QVERIFY2(!trained.contains(thing), thing.c_str());
  }

  void everyDocumentEndsWithItsAnswer() {
    const Generator generator(wordLists(), Split::Training, 9);
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const Document document = generator.document(i);
      QVERIFY(!document.answers.empty() && !document.fresh.empty());
      QCOMPARE(document.answers.back().end, document.text.size());
      // Answers begin with a space or newline, so that no token spans prompt and answer.
      for (const ByteSpan& answer : document.answers)
        QVERIFY(std::string(" \n").find(document.text[answer.begin]) !=
                std::string::npos);
    }
  }
};

EQUIPATCH_TEST(tst_generator)
#include "tst_generator.moc"
