#include "core/text/charsmap.h"

#include <cstring>

#include "core/base/error.h"

namespace equipatch {
namespace {

constexpr std::uint32_t kIsValue = std::uint32_t{1} << 31;
constexpr std::uint32_t kHasValue = std::uint32_t{1} << 8;
constexpr std::uint32_t kIsFar = std::uint32_t{1} << 9;

/// From a unit to the first of its children, by exclusive or with its index.
std::uint32_t offsetOf(std::uint32_t unit) {
  return (unit >> 10) << (unit & kIsFar ? 8 : 0);
}

}  // namespace

Charsmap Charsmap::parse(std::string_view bytes, const std::string& source) {
  Charsmap result;
  if (bytes.empty()) return result;
  const auto require = [&](bool holds) {
    if (!holds)
      throw badInput(source +
                     " is damaged: its table of characters to normalize points "
                     "outside itself; copy it again");
  };
  std::uint32_t size = 0;
  require(bytes.size() > sizeof size);
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes.remove_prefix(sizeof size);
  require(size < bytes.size() && size % sizeof(std::uint32_t) == 0 && size > 0);
  result.m_texts = bytes.substr(size);
  require(result.m_texts.back() == '\0');

  std::vector<std::uint32_t>& units = result.m_units;
  units.resize(size / sizeof(std::uint32_t));
  std::memcpy(units.data(), bytes.data(), size);
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (units[i] & kIsValue) continue;
    const std::size_t child = i ^ offsetOf(units[i]);
    require((child | 0xFF) < units.size());
    if (units[i] & kHasValue) require((units[child] & ~kIsValue) < result.m_texts.size());
  }
  return result;
}

std::optional<std::string_view> Charsmap::find(std::string_view text) const {
  if (m_units.empty()) return std::nullopt;
  // The root may be marked as a value in a hostile table; it has children all the same.
  if (m_units[0] & kIsValue) return std::nullopt;
  std::uint32_t at = offsetOf(m_units[0]);
  for (const char byte : text) {
    const auto label = static_cast<unsigned char>(byte);
    if (label == 0) break;
    at ^= label;
    const std::uint32_t unit = m_units[at];
    if ((unit & (kIsValue | 0xFFu)) != label) break;
    at ^= offsetOf(unit);
    if (unit & kHasValue) return m_texts.data() + (m_units[at] & ~kIsValue);
  }
  return std::nullopt;
}

}  // namespace equipatch
