// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/tokenizer_class.h"

#include "core/text/pipeline/byte_level.h"
#include "core/text/pipeline/piece_files.h"
#include "core/text/pipeline/regex.h"
#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using namespace equipatch::test;

/// tst_tokenizer compares the ids with those of published tokenizers.
class tst_tokenizer_class : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void classIsFoundWithOrWithoutFastSuffix();
  void classIsReadFromTheConfig();
  void patternsOfClassesSplitDifferently();
  void usesThePatternAndNormalizationOfTheClass();
  void prefixSpaceFollowsTheConfig();
  void readsAddedAndSpecialTokenFiles();
  void addsTheTokensOfTheClass();
};

void tst_tokenizer_class::classIsFoundWithOrWithoutFastSuffix() {
  const auto* plain = TokenizerClass::named("GPT2Tokenizer");
  QVERIFY(plain);
  QCOMPARE(TokenizerClass::named("GPT2TokenizerFast"), plain);
  QVERIFY(!plain->normalizesToNfc);
  QVERIFY(TokenizerClass::named("Qwen2Tokenizer")->normalizesToNfc);
  QVERIFY(!TokenizerClass::named("BertTokenizer"));
  QVERIFY(!TokenizerClass::named(""));
}

void tst_tokenizer_class::classIsReadFromTheConfig() {
  const TextFolder folder;
  QVERIFY(!TokenizerConfigFile::read(folder.path()).knownClass());
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "CodeGenTokenizer"})");
  QCOMPARE(TokenizerConfigFile::read(folder.path()).knownClass()->name,
           "CodeGenTokenizer");
  folder.write("tokenizer_config.json", R"({"tokenizer_class": "OddTokenizer"})");
  QVERIFY(!TokenizerConfigFile::read(folder.path()).knownClass());
  QCOMPARE(TokenizerConfigFile::read(folder.path()).className(),
           std::string("OddTokenizer"));
}

/// The three expressions split digits differently. GPT-2's also differs in contractions
/// in upper case, in what may precede letters, and in line breaks.
void tst_tokenizer_class::patternsOfClassesSplitDifferently() {
  const std::string text = "I'LL 1234";
  const auto split = [&](const char* pattern) {
    std::string pieces;
    for (const ByteSpan& piece : Regex(pattern).matches(text))
      pieces += text.substr(piece.begin, piece.end - piece.begin) + "|";
    return pieces;
  };
  QCOMPARE(split(kGpt2Pattern), std::string("I|'|LL| 1234|"));
  QCOMPARE(split(kLlama3Pattern), std::string("I|'LL| |123|4|"));
  QCOMPARE(split(kQwenPattern), std::string("I|'LL| |1|2|3|4|"));
}

namespace {

/// A model whose pieces are the 256 bytes and `more`.
std::shared_ptr<const PieceModel> byteModel(std::vector<std::string> more = {}) {
  std::vector<std::string> pieces;
  for (int byte = 0; byte < 256; ++byte) pieces.emplace_back(1, static_cast<char>(byte));
  pieces.insert(pieces.end(), more.begin(), more.end());
  return PieceModel::of(bpeOfRanks(pieces, "f"));
}

std::string encoded(const TextFolder& folder, const char* name, const std::string& text) {
  const PipelineTokenizer tokenizer(
      byteLevelPipeline(TokenizerConfigFile::read(folder.path()),
                        *TokenizerClass::named(name), byteModel({"12", " a"})));
  std::string result;
  for (const std::string& piece : piecesOf(tokenizer.encode(text, SpecialTokens::Add)))
    result += (result.empty() ? "" : "|") + piece;
  return result;
}

}  // namespace

void tst_tokenizer_class::usesThePatternAndNormalizationOfTheClass() {
  const TextFolder folder;
  QCOMPARE(encoded(folder, "GPT2Tokenizer", "12 a"), std::string("12|Ġa"));
  QCOMPARE(encoded(folder, "Qwen2Tokenizer", "12 a"), std::string("1|2|Ġa"));
  // Qwen2 normalizes to NFC, GPT-2 does not.
  QCOMPARE(encoded(folder, "GPT2Tokenizer", "e\u0301"), std::string("e|Ì|ģ"));
  QCOMPARE(encoded(folder, "Qwen2Tokenizer", "e\u0301"), std::string("Ã|©"));
}

