#pragma once

#include <QString>
#include <string>

#include "core/base/ids.h"

namespace equipatch {

/// A token's text made visible on one line: spaces at the ends as "·", line breaks as
/// "↵", tabs as "→", control characters as "�"; "#12" where there is no text.
QString visibleToken(const std::string& text, TokenId id);

}  // namespace equipatch
