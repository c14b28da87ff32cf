// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstdint>

namespace equipatch {

// The other headers of this folder contain templates of loops over vectors. plain.cpp,
// avx2.cpp and avx512.cpp each instantiate them for one KernelTable. Types that satisfy
// Lanes or DoubleVectors must be in an anonymous namespace, so that the linker shares no
// instance between instruction sets.
//
// The order of every sum is fixed: weights patched in registers must give the same bits
// as stored patched weights, and the loops over DoubleVectors must give the same bits
// with every instruction set.
//
// The Highway library is not used: it is no faster, and the version in Debian 12 has no
// SSE2 target (docs/performance.md).

/// The types of Lanes: `Scalar` for x, y and sums, `Weight` for stored weights, `Vector`
/// for kWidth Scalars.
template <typename L>
concept LaneTypes = std::floating_point<typename L::Scalar> &&
                        sizeof(typename L::Weight) <= sizeof(typename L::Scalar) &&
                    sizeof(typename L::Vector) / sizeof(typename L::Scalar) == L::kWidth;

/// One instruction set's vectors for weights of one dtype.
///
/// A *block* is kVectors × kWidth consecutive weights, which `loadWeights` widens at
/// once. Pointers need no alignment.
template <typename L>
concept Lanes = LaneTypes<L> &&
    requires(const typename L::Scalar* from, typename L::Scalar* to,
             const typename L::Weight* weights, typename L::Weight* stored,
             typename L::Scalar scalar, typename L::Vector vector,
             typename L::Vector (&block)[L::kVectors], int rows, int slot) {
  vector = L::load(from);
  L::store(to, vector);
  vector = L::zero();
  vector = L::broadcast(scalar);
  // `add` and `multiply` round once. multiplyAdd(a, b, sum) is a b + sum, rounded once
  // with FMA and twice without.
  vector = L::add(vector, vector);
  vector = L::multiply(vector, vector);
  vector = L::multiplyAdd(vector, vector, vector);
  // Adds the upper half of the lanes to the lower half until one lane is left.
  scalar = L::sum(vector);
  // loadWeights widens a block exactly; storeWeights is the inverse. If Weight cannot
  // represent a value, storeWeights rounds to nearest for float16, and to nearest or
  // toward zero for bfloat16.
  L::loadWeights(weights, block);
  L::storeWeights(stored, block);
  // The nearest value that Weight can represent, ties to even; NaN stays NaN.
  vector = L::roundToWeight(vector);
  // The index in the block of the element that `loadWeights` puts into lane `slot`; slots
  // count through all vectors. If index and slot differ, L also has arrange(from, to),
  // which copies a block of x into this order.
  { L::inputOf(slot) } -> std::same_as<int>;
  // The number of outputs of a tile with 1 to kRowsPerBatch rows of x, such that the
  // tile's sums fit into the registers. Divides kOutputGrain.
  { L::outputsPerTile(rows) } -> std::same_as<int>;
  // The width of a strip of y = p V in vectors, such that the strip's sums fit into the
  // registers.
  { L::vectorsPerStrip(rows) } -> std::same_as<int>;
};

/// Lanes that load one vector of a block at a time if a tile has several rows of x,
/// because the sums and the rows' blocks do not fit into the registers together.
/// `loadPart` gives vector `part` of a block. `loadToRegister` keeps the compiler from
/// loading a vector of x again for each product.
template <typename L>
concept LoadsParts = requires(const typename L::Scalar* from,
                              const typename L::Weight* weights,
                              typename L::Vector vector, int part) {
  vector = L::loadPart(weights, part);
  vector = L::loadToRegister(from);
};

template <Lanes L>
inline constexpr std::int64_t kBlock = std::int64_t{L::kVectors} * L::kWidth;

/// As L, with the same bits of products, but x is packed in the weights' dtype, which
/// must be able to represent every element of x.
template <Lanes L>
struct NarrowInputs : L {};

/// Lanes that multiply faster when x is packed in the weights' dtype, because more of x
/// fits into the first-level cache.
template <typename L>
concept GainsByNarrowInputs = Lanes<L> && L::kGainsByNarrowInputs;

template <typename L>
struct PackedType {
  using Type = typename L::Scalar;
};
template <typename L>
struct PackedType<NarrowInputs<L>> {
  using Type = typename L::Weight;
};

template <Lanes L>
using PackedElement = typename PackedType<L>::Type;

/// One instruction set's vectors of doubles, and vectors of as many 64-bit integers
/// (Words) and floats. All are vector types of GCC (`vector_size`), which have operators.
/// `widen` and `narrow` exist because GCC 12's own conversions take four instructions
/// instead of one.
template <typename V>
concept DoubleVectors = sizeof(typename V::Words) == sizeof(typename V::Doubles) &&
                        2 * sizeof(typename V::Floats) == sizeof(typename V::Doubles) &&
                        requires(typename V::Doubles doubles, typename V::Words words,
                                 typename V::Floats floats, const std::uint16_t* half) {
  words = doubles < doubles;
  doubles = words ? doubles : doubles;
  doubles = V::widen(floats);
  floats = V::narrow(doubles);
  // Each loads as many elements as Floats has, from memory of any alignment.
  floats = V::loadBfloat16(half);
  floats = V::loadFloat16(half);
};

}  // namespace equipatch
