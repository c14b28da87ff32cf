#pragma once

// Included once by each vector_*.cpp, below the pragma that chooses its instruction set
// (see pack_rows.h).

#include <cstdint>

#include "core/kernel/pack_rows.h"
#include "core/kernel/patch_row.h"

namespace equipatch {

/// Weights that are used as they are stored.
struct Stored {
  static constexpr bool kPatched = false;
};

/// Weights of which round(W + u wᵀ) is used, formed in registers.
template <typename Lanes, int Outputs>
class Patched {
 public:
  static constexpr bool kPatched = true;

  /// @param apart from the u of one of the tile's rows to the next
  Patched(const typename Lanes::Scalar* u, const typename Lanes::Scalar* packedW,
          std::int64_t apart)
      : m_packedW(packedW) {
    for (int output = 0; output < Outputs; ++output)
      m_u[output] = Lanes::broadcast(u[output * apart]);
  }

  [[gnu::always_inline]] void apply(
      int output, std::int64_t block,
      typename Lanes::Vector (&weights)[Lanes::kVectors]) const {
    patchVectors<Lanes>(weights, m_u[output], m_packedW + block * kBlock<Lanes>);
  }

 private:
  typename Lanes::Vector m_u[Outputs];
  const typename Lanes::Scalar* m_packedW;
};

/// Some rows of a matrix and all of a batch of packed rows of x.
template <typename Lanes>
struct TileInputs {
  const typename Lanes::Weight* weights;  // of the first row
  std::int64_t inputs;
  const typename Lanes::Scalar* packed;
  std::int64_t apart = 1;  // rows from one of the tile's to the next
};

}  // namespace equipatch
