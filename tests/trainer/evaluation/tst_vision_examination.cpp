// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/evaluation/vision_examination.h"

#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/trainer/tiny_vision.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_vision_examination : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    const SceneBatchMaker scenes = m_vision.scenes();
    VisionTrainer trainer(m_vision.options, scenes);
    for (int i = 0; i < 40; ++i) trainer.step();
    writeVisionModel(m_vision.folder(), m_vision.options.shape,
                     trainer.state().parameters);
    SilentProgress silent;
    m_session = Session::open({.folder = m_vision.folder(), .dtype = DType::F32}, silent);
  }

  void everyKindOfQuestionIsAskedAndCounted() {
    SilentProgress silent;
    const VisionExamination found = examineVision(m_session, {.prompts = 4}, silent);
    QCOMPARE(found.kinds.size(), std::size_t{kQuestionKinds});
    std::size_t wrong = 0;
    for (const auto& [kind, part] : found.kinds) {
      QCOMPARE(part.score.prompts, 4);
      QCOMPARE(part.score.matches, part.score.steps);  // float32
      QVERIFY(part.mostFrequentShare() >= 0.25);
      wrong += static_cast<std::size_t>(4 - part.score.right);
    }
    QCOMPARE(found.mistakes.size(), wrong);
    QCOMPARE(found.total().prompts, 4 * kQuestionKinds);
    QCOMPARE(std::size_t(found.total().prompts - found.total().right), wrong);
  }

  void scoresCountTheRightAnswers() {
    constexpr std::uint64_t kSeed = 5, kPrompts = 6;
    SilentProgress silent;
    const VisionExamination found =
        examineVision(m_session, {.prompts = kPrompts, .seed = kSeed}, silent);
    const SceneGenerator generator(Split::HeldOut, kSeed);
    Score expected;
    for (std::uint64_t number = 0; number < kPrompts; ++number) {
      const Scene scene = generator.scene(number);
      Random random(kSeed, number);
      const Question question = *ask(QuestionKind::Count, scene, random);
      const PreparedPrompt prompt = promptOf(question, scene, *m_session);
      QCOMPARE(prompt.images.size(), std::size_t{1});
      const Answer seen = answer(m_session, prompt, 3);
      const Answer blind =
          answer(m_session, preparePrompt({.text = question.text}, *m_session), 3);
      expected.right += seen.text == question.answer ? 1 : 0;
      expected.rightWithoutContext += blind.text == question.answer ? 1 : 0;
      expected.steps += seen.steps;
    }
    const Score& score = found.kinds.at(QuestionKind::Count).score;
    QCOMPARE(score.right, expected.right);
    QCOMPARE(score.rightWithoutContext, expected.rightWithoutContext);
    QCOMPARE(score.steps, expected.steps);
  }

  void theReportHasARowForEachKind() {
    VisionExamination examination;
    examination.kinds[QuestionKind::Count] = {
        .score = {.prompts = 4,
                  .right = 3,
                  .ended = 4,
                  .steps = 8,
                  .matches = 8,
                  .rightWithoutContext = 1},
        .answers = {{" 1", 2}, {" 2", 1}, {" 3", 1}}};
    const std::string report = reportOf(examination);
    QVERIFY(report.find("| count | 75.0 % | 25.0 % | 50.0 % | 100.0 % of 8 |") !=
            std::string::npos);
    QVERIFY(report.find("| all | 75.0 % | 25.0 % |  | 100.0 % of 8 |") !=
            std::string::npos);
  }

  void aStopRequestEndsTheExamination() {
    StoppedProgress stopped;
    QVERIFY_THROWS_EXCEPTION(Error, examineVision(m_session, {}, stopped));
  }

 private:
  TinyVision m_vision;
  std::shared_ptr<const Session> m_session;
};

EQUIPATCH_TEST(tst_vision_examination)
#include "tst_vision_examination.moc"
