// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/tokenizer_class.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/json.h"
#include "core/text/pipeline/pipeline_tokenizer.h"
#include "core/text/tokenizer_config.h"

namespace equipatch {

namespace {

constexpr std::string_view kFastSuffix = "Fast";

using Tokens = std::vector<std::pair<const char*, const char*>>;

std::vector<std::string> numbered(const std::string& name, int first, int end) {
  std::vector<std::string> tokens;
  for (int number = first; number < end; ++number)
    tokens.push_back("<|" + name + std::to_string(number) + "|>");
  return tokens;
}

std::vector<std::string> llama3Tokens() {
  std::vector<std::string> tokens{"<|begin_of_text|>",
                                  "<|end_of_text|>",
                                  "<|reserved_special_token_0|>",
                                  "<|reserved_special_token_1|>",
                                  "<|reserved_special_token_2|>",
                                  "<|reserved_special_token_3|>",
                                  "<|start_header_id|>",
                                  "<|end_header_id|>",
                                  "<|reserved_special_token_4|>",
                                  "<|eot_id|>"};
  for (std::string& token : numbered("reserved_special_token_", 5, 251))
    tokens.push_back(std::move(token));
  return tokens;
}

/// As in the tokenizer.json of Llama 3.1, 3.2 and 3.3.
std::vector<std::string> llama31Tokens() {
  std::vector<std::string> tokens{"<|begin_of_text|>",
                                  "<|end_of_text|>",
                                  "<|reserved_special_token_0|>",
                                  "<|reserved_special_token_1|>",
                                  "<|finetune_right_pad_id|>",
                                  "<|reserved_special_token_2|>",
                                  "<|start_header_id|>",
                                  "<|end_header_id|>",
                                  "<|eom_id|>",
                                  "<|eot_id|>",
                                  "<|python_tag|>"};
  for (std::string& token : numbered("reserved_special_token_", 3, 248))
    tokens.push_back(std::move(token));
  return tokens;
}

std::vector<std::string> qwen1Tokens() {
  std::vector<std::string> tokens{"<|endoftext|>", "<|im_start|>", "<|im_end|>"};
  for (std::string& token : numbered("extra_", 0, 205))
    tokens.push_back(std::move(token));
  return tokens;
}

std::vector<TokenizerClass> makeClasses() {
  const Tokens sentencePiece{
      {"bos_token", "<s>"}, {"eos_token", "</s>"}, {"unk_token", "<unk>"}};
  const Tokens endOfText{{"bos_token", "<|endoftext|>"},
                         {"eos_token", "<|endoftext|>"},
                         {"unk_token", "<|endoftext|>"}};
  const Tokens gemma{{"bos_token", "<bos>"},
                     {"eos_token", "<eos>"},
                     {"unk_token", "<unk>"},
                     {"pad_token", "<pad>"}};
  const Tokens qwen2{{"eos_token", "<|endoftext|>"},
                     {"unk_token", "<|endoftext|>"},
                     {"pad_token", "<|endoftext|>"}};
  const Tokens llama3{{"bos_token", "<|begin_of_text|>"},
                      {"eos_token", "<|end_of_text|>"}};
  return {
      {.name = "GPT2Tokenizer", .specialTokens = endOfText, .pattern = kGpt2Pattern},
      {.name = "CodeGenTokenizer", .specialTokens = endOfText, .pattern = kGpt2Pattern},
      {.name = "GPTNeoXTokenizer",
       .specialTokens = endOfText,
       .pattern = kGpt2Pattern,
       .normalizesToNfc = true},
      {.name = "Qwen2Tokenizer",
       .specialTokens = qwen2,
       .pattern = kQwenPattern,
       .normalizesToNfc = true},
      {.name = "QWenTokenizer",
       .specialTokens = {},
       .pattern = kQwenPattern,
       .normalizesToNfc = true,
       .tokensAfterRanks = qwen1Tokens()},
      {.name = TokenizerClass::kLlama3,
       .specialTokens = llama3,
       .pattern = kLlama3Pattern,
       .tokensAfterRanks = llama3Tokens(),
       .tokenBefore = "<|begin_of_text|>"},
      {.name = TokenizerClass::kLlama31,
       .specialTokens = llama3,
       .pattern = kLlama3Pattern,
       .tokensAfterRanks = llama31Tokens(),
       .tokenBefore = "<|begin_of_text|>"},
      {.name = "LlamaTokenizer", .specialTokens = sentencePiece},
      {.name = "CodeLlamaTokenizer", .specialTokens = sentencePiece},
      {.name = "GemmaTokenizer", .specialTokens = gemma},
  };
}

}  // namespace

const TokenizerClass* TokenizerClass::named(std::string_view name) {
  if (name.ends_with(kFastSuffix)) name.remove_suffix(kFastSuffix.size());
  static const std::vector<TokenizerClass> classes = makeClasses();
  for (const TokenizerClass& known : classes)
    if (name == known.name) return &known;
  return nullptr;
}

namespace {

/// The class's tokensAfterRanks in the form of tokenizer.json's "added_tokens".
Json tokensAfterRanks(std::int64_t firstId, const TokenizerClass& known) {
  Json result = Json::array();
  for (const std::string& token : known.tokensAfterRanks)
    result.push_back({{"content", token}, {"id", firstId++}, {"special", true}});
  return result;
}

/// The class's tokens, unless the files replace them, and the added tokens of the files.
Json addedTokens(const TokenizerConfigFile& file, const TokenizerClass& known,
                 const Vocabulary& vocabulary) {
  const Json ofFiles = file.addedTokens(vocabulary);
  Json all = Json::array();
  for (const Json& token : tokensAfterRanks(vocabulary.size(), known)) {
    // AddedTokens::parse refuses an entry without "id" or "content".
    const auto isReplaced = [&](const Json& other) {
      return other.value("id", Json()) == token["id"] ||
             other.value("content", Json()) == token["content"];
    };
    if (std::ranges::none_of(ofFiles, isReplaced)) all.push_back(token);
  }
  for (const Json& token : ofFiles) all.push_back(token);
  return all;
}

}  // namespace

Pipeline byteLevelPipeline(const TokenizerConfigFile& file, const TokenizerClass& known,
                           std::shared_ptr<const PieceModel> model) {
  const TokenizerConfig config = file.config();
  const std::string place = file.folder().string();
  const Json none;
  const Json composed{{"type", "NFC"}};
  const bool addsSpace = config.addPrefixSpace.value_or(false);
  const Json split{{"type", "Split"},
                   {"pattern", {{"Regex", known.pattern}}},
                   {"behavior", "Isolated"}};
  const Json byteLevel{
      {"type", "ByteLevel"}, {"add_prefix_space", addsSpace}, {"use_regex", false}};
  // ByteLevel alone adds the space to the text, then splits by GPT-2's expression. After
  // a Split by another expression, ByteLevel adds the space to each pre-token.
  const Json byteLevelAlone{{"type", "ByteLevel"}, {"add_prefix_space", addsSpace}};
  const Json splitThenByteLevel{{"type", "Sequence"},
                                {"pretokenizers", {split, byteLevel}}};
  const bool isGpt2 = std::string_view(known.pattern) == kGpt2Pattern;

  Pipeline parts;
  parts.normalizer = Normalizer::parse(known.normalizesToNfc ? &composed : &none, place);
  parts.preTokenizer =
      PreTokenizer::parse(isGpt2 ? &byteLevelAlone : &splitThenByteLevel, place);
  parts.decoder = Decoder::parse(&byteLevel, place);
  parts.model = std::move(model);
  const Json added = addedTokens(file, known, parts.model->vocabulary());
  parts.added = AddedTokens::parse(&added, parts.model->vocabulary(), *parts.normalizer,
                                   place + ": added tokens");
  const AddedToken* before =
      known.tokenBefore ? parts.added.find(std::string(known.tokenBefore)) : nullptr;
  if (before && config.addBos.value_or(true)) {
    parts.frame.before = {before->id};
    parts.frame.isDecided = true;
  }
  decideFrame(parts, config, place);
  return parts;
}

}  // namespace equipatch
