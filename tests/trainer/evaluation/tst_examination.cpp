// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/run/backend.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/trainer/tiny_model.h"
#include "trainer/evaluation/examination.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

/// Greedy decoding without a KV cache.
std::string writtenSlowly(const Session& session, std::vector<TokenId> ids, int tokens) {
  std::vector<TokenId> written;
  for (int i = 0; i < tokens; ++i) {
    const NamedTensor logits =
        backend().computeLogits(session, ids, SiteCapture::LogitsOnly).front();
    const auto last = logits.values.end() - logits.shape.back();
    const auto best = std::max_element(last, logits.values.end()) - last;
    if (best == kEosId) break;
    ids.push_back(TokenId(static_cast<std::int32_t>(best)));
    written.push_back(ids.back());
  }
  return session.tokenizer().decode(written, SpecialTokens::Omit);
}

std::vector<TokenId> idsOf(const Session& session, std::string_view prompt) {
  std::vector<TokenId> ids;
  for (const Token& token : session.tokenizer().encode(prompt, SpecialTokens::Add))
    ids.push_back(token.id);
  return ids;
}

constexpr const char* kPrompt = "Examples: cat -> zor; plum ->";

}  // namespace

class tst_examination : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void answersAreDecodedGreedily() {
    const Answer found = answer(m_session, kPrompt, {.tokens = 12});
    QCOMPARE(found.text, writtenSlowly(*m_session, idsOf(*m_session, kPrompt), 12));
    QCOMPARE(found.matches, found.steps);
    QVERIFY(found.ended || found.steps == 12);
  }

  void withoutContextOnlyTheLastTokenIsSeen() {
    const Answer blind =
        answer(m_session, kPrompt, {.sight = Sight::LastToken, .tokens = 12});
    QCOMPARE(blind.text,
             writtenSlowly(*m_session, {idsOf(*m_session, kPrompt).back()}, 12));
  }

  void longPromptsAreRefused() {
    std::string prompt;
    for (int i = 0; i < 1100; ++i) prompt += " 1";
    QVERIFY_ERROR(answer(m_session, prompt, {}), "positions");
  }

  void freeAnswersMustContainTheMentions() {
    Document document{.mentions = {"Mars", "cat"}};
    document.give("…").answer("\nThis cat sees rain on Mars.");
    QVERIFY(isRight(document, "\nOn Mars the cat is happy."));
    QVERIFY(!isRight(document, "\nOn Mars the dog is happy."));
    QVERIFY(!isRight(document, "\nOn mars the cat is happy."));
    QVERIFY(!isRight(document, ""));
  }

  void answersWithoutMentionsMustBeExact() {
    Document document;
    document.give("1 and 1. Answer:").answer(" 2");
    QVERIFY(isRight(document, " 2"));
    QVERIFY(!isRight(document, "2"));
    QVERIFY(!isRight(document, " 23"));
    QVERIFY(!isRight(document, ""));
  }

  void everySkillAndNumberOfExamplesIsEvaluated() {
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

  void scoresCountTheRightAnswers() {
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

  void aStopRequestEndsTheExamination() {
    StoppedProgress stopped;
    QVERIFY_THROWS_EXCEPTION(Error, examine(m_session, wordLists(), {}, stopped));
  }

 private:
  TinyTraining m_training;
  std::shared_ptr<const Session> m_session = tinyModel(m_training);
};

EQUIPATCH_TEST(tst_examination)
#include "tst_examination.moc"
