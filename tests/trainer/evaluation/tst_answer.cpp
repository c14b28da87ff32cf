#include "trainer/evaluation/answer.h"

#include <algorithm>

#include "core/run/backend.h"
#include "tests/support/test_case.h"
#include "tests/trainer/tiny_model.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

/// Greedy decoding by whole forward passes.
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

class tst_answer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void isWrittenGreedily() {
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

 private:
  TinyTraining m_training;
  std::shared_ptr<const Session> m_session = tinyModel(m_training);
};

EQUIPATCH_TEST(tst_answer)
#include "tst_answer.moc"
