// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/scenes/questions.h"

#include <map>
#include <set>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// Things at the top left, at the top right, in the middle and at the bottom.
Scene fourThings() {
  return {.things = {
              {.shape = Shape::Square,
               .colour = Colour::Red,
               .size = Size::Small,
               .place = 0},
              {.shape = Shape::Square,
               .colour = Colour::Blue,
               .size = Size::Large,
               .place = 2},
              {.shape = Shape::Number, .colour = Colour::Green, .place = 4, .value = 47},
              {.shape = Shape::Ring, .colour = Colour::Orange, .place = 7}}};
}

/// The answers to all questions of a kind, by question.
std::map<std::string, std::string> allOf(QuestionKind kind, const Scene& scene) {
  std::map<std::string, std::string> all;
  Random random(1);
  for (int i = 0; i < 600; ++i)
    if (const auto question = ask(kind, scene, random)) {
      if (question->kind != kind) qFatal("another kind");
      all[question->text] = question->answer;
    }
  return all;
}

using Expected = std::map<std::string, std::string>;

}  // namespace

class tst_questions : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void thePictureIsDescribed() {
    QVERIFY((allOf(QuestionKind::Describe, fourThings()) ==
             Expected{{"Describe the picture.",
                       " top left a small red square, top right a large blue square, "
                       "middle the number 47, bottom an orange ring."}}));
  }

  void neighboursAreTheNearestOfARowOrColumn() {
    QVERIFY((allOf(QuestionKind::Neighbour, fourThings()) ==
             Expected{{"What stands right of the red square?", " a blue square"},
                      {"What stands left of the blue square?", " a red square"},
                      {"What stands below the number?", " an orange ring"},
                      {"What stands above the orange ring?", " the number 47"}}));
    Scene row = fourThings();
    row.things[2].place = 1;
    QCOMPARE(allOf(QuestionKind::Neighbour, row)["What stands left of the blue square?"],
             " the number 47");
  }

  void shapesAndColoursAreCounted() {
    const Expected counts = allOf(QuestionKind::Count, fourThings());
    QCOMPARE(counts.at("How many shapes are there?"), " 3");
    QCOMPARE(counts.at("How many squares are there?"), " 2");
    QCOMPARE(counts.at("How many crosses are there?"), " 0");
    QCOMPARE(counts.at("How many orange shapes are there?"), " 1");
    QCOMPARE(counts.at("How many green shapes are there?"), " 0");  // excludes numbers
    QCOMPARE(counts.size(), std::size_t{1 + kShapes + kColours});
  }

  void onlyAUniqueExtremeIsAskedAbout() {
    QVERIFY((allOf(QuestionKind::Extreme, fourThings()) ==
             Expected{{"What colour is the smallest shape?", " red"},
                      {"What colour is the largest shape?", " blue"}}));
    Scene equal = fourThings();
    equal.things[3].size = Size::Large;
    QVERIFY((allOf(QuestionKind::Extreme, equal) ==
             Expected{{"What colour is the smallest shape?", " red"}}));
  }

  void aNumberIsAskedForOnlyIfPresent() {
    QVERIFY((allOf(QuestionKind::Read, fourThings()) ==
             Expected{{"Read the number.", " 47"}}));
    Scene without = fourThings();
    without.things.erase(without.things.begin() + 2);
    QVERIFY(allOf(QuestionKind::Read, without).empty());
  }

  void onlyUniqueThingsAreAskedAbout() {
    QVERIFY((allOf(QuestionKind::Colour, fourThings()) ==
             Expected{{"What colour is the number?", " green"},
                      {"What colour is the ring?", " orange"}}));
    QVERIFY((allOf(QuestionKind::Shape, fourThings()) ==
             Expected{{"What is red?", " the square"},
                      {"What is blue?", " the square"},
                      {"What is green?", " the number"},
                      {"What is orange?", " the ring"}}));
    QCOMPARE(allOf(QuestionKind::Place, fourThings())["Where is the orange ring?"],
             " bottom");
    Scene twins = fourThings();
    twins.things[1].colour = Colour::Red;
    QVERIFY(!allOf(QuestionKind::Place, twins).contains("Where is the red square?"));
    QVERIFY(!allOf(QuestionKind::Shape, twins).contains("What is red?"));
  }

  void everyPlaceCanBeAskedFor() {
    const Expected contents = allOf(QuestionKind::At, fourThings());
    QCOMPARE(contents.size(), std::size_t{kPlaces});
    QCOMPARE(contents.at("What is in the middle?"), " the number 47");
    QCOMPARE(contents.at("What is at the bottom?"), " an orange ring");
    QCOMPARE(contents.at("What is at the top left?"), " a small red square");
    QCOMPARE(contents.at("What is at the left?"), " nothing");
  }

  void noConstantAnswerIsMostlyRight() {
    const SceneGenerator generator(Split::HeldOut, 1);
    for (int i = 1; i < kQuestionKinds; ++i) {
      std::map<std::string, int> answers;
      int asked = 0;
      for (std::uint64_t number = 0; number < 1500; ++number) {
        Random random(number);
        if (const auto question =
                ask(static_cast<QuestionKind>(i), generator.scene(number), random)) {
          ++answers[question->answer];
          ++asked;
        }
      }
      QVERIFY(asked > 300);
      for (const auto& [answer, count] : answers)
        QVERIFY2(count < 0.4 * asked, (answer + std::to_string(i)).c_str());
    }
  }

  void everyKindExceptDescribeIsAsked() {
    const SceneGenerator generator(Split::Training, 1);
    std::map<QuestionKind, int> asked;
    for (std::uint64_t number = 0; number < 2000; ++number) {
      Random random(number);
      ++asked[askAnything(generator.scene(number), random).kind];
    }
    QCOMPARE(asked.size(), std::size_t{kQuestionKinds - 1});
    QVERIFY(!asked.contains(QuestionKind::Describe));
    for (const auto& [kind, count] : asked) QVERIFY(count > 50);
    std::set<std::string_view> names;
    for (int i = 0; i < kQuestionKinds; ++i)
      names.insert(kindName(static_cast<QuestionKind>(i)));
    QCOMPARE(names.size(), std::size_t{kQuestionKinds});
  }
};

EQUIPATCH_TEST(tst_questions)
#include "tst_questions.moc"
