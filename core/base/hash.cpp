// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include "core/base/error.h"

#include <openssl/evp.h>

#include <array>
#include <bit>
#include <cstring>
#include <random>
#include <stdexcept>

namespace equipatch {

std::string hexadecimal(std::span<const unsigned char> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

struct Sha256::State {
  struct Free {
    void operator()(EVP_MD_CTX* freed) const { EVP_MD_CTX_free(freed); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context{EVP_MD_CTX_new()};

  /// @param result of a call of OpenSSL, 1 if it succeeded
  static void require(int result) {
    if (result != 1)
      throw Error(ErrorKind::Resource,
                  "OpenSSL cannot compute SHA-256; free some memory");
  }
};

Sha256::Sha256() : m_state(std::make_unique<State>()) {
  State::require(m_state->context
                     ? EVP_DigestInit_ex(m_state->context.get(), EVP_sha256(), nullptr)
                     : 0);
}

Sha256::~Sha256() = default;

void Sha256::add(std::span<const std::byte> bytes) {
  State::require(EVP_DigestUpdate(m_state->context.get(), bytes.data(), bytes.size()));
}

std::string Sha256::digest() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  State::require(EVP_DigestFinal_ex(m_state->context.get(), digest.data(), &size));
  return hexadecimal(std::span(digest).first(size));
}

std::string sha256(std::span<const std::byte> bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.digest();
}

std::string sha256(std::string_view text) {
  return sha256(std::as_bytes(std::span(text)));
}

namespace {

/// SipHash's state (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012).
struct SipState {
  std::uint64_t a, b, c, d;

  SipState(std::uint64_t key0, std::uint64_t key1)
      : a(key0 ^ 0x736f6d6570736575u),
        b(key1 ^ 0x646f72616e646f6du),
        c(key0 ^ 0x6c7967656e657261u),
        d(key1 ^ 0x7465646279746573u) {}

  void mix() {
    a += b;
    b = std::rotl(b, 13) ^ a;
    a = std::rotl(a, 32);
    c += d;
    d = std::rotl(d, 16) ^ c;
    a += d;
    d = std::rotl(d, 21) ^ a;
    c += b;
    b = std::rotl(b, 17) ^ c;
    c = std::rotl(c, 32);
  }

  void absorb(std::uint64_t word) {
    d ^= word;
    mix();
    a ^= word;
  }
};

/// Up to 8 bytes as a little-endian number, which is this machine's byte order.
std::uint64_t wordOf(std::string_view bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  return word;
}

static_assert(std::endian::native == std::endian::little);

}  // namespace

std::uint64_t sipHash(std::string_view text, std::uint64_t key0, std::uint64_t key1) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  SipState state(key0, key1);
  const std::uint64_t size = text.size();
  for (; text.size() >= kWord; text.remove_prefix(kWord))
    state.absorb(wordOf(text.substr(0, kWord)));
  state.absorb(wordOf(text) | size << 56);
  state.c ^= 0xff;
  for (int round = 0; round < 3; ++round) state.mix();
  return state.a ^ state.b ^ state.c ^ state.d;
}

std::uint64_t randomNumber() {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

std::uint64_t processSeed() {
  static const std::uint64_t seed = randomNumber();
  return seed;
}

std::size_t KeyedHash::operator()(std::string_view text) const {
  static const std::uint64_t second = splitMix64(processSeed());
  return static_cast<std::size_t>(sipHash(text, processSeed(), second));
}

}  // namespace equipatch
