#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace equipatch {

/// The bytes that `text` spells in base 64 (RFC 4648, padded), or nothing when it spells
/// none.
std::optional<std::string> bytesOfBase64(std::string_view text);

}  // namespace equipatch
