#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/decoder.h"
#include "core/text/sentencepiece_library.h"
#include "core/text/tokenizer.h"
#include "core/text/tokenizer_config.h"

namespace equipatch {

/// A tokenizer.model, read and applied by the SentencePiece library. Control tokens are
/// never found in a text, whatever it says.
class SentencePieceTokenizer : public Tokenizer {
 public:
  /// @param bytes of the file; `source` names it in errors.
  /// @param config decides about BOS and EOS; by default BOS is added where the model has
  /// one.
  SentencePieceTokenizer(std::string_view bytes, const TokenizerConfig& config,
                         const std::string& source);
  ~SentencePieceTokenizer() override;

  std::vector<Token> encode(std::string_view text, SpecialTokens specials) const override;
  std::string decode(std::span<const TokenId> ids, SpecialTokens specials) const override;
  std::string surface(TokenId id) const override;
  std::string piece(TokenId id) const override;
  std::int64_t size() const override;

 private:
  bool isSpecial(TokenId id) const;
  void encodePlain(std::string_view text, std::vector<Token>& tokens) const;

  std::unique_ptr<const SentencePieceLibrary> m_library;
  std::shared_ptr<const Decoder> m_decoder;
  std::int64_t m_bos = -1;  ///< put before every text; -1: nothing is
  std::int64_t m_eos = -1;
};

}  // namespace equipatch
