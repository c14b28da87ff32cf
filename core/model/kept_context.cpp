#include "core/model/kept_context.h"

#include <algorithm>

namespace equipatch {

KeptContext::KeptContext(std::vector<std::int64_t> positions, at::Device device)
    : m_positions(std::move(positions)) {
  if (!empty()) m_index = at::tensor(m_positions, at::kLong).to(device);
}

Tensor KeptContext::from(std::int64_t first) const {
  const auto begin = std::lower_bound(m_positions.begin(), m_positions.end(), first);
  const std::int64_t dropped = begin - m_positions.begin();
  return m_index.narrow(0, dropped, m_index.size(0) - dropped);
}

}  // namespace equipatch
