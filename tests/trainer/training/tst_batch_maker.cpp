// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/training/trainer.h"

#include <iterator>

#include "tests/support/test_case.h"
#include "tests/trainer/tiny_training.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_batch_maker : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void onlyAnswersAndTheEndTokenAreLearned() {
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

  void batchesContainTheDocumentsInOrder() {
    const BatchMaker maker = m_training.documents();
    const Generator generator(wordLists(), Split::Training, 1);
    std::uint64_t next = 0, number = 0;
    for (int i = 0; i < 20; ++i) {
      const Batch batch = maker.make(next, 300);
      QVERIFY(batch.tokens() <= 300 || batch.ends.size() == 1);
      Batch expected;
      for (std::size_t k = 0; k < batch.ends.size(); ++k) {
        const Batch one = maker.make(generator.document(number++));
        for (const std::int64_t row : one.rows)
          expected.rows.push_back(expected.tokens() + row);
        std::ranges::copy(one.ids, std::back_inserter(expected.ids));
        std::ranges::copy(one.successors, std::back_inserter(expected.successors));
        expected.ends.push_back(expected.tokens());
      }
      QCOMPARE(next, number);
      QCOMPARE(batch.ids, expected.ids);
      QCOMPARE(batch.ends, expected.ends);
      QCOMPARE(batch.rows, expected.rows);
      QCOMPARE(batch.successors, expected.successors);
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
