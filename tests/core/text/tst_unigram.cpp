// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/unigram.h"

#include <cmath>
#include <deque>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/strings.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::ampleLimits;

class tst_unigram : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void readsPiecesAndScores();
  void findsPiecesByTheirBytes();
  void refusesInvalidModels_data();
  void refusesInvalidModels();
  void choosesPiecesWithTheLargestScoreSum();
  void choosesTheFirstOfEqualSums();
  void joinsUnknownCharacters();
  void fallsBackToBytes();
  void reportsACharacterWithoutToken();
  void agreesWithExhaustiveSearch();
  void encodesLongTexts_data();
  void encodesLongTexts();
  void looksForLongPiecesInLinearTime();
};

namespace {

Json model() {
  return Json::parse(
      R"({"type": "Unigram", "unk_id": 0,
          "vocab": [["<unk>", 0], ["a", -1.5], ["ab", -2], ["é", -7.25], ["", -1],
                    ["<0x0A>", -3]]})");
}

}  // namespace

void tst_unigram::readsPiecesAndScores() {
  Json json = model();
  Unigram unigram = Unigram::parse(json, "f");
  QCOMPARE(unigram.vocabulary.size(), std::int64_t{6});
  QCOMPARE(unigram.scores[3], -7.25);
  QCOMPARE(unigram.unknown, std::uint32_t{0});
  QCOMPARE(unigram.unknownScore, -17.25);  // ten below the lowest
  QCOMPARE(unigram.byteTokens['\n'], std::uint32_t{5});
  QVERIFY(!unigram.byteTokens['a']);
  QCOMPARE(byteTokenName(0xE2), std::string("<0xE2>"));
  QVERIFY(!unigram.byteFallback);
  json["byte_fallback"] = true;
  json["unk_id"] = nullptr;
  unigram = Unigram::parse(json, "f");
  QVERIFY(unigram.byteFallback);
  QVERIFY(!unigram.unknown);
}

void tst_unigram::findsPiecesByTheirBytes() {
  const Unigram unigram = Unigram::parse(model(), "f");
  const auto find = [&](std::string_view bytes) {
    std::uint32_t state = PhraseAutomaton::kStart;
    for (const char byte : bytes) state = unigram.pieces.step(state, byte);
    return unigram.pieces.phraseOf(unigram.pieces.longest(state));
  };
  QCOMPARE(find("a"), std::uint32_t{1});
  QCOMPARE(find("ab"), std::uint32_t{2});
  QCOMPARE(find("é"), std::uint32_t{3});
  QCOMPARE(find("xéab"), std::uint32_t{2});  // the longest piece at the end
  QCOMPARE(find("\xC3"), PhraseAutomaton::kNoPhrase);
  QCOMPARE(find("b"), PhraseAutomaton::kNoPhrase);
  QCOMPARE(find(""), PhraseAutomaton::kNoPhrase);
}

void tst_unigram::refusesInvalidModels_data() {
  QTest::addColumn<QByteArray>("patch");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* patch, const char* part) {
    QTest::newRow(patch) << QByteArray(patch) << part;
  };
  row(R"({"vocab": {}})", "list");
  row(R"({"vocab": [["a"]]})", "[piece, score] at 0");
  row(R"({"vocab": [["a", 1], ["b", "c"]]})", "at 1");
  row(R"({"vocab": [[1, 2]]})", "at 0");
  row(R"({"vocab": [["a", 1], ["a", 2]]})", "\"a\"");
  row(R"({"vocab": []})", "unk_id");
  row(R"({"unk_id": 6})", "unk_id");
  row(R"({"unk_id": -1})", "unk_id");
  row(R"({"odd": 1})", "odd");
}

void tst_unigram::refusesInvalidModels() {
  QFETCH(QByteArray, patch);
  QFETCH(QString, part);
  Json json = model();
  json.update(Json::parse(patch.toStdString()));
  QVERIFY_ERROR(Unigram::parse(json, "f.json"), "f.json", part);
}

