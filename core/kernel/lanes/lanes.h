// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstdint>

namespace equipatch {

// The other headers of this folder are templates of loops over vectors. plain.cpp,
// avx2.cpp and avx512.cpp each include them and make one KernelTable; the latter two
// include them below the pragma that selects the instruction set. Each source
// instantiates the templates with types of its anonymous namespace, so that the linker
// shares no instance between instruction sets.
//
// Highway 1.0.3, which Debian 12 has, would give the same bits in 0.98 to 1.02 of the
// time with AVX2 and AVX-512, but has no SSE2 target (docs/performance.md). The order of
// every sum is fixed. So a product with weights patched in registers gives the same bits
// as with stored patched weights, and the loops over DoubleVectors give the same bits
// with every instruction set. Tile sizes and the order of packed bfloat16 pairs are tuned
// for each instruction set.

/// The types of Lanes: `Scalar` for x, y and all sums, `Weight` for stored weights, and
/// `Vector`, which holds kWidth Scalars.
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
  // kWidth Scalars from and to memory.
  vector = L::load(from);
  L::store(to, vector);
  vector = L::zero();
  vector = L::broadcast(scalar);
  // Each rounds once, except that multiplyAdd (a b + sum) rounds twice without FMA.
  vector = L::add(vector, vector);
  vector = L::multiply(vector, vector);
  vector = L::multiplyAdd(vector, vector, vector);
  // The sum of all lanes: the upper half is added to the lower until one is left.
  scalar = L::sum(vector);
  // loadWeights widens a block exactly; storeWeights is the inverse. Other values are
  // rounded to nearest by float16's storeWeights; bfloat16's needs roundToWeight first.
  L::loadWeights(weights, block);
  L::storeWeights(stored, block);
  // The nearest value that Weight can represent, ties to even; NaN stays NaN.
  vector = L::roundToWeight(vector);
  // Which element of the block `loadWeights` puts into lane `slot` of the vectors. If
  // that is not element `slot`, the type also has arrange(from, to), which copies a
  // block of x in this order.
  { L::inputOf(slot) } -> std::same_as<int>;
  // The number of outputs of a tile with 1 to kRowsPerBatch rows of x. The tile's sums
  // stay in registers. Divides kOutputGrain.
  { L::outputsPerTile(rows) } -> std::same_as<int>;
  // The width, in vectors, of a strip of y = p V, whose sums fit into the registers.
  { L::vectorsPerStrip(rows) } -> std::same_as<int>;
};

/// Lanes that load a block one vector at a time in tiles of several rows of x, because
/// sums and blocks of x together do not fit into the registers. `loadPart` gives vector
/// `part` of what `loadWeights` loads; `loadToRegister` loads a vector of x such that the
/// compiler does not load it again for each product.
template <typename L>
concept LoadsParts = requires(const typename L::Scalar* from,
                              const typename L::Weight* weights,
                              typename L::Vector vector, int part) {
  vector = L::loadPart(weights, part);
  vector = L::loadToRegister(from);
};

/// Weights in a block.
template <Lanes L>
inline constexpr std::int64_t kBlock = std::int64_t{L::kVectors} * L::kWidth;

/// As L, but x is packed in the weights' dtype and widened like the weights. This dtype
/// must be able to represent every element of x. Products have the same bits as with L.
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

/// An element of a packed x.
template <Lanes L>
using PackedElement = typename PackedType<L>::Type;

/// One instruction set's vectors of doubles, for the loops over logits, activations and
/// squares of weights, and vectors of as many 64-bit integers and floats. All are vector
/// types of the compiler, which have operators. `widen` and `narrow` exist because the
/// compiler's own conversions take four instructions instead of one (GCC 12).
template <typename V>
concept DoubleVectors = sizeof(typename V::Words) == sizeof(typename V::Doubles) &&
                        2 * sizeof(typename V::Floats) == sizeof(typename V::Doubles) &&
                        requires(typename V::Doubles doubles, typename V::Words words,
                                 typename V::Floats floats, const std::uint16_t* half) {
  words = doubles < doubles;
  doubles = words ? doubles : doubles;
  doubles = V::widen(floats);
  floats = V::narrow(doubles);
  // As many elements as floats has, from memory of any alignment.
  floats = V::loadBfloat16(half);
  floats = V::loadFloat16(half);
};

}  // namespace equipatch
