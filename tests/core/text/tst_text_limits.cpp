// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/text_limits.h"

#include <nlohmann/json.hpp>

#include "core/text/aligned_text.h"
#include "core/text/pipeline/pre_tokenizer.h"
#include "core/text/pipeline/regex.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_text_limits : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void followTheSizeOfTheText();
  void areSpent();
  void endSearches();
  void holdForAllPiecesTogether();
};

void tst_text_limits::followTheSizeOfTheText() {
  QCOMPARE(TextLimits::of(0).bytes, std::size_t{1024});
  QCOMPARE(TextLimits::of(100).bytes, std::size_t{7424});
  QVERIFY(TextLimits::of(AlignedText::kLargestSize).bytes <=
          5 * AlignedText::kLargestSize);
  const auto seconds = [](std::size_t size) {
    return (TextLimits::of(size).deadline - TextLimits::Clock::now()).count() / 1e9;
  };
  QVERIFY(seconds(0) > 9 && seconds(0) < 11);
  QVERIFY(seconds(10'000'000) > 100 && seconds(10'000'000) < 120);
}

void tst_text_limits::areSpent() {
  TextLimits limits = TextLimits::of(0);
  limits.requireSize(1024);
  QVERIFY_ERROR(limits.requireSize(1025), "more than 1024 bytes");
  limits.spend(1000);
  limits.requireSize(24);
  QVERIFY_ERROR(limits.requireSize(25), "more than 24 bytes");
  limits.spend(1000);
  QVERIFY_ERROR(limits.requireSize(1), "more than 0 bytes");
  // A text that nothing changes is no result.
  QCOMPARE(AlignedText("ab", 0, limits).text(), std::string("ab"));
}

void tst_text_limits::endSearches() {
  TextLimits limits = TextLimits::of(10);
  limits.requireTime();
  limits.deadline = TextLimits::Clock::now() - std::chrono::seconds(1);
  QVERIFY_ERROR(limits.requireTime(), "longer");
  QVERIFY_ERROR(Regex("a").matches("a", limits.deadline), "\"a\"", "out of time");
}

/// Pieces whose searches are all below the limit of one.
void tst_text_limits::holdForAllPiecesTogether() {
  const Json json{{"type", "Sequence"},
                  {"pretokenizers",
                   {{{"type", "WhitespaceSplit"}},
                    {{"type", "Split"},
                     {"pattern", {{"Regex", "(a+)+[xy]"}}},
                     {"behavior", "Isolated"}}}}};
  std::string words;
  for (int i = 0; i < 10'000; ++i) words += "aaaaaaaaaaaaaaaa ";
  TextLimits limits = TextLimits::of(words.size());
  limits.deadline = TextLimits::Clock::now() + std::chrono::milliseconds(200);
  CutText text(AlignedText(words, 0, limits));
  QVERIFY_ERROR(PreTokenizer::parse(&json, "f: pre_tokenizer")->apply(text),
                "f: pre_tokenizer of type Sequence of type Split", "out of time");
}

EQUIPATCH_TEST(tst_text_limits)
#include "tst_text_limits.moc"
