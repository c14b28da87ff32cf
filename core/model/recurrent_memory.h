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
  Recent,  ///< the last kernel − 1 positions
};

/// The cache of a recurrent layer: the inputs of its convolution (transformers'
/// conv_states) and of its gates, and a few states (recurrent_states). With
/// HeldInputs::All, it recomputes other states from the inputs. A copy shares the tensors
/// and stays valid while the original writes only positions after those that the copy
/// holds. Not thread-safe.
class RecurrentMemory {
 public:
  /// Returns the state after one more position.
  /// @param state the state before this position; undefined at the first position
  /// @param inputs the convolution's window, oldest first [≤ kernel, inputs per position]
  using Step = std::function<Tensor(const Tensor& state, const Tensor& inputs)>;

  RecurrentMemory() = default;
  /// @param inputs [capacity, inputs per position]; the capacity is the length of the
  /// longest text, or kernel − 1 with HeldInputs::Recent
  RecurrentMemory(Tensor inputs, std::int64_t kernel, HeldInputs held = HeldInputs::All)
      : m_inputs(std::move(inputs)), m_kernel(kernel), m_heldInputs(held) {}

  /// Stores inputs [rows, inputs per position] from position `first` on and forgets the
  /// states that depend on `first` or a later position.
  /// @throws std::logic_error for inputs of another width, or with HeldInputs::Recent if
  /// the inputs just before `first` are not held
  void write(std::int64_t first, const Tensor& inputs);

  /// The state after positions [from, end); undefined if from = end.
  /// @throws std::logic_error if inputs are needed that are not held
  Tensor state(std::int64_t from, std::int64_t end, const Step& step);
  /// Stores the state after positions [from, end). Only the last two stored states are
  /// held.
  void keep(std::int64_t from, std::int64_t end, Tensor state);
  /// The state after these positions (ascending, at least one) and no others.
  /// @throws std::logic_error with HeldInputs::Recent
  Tensor state(const std::vector<std::int64_t>& positions, const Step& step);

  /// Inputs of the last kernel − 1 positions of [from, end); of all if there are fewer.
  /// @throws std::logic_error if they are not held
  Tensor recent(std::int64_t from, std::int64_t end) const;
  /// Inputs of the last kernel − 1 of these positions.
  /// @throws std::logic_error with HeldInputs::Recent
  Tensor recent(const std::vector<std::int64_t>& positions) const;

 private:
  struct StateAfter {
    std::int64_t from = 0;
    std::int64_t end = -1;  ///< negative: there is no state
    Tensor state;
  };

  void forgetKept();
  void writeRecent(std::int64_t first, const Tensor& inputs);
  /// @throws std::logic_error if inputs of [first, end) are not held
  Tensor inputs(std::int64_t first, std::int64_t end) const;
  Tensor inputs(const std::vector<std::int64_t>& positions) const;

  Tensor m_inputs;
  std::int64_t m_kernel = 1;
  HeldInputs m_heldInputs = HeldInputs::All;
  std::int64_t m_first = 0, m_end = 0;        ///< Recent: m_inputs holds [m_first, m_end)
  StateAfter m_last, m_previous;              ///< from `keep`
  std::vector<std::int64_t> m_keptPositions;  ///< ascending, may have gaps
  Tensor m_keptState;                         ///< after m_keptPositions
};

}  // namespace equipatch
