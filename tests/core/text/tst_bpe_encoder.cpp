// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/bpe_encoder.h"

#include <deque>
#include <nlohmann/json.hpp>
#include <random>

#include "core/base/strings.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::ampleLimits;

class tst_bpe_encoder : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void mergesTheLowestRankFirst();
  void looksWholePiecesUp();
  void fallsBackToBytes();
  void fusesUnknownCharacters();
  void dropsWhatHasNoToken();
  void agreesWithTheDefinition_data();
  void agreesWithTheDefinition();
  void encodesLongPieces();
};

namespace {

Bpe parsedBpe(const Json& json) {
  return Bpe::parse(&json, "f");
}

/// "piece@begin-end" of every token.
std::string encoded(BpeEncoder& encoder, const Bpe& bpe, std::string_view text) {
  std::string result;
  for (const PieceToken& token : encoder.encode(text))
    result += (result.empty() ? "" : " ") + *bpe.vocabulary.piece(token.id) + "@" +
              std::to_string(token.range.begin) + "-" + std::to_string(token.range.end);
  return result;
}

std::string encoded(const Bpe& bpe, std::string_view text) {
  BpeEncoder encoder(bpe, ampleLimits());
  return encoded(encoder, bpe, text);
}

/// Byte-pair encoding as it is defined: of all neighbours join the pair with the lowest
/// rank, the leftmost of equals, until none is left. Quadratic. For texts of known
/// characters.
std::string encodedByDefinition(const Bpe& bpe, std::string_view text) {
  struct Part {
    std::uint32_t id;
    std::size_t begin, end;
  };
  std::vector<Part> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8Length(text[at]);
    parts.push_back({*bpe.vocabulary.find(text.substr(at, length)), at, at + length});
    at += length;
  }
  while (true) {
    const Bpe::Merge* best = nullptr;
    std::size_t where = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto* merge = bpe.merges.find(Bpe::pairKey(parts[i].id, parts[i + 1].id));
      if (merge && (!best || merge->rank < best->rank)) {
        best = merge;
        where = i;
      }
    }
    if (!best) break;
    parts[where] = {best->result, parts[where].begin, parts[where + 1].end};
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(where) + 1);
  }
  std::string result;
  for (const Part& part : parts)
    result += (result.empty() ? "" : " ") + *bpe.vocabulary.piece(part.id) + "@" +
              std::to_string(part.begin) + "-" + std::to_string(part.end);
  return result;
}

Json smallModel() {
  return Json::parse(
      R"({"vocab":{"a":0,"b":1,"c":2,"ab":3,"bc":4,"abc":5,"<unk>":6,"é":7},
                         "merges":["b c","a b","a bc"]})");
}

}  // namespace

void tst_bpe_encoder::mergesTheLowestRankFirst() {
  const Bpe bpe = parsedBpe(smallModel());
  QCOMPARE(encoded(bpe, "abc"), std::string("abc@0-3"));
  QCOMPARE(encoded(bpe, "ab"), std::string("ab@0-2"));
  QCOMPARE(encoded(bpe, "aébc"), std::string("a@0-1 é@1-3 bc@3-5"));
  QCOMPARE(encoded(bpe, ""), std::string());
}

void tst_bpe_encoder::looksWholePiecesUp() {
  Json json = smallModel();
  json["merges"] = Json::array();
  QCOMPARE(encoded(parsedBpe(json), "abc"), std::string("a@0-1 b@1-2 c@2-3"));
  json["ignore_merges"] = true;
  QCOMPARE(encoded(parsedBpe(json), "abc"), std::string("abc@0-3"));
  QCOMPARE(encoded(parsedBpe(json), "abca"), std::string("a@0-1 b@1-2 c@2-3 a@3-4"));
}

void tst_bpe_encoder::fallsBackToBytes() {
  Json json = smallModel();
  json["byte_fallback"] = true;
  json["unk_token"] = "<unk>";
  json["vocab"]["<0xC3>"] = 10;
  json["vocab"]["<0xBC>"] = 11;
  const Bpe bpe = parsedBpe(json);
  QCOMPARE(encoded(bpe, "aüb"), std::string("a@0-1 <0xC3>@1-2 <0xBC>@2-3 b@3-4"));
  // One byte of it has no token.
  QCOMPARE(encoded(bpe, "aÀb"), std::string("a@0-1 <unk>@1-3 b@3-4"));
}

