// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "trainer/documents/generator.h"

namespace equipatch {

struct VocabularyRequest {
  /// Upper limit of the vocabulary: special tokens, bytes, characters and merges.
  std::size_t pieces = 2048;
  std::uint64_t documents = 0;   ///< number of texts to learn from
  std::int64_t maxLength = 512;  ///< tokens that the model can read
  /// Special tokens after the first four: key in tokenizer_config.json, text.
  std::vector<std::pair<std::string, std::string>> specials = {};
};

/// Returns the text with this index.
using Texts = std::function<std::string(std::uint64_t)>;

/// The first ids of every vocabulary, as in Gemma.
inline constexpr int kPadId = 0, kEosId = 1, kBosId = 2, kUnknownId = 3;

/// Learns a byte-fallback BPE vocabulary from `request.documents` texts and writes
/// tokenizer.json and tokenizer_config.json into `folder`. Every digit is a separate
/// piece, and no piece has both letters and punctuation. A space before a letter, a digit
/// or a sign begins a piece.
/// @throws Error{BadInput} if `pieces` has no room for special tokens, bytes and
///         characters; Error{Resource} if the folder cannot be written
void writeTokenizer(const std::filesystem::path& folder, const Texts& texts,
                    const VocabularyRequest& request);
/// Learns from the generator's documents.
void writeTokenizer(const std::filesystem::path& folder, const Generator& generator,
                    const VocabularyRequest& request);

/// If writing fails, an existing file stays as it was.
/// @throws Error{Resource} if `path` cannot be written; Error{BadInput} for a pipe or a
///         device
void writeText(const std::filesystem::path& path, const std::string& text);

/// The left and the right piece.
using Merge = std::pair<std::string, std::string>;

using PreTokenCounts = std::map<std::string, std::int64_t>;

/// Byte-pair encoding (Sennrich, Haddow and Birch, 2016) of characters. Returns `count`
/// merges, or fewer if no pair occurs twice any more. Among equally frequent pairs, the
/// first in byte order is merged.
std::vector<Merge> learnMerges(const PreTokenCounts& counts, std::size_t count);

/// The characters of all pre-tokens, in the order of their code points.
std::vector<std::string> charactersOf(const PreTokenCounts& counts);

}  // namespace equipatch
