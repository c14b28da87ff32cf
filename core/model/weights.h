// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "core/base/file_map.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/memory_estimate.h"
#include "core/model/arithmetic.h"
#include "core/model/norm.h"

namespace equipatch {

/// The matrices of a dense MLP or of one expert: W_gate and W_up, or W_in, depending on
/// the spec's MlpForm; the others are undefined.
struct FeedForwardWeights {
  Linear W_gate, W_up, W_in;  ///< [inner, width]; inner: the width of this MLP or expert
  Linear W_down;              ///< [width, inner]
};

/// Parameters of a Gated DeltaNet besides W_o; vectors are wide.
struct DeltaNetWeights {
  Linear W_in;      ///< [channels, width]
  Linear W_z;       ///< [values, width]
  Linear W_b, W_a;  ///< [valueHeads, width]
  Tensor conv;      ///< [kernel, channels], the last row is the newest token's
  Tensor decay;     ///< −exp(A_log) [valueHeads]
  Tensor dt_bias;   ///< [valueHeads]
  Tensor norm;      ///< [valueDim]
};

/// One block's parameters. Those that the spec does not have are undefined.
struct LayerWeights {
  NormWeights attn_norm;       ///< [width]
  Linear W_q;                  ///< [heads·headDim, width]
  Linear W_k, W_v;             ///< [kvHeads·headDim, width]
  Linear W_o;                  ///< [width, heads·headDim]; recurrent: [width, values]
  Linear W_attn_gate;          ///< [heads·headDim, width]
  DeltaNetWeights delta;       ///< of a recurrent layer, whose mixer has these and W_o
  Tensor sinks;                ///< [heads], wide
  NormWeights q_norm, k_norm;  ///< shape: see QueryKeyNorm
  NormWeights attn_post_norm;  ///< [width]
  NormWeights mlp_norm;        ///< [width]
  NormWeights mlp_post_norm;   ///< [width]

  // Of a dense MLP beside experts, see MoeSpec::besideDense.
  NormWeights experts_norm, dense_post_norm, experts_post_norm;  ///< [width]
  Tensor router_scale;                                           ///< [width], wide
  Tensor expert_scale;                                           ///< [experts], wide

  FeedForwardWeights mlp;  ///< dense

  Linear W_per_layer_gate;          ///< [perLayerWidth, width]
  Linear W_per_layer_out;           ///< [width, perLayerWidth]
  NormWeights per_layer_post_norm;  ///< [width]
  Tensor layer_scalar;              ///< [1], wide

  Linear W_router;                          ///< [experts, width]
  std::vector<FeedForwardWeights> experts;  ///< empty in a dense layer
  Linear W_shared_router;                   ///< [1, width], the shared expert's gate
  FeedForwardWeights shared;                ///< the expert that every token uses

  bool hasDenseBeside() const { return dense_post_norm.exists(); }
};

/// The files that hold a model's weights.
class WeightFiles {
 public:
  /// Adds the files of a weight, but not anonymous memory (FileMap::inMemory).
  void add(const StoredWeight& weight);
  /// @throws Error{BadInput} naming a file of which a part can no longer be read. Call it
  /// after computing with the weights.
  void throwIfLost() const;

 private:
  std::set<std::shared_ptr<const FileMap>> m_files;
};

/// A model's parameters under canonical names, on the run's device: matrices in its
/// dtype, vectors wide. They are copied into memory or, with WeightPlace::Mapped where
/// the file stores them in this form, views of the mapped file. MXFP4 matrices and
/// `per_layer_embed` are views of it on every device. Immutable after `load`.
struct Weights {
  Tensor embed;      ///< [vocabulary, width]
  Tensor positions;  ///< [maxPositions, width]; undefined unless learned
  Linear head;       ///< [vocabulary, width]; the same tensor as `embed` when tied
  NormWeights final_norm;
  /// [vocabulary, layers·perLayerWidth] as the file holds it: rows are converted when
  /// they are read; undefined without per-layer embeddings
  Tensor per_layer_embed;
  Linear W_per_layer;  ///< [layers·perLayerWidth, width]
  NormWeights per_layer_norm;
  std::vector<LayerWeights> layers;
  WeightFiles files;

  /// @param place of weights on the CPU; those on another device are in its memory
  /// @throws Error{Cancelled} between two tensors or pieces if `progress` is stopped; as
  /// WeightFiles::throwIfLost and, with WeightPlace::Resident, as readResidentWeights
  static Weights load(const Checkpoint& checkpoint, const Arithmetic& arithmetic,
                      Progress& progress, WeightPlace place = WeightPlace::Mapped);
};

/// A weight that is not stored in MXFP4, in the run's dtype on its device, row-major: a
/// view of the mapped file if isUsedInPlace, otherwise converted tile by tile while the
/// file's pages are released. Until the conversion ends, the weight is in memory twice if
/// the file misaligns it (storedTensor) or none of its groups is larger than a tile.
Tensor loadTensor(const StoredWeight& weight, const Arithmetic& arithmetic);

/// A weight that is stored in MXFP4, as views of the mapped file.
PackedMatrix packedMatrix(const StoredWeight& weight);

/// True if `loadTensor` or `packedMatrix` returns a view of the mapped file.
bool isUsedInPlace(const StoredWeight& weight, const Arithmetic& arithmetic);

/// A tensor as the file stores it: a view, or a copy if the file misaligns it.
Tensor storedTensor(const TensorView& view);

/// A view [groups, span · n, inputs…] of the parts of a stored tensor that hold a weight,
/// see TensorPart.
Tensor partOf(const Tensor& stored, const TensorPart& part);

}  // namespace equipatch
