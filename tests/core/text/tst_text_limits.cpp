// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/text_limits.h"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/text/aligned_text.h"
#include "core/text/pipeline/added_tokens.h"
#include "core/text/pipeline/normalizer.h"
#include "core/text/pipeline/piece_model.h"
#include "core/text/pipeline/pre_tokenizer.h"
#include "core/text/pipeline/regex.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_text_limits : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void limitsGrowWithTheText();
  void countedBytesReduceTheSizeLimit();
  void deadlineEndsSearches();
  void totalSizeOfPiecesIsBounded();
  void aStopRequestEndsLoopsOverLongTexts_data();
  void aStopRequestEndsLoopsOverLongTexts();
  void deadlineHoldsForAllSearchesTogether();
};

void tst_text_limits::limitsGrowWithTheText() {
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

void tst_text_limits::countedBytesReduceTheSizeLimit() {
  TextLimits limits = TextLimits::of(0);
  limits.requireSize(1024);
  QVERIFY_ERROR(limits.requireSize(1025), "more than 1024 bytes");
  limits.countBytes(1000);
  limits.requireSize(24);
  QVERIFY_ERROR(limits.requireSize(25), "more than 24 bytes");
  limits.countBytes(1000);
  QVERIFY_ERROR(limits.requireSize(1), "more than 0 bytes");
  // An unchanged text does not count as a result.
  QCOMPARE(AlignedText("ab", 0, limits).text(), std::string("ab"));
}

void tst_text_limits::deadlineEndsSearches() {
  TextLimits limits = TextLimits::of(10);
  limits.requireTime();
  limits.deadline = TextLimits::Clock::now() - std::chrono::seconds(1);
  QVERIFY_ERROR(limits.requireTime(), "longer");
  QVERIFY_ERROR(Regex("a").matches("a", limits), "\"a\"", "out of time");
}

void tst_text_limits::totalSizeOfPiecesIsBounded() {
  TextLimits limits = TextLimits::of(0);
  for (int i = 0; i < 64; ++i) limits.countPiece(1024);
  QVERIFY_ERROR(limits.countPiece(1), "pieces");
}

namespace {

using Loop = std::function<void(const std::string& text, const TextLimits& limits)>;

Loop normalizing(const Json& json) {
  return [json](const std::string& text, const TextLimits& limits) {
    // Calls the component directly, without the check that precedes each component.
    AlignedText whole(text, 0, limits);
    if (json["type"] == "Lowercase") lowercaseNormalizer()->normalize(whole);
    if (json["type"] == "NFC") unicodeNormalizer(NormalForm::Nfc)->normalize(whole);
  };
}

Loop encoding(const Json& json) {
  const auto model = PieceModel::parse(&json, "f: model");
  return [model](const std::string& text, const TextLimits& limits) {
    model->makeEncoder(limits)->encode(text);
  };
}

std::map<QString, Loop> loops() {
  const Json merges = Json::parse(R"([["a","a"],["aa","aa"]])");
  return {
      {"BPE", encoding({{"type", "BPE"},
                        {"vocab", {{"a", 0}, {"aa", 1}, {"aaaa", 2}}},
                        {"merges", merges}})},
      {"Unigram", encoding(Json::parse(R"({"type": "Unigram", "unk_id": 0,
          "vocab": [["?", 0], ["a", -1], ["aa", -2]]})"))},
      {"lower case", normalizing({{"type", "Lowercase"}})},
      {"normal form", normalizing({{"type", "NFC"}})},
      {"added tokens",
       [](const std::string& text, const TextLimits& limits) {
         PhraseMatcher({"b"}).matches(text, limits);
       }},
      {"literals",
       [](const std::string& text, const TextLimits& limits) {
         Pattern::literal("a")->matches(text, limits);
       }},
      {"expressions", [](const std::string& text,
                         const TextLimits& limits) { Regex("b").matches(text, limits); }},
  };
}

}  // namespace

void tst_text_limits::aStopRequestEndsLoopsOverLongTexts_data() {
  QTest::addColumn<QString>("name");
  for (const auto& [name, loop] : loops()) QTest::newRow(qPrintable(name)) << name;
}

void tst_text_limits::aStopRequestEndsLoopsOverLongTexts() {
  QFETCH(QString, name);
  const Loop loop = loops().at(name);
  const std::string text = "é" + std::string(300'000, 'a');
  std::stop_source stop;
  const TextLimits limits = TextLimits::of(text.size(), stop.get_token());
  loop(text, limits);
  stop.request_stop();
  try {
    loop(text, limits);
    QFAIL("it continued to the end");
  } catch (const Error& error) {
    QCOMPARE(error.kind(), ErrorKind::Cancelled);
    QCOMPARE(error.what(), "stopped on request");
  }
}

/// Each search stays below the limit of one search; together they exceed the deadline.
void tst_text_limits::deadlineHoldsForAllSearchesTogether() {
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
  PreTokenizedText text(AlignedText(words, 0, limits));
  QVERIFY_ERROR(PreTokenizer::parse(&json, "f: pre_tokenizer")->apply(text),
                "f: pre_tokenizer of type Sequence, component of type Split",
                "out of time");
}

EQUIPATCH_TEST(tst_text_limits)
#include "tst_text_limits.moc"
