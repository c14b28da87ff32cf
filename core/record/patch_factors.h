// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/checkpoint/spec.h"

namespace equipatch {

/// The change u wᵀ of one matrix. A patch for several tokens holds several such changes
/// of the same matrix; they add up.
struct MatrixFactors {
  std::string weight;     ///< canonical within its layer: "W_gate", "experts.3.W_down"
  std::vector<double> u;  ///< [outputs]
  std::vector<double> w;  ///< [inputs]

  bool operator==(const MatrixFactors&) const = default;
};

/// One layer's patch and activations from which it is computed; symbols as in
/// docs/glossary.md.
struct LayerFactors {
  std::vector<MatrixFactors> matrices;  ///< in the order of computation
  std::vector<double> scale;            ///< m' [width], not m' − 1; empty: unpatched
  std::vector<double> scaleDelta;       ///< Δm = m' − m [width]
  std::vector<double> denseScale;  ///< m₁' [width] of the norm after a dense MLP beside
                                   ///< experts; empty: unpatched
  std::vector<double> bias;        ///< b' [width]; empty: unpatched
  std::vector<double> biasDelta;   ///< Δb = b' − b [width]
  std::vector<double> v, z;        ///< of the token without the absorbed part [width]
  std::vector<double> vContext, zContext;  ///< v_C, z_C: with the absorbed part [width]

  bool operator==(const LayerFactors&) const = default;
};

/// The patch of one step, by layer, exactly as computed in double precision: the whole
/// patch, even if PatchStrength applies only a part of it. In a patch for several tokens,
/// Δm, Δb, v, z, v_C and z_C are empty.
using PatchFactors = std::vector<LayerFactors>;

/// A parameter that patches change.
struct PatchedParameter {
  std::string name;    ///< canonical: "layers.3.W_gate", "layers.3.mlp_post_norm"
  std::string tensor;  ///< the tensor's name in the checkpoint
  std::string module;  ///< the parameter's name in transformers' model class
  std::vector<std::int64_t> shape;  ///< canonical: [outputs, inputs] or [width]
  TensorPart part;                  ///< the part of `tensor` that holds the parameter
  bool storedMinusOne = false;      ///< the checkpoint holds m − 1

  bool operator==(const PatchedParameter&) const = default;
};

}  // namespace equipatch
