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

/// A tokenizer.model, read and applied by the SentencePiece library. Control tokens are
/// recognised in a text only with SpecialTokens::Written, tokens added to the model
/// always.
class SentencePieceTokenizer : public Tokenizer {
 public:
  /// @param bytes of the file; errors name `source`.
  /// @param config only says whether the model's own BOS and EOS are added; by default
  /// BOS is, if the model has one.
  /// @param addedTokens as in tokenizer.json, or null; those with the id of a piece are
  /// ignored.
  /// @throws Error{BadInput} for a damaged file or added token; Error as
  /// openSentencePieceLibrary; Error{Cancelled} after `progress` asks to stop: soon,
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
  AddedTokens m_added;      ///< beyond the library's pieces
  AddedTokens m_written;    ///< the same and the library's control tokens
  std::int64_t m_bos = -1;  ///< added before every text; -1: none
  std::int64_t m_eos = -1;  ///< added after every text; -1: none
};

}  // namespace equipatch
