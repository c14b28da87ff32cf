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
  /// The largest number of special tokens, bytes, characters and merges together.
  std::size_t pieces = 2048;
  std::uint64_t documents = 0;   ///< number of texts to learn from
  std::int64_t maxLength = 512;  ///< tokens that the model can read
  /// Special tokens after the first four: each one's key in tokenizer_config.json, and
  /// its text.
  std::vector<std::pair<std::string, std::string>> specials = {};
};

/// The texts that a vocabulary is learned from, by index.
using Texts = std::function<std::string(std::uint64_t)>;

/// The first ids of every vocabulary, as in Gemma.
inline constexpr int kPadId = 0, kEosId = 1, kBosId = 2, kUnknownId = 3;

/// Learns a byte-fallback BPE vocabulary from `request.documents` texts and writes
/// tokenizer.json and tokenizer_config.json into `folder`, as Hugging Face's libraries
/// read them. Every digit is a separate piece, and no piece has both letters and
/// punctuation. A space before a letter, a digit or a sign is always at the beginning of
/// a piece.
/// @throws Error{BadInput} when `pieces` has no room for special tokens, bytes and
///         characters; Error{Resource} when the folder cannot be written.
void writeTokenizer(const std::filesystem::path& folder, const Texts& texts,
                    const VocabularyRequest& request);
/// Does the same with the generator's documents as texts.
void writeTokenizer(const std::filesystem::path& folder, const Generator& generator,
                    const VocabularyRequest& request);

/// Writes a text file under a temporary name and renames it, so that a failed write
/// leaves an existing file as it was.
/// @throws Error{Resource} naming a path that cannot be written; Error{BadInput} for a
///         pipe or a device.
void writeText(const std::filesystem::path& path, const std::string& text);

/// Two pieces that are merged wherever they are adjacent.
using Merge = std::pair<std::string, std::string>;

/// The number of occurrences of each pre-token.
using PreTokenCounts = std::map<std::string, std::int64_t>;

/// Byte-pair encoding (Sennrich, Haddow and Birch, 2016). Pieces are characters at first;
/// then the most frequent adjacent pair becomes a piece, up to `count` times. Among
/// equally frequent pairs the alphabetically first is merged, so the result depends on
/// the counts alone. Returns fewer merges if no pair occurs twice.
std::vector<Merge> learnMerges(const PreTokenCounts& counts, std::size_t count);

/// The characters of all pre-tokens, in the order of their code points.
std::vector<std::string> charactersOf(const PreTokenCounts& counts);

}  // namespace equipatch
