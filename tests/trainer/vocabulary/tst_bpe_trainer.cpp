// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vocabulary/tokenizer_files.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_bpe_trainer : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// The words of the example of Sennrich, Haddow and Birch, whose merges differ after
  /// "es" and "est": their words end with a symbol, and ties are broken otherwise.
  void learnsTheMergesOfThePapersWords() {
    const PreTokenCounts counts = {
        {"low", 5}, {"lower", 2}, {"newest", 6}, {"widest", 3}};
    const std::vector<Merge> expected = {{"e", "s"},    {"es", "t"}, {"l", "o"},
                                         {"lo", "w"},   {"e", "w"},  {"ew", "est"},
                                         {"n", "ewest"}};
    QCOMPARE(learnMerges(counts, 7), expected);
  }

  void overlappingPairsMergeFromTheLeft() {
    const std::vector<Merge> merges = learnMerges({{"aaaaa", 3}}, 10);
    QCOMPARE(merges, (std::vector<Merge>{{"a", "a"}, {"aa", "a"}, {"aa", "aaa"}}));
  }

  void singlePairsAreNotLearned() {
    QVERIFY(learnMerges({{"abc", 1}}, 5).empty());
    QCOMPARE(learnMerges({{"abc", 1}, {"ab", 1}}, 5), (std::vector<Merge>{{"a", "b"}}));
    QVERIFY(learnMerges({{"a", 9}}, 5).empty());
    QVERIFY(learnMerges({{"ab", 9}}, 0).empty());
  }

  void charactersOfSeveralBytesAreNotSplit() {
    QCOMPARE(charactersOf({{"▁öx", 1}, {"x", 2}}),
             (std::vector<std::string>{"x", "ö", "▁"}));
    QCOMPARE(learnMerges({{"▁ö", 2}}, 1), (std::vector<Merge>{{"▁", "ö"}}));
  }
};

EQUIPATCH_TEST(tst_bpe_trainer)
#include "tst_bpe_trainer.moc"
