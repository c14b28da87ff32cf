#pragma once

#include <memory>

#include "core/text/normalizer.h"

namespace equipatch {

enum class NormalForm { Nfc, Nfd, Nfkc, Nfkd };

/// Unicode's normal forms.
std::shared_ptr<const Normalizer> unicodeNormalizer(NormalForm form);

enum class TextEnd { Left, Right };

/// Removes the white space at one end.
std::shared_ptr<const Normalizer> stripNormalizer(TextEnd end);

}  // namespace equipatch