namespace {

std::string encoded(const Unigram& model, std::string_view text) {
  UnigramEncoder encoder(model, ampleLimits());
  const auto once = [&] {
    std::string result;
    for (const PieceToken& token : encoder.encode(text))
      result += (result.empty() ? "" : " ") + *model.vocabulary.piece(token.id) + "@" +
                std::to_string(token.range.begin) + "-" + std::to_string(token.range.end);
    return result;
  };
  const std::string first = once();
  const std::string remembered = once();  // from the encoder's cache
  return first == remembered ? first : first + ", then " + remembered;
}

/// The example from the documentation of Hugging Face's implementation.
Json documented() {
  return Json::parse(
      R"({"unk_id": 0, "vocab": [["<unk>", 0], ["a", 0], ["b", 0], ["c", 0], ["d", 0],
          ["cd", 1], ["ab", 2], ["abc", 5], ["abcd", 10]]})");
}

struct Way {
  double score = -std::numeric_limits<double>::infinity();
  std::vector<std::string> pieces;
};

/// Tries all segmentations of an ASCII text. `unknown` is an unknown character's score.
Way bestWay(const std::map<std::string, double>& scores, double unknown,
            std::string_view text) {
  if (text.empty()) return {0.0, {}};
  Way best;
  for (std::size_t size = 1; size <= text.size(); ++size) {
    const std::string head(text.substr(0, size));
    const auto entry = scores.find(head);
    if (entry == scores.end() && size > 1) continue;
    Way rest = bestWay(scores, unknown, text.substr(size));
    const double score = rest.score + (entry == scores.end() ? unknown : entry->second);
    if (score <= best.score) continue;
    best = {score, {head}};
    best.pieces.insert(best.pieces.end(), rest.pieces.begin(), rest.pieces.end());
  }
  return best;
}

}  // namespace

void tst_unigram::choosesPiecesWithTheLargestScoreSum() {
  const Unigram model = Unigram::parse(documented(), "f");
  QCOMPARE(encoded(model, "abcdacdxx"), std::string("abcd@0-4 a@4-5 cd@5-7 <unk>@7-9"));
  QCOMPARE(encoded(model, ""), std::string());
}

void tst_unigram::choosesTheFirstOfEqualSums() {
  Json json = Json::parse(
      R"({"vocab": [["a", -1], ["b", -1], ["c", -1], ["ab", -2], ["bc", -2]]})");
  // Among equal sums, the path whose last piece begins first wins.
  QCOMPARE(encoded(Unigram::parse(json, "f"), "abc"), std::string("a@0-1 bc@1-3"));
}

void tst_unigram::joinsUnknownCharacters() {
  Json json = documented();
  QCOMPARE(encoded(Unigram::parse(json, "f"), "xüaz"),
           std::string("<unk>@0-3 a@3-4 <unk>@4-5"));
  // Two unknown characters (90 each) score more than the piece "xy" (100). Joined, they
  // equal this piece and get its id.
  json["vocab"] = Json::parse(R"([["<unk>", 100], ["a", 100], ["xy", 100]])");
  QCOMPARE(encoded(Unigram::parse(json, "f"), "xya"), std::string("xy@0-2 a@2-3"));
}

void tst_unigram::fallsBackToBytes() {
  Json json = documented();
  json["byte_fallback"] = true;
  for (const char* byte : {"<0xC3>", "<0xBC>", "<0x78>"})
    json["vocab"].push_back(Json::array({byte, 0}));
  const Unigram model = Unigram::parse(json, "f");
  QCOMPARE(encoded(model, "aüxb"),
           std::string("a@0-1 <0xC3>@1-2 <0xBC>@2-3 <0x78>@3-4 b@4-5"));
  // One byte of "üy" has no piece.
  QCOMPARE(encoded(model, "aüyb"), std::string("a@0-1 <unk>@1-4 b@4-5"));
}

