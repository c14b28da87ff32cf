#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/pipeline/bpe.h"
#include "core/text/pipeline/piece_model.h"

namespace equipatch {

/// A file of ranks, as tiktoken reads them: a line for each piece, its bytes in base 64
/// and its rank, which is its id too. The ranks are the merges: two neighbours join when
/// their bytes together are a piece, the lowest rank first.
///
/// Whether a file that begins with `bytes` is one.
bool looksLikeRanks(std::string_view bytes);

/// The pieces by rank. @throws Error{BadInput} naming `source` and the line.
std::vector<std::string> readRanks(std::string_view bytes, const std::string& source);

/// The same model with byte-level pieces and merges: one for every way to cut a piece in
/// two. @throws Error{BadInput} when a byte has no piece or the pieces are far too long.
Bpe bpeOfRanks(const std::vector<std::string>& pieces, const std::string& source);

/// The byte-pair model of vocab.json and merges.txt, as GPT-2's and Qwen 2's tokenizers
/// were first published. @throws Error{BadInput} naming the file and, in merges.txt, the
/// line.
std::shared_ptr<const PieceModel> readVocabFiles(const std::filesystem::path& vocab,
                                                 const std::filesystem::path& merges);

}  // namespace equipatch
