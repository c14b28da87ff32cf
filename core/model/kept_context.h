#pragma once

#include <cstdint>
#include <vector>

#include "core/model/torch_types.h"

namespace equipatch {

/// The positions of the context that a reduced row still sees. Their keys and values are
/// rows of the contextual pass's cache: each kept token runs with its own patch, so that
/// its states are those it has in the whole context (MATHS section 3).
class KeptContext {
 public:
  /// Nothing is kept.
  KeptContext() = default;
  /// @param positions ascending, all before the token's own
  KeptContext(std::vector<std::int64_t> positions, at::Device device);

  bool empty() const { return m_positions.empty(); }
  const std::vector<std::int64_t>& positions() const { return m_positions; }
  /// Those that are not before `first`, as an index tensor; those a window leaves.
  Tensor from(std::int64_t first) const;

 private:
  std::vector<std::int64_t> m_positions;
  Tensor m_index;  ///< the same, [positions]
};

}  // namespace equipatch
