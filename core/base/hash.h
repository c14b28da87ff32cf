#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace equipatch {

/// SHA-256 of some bytes as 64 hexadecimal digits, as sha256sum prints it.
std::string sha256(std::span<const std::byte> bytes);
std::string sha256(std::string_view text);

}  // namespace equipatch
