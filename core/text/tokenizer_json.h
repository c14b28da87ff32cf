#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/added_tokens.h"
#include "core/text/bpe.h"
#include "core/text/decoder.h"
#include "core/text/normalizer.h"
#include "core/text/post_processor.h"
#include "core/text/pre_tokenizer.h"
#include "core/text/tokenizer.h"
#include "core/text/tokenizer_config.h"

namespace equipatch {

/// The pipeline that a tokenizer.json describes: added tokens are found, the text between
/// them is normalized, cut into pieces and encoded piece by piece; tokens are put around
/// it.
class TokenizerJson : public Tokenizer {
 public:
  /// @param bytes of the file; `source` names it in errors.
  /// @param config decides about BOS and EOS only where tokenizer.json does not.
  TokenizerJson(std::string_view bytes, const TokenizerConfig& config,
                const std::string& source);

  std::vector<Token> encode(std::string_view text, SpecialTokens specials) const override;
  std::string decode(std::span<const TokenId> ids, SpecialTokens specials) const override;
  std::string surface(TokenId id) const override;
  std::string piece(TokenId id) const override;
  std::int64_t size() const override;

 private:
  void read(const Json& json, const std::string& source);
  void decideFrame(const TokenizerConfig& config, const std::string& source);
  std::int64_t idOf(const std::string& token, const std::string& source) const;
  void addFrame(const std::vector<std::int64_t>& ids, std::size_t offset,
                std::vector<Token>& tokens) const;
  void encodePart(const AlignedText& part, std::vector<Token>& tokens) const;
  void encodePlain(AlignedText text, std::vector<Token>& tokens) const;
  const std::string* pieceOf(std::int64_t id) const;

  std::shared_ptr<const Normalizer> m_normalizer;
  std::shared_ptr<const PreTokenizer> m_preTokenizer;
  std::shared_ptr<const Decoder> m_decoder;
  Bpe m_model;
  AddedTokens m_added;
  TokenFrame m_frame;
};

}  // namespace equipatch
