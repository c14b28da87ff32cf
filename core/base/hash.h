// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace equipatch {

/// Two hexadecimal digits per byte, in lower case.
std::string hexadecimal(std::span<const unsigned char> bytes);

/// SHA-256 as 64 lower-case hexadecimal digits.
/// @throws Error{Resource} when OpenSSL fails, for example for want of memory
std::string sha256(std::span<const std::byte> bytes);
std::string sha256(std::string_view text);

/// SHA-256 of data given in parts. @throws Error{Resource} as `sha256`
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void add(std::span<const std::byte> bytes);
  /// As `sha256`. Call it once, after the last part.
  std::string digest();

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

/// FNV-1a with 64 bits. The trainer's split into training and held-out data depends on
/// the values, so they must never change.
constexpr std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : text)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return hash;
}

/// The amount that SplitMix64 adds to its state at each step.
inline constexpr std::uint64_t kSplitMixStep = 0x9e3779b97f4a7c15u;

/// SplitMix64's output for a state. Every bit of the state affects every output bit.
constexpr std::uint64_t splitMix64(std::uint64_t state) {
  std::uint64_t z = state + kSplitMixStep;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// A random number from the operating system.
std::uint64_t randomNumber();
/// A random number that stays the same throughout the process.
std::uint64_t processSeed();

/// SipHash-1-3 with a 128-bit key. Without the key nobody can choose texts that have
/// equal hashes.
std::uint64_t sipHash(std::string_view text, std::uint64_t key0, std::uint64_t key1);

/// A hash for tables of texts from untrusted files. Its key is random, so that no file
/// can be made whose texts all fall into one bucket. The values differ between processes:
/// never store them, and let no result depend on the order of such a table.
struct KeyedHash {
  using is_transparent = void;  ///< lookups by string_view do not copy
  std::size_t operator()(std::string_view text) const;
};

}  // namespace equipatch
