// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <cstdlib>
#include <fstream>
#include <set>

#include "tests/support/test_case.h"
#include "tests/trainer/documents/examples_of.h"
#include "tests/trainer/word_folder.h"

using namespace equipatch;
using equipatch::test::documentsOf;
using equipatch::test::examplesOf;
using equipatch::test::wordLists;
using Pair = WordPairs::value_type;
using equipatch::test::wordsOf;

namespace {

/// True if all examples are pairs of one relation, in the same direction.
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

/// The labels of the groups that contain `word`.
/// @param signature every group with its label: "groups/animal=zor groups/fruit=lamp "
std::set<std::string> labelsOf(const std::string& word, const std::string& signature) {
  std::set<std::string> labels;
  for (const std::string& part : wordsOf(signature)) {
    const std::size_t equal = part.find('=');
    if (std::ranges::count(wordLists().words(part.substr(0, equal)), word) > 0)
      labels.insert(part.substr(equal + 1));
  }
  return labels;
}

/// The answer to a question under a rule of order, spelling or shift, without the label
/// that the rule appends.
/// @param rule order: the indices of the words, one digit each; spelling: the kind of
/// change; shift: the number to add
Words changed(Words question, const std::string& rule) {
  if (const int number = std::atoi(question.front().c_str()); number > 0)
    return {std::to_string(number + std::stoi(rule))};
  const bool isSpelled = std::ranges::all_of(
      question, [](const std::string& word) { return word.size() == 1; });
  if (isSpelled && rule == "0") return {question.rbegin(), question.rend()};
  if (isSpelled && rule == "1") return {question.front()};
  if (isSpelled && rule == "2") return {question.back()};
  if (isSpelled) question.insert(question.begin(), question.front());
  if (isSpelled) return question;
  Words picked;
  for (const char place : rule)
    picked.push_back(question.at(static_cast<std::size_t>(place - '0')));
  return picked;
}

}  // namespace

class tst_examples : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void allExamplesAreOfOneRelation() {
    for (const Document& document : documentsOf(Skill::Relation, 200)) {
      const WordPairs examples = examplesOf(document);
      QCOMPARE(examples.size(), std::size_t{9});
      QVERIFY2(isOneRelation(examples), document.text.c_str());
    }
  }

  void aRelationWithTooFewPairsIsRefused() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    std::filesystem::create_directory(path / "pairs");
    std::ofstream(path / "pairs" / "numbers.txt") << "one\t1\ntwo\t2\n";
    const WordLists lists = WordLists::read(path);
    const Generator generator(lists, Split::Training, 1);
    // The relation is "numbers" or the built-in "kinds", whose pairs come from groups.
    std::set<QString> sentences;
    for (std::uint64_t i = 0; i < 30; ++i)
      sentences.insert(test::errorOf([&] { generator.document(Skill::Relation, i, 8); }));
    QCOMPARE(sentences.size(), std::size_t{2});
    QVERIFY(sentences.begin()->contains("\"kinds\" has 0 pairs"));
    QVERIFY(sentences.begin()->contains("need 9; add words to the lists in groups"));
    QVERIFY(sentences.rbegin()->contains("\"numbers\" has 2 pairs"));
    QVERIFY(sentences.rbegin()->contains("need 9; add lines to pairs/numbers.txt"));
  }

  void listsWithTooFewWordsAreRefused() {
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString();
    std::filesystem::create_directory(path / "groups");
    const auto write = [&](const char* list, const char* words) {
      std::ofstream(path / list) << words;
    };
    write("things.txt", "cup\nlamp\npen\n");
    write("groups/animal.txt", "cat\ndog\n");
    const WordLists lists = WordLists::read(path);
    const Generator generator(lists, Split::Training, 1);
    std::set<QString> sentences;
    for (std::uint64_t i = 0; i < 30; ++i)
      for (const Skill skill : {Skill::Invented, Skill::Copy})
        sentences.insert(test::errorOf([&] { generator.document(skill, i, 8); }));
    sentences.erase("");  // no error: the lists suffice for some documents
    QCOMPARE(sentences.size(), std::size_t{2});
    QVERIFY(sentences.begin()->contains("\"groups/animal\" has fewer than three words"));
    QVERIFY(sentences.rbegin()->contains("too few different words"));
  }

  void theQuestionIsNotAnExample() {
    for (const Document& document : documentsOf(Skill::Relation, 200)) {
      const WordPairs examples = examplesOf(document);
      QCOMPARE(std::set<Pair>(examples.begin(), examples.end()).size(), examples.size());
      QCOMPARE(" " + examples.back().second, std::string(document.lastAnswer()));
    }
  }

  void onlyTheLastOfTwoAnswersIsLearned() {
    const Document document = documentsOf(Skill::Relation, 1, 1).front();
    QCOMPARE(examplesOf(document).size(), std::size_t{2});
    QCOMPARE(document.answers.size(), std::size_t{1});
  }

  void noQuestionIsRepeated() {
    for (const Document& document : documentsOf(Skill::Invented, 300)) {
      std::set<std::string> questions;
      for (const auto& [question, answer] : examplesOf(document))
        QVERIFY2(questions.insert(question).second, document.text.c_str());
      QCOMPARE(questions.size(), std::size_t{9});
    }
  }

  void labelsFollowTheGroups() {
    int seen = 0;
    for (const Document& document : documentsOf(Skill::Invented, 300)) {
      const std::string& signature = document.fresh.front();
      if (!signature.starts_with("groups/")) continue;
      ++seen;
      for (const auto& [question, answer] : examplesOf(document))
        QVERIFY2(labelsOf(question, signature).contains(answer), document.text.c_str());
    }
    QVERIFY(seen > 100);
  }

  void answersRepeatTheFrameOfTheRule() {
    int seen = 0;
    for (const Document& document : documentsOf(Skill::Invented, 300)) {
      const std::string& frame = document.fresh.front();
      const std::size_t gap = frame.find('*');
      if (gap == std::string::npos) continue;
      ++seen;
      for (const auto& [question, answer] : examplesOf(document))
        QCOMPARE(answer, frame.substr(0, gap) + question + frame.substr(gap + 1));
    }
    QVERIFY(seen > 30);
  }

  /// The signature of a rule of order, spelling or shift is a label followed by digits.
  void answersChangeTheQuestionByTheRule() {
    int seen = 0;
    for (const Document& document : documentsOf(Skill::Invented, 300)) {
      const std::string& signature = document.fresh.front();
      if (signature.find_first_of("=*") != std::string::npos) continue;
      ++seen;
      const std::size_t digits = signature.find_first_of("0123456789");
      for (const auto& [question, answer] : examplesOf(document)) {
        Words expected = changed(wordsOf(question), signature.substr(digits));
        expected.push_back(signature.substr(0, digits));
        QVERIFY2(wordsOf(answer) == expected, document.text.c_str());
      }
    }
    QVERIFY(seen > 30);
  }

  void mostInventedRulesDiffer() {
    std::set<std::string> rules;
    for (const Document& document : documentsOf(Skill::Invented, 300))
      rules.insert(document.fresh.front());
    QVERIFY(rules.size() > 250);
  }
};

EQUIPATCH_TEST(tst_examples)
#include "tst_examples.moc"
