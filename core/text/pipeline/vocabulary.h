// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/hash.h"
#include "core/base/ids.h"

namespace equipatch {

/// A two-way map of pieces and ids. Ids may have gaps.
class Vocabulary {
 public:
  /// An upper bound of ids, which limits the size of the table by id.
  static constexpr std::int64_t kIdLimit = std::int64_t{1} << 22;
  /// The longest piece in bytes; published ones have some hundred. A run keeps the pieces
  /// of all candidates of all steps.
  static constexpr std::size_t kLongestPiece = std::size_t{1} << 13;

  Vocabulary() = default;
  Vocabulary(const Vocabulary&) = delete;  // m_byId points into m_ids
  Vocabulary& operator=(const Vocabulary&) = delete;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  /// Adds a piece with its id; repeating an entry has no effect. @throws Error{BadInput}
  /// naming `place` for a piece that is too long, an id out of range, an id of another
  /// piece, or a second id of this piece.
  void add(const std::string& piece, std::int64_t id, const std::string& place);

  std::optional<std::uint32_t> find(std::string_view piece) const;
  /// The piece of an id, or nullptr for gaps and ids beyond the last.
  const std::string* piece(std::int64_t id) const;
  /// One more than the largest id.
  std::int64_t size() const { return static_cast<std::int64_t>(m_byId.size()); }

 private:
  std::unordered_map<std::string, std::uint32_t, KeyedHash, std::equal_to<>> m_ids;
  std::vector<const std::string*> m_byId;  ///< the keys of m_ids, which never move
};

}  // namespace equipatch
