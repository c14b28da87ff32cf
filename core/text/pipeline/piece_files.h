// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.h"
#include "core/text/pipeline/bpe.h"
#include "core/text/pipeline/piece_model.h"

namespace equipatch {

/// Files in use have at most about 30 MB; parsing takes several times as much memory.
constexpr std::uintmax_t kMostTokenizerBytes = std::uintmax_t{256} << 20;

/// tiktoken's file of ranks has a line for each piece: the bytes in Base64, a space, and
/// the rank, which is also the id. The ranks define the merges: two neighbours merge when
/// their concatenation is a piece, and the piece with the lowest rank is made first.
///
/// True if the first line of `bytes` has this format.
bool looksLikeRanks(std::string_view bytes);

/// The pieces by rank; "" for ranks without a line.
/// @throws Error{BadInput} naming `source` and the line, Error{Cancelled} soon after
/// `progress` asks to stop, here and below.
std::vector<std::string> readRanks(std::string_view bytes, const std::string& source,
                                   const Progress& progress = SilentProgress());

/// The equivalent BPE model, with byte-level pieces. @throws Error{BadInput} when a byte
/// has no piece, two ranks have the same piece, or pieces are far too long.
Bpe bpeOfRanks(const std::vector<std::string>& pieces, const std::string& source,
               const Progress& progress = SilentProgress());

/// The byte-pair model of vocab.json and merges.txt, the original format of GPT-2's and
/// Qwen 2's tokenizers. @throws Error{BadInput} naming the file, and of an invalid merge
/// the line or the number (from 0).
std::shared_ptr<const PieceModel> readVocabFiles(
    const std::filesystem::path& vocab, const std::filesystem::path& merges,
    const Progress& progress = SilentProgress());

}  // namespace equipatch
