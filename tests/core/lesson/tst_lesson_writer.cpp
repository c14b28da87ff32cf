// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_writer.h"

#include <filesystem>

#include "core/base/random.h"
#include "core/lesson/lesson_reader.h"
#include "core/lesson/lesson_words.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

using Relation = LessonCondition::Relation;

/// A random text, which may have spaces at its ends, backslashes and line breaks.
std::string anyText(Random& random) {
  const std::vector<std::string> pieces{"a", " ", "\n", "\\",  "n",  "\t", "é", "<b>",
                                        "#", "`", "\r", "\\n", "- ", "0",  "日"};
  std::string text = random.pick(pieces);
  for (auto i = random.below(12); i > 0; --i) text += random.pick(pieces);
  return text;
}

/// What somebody might type into a field of several lines.
std::string anyTyping(Random& random) {
  const std::vector<std::string> pieces{
      "word ",     "\n",  "\n\n", "# head", "## step", "*x*",
      "```lesson", "```", "  ",   "\\",     "\r",      std::string(1, '\0')};
  std::string text;
  for (auto i = random.below(9); i > 0; --i) text += random.pick(pieces);
  return text;
}

LessonAction anyAction(Random& random) {
  const auto& [word, verb] = kLessonVerbs[random.below(std::size(kLessonVerbs))];
  switch (verb) {
    case LessonVerb::Model:
      return {verb, random.chance(0.5) ? "bundled" : "vision"};
    case LessonVerb::DType:
      return {verb, random.chance(0.5) ? "float32" : "bfloat16"};
    case LessonVerb::Method:
      return {verb, random.chance(0.5) ? "direct" : "stable"};
    case LessonVerb::Loop:
      return {verb, random.chance(0.5) ? "open" : "half"};
    case LessonVerb::Apply:
      return {verb, random.chance(0.5) ? "factored" : "materialised"};
    case LessonVerb::Noise:
      return {verb, random.chance(0.5) ? "on" : "off"};
    case LessonVerb::RunSteps:
    case LessonVerb::ImageMap:
      return {verb, std::to_string(random.between(2, 64))};
    case LessonVerb::Step:
    case LessonVerb::Layer:
      return {verb, std::to_string(random.below(99))};
    case LessonVerb::Strength:
      return {verb, "0." + std::to_string(random.below(1'000'000))};
    case LessonVerb::Table:
    case LessonVerb::Chart:
      return {verb, random.chance(0.5) ? "logits" : "errors"};
    case LessonVerb::Layers:
      return {verb, random.chance(0.5) ? "0-3,6" : "none"};
    case LessonVerb::Tab:
      return {verb, random.chance(0.5) ? "runs" : "prompt"};
    case LessonVerb::ListedRun:
      return {verb, std::to_string(random.between(1, 99))};
    case LessonVerb::Run:
    case LessonVerb::Grid:
      return {verb, ""};
    case LessonVerb::Picture:
      return {verb, "picture-" + std::to_string(random.below(99)) + ".png"};
    default:
      return {verb, anyText(random)};
  }
}

LessonCondition anyCondition(Random& random) {
  const LessonQuantity& quantity =
      kLessonQuantities[random.below(std::size(kLessonQuantities))];
  LessonCondition condition{.quantity = std::string(quantity.name)};
  if (quantity.isText) {
    condition.relation =
        Relation(random.between(int(Relation::Is), int(Relation::Contains)));
    condition.text = anyText(random);
  } else {
    condition.relation = Relation(random.between(0, int(Relation::IsNot)));
    condition.number = random.normal() * std::pow(10.0, random.between(-30, 30));
  }
  return condition;
}

template <typename Make>
auto several(Random& random, std::size_t least, Make make) {
  std::vector<decltype(make(random))> values;
  for (auto i = least + random.below(4); i > 0; --i) values.push_back(make(random));
  return values;
}

LessonStep anyStep(Random& random) {
  LessonStep step{
      .title = random.chance(0.1) ? "" : "Step " + std::to_string(random.next()),
      .text = lessonMarkdown(anyTyping(random)),
      .actions = several(random, 0, anyAction),
      .expected = several(random, 0, anyCondition),
      .question = {}};
  for (auto i = random.below(3); i > 0; --i)
    step.lit.push_back(kLessonParts[random.below(std::size(kLessonParts))].second);
  if (random.chance(0.4))
    step.question = LessonQuestion{.hint = random.chance(0.5) ? "Look at *it*." : "",
                                   .conditions = several(random, 1, anyCondition),
                                   .solution = several(random, 1, anyAction)};
  return step;
}

}  // namespace

