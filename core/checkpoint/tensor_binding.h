// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace equipatch {

/// Position of a weight in a stored tensor. The stored outputs (rows, or columns when
/// transposed) form `groups` groups of `parts` equal parts. The weight consists of `span`
/// parts of each group, from part `index` on. The default is the whole tensor.
///   GPT-2's c_attn: transposed, groups 1, parts 3. GPT-NeoX: groups = heads, parts 3.
///   W_q in Phi-3's qkv_proj: parts = heads + 2 kvHeads, span = heads.
///   Expert 3's W_gate in gpt-oss: slices = experts, slice 3, transposed (in MXFP4 not),
///   groups = expertWidth, parts 2.
struct TensorPart {
  bool transposed = false;  ///< the file holds [inputs, outputs]
  std::int64_t groups = 1;
  std::int64_t parts = 1;
  std::int64_t index = 0;
  std::int64_t span = 1;  ///< 1 in every matrix that a patch changes
  /// Slices along the stored tensor's leading dimension, one for each expert; 0: the
  /// tensor has no such dimension.
  std::int64_t slices = 0;
  std::int64_t slice = 0;  ///< the slice that contains the weight

  bool operator==(const TensorPart&) const = default;
};

/// Selects the NameScheme's prefix for a stored name.
enum class TensorScope { Body, Head, Vision };

/// A weight that the computation needs, and its place in the checkpoint.
struct TensorBinding {
  std::string name;                 ///< canonical: "embed", "head", "layers.3.W_gate"
  std::string checkpointName;       ///< without prefix: "layers.3.mlp.gate_proj.weight"
  std::vector<std::int64_t> shape;  ///< of the weight; cf. storedShape
  TensorScope scope = TensorScope::Body;
  TensorPart part = {};
  /// Not empty for a matrix in MXFP4: the stored name of the scales, without prefix.
  /// `checkpointName` then names the blocks.
  std::string scalesName = {};
};

/// Shape of the whole stored tensor that contains the weight. For a matrix in MXFP4:
/// shape of the scales, […, outputs, inputs / 32]; the blocks have one more dimension,
/// of 16 bytes.
std::vector<std::int64_t> storedShape(const TensorBinding& binding);

/// Prefixes of the stored names in one kind of checkpoint.
struct NameScheme {
  std::string body = "model.";
  std::string head;
  std::string vision = {};
};

}  // namespace equipatch
