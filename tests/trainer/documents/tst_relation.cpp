#include <set>

#include "tests/support/test_case.h"
#include "tests/trainer/documents/examples_of.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::documentsOf;
using equipatch::test::examplesOf;
using equipatch::test::wordLists;

namespace {

using Pair = WordPairs::value_type;

/// Whether one relation, read in one direction, explains all examples.
bool isOneRelation(const WordPairs& examples) {
  for (const std::string& name : wordLists().pairNames()) {
    const WordPairs& pairs = wordLists().pairs(name);
    const auto holds = [&](bool forwards) {
      return std::ranges::all_of(examples, [&](const Pair& example) {
        const Pair pair = forwards ? example : Pair(example.second, example.first);
        return std::ranges::count(pairs, pair) > 0;
      });
    };
    if (holds(true) || holds(false)) return true;
  }
  return false;
}

}  // namespace

class tst_relation : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void allExamplesAreOfOneRelation() {
    for (const Document& document : documentsOf(Skill::Relation, 200)) {
      const WordPairs examples = examplesOf(document);
      QCOMPARE(examples.size(), std::size_t{9});
      QVERIFY2(isOneRelation(examples), document.text.c_str());
    }
  }

  void theQuestionIsNoneOfTheExamples() {
    for (const Document& document : documentsOf(Skill::Relation, 200)) {
      const WordPairs examples = examplesOf(document);
      QCOMPARE(std::set<Pair>(examples.begin(), examples.end()).size(), examples.size());
      QCOMPARE(" " + examples.back().second, std::string(document.lastAnswer()));
    }
  }

  void aSingleQuestionHasNoExamples() {
    const Document document = documentsOf(Skill::Relation, 1, 1).front();
    QCOMPARE(examplesOf(document).size(), std::size_t{2});
    QCOMPARE(document.answers.size(), std::size_t{1});  // the first line is only given
  }
};

EQUIPATCH_TEST(tst_relation)
#include "tst_relation.moc"
