#include "core/text/byte_level_pipeline.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/text/added_tokens_files.h"
#include "core/text/tokenizer_json.h"

namespace equipatch {
namespace {

Json tokensBehind(std::int64_t count, const TokenizerClass& known) {
  Json result = Json::array();
  for (const std::string& token : known.tokensBehindRanks)
    result.push_back({{"content", token}, {"id", count++}, {"special", true}});
  return result;
}

}  // namespace

Pipeline byteLevelPipeline(const std::filesystem::path& folder,
                           const TokenizerClass& known,
                           std::shared_ptr<const PieceModel> model) {
  const TokenizerConfig config = TokenizerConfig::read(folder);
  const std::string place = folder.string();
  const Json none;
  const Json composed{{"type", "NFC"}};
  const bool addsSpace = config.addPrefixSpace.value_or(false);
  const Json split{{"type", "Split"},
                   {"pattern", {{"Regex", known.pattern}}},
                   {"behavior", "Isolated"}};
  const Json byteLevel{
      {"type", "ByteLevel"}, {"add_prefix_space", addsSpace}, {"use_regex", false}};
  // ByteLevel has GPT-2's expression built in, and puts its space before that cuts; with
  // another expression the space goes in front of every piece.
  const Json whole{{"type", "ByteLevel"}, {"add_prefix_space", addsSpace}};
  const Json cuts{{"type", "Sequence"}, {"pretokenizers", {split, byteLevel}}};
  const bool isGpt2 = std::string_view(known.pattern) == kGpt2Pieces;

  Pipeline parts;
  parts.normalizer = Normalizer::parse(known.composes ? &composed : &none, place);
  parts.preTokenizer = PreTokenizer::parse(isGpt2 ? &whole : &cuts, place);
  parts.decoder = Decoder::parse(&byteLevel, place);
  parts.model = std::move(model);
  Json added = readAddedTokensFiles(folder, parts.model->vocabulary());
  if (added.empty()) added = tokensBehind(parts.model->vocabulary().size(), known);
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
