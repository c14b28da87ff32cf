#pragma once

#include <filesystem>

#include "core/text/pipeline_tokenizer.h"
#include "core/text/tokenizer_class.h"
#include "core/text/tokenizer_config.h"

namespace equipatch {

/// What surrounds a model of byte-level pieces where no tokenizer.json says it: the
/// class's expression and normal form, and the added tokens of the folder's files.
/// @throws Error{BadInput} naming the file for what cannot be read.
Pipeline byteLevelPipeline(const std::filesystem::path& folder,
                           const TokenizerClass& known,
                           std::shared_ptr<const PieceModel> model);

}  // namespace equipatch
