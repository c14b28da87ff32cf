// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/piece_model.h"

#include <nlohmann/json.hpp>

#include "core/text/pipeline/bpe.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using test::ampleLimits;

class tst_piece_model : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void knowsModelsByTheirType();
  void knowsModelsWithoutAType();
  void refusesOthers();
};

namespace {

std::string encoded(const PieceModel& model, const std::string& text) {
  const auto encoder = model.makeEncoder(ampleLimits());
  std::string result;
  for (const PieceToken& token : encoder->encode(text))
    result += (result.empty() ? "" : " ") + *model.vocabulary().piece(token.id);
  return result;
}

Json bpe() {
  return {{"vocab", {{"a", 0}, {"b", 1}, {"ab", 2}}}, {"merges", {"a b"}}};
}

Json unigram() {
  return Json::parse(R"({"vocab": [["a", 0], ["b", 0], ["ab", 1]], "unk_id": 0})");
}

}  // namespace

void tst_piece_model::knowsModelsByTheirType() {
  Json json = bpe();
  json["type"] = "BPE";
  QCOMPARE(encoded(*PieceModel::parse(&json, "f"), "aab"), std::string("a ab"));
  json = unigram();
  json["type"] = "Unigram";
  QCOMPARE(encoded(*PieceModel::parse(&json, "f"), "aab"), std::string("a ab"));
}

void tst_piece_model::knowsModelsWithoutAType() {
  const Json pairs = bpe();
  QCOMPARE(encoded(*PieceModel::parse(&pairs, "f"), "ab"), std::string("ab"));
  const Json scores = unigram();
  QCOMPARE(encoded(*PieceModel::parse(&scores, "f"), "ab"), std::string("ab"));
}

void tst_piece_model::refusesOthers() {
  QVERIFY_ERROR(PieceModel::parse(nullptr, "f: model"), "f: model", "missing");
  for (const char* type : {"WordPiece", "WordLevel"}) {
    Json json = bpe();
    json["type"] = type;
    QVERIFY_ERROR(PieceModel::parse(&json, "f: model"), "f: model", type,
                  "not supported");
  }
  const Json empty = Json::object();
  QVERIFY_ERROR(PieceModel::parse(&empty, "f: model"), "f: model", "type");
}

EQUIPATCH_TEST(tst_piece_model)
#include "tst_piece_model.moc"
