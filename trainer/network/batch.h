#pragma once

#include <cstdint>
#include <vector>

namespace equipatch {

/// Documents one behind another, without padding: none sees its neighbours.
struct Batch {
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> ends;        ///< of each document: one past its last token
  std::vector<std::int64_t> rows;        ///< tokens whose successor is learned, ascending
  std::vector<std::int32_t> successors;  ///< [rows] what follows them

  std::int64_t tokens() const { return static_cast<std::int64_t>(ids.size()); }
};

}  // namespace equipatch
