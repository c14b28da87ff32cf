// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/training/trainer.h"

#include "tests/support/test_case.h"
#include "tests/trainer/tiny_training.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_batch_maker : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void learnsTheAnswersAndTheEnd() {
    Document document;
    document.give("What is red? Answer:").answer(" blue and 12");
    const Batch batch = m_training.documents().make(document);
    QCOMPARE(batch.ids.front(), kBosId);
    QCOMPARE(batch.ends, (std::vector<std::int64_t>{batch.tokens()}));
    QCOMPARE(batch.successors.back(), kEosId);
    QCOMPARE(batch.rows.back(), batch.tokens() - 1);
    std::vector<TokenId> learned;
    for (std::size_t i = 0; i + 1 < batch.rows.size(); ++i) {
      const auto next = static_cast<std::size_t>(batch.rows[i] + 1);
      QCOMPARE(batch.successors[i], batch.ids[next]);
      learned.push_back(TokenId(batch.successors[i]));
    }
    QCOMPARE(m_training.tokenizer->decode(learned, SpecialTokens::Omit), " blue and 12");
  }

  void allAnswersOfAListAreLearned() {
    Document document;
    document.give("a ->").answer(" x").give("; b ->").answer(" y");
    const Batch batch = m_training.documents().make(document);
    std::vector<TokenId> learned;
    for (const std::int32_t id : batch.successors) learned.push_back(TokenId(id));
    QCOMPARE(m_training.tokenizer->decode(learned, SpecialTokens::Omit), " x y");
  }

  void documentsFollowInOrder() {
    std::uint64_t next = 0;
    std::uint64_t expected = 0;
    for (int i = 0; i < 20; ++i) {
      const Batch batch = m_training.documents().make(next, 300);
      QVERIFY(batch.tokens() <= 300 || batch.ends.size() == 1);
      QCOMPARE(batch.ends.back(), batch.tokens());
      expected += batch.ends.size();
      QCOMPARE(next, expected);
      QVERIFY(std::ranges::is_sorted(batch.rows));
      QCOMPARE(batch.rows.size(), batch.successors.size());
    }
  }

  void aLongDocumentFillsABatch() {
    std::uint64_t next = 4;
    const Batch batch = m_training.documents().make(next, 1);
    QCOMPARE(batch.ends.size(), std::size_t{1});
    QCOMPARE(next, 5u);
  }

 private:
  TinyTraining m_training;
};

EQUIPATCH_TEST(tst_batch_maker)
#include "tst_batch_maker.moc"