void tst_unigram::reportsACharacterWithoutToken() {
  Json json = documented();
  json.erase("unk_id");
  const Unigram model = Unigram::parse(json, "f");
  QCOMPARE(encoded(model, "ab"), std::string("ab@0-2"));
  QVERIFY_ERROR(encoded(model, "aüb"), "ü", "unknown");
  const Json longer = Json::parse(R"({"vocab": [["a", -1], ["ab", -2]]})");
  const Unigram pair = Unigram::parse(longer, "f");
  QCOMPARE(encoded(pair, "aab"), std::string("a@0-1 ab@1-3"));
  QVERIFY_ERROR(encoded(pair, "abb"), "\"b\"", "unknown");
}

void tst_unigram::agreesWithExhaustiveSearch() {
  std::mt19937 random(7);
  for (int round = 0; round < 150; ++round) {
    std::map<std::string, double> scores{{"a", -3.0}, {"b", -3.5}};
    Json json =
        Json::parse(R"({"unk_id": 0, "vocab": [["<unk>", 0], ["a", -3], ["b", -3.5]]})");
    while (scores.size() < 12) {
      std::string piece;
      for (std::size_t i = 2 + random() % 3; i > 0; --i) piece += "abc"[random() % 3];
      const double score = -static_cast<double>(random()) / (1 << 29);
      if (scores.emplace(piece, score).second)
        json["vocab"].push_back(Json::array({piece, score}));
    }
    const Unigram model = Unigram::parse(json, "f");
    std::deque<std::string> texts;  // the encoder caches views of these texts
    UnigramEncoder encoder(model, ampleLimits());
    for (int i = 0; i < 10; ++i) {
      std::string& text = texts.emplace_back();
      for (std::size_t k = random() % 10; k > 0; --k) text += "aabbc"[random() % 5];
      double sum = 0;
      for (const PieceToken& token : encoder.encode(text)) {
        const std::size_t size = token.range.end - token.range.begin;
        sum += token.id == 0 ? static_cast<double>(size) * model.unknownScore
                             : model.scores[token.id];
      }
      const double best = bestWay(scores, model.unknownScore, text).score;
      QVERIFY2(std::abs(sum - best) < 1e-9, text.c_str());
    }
  }
}

void tst_unigram::encodesLongTexts_data() {
  QTest::addColumn<QString>("unit");
  for (const char* unit : {"a", "abcd", "x", "é"}) QTest::newRow(unit) << unit;
}

/// A quadratic encoder would exceed the test's time limit.
void tst_unigram::encodesLongTexts() {
  QFETCH(QString, unit);
  std::string text;
  while (text.size() < 3'000'000) text += unit.toStdString();
  const Unigram model = Unigram::parse(documented(), "f");
  UnigramEncoder encoder(model, ampleLimits());
  const auto& tokens = encoder.encode(text);
  std::size_t at = 0;
  for (const PieceToken& token : tokens) {
    QCOMPARE(token.range.begin, at);
    at = token.range.end;
  }
  QCOMPARE(at, text.size());
}

/// A search in a trie would go thousands of levels deep at every byte of the text.
void tst_unigram::looksForLongPiecesInLinearTime() {
  const std::string rare = std::string(8000, 'a') + "b";
  Json json = Json::parse(R"({"unk_id": 0, "vocab": [["<unk>", 0], ["a", -1]]})");
  json["vocab"].push_back(Json::array({rare, -2}));
  const Unigram model = Unigram::parse(json, "f");
  const std::string text = std::string(3'000'000, 'a') + "b";
  UnigramEncoder encoder(model, TextLimits::of(text.size()));
  const auto& tokens = encoder.encode(text);
  QCOMPARE(tokens.size(), std::size_t{2'992'001});
  QCOMPARE(tokens.back().id, std::uint32_t{2});
}

EQUIPATCH_TEST(tst_unigram)
#include "tst_unigram.moc"
