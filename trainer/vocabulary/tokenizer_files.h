// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "trainer/documents/generator.h"

namespace equipatch {

struct VocabularyRequest {
  std::size_t pieces = 2048;    ///< in total: special tokens, bytes, characters, merges
  std::uint64_t documents = 0;  ///< from which the merges are learned
};

/// The first ids of every vocabulary, as in Gemma.
inline constexpr int kPadId = 0, kEosId = 1, kBosId = 2, kUnknownId = 3;

/// Learns a byte-fallback BPE vocabulary from the generator's documents and writes
/// tokenizer.json and tokenizer_config.json into `folder`, as Hugging Face's libraries
/// read them. Every digit is a separate piece, and letters never share one with
/// punctuation. A space only begins a piece.
/// @throws Error{BadInput} when `pieces` has no room for bytes and characters,
///         Error{Resource} when the folder cannot be written.
void writeTokenizer(const std::filesystem::path& folder, const Generator& generator,
                    const VocabularyRequest& request);

/// Writes a text file. @throws Error{Resource} naming a path that cannot be written.
void writeText(const std::filesystem::path& path, const std::string& text);

}  // namespace equipatch
