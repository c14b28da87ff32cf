// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "core/base/json.h"
#include "core/text/aligned_text.h"

namespace equipatch {

/// Transforms a text before pre-tokenization. Immutable; any thread.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  /// @throws Error{Resource} beyond the limits of `text`; Error{BadInput} for a regular
  /// expression that takes too long; Error{Cancelled}.
  virtual AlignedText normalize(const AlignedText& text) const = 0;

  /// The "normalizer" of tokenizer.json; null changes nothing.
  /// @throws Error{Unsupported} naming `place` and an unknown type or setting;
  /// Error{BadInput} naming `place` for an invalid value.
  static std::shared_ptr<const Normalizer> parse(const Json* json,
                                                 const std::string& place);
};

enum class NormalForm { Nfc, Nfd, Nfkc, Nfkd };
std::shared_ptr<const Normalizer> unicodeNormalizer(NormalForm form);

enum class TextEnd { Left, Right };
std::shared_ptr<const Normalizer> stripNormalizer(TextEnd end);

/// Lower-cases each character regardless of its neighbours.
std::shared_ptr<const Normalizer> lowercaseNormalizer();
/// Removes all marks. Accents of composed characters become marks only by NFD.
std::shared_ptr<const Normalizer> stripAccentsNormalizer();
/// SentencePiece's "nmt" rule: removes control characters and replaces some white space,
/// characters without width, "▁", U+FEFF and U+FFFD by spaces.
std::shared_ptr<const Normalizer> nmtNormalizer();
/// Replaces every byte by its byteLevelCharacter.
std::shared_ptr<const Normalizer> byteLevelNormalizer();

}  // namespace equipatch