void tst_bpe_encoder::fusesUnknownCharacters() {
  Json json = smallModel();
  json["unk_token"] = "<unk>";
  QCOMPARE(encoded(parsedBpe(json), "xüa"), std::string("<unk>@0-1 <unk>@1-3 a@3-4"));
  json["fuse_unk"] = true;
  const Bpe bpe = parsedBpe(json);
  QVERIFY(bpe.cutsAreSafe);
  BpeEncoder encoder(bpe, ampleLimits());
  for (int again = 0; again < 2; ++again)
    QCOMPARE(encoded(encoder, bpe, "xüaz"), std::string("<unk>@0-3 a@3-4 <unk>@4-5"));
  // The same where cutting is not safe.
  json["vocab"]["a<unk>"] = 20;
  json["merges"].push_back("a <unk>");
  QCOMPARE(encoded(parsedBpe(json), "xübaxü"), std::string("<unk>@0-3 b@3-4 a<unk>@4-8"));
}

void tst_bpe_encoder::dropsWhatHasNoToken() {
  // As in Hugging Face; the remaining symbols are neighbours.
  QCOMPARE(encoded(parsedBpe(smallModel()), "axb"), std::string("ab@0-3"));
}

void tst_bpe_encoder::agreesWithTheDefinition_data() {
  QTest::addColumn<bool>("cuts");
  QTest::newRow("cut where no merge reaches") << true;
  QTest::newRow("in one piece") << false;
}

void tst_bpe_encoder::agreesWithTheDefinition() {
  QFETCH(bool, cuts);
  std::mt19937 random(cuts ? 1 : 2);
  const std::string letters[] = {"a", "b", "c", "é", "▁"};
  for (int round = 0; round < 200; ++round) {
    Json json{{"vocab", {{"<unk>", 0}}}, {"merges", Json::array()}};
    if (cuts) json["unk_token"] = "<unk>";
    std::vector<std::string> pieces(std::begin(letters), std::end(letters));
    for (const std::string& piece : pieces) json["vocab"][piece] = json["vocab"].size();
    for (int i = 0; i < 12; ++i) {
      const std::string left = pieces[random() % pieces.size()];
      const std::string right = pieces[random() % pieces.size()];
      if (json["vocab"].contains(left + right)) continue;
      json["vocab"][left + right] = json["vocab"].size();
      json["merges"].push_back({left, right});
      pieces.push_back(left + right);
    }
    const Bpe bpe = parsedBpe(json);
    QCOMPARE(bpe.cutsAreSafe, cuts);
    std::deque<std::string> texts;  // the encoder remembers views of them
    BpeEncoder encoder(bpe, ampleLimits());
    for (int i = 0; i < 20; ++i) {
      std::string& text = texts.emplace_back();
      for (std::size_t k = random() % 40; k > 0; --k) text += letters[random() % 5];
      QCOMPARE(encoded(encoder, bpe, text), encodedByDefinition(bpe, text));
    }
  }
}

/// A quadratic encoder would take hours.
void tst_bpe_encoder::encodesLongPieces() {
  Json json{{"vocab", {{"a", 0}}}, {"merges", Json::array()}};
  std::string piece = "a";
  for (int i = 1; i < 10; ++i) {
    json["merges"].push_back({piece, piece});
    piece += piece;
    json["vocab"][piece] = i;
  }
  const Bpe bpe = parsedBpe(json);
  BpeEncoder encoder(bpe, ampleLimits());
  const std::string text(1'000'000, 'a');
  const auto& tokens = encoder.encode(text);
  QCOMPARE(tokens.size(),
           std::size_t{1'000'000 / 512 + 1});  // 64 = 1,000,000 mod 512 is left
  QCOMPARE(tokens.back().range.end, std::size_t{1'000'000});
}

EQUIPATCH_TEST(tst_bpe_encoder)
#include "tst_bpe_encoder.moc"
