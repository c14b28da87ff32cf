// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/pipeline/added_tokens.h"
#include "core/text/pipeline/decoder.h"
#include "core/text/sentencepiece/sentencepiece_encoder.h"
#include "core/text/sentencepiece/sentencepiece_library.h"
#include "core/text/tokenizer.h"
#include "core/text/tokenizer_config.h"

namespace equipatch {

/// A tokenizer.model, read and applied by the SentencePiece library. Added tokens are
/// always recognised in a text; the model's control tokens are recognised only with
/// SpecialTokens::Written.
class SentencePieceTokenizer : public Tokenizer {
 public:
  /// @param config only addBos (true if empty) and addEos (false if empty) are used. They
  /// decide whether the model's own BOS and EOS are added.
  /// @param source names the file in errors
  /// @param addedTokens as in tokenizer.json, or null; tokens with the id of a piece are
  /// ignored
  /// @throws Error{BadInput} for a damaged file or added token; Error as
  /// openSentencePieceLibrary; Error{Cancelled} soon after `progress` asks to stop,
  /// except while the library reads the file.
  SentencePieceTokenizer(std::string_view bytes, const TokenizerConfig& config,
                         const std::string& source, const Json* addedTokens = nullptr,
                         const Progress& progress = SilentProgress());
  ~SentencePieceTokenizer() override;

  std::vector<Token> encode(std::string_view text, SpecialTokens specials,
                            std::stop_token stop = {}) const override;
  std::string decode(std::span<const TokenId> ids, SpecialTokens specials) const override;
  std::string surface(TokenId id) const override;
  std::string piece(TokenId id) const override;
  std::int64_t size() const override;

 private:
  void readAdded(const Json* tokens, const std::string& source, const Progress& progress);
  bool isSpecial(TokenId id) const;
  void encodePlain(std::string_view text, std::size_t offset, TextLimits& limits,
                   std::vector<Token>& tokens) const;

  std::unique_ptr<const SentencePieceLibrary> m_library;
  std::unique_ptr<const SentencePieceCuts> m_cuts;
  std::shared_ptr<const Decoder> m_decoder;
  AddedTokens m_added;      ///< without tokens that are pieces of the model
  AddedTokens m_written;    ///< m_added and the model's control tokens
  std::int64_t m_bos = -1;  ///< -1: none
  std::int64_t m_eos = -1;  ///< -1: none
};

}  // namespace equipatch
