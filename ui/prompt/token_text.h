#pragma once

#include <QString>
#include <string>

#include "core/base/ids.h"
#include "core/text/token.h"

namespace equipatch {

/// A token's text as `visibleText` shows it; "#12" where there is none.
QString visibleToken(const std::string& text, TokenId id);

/// A prompt's token likewise.
QString visibleToken(const Token& token, const std::string& prompt);

}  // namespace equipatch
