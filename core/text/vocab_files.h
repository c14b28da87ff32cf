#pragma once

#include <filesystem>
#include <memory>

#include "core/text/piece_model.h"

namespace equipatch {

/// The byte-pair model of vocab.json and merges.txt, as GPT-2's and Qwen 2's tokenizers
/// were first published. @throws Error{BadInput} naming the file and, in merges.txt, the
/// line.
std::shared_ptr<const PieceModel> readVocabFiles(const std::filesystem::path& vocab,
                                                 const std::filesystem::path& merges);

}  // namespace equipatch
