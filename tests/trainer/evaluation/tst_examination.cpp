#include "trainer/evaluation/examination.h"

#include "tests/support/test_case.h"
#include "tests/trainer/tiny_model.h"
#include "trainer/evaluation/grade.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

class Stopped final : public Progress {
 public:
  void report(double, std::string_view) override {}
  bool stopRequested() const override { return true; }
};

}  // namespace

class tst_examination : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void everySkillAndEveryNumberOfExamplesIsAsked() {
    SilentProgress silent;
    const Examination found =
        examine(m_session, wordLists(), {.prompts = 3, .mostExamples = 2}, silent);
    QCOMPARE(found.skills.size(), std::size_t{kSkills});
    QCOMPARE(found.samples.size(), std::size_t{kSkills});
    QCOMPARE(found.byExamples.size(), std::size_t{2});
    for (const auto& [skill, score] : found.skills) {
      QCOMPARE(score.prompts, 3);
      QVERIFY(score.right <= 3 && score.ended <= 3 && score.steps >= 3);
      QCOMPARE(score.matches, score.steps);  // float32: the patch equals the context
    }
  }

  void scoresAreThoseOfTheAnswers() {
    SilentProgress silent;
    const Examination found = examine(
        m_session, wordLists(), {.prompts = 5, .mostExamples = 1, .seed = 3}, silent);
    const Generator generator(wordLists(), Split::HeldOut, 3);
    std::int64_t right = 0;
    std::int64_t steps = 0;
    for (std::uint64_t i = 0; i < 5; ++i) {
      const Document document = generator.document(Skill::Relation, i, 1);
      const auto own =
          m_session->tokenizer().encode(document.lastAnswer(), SpecialTokens::Omit);
      const Answer written =
          answer(m_session, document.prompt(),
                 {.tokens = static_cast<std::int64_t>(own.size()) + 20});
      right += isRight(document, written.text) ? 1 : 0;
      steps += written.steps;
    }
    QCOMPARE(found.skills.at(Skill::Relation).right, right);
    QCOMPARE(found.skills.at(Skill::Relation).steps, steps);
  }

  void stopsWhenAsked() {
    Stopped stopped;
    QVERIFY_THROWS_EXCEPTION(Error, examine(m_session, wordLists(), {}, stopped));
  }

 private:
  TinyTraining m_training;
  std::shared_ptr<const Session> m_session = tinyModel(m_training);
};

EQUIPATCH_TEST(tst_examination)
#include "tst_examination.moc"