class tst_lesson_writer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aWrittenLessonIsReadUnchanged() {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      Random random(27, seed);
      const Lesson lesson{.title = "Title " + std::to_string(seed),
                          .summary = lessonMarkdown(anyTyping(random)),
                          .steps = several(random, 1, anyStep)};
      std::string file;
      try {
        file = writeLesson(lesson);
      } catch (const Error& error) {
        QFAIL(error.what());
      }
      QVERIFY2(readLesson(file) == lesson, file.c_str());
      QCOMPARE(writeLesson(readLesson(file)), file);
    }
  }

  void bundledLessonsAreReadBackUnchanged() {
    int count = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(test::data("../../resources/lessons"))) {
      if (file.path().extension() != ".md") continue;
      const Lesson lesson = readLessonFile(file.path());
      QVERIFY(readLesson(writeLesson(lesson)) == lesson);
      ++count;
    }
    QVERIFY(count >= 6);
  }

  void linesAreEscaped() {
    QCOMPARE(escapedLine(" a b\n\\n\t"), std::string("\\sa b\\n\\\\n\\t"));
    QCOMPARE(unescapedLine("\\sa b\\n\\\\n\\t"), std::string(" a b\n\\n\t"));
    // A backslash that begins no escape sequence stays.
    QCOMPARE(unescapedLine("C:\\dir\\"), std::string("C:\\dir\\"));
    Random random(1);
    for (int i = 0; i < 1000; ++i) {
      const std::string text = anyText(random);
      QCOMPARE(unescapedLine(escapedLine(text)), text);
      QVERIFY(escapedLine(text).find('\n') == std::string::npos);
    }
  }

  void typedHeadingsAndFencesAreEscaped() {
    QCOMPARE(lessonMarkdown("\n\na\r\n# b\n## c\n```lesson\n\nd  \n\n"),
             std::string("a\n\\# b\n\\## c\n\\```lesson\n\nd\n"));
    QCOMPARE(lessonMarkdown(" \n"), std::string());
    QCOMPARE(lessonMarkdown(std::string("a\0b\xff", 4)), std::string("ab\uFFFD\n"));
    QCOMPARE(lessonMarkdown("\r## c\n\r# b\n``\r`lesson\n"),
             std::string("\\## c\n\\# b\n\\```lesson\n"));
  }

  void refusesLessonsThatAFileCannotHold() {
    Lesson lesson{.title = "T", .summary = {}, .steps = {{.title = "S", .question = {}}}};
    QCOMPARE(writeLesson(lesson), std::string("# T\n\n## S\n"));
    lesson.steps[0].title = "two\nlines";
    QVERIFY_ERROR(writeLesson(lesson), "page 1, \"two");
    lesson.steps[0] = {.title = "S", .text = "## Another\n", .question = {}};
    QVERIFY_ERROR(writeLesson(lesson),
                  "page 1, \"S\": a lesson's file cannot hold its texts");
    lesson.steps[0] = {
        .title = "S", .actions = {{LessonVerb::RunSteps, "65"}}, .question = {}};
    QVERIFY_ERROR(writeLesson(lesson), "expected a number of steps from 1 to 64");
    lesson.steps[0].actions = {{LessonVerb::Prompt, std::string(17000, 'x')}};
    QVERIFY_ERROR(writeLesson(lesson),
                  "page 1, \"S\": the line \"do prompt xxxxxxxxxxxxxxxxxxxx…\" has 17010 "
                  "bytes, 1010 more than the 16000 allowed");
    lesson.steps[0].actions.clear();
    lesson.title = " T";
    QVERIFY_ERROR(writeLesson(lesson),
                  "a lesson's file cannot hold the title or the summary");
    lesson.title.clear();
    QVERIFY_ERROR(writeLesson(lesson), "the lesson has no title; give it one");
  }

  /// A count that equals its limit does not exceed it.
  void excessListsTheExceededLimits() {
    Lesson lesson{.title = "T", .summary = std::string(6000, 'x') + '\n'};
    for (int i = 0; i < 60; ++i)
      lesson.steps.push_back(
          {.title = "S", .text = std::string(6000, 'y') + '\n', .question = {}});
    const LessonLimits roomy{.bytes = 1000000,
                             .steps = 60,
                             .textBytes = 6000,
                             .blockLines = 40,
                             .lineBytes = 16000};
    lesson.steps[2].actions.assign(39, {LessonVerb::Run, ""});
    lesson.steps[2].actions.push_back({LessonVerb::Prompt, std::string(15990, 'x')});
    QVERIFY(readLesson(writeLesson(lesson, roomy), roomy) == lesson);
    QCOMPARE(excessOf(lesson, kLessonLimits).size(), std::size_t{1});
    QVERIFY(excessOf(lesson, kLessonLimits)[0].starts_with("its file has 38"));
    lesson.summary.insert(0, "xx");
    lesson.steps.push_back({.title = "S", .question = {}});
    lesson.steps[2].text.insert(0, "y");
    lesson.steps[2].actions.push_back({LessonVerb::Run, ""});
    lesson.steps[2].actions[39].argument += 'x';
    const std::vector<std::string> excess = excessOf(lesson, roomy);
    QCOMPARE(excess,
             (std::vector<std::string>{
                 "the lesson has 61 pages, 1 more than the 60 allowed",
                 "the text about the lesson has 6002 bytes, 2 more than the 6000 allowed",
                 "page 3, \"S\": its text has 6001 bytes, 1 more than the 6000 allowed",
                 "page 3, \"S\": the line \"do prompt xxxxxxxxxxxxxxxxxxxx…\" has 16001 "
                 "bytes, 1 more than the 16000 allowed",
                 "page 3, \"S\": its block has 41 lines, 1 more than the 40 allowed"}));
    QVERIFY(readLesson(writeLesson(lesson, kDraftLimits), kDraftLimits) == lesson);
    QCOMPARE(excessText({"a", "b"}), std::string("a; b"));
    QCOMPARE(excessText(std::vector<std::string>(7, "a")),
             std::string("a; a; a; a; a; and 2 more"));
  }
};

EQUIPATCH_TEST(tst_lesson_writer)
#include "tst_lesson_writer.moc"
