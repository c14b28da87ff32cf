// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/model/torch_types.h"

namespace equipatch {

/// The positions whose inputs a recurrent layer holds.
enum class HeldInputs {
  All,
  Recent,  ///< those that the next token's convolution sees: memory that does not grow
};

/// A recurrent layer's memory of a text: inputs, and the states after the last two
/// positions. A state cannot be rewound to an earlier position; any other state (of an
/// earlier position, of a part of the context) is recomputed from the inputs of all
/// positions. Not thread-safe.
class RecurrentMemory {
 public:
  /// The state after one more position, from the state before it (undefined: none) and
  /// the inputs of the positions that the step sees, oldest first, [≤ kernel, inputs].
  using Step = std::function<Tensor(const Tensor& state, const Tensor& inputs)>;

  RecurrentMemory() = default;
  /// @param inputs [capacity, inputs per position]; for HeldInputs::Recent the capacity
  /// is that of the whole memory, kernel − 1
  RecurrentMemory(Tensor inputs, std::int64_t kernel, HeldInputs held = HeldInputs::All)
      : m_inputs(std::move(inputs)), m_kernel(kernel), m_held(held) {}

  /// Stores inputs [rows, inputs] at positions `first`, `first` + 1, … and forgets states
  /// after them.
  void write(std::int64_t first, const Tensor& inputs);

  /// The state after positions [from, end); undefined where there are none.
  /// @throws std::logic_error where it needs inputs that are not held
  Tensor state(std::int64_t from, std::int64_t end, const Step& step);
  /// Keeps the state after positions [from, end).
  void keep(std::int64_t from, std::int64_t end, Tensor state);
  /// The state after these positions alone, ascending.
  Tensor state(const std::vector<std::int64_t>& positions, const Step& step);

  /// Inputs of the last kernel − 1 positions of [from, end), or of all if there are
  /// fewer.
  Tensor recent(std::int64_t from, std::int64_t end) const;
  /// Inputs of the last kernel − 1 of these positions.
  Tensor recent(const std::vector<std::int64_t>& positions) const;

 private:
  struct Held {
    std::int64_t from = 0;
    std::int64_t end = -1;  ///< negative: nothing is held
    Tensor state;
  };

  void writeRecent(std::int64_t first, const Tensor& inputs);
  /// Inputs of positions [first, end), which must be held.
  Tensor inputs(std::int64_t first, std::int64_t end) const;

  Tensor m_inputs;
  std::int64_t m_kernel = 1;
  HeldInputs m_held = HeldInputs::All;
  std::int64_t m_first = 0, m_end = 0;  ///< positions in m_inputs of HeldInputs::Recent
  Held m_last, m_before;                ///< the last two states of the whole text
  std::vector<std::int64_t> m_partOf;   ///< positions of m_part
  Tensor m_part;                        ///< the state after those positions
};

}  // namespace equipatch
