#pragma once

#include <filesystem>

#include "core/base/json.h"
#include "core/text/vocabulary.h"

namespace equipatch {

/// The added tokens of a folder without tokenizer.json, in the form that tokenizer.json
/// has for them: from tokenizer_config.json's "added_tokens_decoder", else from
/// added_tokens.json; and the tokens with a role that the model's vocabulary has a piece
/// for. Tokens with a role are special.
/// @throws Error{BadInput} naming the file for what cannot be read.
Json readAddedTokensFiles(const std::filesystem::path& folder, const Vocabulary& model);

}  // namespace equipatch
