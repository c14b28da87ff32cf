#pragma once

#include <concepts>
#include <cstdint>

namespace equipatch {

// The headers of this folder are templates of loops over vectors. plain.cpp, avx2.cpp and
// avx512.cpp each include them below the pragma that selects their instruction set and
// instantiate them with types of their own anonymous namespace, so that no instance
// is shared between instruction sets by the linker. The result is a KernelTable each.
//
// The vectors are the compiler's and its intrinsics, not Highway's, because each
// instruction set fixes its own tile sizes, order of the final sum and order of packed
// bfloat16 pairs here, and the loops over doubles must give the same bits in all of them.
// Highway has not been measured.

/// One instruction set's vectors for weights of one dtype.
///
/// `Scalar` is the type of x, y and of all sums, `Weight` the stored type of a weight,
/// and `Vector` holds kWidth Scalars. A *block* is kVectors × kWidth consecutive weights:
/// what `loadWeights` widens at once. No pointer needs to be aligned.
template <typename L>
concept Lanes = std::floating_point<typename L::Scalar> &&
                    sizeof(typename L::Vector) == L::kWidth *
                                                      sizeof(typename L::Scalar) &&
                requires(const typename L::Scalar* from, typename L::Scalar* to,
                         const typename L::Weight* weights, typename L::Weight* stored,
                         typename L::Scalar scalar, typename L::Vector vector,
                         typename L::Vector (&block)[L::kVectors], int rows, int slot) {
  // kWidth Scalars from and to memory.
  vector = L::load(from);
  L::store(to, vector);
  vector = L::zero();
  vector = L::broadcast(scalar);
  // Each rounded once; multiplyAdd (a b + sum) once altogether where the instruction
  // set can, else twice.
  vector = L::add(vector, vector);
  vector = L::multiply(vector, vector);
  vector = L::multiplyAdd(vector, vector, vector);
  // The sum of all lanes, the upper half added to the lower until one is left.
  scalar = L::sum(vector);
  // A block of weights, widened exactly, in the lanes' own order; storeWeights is the
  // inverse and takes values that Weight can represent.
  L::loadWeights(weights, block);
  L::storeWeights(stored, block);
  // The nearest value that Weight can represent, ties to even; NaN stays NaN.
  vector = L::roundToWeight(vector);
  // The place within the block of the weight that lane `slot` of loadWeights holds.
  // Where that is not `slot`, the type also has arrange(from, to), which writes a
  // block of x in the lanes' order.
  { L::inputOf(slot) } -> std::same_as<int>;
  // Outputs whose sums stay in registers at once, beside a block of one row of weights
  // and of 1 to kRowsPerBatch rows of x; divides kOutputGrain.
  { L::outputsPerTile(rows) } -> std::same_as<int>;
  // The same for the vectors of y = p V, beside the rows' p.
  { L::vectorsPerStrip(rows) } -> std::same_as<int>;
};

/// Weights that are loaded at once.
template <Lanes L>
inline constexpr std::int64_t kBlock = std::int64_t{L::kVectors} * L::kWidth;

/// One instruction set's vectors of doubles, for the loops over logits and activations:
/// 64-bit integers and floats for as many lanes. Operators of the compiler's vectors.
template <typename V>
concept DoubleVectors = sizeof(typename V::Words) == sizeof(typename V::Doubles) &&
                        2 * sizeof(typename V::Floats) == sizeof(typename V::Doubles) &&
                        requires(typename V::Doubles doubles, typename V::Words words) {
  words = doubles < doubles;
  doubles = words ? doubles : doubles;
};

}  // namespace equipatch
