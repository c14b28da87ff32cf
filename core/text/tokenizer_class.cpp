#include "core/text/tokenizer_class.h"

#include <array>
#include <nlohmann/json.hpp>

#include "core/base/json.h"

namespace equipatch {
namespace {

constexpr std::uintmax_t kMaxBytes = std::uintmax_t{64} << 20;
constexpr std::string_view kFastSuffix = "Fast";

using Tokens = std::vector<std::pair<const char*, const char*>>;

const std::array<TokenizerClass, 8>& knownClasses() {
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
  static const std::array<TokenizerClass, 8> classes{{
      {.name = "GPT2Tokenizer", .specialTokens = endOfText, .pattern = kGpt2Pieces},
      {.name = "CodeGenTokenizer", .specialTokens = endOfText, .pattern = kGpt2Pieces},
      {.name = "GPTNeoXTokenizer",
       .specialTokens = endOfText,
       .pattern = kGpt2Pieces,
       .composes = true},
      {.name = "Qwen2Tokenizer",
       .specialTokens = qwen2,
       .pattern = kQwenPieces,
       .composes = true},
      {.name = "QWenTokenizer",
       .specialTokens = {},
       .pattern = kQwenPieces,
       .composes = true},
      {.name = "LlamaTokenizer", .specialTokens = sentencePiece},
      {.name = "CodeLlamaTokenizer", .specialTokens = sentencePiece},
      {.name = "GemmaTokenizer", .specialTokens = gemma},
  }};
  return classes;
}

}  // namespace

const TokenizerClass* TokenizerClass::named(std::string_view name) {
  if (name.ends_with(kFastSuffix)) name.remove_suffix(kFastSuffix.size());
  for (const TokenizerClass& known : knownClasses())
    if (name == known.name) return &known;
  return nullptr;
}

std::optional<std::string> TokenizerClass::nameIn(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "tokenizer_config.json";
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  const Json json = readJsonFile(path, kMaxBytes);
  return JsonObject(json, path.string()).optionalString("tokenizer_class");
}

const TokenizerClass* TokenizerClass::of(const std::filesystem::path& folder) {
  const auto name = nameIn(folder);
  return name ? named(*name) : nullptr;
}

}  // namespace equipatch
