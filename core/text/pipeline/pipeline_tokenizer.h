// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json.h"
#include "core/text/pipeline/added_tokens.h"
#include "core/text/pipeline/decoder.h"
#include "core/text/pipeline/normalizer.h"
#include "core/text/pipeline/piece_model.h"
#include "core/text/pipeline/post_processor.h"
#include "core/text/pipeline/pre_tokenizer.h"
#include "core/text/tokenizer.h"
#include "core/text/tokenizer_config.h"

namespace equipatch {

/// The parts that tokenizer.json describes. No pointer is null.
struct Pipeline {
  std::shared_ptr<const Normalizer> normalizer;
  std::shared_ptr<const PreTokenizer> preTokenizer;
  std::shared_ptr<const PieceModel> model;
  std::shared_ptr<const Decoder> decoder;
  AddedTokens added;
  TokenFrame frame;

  /// The piece of an id, added tokens included; nullptr if there is none.
  const std::string* pieceOf(std::int64_t id) const;
};

/// Finds the added tokens, normalizes, pre-tokenizes and encodes the text between them,
/// and adds the tokens of the post-processor.
class PipelineTokenizer : public Tokenizer {
 public:
  explicit PipelineTokenizer(Pipeline parts) : m_parts(std::move(parts)) {}

  std::vector<Token> encode(std::string_view text, SpecialTokens specials,
                            std::stop_token stop = {}) const override;
  std::string decode(std::span<const TokenId> ids, SpecialTokens specials) const override;
  std::string surface(TokenId id) const override;
  std::string piece(TokenId id) const override;
  std::int64_t size() const override;

 private:
  /// @param limits what is left for the whole text. This function and the next two
  /// subtract what they use.
  void addFrame(const std::vector<std::int64_t>& ids, std::size_t offset,
                TextLimits& limits, std::vector<Token>& tokens) const;
  void encodePart(const AlignedText& part, TextLimits& limits,
                  std::vector<Token>& tokens) const;
  void encodePlain(AlignedText text, TextLimits& limits,
                   std::vector<Token>& tokens) const;

  Pipeline m_parts;
};

/// @param config as for decideFrame
/// @param source names the file in errors
/// @throws Error{Unsupported} for unknown components and settings, Error{BadInput} for
/// invalid ones, Error{Cancelled} soon after `progress` asks to stop.
Pipeline readTokenizerJson(const Json& json, const TokenizerConfig& config,
                           const std::string& source,
                           const Progress& progress = SilentProgress());

/// Adds the BOS and EOS that `config` requests to `parts.frame`, unless the frame is
/// decided. All other parts must be set.
/// @throws Error{BadInput} naming `source` for a token without an id, or an id without a
/// piece.
void decideFrame(Pipeline& parts, const TokenizerConfig& config,
                 const std::string& source);

/// The tokenizer that a tokenizer.json describes.
class TokenizerJson : public PipelineTokenizer {
 public:
  /// @param bytes of the file. The other parameters are those of readTokenizerJson.
  /// @throws Error as parseJson and readTokenizerJson.
  TokenizerJson(std::string_view bytes, const TokenizerConfig& config,
                const std::string& source, const Progress& progress = SilentProgress());
};

}  // namespace equipatch
