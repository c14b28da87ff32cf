#pragma once

#include <memory>

#include "core/text/charsmap.h"
#include "core/text/normalizer.h"

namespace equipatch {

/// Replaces characters by a table of SentencePiece's, as Hugging Face does it: a cluster
/// (what a reader sees as one character) of fewer than six bytes is looked up whole, and
/// all of it is replaced by what its shortest known beginning stands for; longer ones,
/// and those not found, character by character.
std::shared_ptr<const Normalizer> precompiledNormalizer(Charsmap table);

}  // namespace equipatch