void tst_tokenizer_class::prefixSpaceFollowsTheConfig() {
  const TextFolder folder;
  folder.write("tokenizer_config.json", R"({"add_prefix_space": true})");
  QCOMPARE(encoded(folder, "GPT2Tokenizer", "a a"), std::string("Ġa|Ġa"));
}

void tst_tokenizer_class::readsAddedAndSpecialTokenFiles() {
  const TextFolder folder;
  folder.write("added_tokens.json", R"({"<x>": 300})");
  QCOMPARE(encoded(folder, "GPT2Tokenizer", "1<x>2"), std::string("1|<x>|2"));
  folder.write("tokenizer_config.json", R"({"add_bos_token": true, "bos_token": "<x>"})");
  QCOMPARE(encoded(folder, "GPT2Tokenizer", "1"), std::string("<x>|1"));
  folder.write("tokenizer_config.json", R"({"add_bos_token": true})");
  folder.write("special_tokens_map.json", R"({"bos_token": {"content": "<x>"}})");
  QCOMPARE(encoded(folder, "GPT2Tokenizer", "1"), std::string("<x>|1"));
  folder.write("added_tokens.json", R"({"<x>": 5})");
  QVERIFY_ERROR(encoded(folder, "GPT2Tokenizer", "1"), folder.path().c_str(), "<x>");
}

void tst_tokenizer_class::addsTheTokensOfTheClass() {
  const TextFolder folder;
  const PipelineTokenizer llama(
      byteLevelPipeline(TokenizerConfigFile::read(folder.path()),
                        *TokenizerClass::named(TokenizerClass::kLlama3), byteModel()));
  QCOMPARE(llama.size(), std::int64_t{256 + 256});
  QCOMPARE(llama.piece(TokenId(256 + 9)), std::string("<|eot_id|>"));
  QCOMPARE(llama.piece(TokenId(511)), std::string("<|reserved_special_token_250|>"));
  QCOMPARE(idsOf(llama.encode("a", SpecialTokens::Add)),
           (std::vector<std::int64_t>{256, 97}));
  QCOMPARE(idsOf(llama.encode("<|eot_id|>", SpecialTokens::Omit)),
           std::vector<std::int64_t>{265});
  folder.write("added_tokens.json", R"({"<pad>": 512, "<|end_of_turn|>": 265})");
  const PipelineTokenizer padded(
      byteLevelPipeline(TokenizerConfigFile::read(folder.path()),
                        *TokenizerClass::named(TokenizerClass::kLlama3), byteModel()));
  QCOMPARE(padded.size(), std::int64_t{513});
  QCOMPARE(padded.piece(TokenId(256 + 9)), std::string("<|end_of_turn|>"));
  QCOMPARE(idsOf(padded.encode("a<pad>", SpecialTokens::Add)),
           (std::vector<std::int64_t>{256, 97, 512}));
  folder.write("added_tokens.json", "{}");
  folder.write("tokenizer_config.json", R"({"added_tokens_decoder": {"512": {}}})");
  QVERIFY_ERROR(
      byteLevelPipeline(TokenizerConfigFile::read(folder.path()),
                        *TokenizerClass::named(TokenizerClass::kLlama3), byteModel()),
      "content");
  folder.write("tokenizer_config.json", "{}");
  const PipelineTokenizer qwen(byteLevelPipeline(TokenizerConfigFile::read(folder.path()),
                                                 *TokenizerClass::named("QWenTokenizer"),
                                                 byteModel()));
  QCOMPARE(qwen.size(), std::int64_t{256 + 208});
  QCOMPARE(qwen.piece(TokenId(256 + 2)), std::string("<|im_end|>"));
  QCOMPARE(qwen.piece(TokenId(256 + 207)), std::string("<|extra_204|>"));
}

EQUIPATCH_TEST(tst_tokenizer_class)
#include "tst_tokenizer_class.moc"
