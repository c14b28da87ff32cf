// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lesson/lesson_reader.h"

#include <QTemporaryDir>
#include <fstream>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

std::string lessonWith(const std::string& lines) {
  return "# T\n## S\n```lesson\n" + lines + "\n```\n";
}

}  // namespace

class tst_lesson_reader : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void readsALesson() {
    const Lesson lesson = readLesson(
        "# A title\n\nWhat it is about.\n\n## First\n\nRead *this*.\n\n```lesson\n"
        "show prompt\nshow tokens\ndo prompt a\\nb\ndo run\nexpect linf <= 0.5\n```\n"
        "And this.\r\n\n## Second\n```lesson\nask answer contains 42\nhint Look it up.\n"
        "solve sample A rhyme\nsolve run\n```\n");
    QCOMPARE(lesson.title, std::string("A title"));
    QCOMPARE(lesson.summary, std::string("What it is about.\n"));
    QCOMPARE(lesson.steps.size(), std::size_t(2));
    const LessonStep& first = lesson.steps[0];
    QCOMPARE(first.title, std::string("First"));
    QCOMPARE(first.text, std::string("Read *this*.\n\nAnd this.\n"));
    QVERIFY(first.lit == (std::vector{LessonPart::Prompt, LessonPart::Tokens}));
    QVERIFY(first.actions == (std::vector<LessonAction>{{LessonVerb::Prompt, "a\nb"},
                                                        {LessonVerb::Run, ""}}));
    QVERIFY(!first.question);
    QCOMPARE(conditionText(first.expected.at(0)), std::string("linf <= 0.5"));
    QCOMPARE(first.expected.at(0).line, 14);
    const LessonQuestion& question = lesson.steps[1].question.value();
    QCOMPARE(question.hint, std::string("Look it up."));
    QCOMPARE(question.solution.size(), std::size_t(2));
    QCOMPARE(question.conditions.at(0).text, std::string("42"));
  }

  void errorsSayWhatIsWrong_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("sentence");
    const auto row = [](const char* name, const std::string& text, const char* sentence) {
      QTest::newRow(name) << QString::fromStdString(text) << QString::fromUtf8(sentence);
    };
    row("empty", "", "the lesson has no title; its first line should be \"# TITLE\"");
    row("no steps", "# T\n",
        "the lesson has no steps; each begins with a line \"## TITLE\"");
    row("two titles", "# T\n# U\n",
        "line 2: a lesson has one title, and here is another");
    row("unknown line", lessonWith("open /etc/passwd"),
        "line 4: \"open\" is not one of show, do, expect, ask, hint, solve");
    row("unknown part", lessonWith("show menu"),
        "line 4: \"menu\" is not a part of the window;");
    row("three parts", lessonWith("show prompt\nshow step\nshow runs"),
        "line 6: a step lights up two parts at most");
    row("unknown action", lessonWith("do quit"), "line 4: \"quit\" is not an action;");
    row("layers", lessonWith("do layers 3-1"), "line 4: expected all, none, or layers");
    row("tab", lessonWith("do tab logits"), "line 4: expected model, prompt, step");
    row("listed run", lessonWith("do listed-run 0"),
        "line 4: expected a number of a run");
    row("another model", lessonWith("do model /tmp/x"),
        "line 4: expected \"bundled\" or \"vision\", the models of lessons, found "
        "\"/tmp/x\"");
    row("too many steps", lessonWith("do steps 65"),
        "line 4: expected a number of steps from 1 to 64, found \"65\"");
    row("strength", lessonWith("do strength 2"),
        "line 4: expected a strength from 0 to 1.5");
    row("nan", lessonWith("do layer nan"), "line 4: expected a layer, found \"nan\"");
    row("exponent", lessonWith("do layer 1e3"),
        "line 4: expected a layer, found \"1e3\"");
    row("fraction", lessonWith("do step .5e1"), "line 4: expected a step");
    row("chart", lessonWith("do table all"),
        "line 4: expected logits, sizes, map or errors");
    row("run what", lessonWith("do run away"),
        "line 4: expected nothing after the action");
    row("grid what", lessonWith("do grid all"),
        "line 4: expected nothing after the action");
    row("noise", lessonWith("do noise loud"), "line 4: expected on or off");
    for (const char* dtype : {"float8", "int64"})
      row(dtype, lessonWith(std::string("do dtype ") + dtype),
          "line 4: expected float64, float32, bfloat16 or float16");
    row("method", lessonWith("do method exact"),
        "line 4: expected balanced, direct or stable");
    row("loop", lessonWith("solve loop shut"), "line 4: expected closed, half or open");
    row("application", lessonWith("do apply rounded"),
        "line 4: expected factored or materialised, found \"rounded\"");
    row("cells", lessonWith("do image-map 1"),
        "line 4: expected a number of cells on a side from 2 to 64");
    for (const char* shown : {"3 l", "3 tvd x", "3tvd", "3 Tvd", "tvd 3", "65 tvd", "-3"})
      row(shown, lessonWith(std::string("do image-map ") + shown),
          "line 4: expected a number of cells on a side from 2 to 64");
    for (const char* picture : {"../me.png", "/etc/me.png", "a/b.png", ".hidden.png",
                                "passwd", "a b.png", "me.svg", "me.png\\n", "C:me.png"})
      row(picture, lessonWith(std::string("do picture ") + picture),
          "line 4: expected the name of an image beside the lesson's file");
    row("no picture", lessonWith("do picture"),
        "line 4: expected the name of an image beside the lesson's file");
    row("no prompt", lessonWith("do prompt"), "line 4: expected a word after the action");
    row("quantity", lessonWith("expect speed > 1"),
        "line 4: \"speed\" is not a quantity;");
    row("relation", lessonWith("expect linf ~ 1"), "line 4: \"~\" is not a relation;");
    row("number", lessonWith("expect linf < small"),
        "line 4: \"linf\" is a number; expected a comparison with one, found \"< "
        "small\"");
    row("no number", lessonWith("expect linf is-not nan"),
        "line 4: \"linf\" is a number;");
    row("order of texts", lessonWith("expect token < 3"),
        "line 4: \"token\" is a text; compare it with is, is-not or contains");
    row("no solution", lessonWith("ask linf < 1"),
        "line 2: a question needs a line \"ask\" and a line \"solve\"");
    row("no end", "# T\n## S\n```lesson\nshow prompt\n",
        "line 3: the block that begins here has no end");
    row("outside", "# T\n```lesson\n```\n", "line 2: a block should be in a step");
  }

  void errorsSayWhatIsWrong() {
    QFETCH(QString, text);
    QFETCH(QString, sentence);
    const QString said = test::errorOf([&] { readLesson(text.toStdString()); });
    QVERIFY2(said.startsWith(sentence), qPrintable(said));
  }

  void readsTheActionsOfPicturesAndTheGrid() {
    const Lesson lesson = readLesson(
        lessonWith("show picture\ndo model vision\ndo picture Lamp-2.png\n"
                   "do absorb images\ndo noise on\ndo apply materialised\ndo grid\n"
                   "do image-map 3 tvd\nexpect map-cells is 9"));
    const LessonStep& step = lesson.steps.at(0);
    QVERIFY(step.lit == std::vector{LessonPart::Picture});
    QVERIFY(step.actions ==
            (std::vector<LessonAction>{{LessonVerb::Model, "vision"},
                                       {LessonVerb::Picture, "Lamp-2.png"},
                                       {LessonVerb::Absorb, "images"},
                                       {LessonVerb::Noise, "on"},
                                       {LessonVerb::Apply, "materialised"},
                                       {LessonVerb::Grid, ""},
                                       {LessonVerb::ImageMap, "3 tvd"}}));
  }

  void readsEveryDtypeMethodLoopAndApplication() {
    for (const char* setting :
         {"dtype float64", "dtype float32", "dtype bfloat16", "dtype float16",
          "method balanced", "method direct", "method stable", "loop closed", "loop half",
          "loop open", "apply factored", "apply materialised"})
      QCOMPARE(readLesson(lessonWith(std::string("do ") + setting)).steps.size(),
               std::size_t(1));
  }

  void refusesOversizedAndInvalidLessons() {
    QVERIFY_ERROR(readLesson(std::string(300000, 'x')),
                  "a lesson may have at most 262144 bytes");
    QVERIFY_ERROR(readLesson("# T\n## S\n\xff\n"), "is not a text in UTF-8");
    QVERIFY_ERROR(readLesson("# T\n" + std::string(7000, 'x')),
                  "the text before the first step may have at most 6000 bytes");
    QVERIFY_ERROR(readLesson(lessonWith("ask step is 1\nhint a\nhint b\nsolve step 1")),
                  "a question has one hint");
    QCOMPARE(readLesson("\xEF\xBB\xBF# T\n## S\n").title, std::string("T"));
    QVERIFY_ERROR(readLesson("# T\n## S\n" + std::string(7000, 'x')),
                  "the text of a step may have at most 6000 bytes");
    QVERIFY_ERROR(readLesson(lessonWith("do prompt " + std::string(17000, 'x'))),
                  "a line of a block may have at most 16000 bytes");
    std::string steps = "# T\n";
    for (int i = 0; i < 61; ++i) steps += "## S\n";
    QVERIFY_ERROR(readLesson(steps), "a lesson may have at most 60 steps");
    std::string lines;
    for (int i = 0; i < 41; ++i) lines += "do run\n";
    QVERIFY_ERROR(readLesson(lessonWith(lines)),
                  "the blocks of a step may have at most 40 lines");
    QCOMPARE(readLesson(steps, kDraftLimits).steps.size(), std::size_t{61});
  }

  void errorsNameTheFile() {
    const QTemporaryDir folder;
    const std::filesystem::path file = folder.filePath("mine.md").toStdString();
    QVERIFY_ERROR(readLessonFile(file), "\"mine.md\" is not a file");
    std::ofstream(file) << "# T\n## S\nText.\n";
    QCOMPARE(readLessonFile(file).steps.size(), std::size_t(1));
    std::ofstream(file) << "# T\n";
    QVERIFY_ERROR(readLessonFile(file), "mine.md: the lesson has no steps");
    std::ofstream(file) << "# T\n## S\n" << std::string(300000, '\n') << "## S\n";
    QVERIFY_ERROR(readLessonFile(file),
                  "mine.md: a lesson may have at most 262144 bytes");
    QCOMPARE(readLessonFile(file, kDraftLimits).steps.size(), std::size_t(2));
  }
};

EQUIPATCH_TEST(tst_lesson_reader)
#include "tst_lesson_reader.moc"
