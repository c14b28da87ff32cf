// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/recurrent_memory.h"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

namespace equipatch {

void RecurrentMemory::write(std::int64_t first, const Tensor& inputs) {
  if (inputs.size(1) != m_inputs.size(1))
    throw std::logic_error("the recurrent layer holds inputs of another width");
  if (m_heldInputs == HeldInputs::All)
    m_inputs.narrow(0, first, inputs.size(0)).copy_(inputs);
  else
    writeRecent(first, inputs);
  for (StateAfter* after : {&m_last, &m_previous})
    if (after->end > first) *after = {};
  if (m_last.end < 0) m_last = std::exchange(m_previous, {});
  if (!m_keptPositions.empty() && m_keptPositions.back() >= first) forgetKept();
}

void RecurrentMemory::forgetKept() {
  m_keptPositions.clear();
  m_keptState = Tensor();
}

void RecurrentMemory::writeRecent(std::int64_t first, const Tensor& inputs) {
  const std::int64_t end = first + inputs.size(0);
  const std::int64_t begin = std::max<std::int64_t>(0, end + 1 - m_kernel);
  const Tensor all = at::cat({recent(0, first), inputs.to(m_inputs.scalar_type())});
  // A new tensor, because a copy of this memory may share the old one.
  m_inputs = all.narrow(0, all.size(0) - (end - begin), end - begin).clone();
  m_first = begin;
  m_end = end;
}

Tensor RecurrentMemory::inputs(std::int64_t first, std::int64_t end) const {
  if (first == end) return m_inputs.narrow(0, 0, 0);
  if (m_heldInputs == HeldInputs::All) return m_inputs.narrow(0, first, end - first);
  if (first < m_first || end > m_end)
    throw std::logic_error(
        "the recurrent layer holds the inputs of its last positions only");
  return m_inputs.narrow(0, first - m_first, end - first);
}

Tensor RecurrentMemory::inputs(const std::vector<std::int64_t>& positions) const {
  if (m_heldInputs != HeldInputs::All)
    throw std::logic_error("the recurrent layer holds no inputs of chosen positions");
  return m_inputs.index_select(0, at::tensor(positions, at::kLong).to(m_inputs.device()));
}

Tensor RecurrentMemory::state(std::int64_t from, std::int64_t end, const Step& step) {
  Tensor state;
  std::int64_t next = from;
  for (const StateAfter& after : {m_previous, m_last})
    if (after.from == from && after.end >= next && after.end <= end) {
      state = after.state;
      next = after.end;
    }
  for (; next < end; ++next) {
    const std::int64_t first = std::max(from, next + 1 - m_kernel);
    state = step(state, inputs(first, next + 1));
    keep(from, next + 1, state);
  }
  return state;
}

void RecurrentMemory::keep(std::int64_t from, std::int64_t end, Tensor state) {
  if (m_last.from == from && m_last.end == end) return;
  m_previous = std::exchange(m_last, {from, end, std::move(state)});
}

Tensor RecurrentMemory::state(const std::vector<std::int64_t>& positions,
                              const Step& step) {
  const bool continues =
      m_keptPositions.size() <= positions.size() &&
      std::equal(m_keptPositions.begin(), m_keptPositions.end(), positions.begin());
  if (!continues) forgetKept();
  while (m_keptPositions.size() < positions.size()) {
    m_keptPositions.push_back(positions[m_keptPositions.size()]);
    const std::vector<std::int64_t> seen(
        m_keptPositions.end() -
            std::min(std::ssize(m_keptPositions), std::ptrdiff_t(m_kernel)),
        m_keptPositions.end());
    m_keptState = step(m_keptState, inputs(seen));
  }
  return m_keptState;
}

Tensor RecurrentMemory::recent(std::int64_t from, std::int64_t end) const {
  const std::int64_t first = std::max(from, end + 1 - m_kernel);
  return inputs(first, std::max(first, end));
}

Tensor RecurrentMemory::recent(const std::vector<std::int64_t>& positions) const {
  const std::int64_t count = std::min<std::int64_t>(std::ssize(positions), m_kernel - 1);
  return inputs({positions.end() - count, positions.end()});
}

}  // namespace equipatch
