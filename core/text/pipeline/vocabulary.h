#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/ids.h"

namespace equipatch {

/// The pieces of a tokenizer and their ids, both ways. Ids may leave holes.
class Vocabulary {
 public:
  /// No id may be this large: the table by id has so many entries at most.
  static constexpr std::int64_t kIdLimit = std::int64_t{1} << 22;

  Vocabulary() = default;
  Vocabulary(const Vocabulary&) = delete;  // its table of pieces points into its storage
  Vocabulary& operator=(const Vocabulary&) = delete;
  Vocabulary(Vocabulary&&) = default;
  Vocabulary& operator=(Vocabulary&&) = default;

  /// Declares that `piece` has `id`; again is no harm. @throws Error{BadInput} naming
  /// `place` for an id out of range, an id of another piece, or another id of this piece.
  void add(const std::string& piece, std::int64_t id, const std::string& place);

  std::optional<std::uint32_t> find(std::string_view piece) const;
  /// The piece of an id, or nullptr for holes and ids beyond the last.
  const std::string* piece(std::int64_t id) const;
  /// One more than the largest id.
  std::int64_t size() const { return static_cast<std::int64_t>(m_byId.size()); }

 private:
  /// Lets views be looked up without a copy.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> m_ids;
  std::vector<const std::string*> m_byId;  ///< the keys of m_ids, which never move
};

}  // namespace equipatch
