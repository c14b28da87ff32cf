#pragma once

#include <string_view>

#include "trainer/documents/document.h"

namespace equipatch {

/// Whether what a model wrote behind the document's prompt is right: it contains every
/// thing that must be mentioned, or, where nothing is, says what the document says.
bool isRight(const Document& document, std::string_view answer);

}  // namespace equipatch
