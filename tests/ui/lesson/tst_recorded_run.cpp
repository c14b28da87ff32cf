// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/recorded_run.h"

#include <algorithm>

#include "core/base/program_files.h"
#include "tests/support/records.h"
#include "tests/support/test_case.h"
#include "ui/lesson/lesson_recorder.h"
#include "ui/lesson/recorded_words.h"

using namespace equipatch;

namespace {

RunHeader bundledRun() {
  RunHeader run = *test::makeHeader();
  run.modelFolder = findResource(Resource::BundledModel).value().string();
  run.dtype = DType::BF16;
  run.request.promptText = "Some prompt.";
  run.request.sampling = {};
  run.request.patch = {Method::Direct, Loop::Half, Application::Materialised};
  run.request.measureNoise = true;
  return run;
}

bool says(const RecordedRun& run, const LessonAction& action) {
  return std::ranges::find(run.actions, action) != run.actions.end();
}

}  // namespace

class tst_recorded_run : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aRemovedStepRenumbersTheRuns() {
    const auto stepOf = [](std::vector<LessonAction> actions) {
      LessonStep step;
      step.actions = std::move(actions);
      return step;
    };
    const LessonAction run{LessonVerb::Run, ""}, grid{LessonVerb::Grid, ""};
    const auto listed = [](const char* number) {
      return LessonAction{LessonVerb::ListedRun, number};
    };
    const LessonAction select{LessonVerb::Step, "1"};
    Recording recording;
    const LessonAction prompt{LessonVerb::Prompt, "ab"};
    for (const auto& actions : {std::vector{run},
                                {run},
                                {listed("2"), select},
                                {listed("1"), select, prompt, run},
                                {grid},
                                {listed("2")}})
      recording.addStep(stepOf(actions));
    recording.removeStep(0);
    const auto& steps = recording.lesson.steps;
    QCOMPARE(steps.size(), std::size_t{5});
    QCOMPARE(recording.possible.size(), std::size_t{5});
    QCOMPARE(steps[1].actions, (std::vector{listed("1"), select}));
    // The removed step made run 1, so the actions that display it are removed, too.
    QCOMPARE(steps[2].actions, (std::vector{prompt, run}));
    QCOMPARE(steps[4].actions, std::vector{listed("2")});  // the grid's second run
  }

  void recordsModelMethodAndPromptOfARun() {
    const RecordedRun run = recordedRun(bundledRun(), 12);
    QVERIFY2(run.lost.isEmpty(), qPrintable(run.lost.join(u'\n')));
    for (const auto& [verb, argument] :
         std::vector<LessonAction>{{LessonVerb::Model, "bundled"},
                                   {LessonVerb::DType, "bfloat16"},
                                   {LessonVerb::Method, "direct"},
                                   {LessonVerb::Loop, "half"},
                                   {LessonVerb::Apply, "materialised"},
                                   {LessonVerb::Noise, "on"},
                                   {LessonVerb::RunSteps, "12"},
                                   {LessonVerb::Prompt, "Some prompt."}})
      QVERIFY2(says(run, {verb, argument}), argument.c_str());
    QVERIFY(std::ranges::find(run.actions, LessonVerb::Absorb, &LessonAction::verb) ==
            run.actions.end());
  }

  /// For a bundled model picked from the list, the panel has a name, not a folder.
  void recordsABundledModelNamedInThePanel() {
    const Theme theme;
    PictureShelf shelf({});
    const PromptEditor prompt(theme, shelf);
    for (const auto& [name, argument] :
         {std::pair{"bundled", "bundled"}, std::pair{"bundled-vision", "vision"}}) {
      const RecordedRun run = recordedSettings({.folder = name}, RunRequest(), prompt);
      QVERIFY2(run.lost.isEmpty(), qPrintable(run.lost.join(u'\n')));
      QVERIFY2(says(run, {LessonVerb::Model, argument}), name);
    }
  }

  void samplesAndAbsorbedTokensAreRecorded() {
    RunHeader header = bundledRun();
    header.request.promptText = "Say this backwards: lamp coin key. Answer:";
    header.request.prompt.resize(5);
    header.request.absorbed = {.keptPrompt = {{0, 1}}};
    const RecordedRun run = recordedRun(header, 3);
    QVERIFY(says(run, {LessonVerb::Sample, "Copying backwards"}));
    QVERIFY(says(run, {LessonVerb::Absorb, "2-4,generated"}));
  }

  void settingsThatNoActionExpressesAreReported_data() {
    QTest::addColumn<QString>("sentence");
    QTest::addColumn<int>("change");
    QTest::newRow("model") << QStringLiteral("the model elsewhere") << 0;
    QTest::newRow("cached model") << QStringLiteral("the model owner/name;") << 13;
    QTest::newRow("float32") << QStringLiteral("in float32 with narrower weights") << 1;
    QTest::newRow("sampling") << QStringLiteral("sampled its tokens") << 2;
    QTest::newRow("ids") << QStringLiteral("as token ids") << 3;
    QTest::newRow("steps") << QStringLiteral("up to 200 steps") << 4;
    QTest::newRow("tokens") << QStringLiteral("with the patched pass's tokens") << 5;
    QTest::newRow("end") << QStringLiteral("ignored the end of the text") << 6;
    QTest::newRow("strength") << QStringLiteral("a part of its patch") << 7;
    QTest::newRow("layers") << QStringLiteral("a part of its patch") << 8;
    QTest::newRow("logits") << QStringLiteral("rounded its logits") << 9;
    QTest::newRow("ablated") << QStringLiteral("had an ablated pass") << 10;
    QTest::newRow("bare") << QStringLiteral("had no bare pass") << 11;
    QTest::newRow("branch") << QStringLiteral("continued from another token") << 12;
  }

  void settingsThatNoActionExpressesAreReported() {
    QFETCH(QString, sentence);
    QFETCH(int, change);
    RunHeader run = bundledRun();
    if (change == 0) run.modelFolder = "/models/elsewhere";
    if (change == 13)
      run.modelFolder = "/hub/models--owner--name/snapshots/0123456789abcdef";
    if (change == 1) run.computesFloat32 = true;
    if (change == 2) run.request.sampling.temperature = 0.5;
    if (change == 3) run.request.promptText.clear();
    run.request.freeRun = change == 5;
    run.request.ignoreEndOfSequence = change == 6;
    if (change == 7) run.request.strength.alpha = 0.5;
    if (change == 8) run.request.strength.layers = {0};
    run.request.roundLogits = change == 9;
    run.request.ablated = change == 10;
    if (change == 10) run.request.absorbed = {.keptPrompt = {{0, 1}}};
    run.request.bare = change != 11;
    if (change == 12) run.request.branch.tokens = 3;
    const RecordedRun recorded = recordedRun(run, change == 4 ? 200 : 8);
    QCOMPARE(recorded.lost.size(), 1);
    QVERIFY2(recorded.lost[0].contains(sentence), qPrintable(recorded.lost[0]));
    if (change == 4) QVERIFY(says(recorded, {LessonVerb::RunSteps, "64"}));
  }

  void picturesAreNamedByTheirContent() {
    const PictureFile one{"My lamp.PNG", std::string(64, 'a'), "x"};
    const PictureFile two{"other.png", std::string(64, 'a'), "x"};
    QCOMPARE(lessonPictureName(one), QStringLiteral("picture-aaaaaaaaaaaa.png"));
    QCOMPARE(lessonPictureName(one), lessonPictureName(two));
    // A lesson may not name a .ppm file, so the name ends in .png.
    const PictureFile other{"scene.ppm", std::string(64, 'a'), "x"};
    QCOMPARE(lessonPictureName(other), lessonPictureName(one));
  }

  void usualConditionsAreCountsAndSelections() {
    const LessonCondition count{.quantity = "mismatches", .number = 2.0};
    const LessonCondition layer{.quantity = "layer", .number = 1.0};
    const LessonCondition size{.quantity = "linf", .number = 0.01};
    const LessonCondition token{.quantity = "token", .text = "a"};
    QVERIFY(usualOf({count, layer, size, token}) == (std::vector{count, layer}));
  }

  void strengthsAreWrittenAsFactors() {
    QCOMPARE(strengthWord(95), std::string("0.95"));
    QCOMPARE(strengthWord(100), std::string("1"));
  }

  void aSelectedStepBecomesTitleAndAction() {
    const LessonStep step = wordsOfView({LessonVerb::Step, "3"}, {LessonPart::Step});
    QCOMPARE(step.title, std::string("Step 3"));
    QCOMPARE(step.actions, (std::vector{LessonAction{LessonVerb::Step, "3"}}));
  }

  void anImageMapsSentenceDescribesItsQuantity() {
    const auto sentenceOf = [](const char* argument) {
      const LessonStep step = wordsOfView({LessonVerb::ImageMap, argument}, {});
      return QString::fromStdString(step.text);
    };
    const QString size = QStringLiteral("how large the patch still is");
    const QString distance = QStringLiteral("how far the pass without a patch is off");
    QVERIFY(sentenceOf("3 patch").contains(size));
    QVERIFY(!sentenceOf("3 patch").contains(distance));
    for (const char* argument : {"3", "3 tvd"})
      QVERIFY(sentenceOf(argument).contains(distance));
  }
};

EQUIPATCH_TEST(tst_recorded_run)
#include "tst_recorded_run.moc"
