#pragma once

#include <memory>

#include "core/text/pipeline/normalizer.h"

namespace equipatch {

enum class NormalForm { Nfc, Nfd, Nfkc, Nfkd };

/// Unicode's normal forms.
std::shared_ptr<const Normalizer> unicodeNormalizer(NormalForm form);

enum class TextEnd { Left, Right };

/// Removes the white space at one end.
std::shared_ptr<const Normalizer> stripNormalizer(TextEnd end);

/// Every character's lower case by itself, whatever stands around it.
std::shared_ptr<const Normalizer> lowercaseNormalizer();
/// Removes marks (accents, after NFD).
std::shared_ptr<const Normalizer> stripAccentsNormalizer();
/// Removes control characters and writes other white space as spaces.
std::shared_ptr<const Normalizer> nmtNormalizer();
/// Writes every byte as a printable character, as ByteLevel does.
std::shared_ptr<const Normalizer> byteLevelNormalizer();

}  // namespace equipatch
