// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "core/kernel/kernel_table.h"
#include "core/kernel/lanes/lanes.h"

namespace equipatch {

/// Which states are in memory. A missing state before the tokens is zero; a missing state
/// after them is dropped.
enum class StoredState { BeforeAndAfter, Before, None };

/// Applies the gated delta rule for all tokens to a few columns of one head's state. The
/// columns stay in the cache from token to token. L satisfies Lanes or is OneLane.
template <typename L, int Vectors, StoredState Stored>
class DeltaStrip {
 public:
  using Scalar = typename L::Scalar;
  using Vector = typename L::Vector;

  [[gnu::always_inline]] DeltaStrip(const DeltaRule<Scalar>& head, std::int64_t column)
      : m_head(head), m_column(column) {}

  void run() {
    for (std::int64_t token = 0; token < m_head.tokens; ++token) {
      const std::int64_t at = token * m_head.heads;
      const Scalar* v = m_head.v + at * m_head.valueDim + m_column;
      const Decay decay{token == 0 ? m_head.before : m_head.after,
                        L::broadcast(m_head.alpha[at])};
      Vector change[Vectors];
      recall(token, decay, change);
      const Vector minus = L::broadcast(-1), beta = L::broadcast(m_head.beta[at]);
      for (int part = 0; part < Vectors; ++part)
        change[part] = L::multiply(
            beta, L::multiplyAdd(minus, change[part], L::load(v + part * L::kWidth)));
      update(token, decay, change);
    }
  }

 private:
  static constexpr bool kIsKept = Stored == StoredState::BeforeAndAfter;

  struct Decay {
    const Scalar* state;
    Vector alpha;
  };

  [[gnu::always_inline]] std::int64_t place(std::int64_t index, int part) const {
    return index * m_head.valueDim + m_column + part * L::kWidth;
  }

  /// α S. An S that is not stored is zero; α · 0 is computed all the same, because it is
  /// NaN where α is not finite.
  [[gnu::always_inline]] static Vector decayed(const Decay& decay, std::int64_t place) {
    if constexpr (Stored == StoredState::None)
      return L::multiply(decay.alpha, L::zero());
    else
      return L::multiply(decay.alpha, L::load(decay.state + place));
  }

  /// The row of the state for a term of a sum. The alternate order begins with the second
  /// half of the rows.
  [[gnu::always_inline]] std::int64_t rowAt(std::int64_t term) const {
    if (m_head.order == SummationOrder::Standard) return term;
    const std::int64_t half = m_head.keyDim / 2, at = term + half;
    return at < m_head.keyDim ? at : at - m_head.keyDim;
  }

  /// S ← α S, known = kᵀ S. If α S is not stored, `update` computes it again.
  [[gnu::always_inline]] void recall(std::int64_t token, const Decay& decay,
                                     Vector (&known)[Vectors]) const {
    const Scalar* k = m_head.k + token * m_head.heads * m_head.keyDim;
    for (Vector& sum : known) sum = L::zero();
    for (std::int64_t term = 0; term < m_head.keyDim; ++term) {
      const std::int64_t index = rowAt(term);
      const Vector factor = L::broadcast(k[index]);
      for (int part = 0; part < Vectors; ++part) {
        const Vector S = decayed(decay, place(index, part));
        if constexpr (kIsKept) L::store(m_head.after + place(index, part), S);
        known[part] = L::multiplyAdd(S, factor, known[part]);
      }
    }
  }

  /// S ← S + k changeᵀ, o = qᵀ S.
  [[gnu::always_inline]] void update(std::int64_t token, const Decay& decay,
                                     const Vector (&change)[Vectors]) const {
    const std::int64_t at = token * m_head.heads;
    const Scalar* k = m_head.k + at * m_head.keyDim;
    const Scalar* q = m_head.q + at * m_head.keyDim;
    Scalar* o = m_head.o + at * m_head.valueDim + m_column;
    Vector sums[Vectors];
    for (Vector& sum : sums) sum = L::zero();
    for (std::int64_t term = 0; term < m_head.keyDim; ++term) {
      const std::int64_t index = rowAt(term);
      const Vector key = L::broadcast(k[index]), query = L::broadcast(q[index]);
      for (int part = 0; part < Vectors; ++part) {
        const std::int64_t element = place(index, part);
        const Vector kept =
            kIsKept ? L::load(m_head.after + element) : decayed(decay, element);
        const Vector S = L::multiplyAdd(key, change[part], kept);
        if constexpr (kIsKept) L::store(m_head.after + element, S);
        sums[part] = L::multiplyAdd(S, query, sums[part]);
      }
    }
    for (int part = 0; part < Vectors; ++part) L::store(o + part * L::kWidth, sums[part]);
  }

  const DeltaRule<Scalar>& m_head;
  std::int64_t m_column;
};

/// A single lane, for the last columns if they do not fill a vector.
template <Lanes L>
struct OneLane : L {
  using Scalar = typename L::Scalar;
  using Vector = Scalar;
  static constexpr int kWidth = 1;
  static Vector load(const Scalar* from) { return *from; }
  static void store(Scalar* to, Vector value) { *to = value; }
  static Vector zero() { return 0; }
  static Vector broadcast(Scalar value) { return value; }
  static Vector multiply(Vector a, Vector b) { return a * b; }
  static Vector multiplyAdd(Vector a, Vector b, Vector sum) { return a * b + sum; }
};

template <Lanes L, StoredState Stored>
void applyToStrips(const DeltaRule<typename L::Scalar>& head) {
  constexpr int kWide = 4;  // kWide sums and kWide changes fit into the registers
  std::int64_t column = 0;
  for (; column + kWide * L::kWidth <= head.valueDim; column += kWide * L::kWidth)
    DeltaStrip<L, kWide, Stored>(head, column).run();
  for (; column + L::kWidth <= head.valueDim; column += L::kWidth)
    DeltaStrip<L, 1, Stored>(head, column).run();
  for (; column < head.valueDim; ++column)
    DeltaStrip<OneLane<L>, 1, Stored>(head, column).run();
}

template <Lanes L>
void applyDeltaRule(const DeltaRule<typename L::Scalar>& head) {
  if (head.after)
    applyToStrips<L, StoredState::BeforeAndAfter>(head);
  else if (head.before)
    applyToStrips<L, StoredState::Before>(head);
  else
    applyToStrips<L, StoredState::None>(head);
}

}  // namespace equipatch
