// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include <openssl/evp.h>

#include <array>
#include <stdexcept>

namespace equipatch {

std::string sha256(std::span<const std::byte> bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(),
                 nullptr) != 1)
    throw std::runtime_error("OpenSSL refuses to compute SHA-256");
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned int index = 0; index < size; ++index) {
    text += kDigits[digest[index] >> 4];
    text += kDigits[digest[index] & 15];
  }
  return text;
}

std::string sha256(std::string_view text) {
  return sha256(std::as_bytes(std::span(text)));
}

}  // namespace equipatch
