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
  DeltaNetWeights delta;       ///< a recurrent layer's mixer, without its W_o
  Tensor sinks;                ///< [heads], wide
  NormWeights q_norm, k_norm;  ///< shape: see QueryKeyNorm
  NormWeights attn_post_norm;  ///< [width]
  NormWeights mlp_norm;        ///< [width]
  NormWeights mlp_post_norm;   ///< [width]

  // Only where a dense MLP runs beside experts: see MoeSpec::besideDense.
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

/// A model's parameters under canonical names, on the run's device: matrices in the run's
/// dtype, vectors wide. On the CPU with WeightPlace::Mapped, what the file stores in this
/// form is a view of the mapped file; everything else is copied into memory. MXFP4
/// matrices and `per_layer_embed` are always views of the file, on every device.
/// Immutable after `load`.
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

  /// @param place used on the CPU only: another device holds weights in its own memory
  /// @throws Error{Cancelled} between two tensors or pieces if `progress` is stopped; the
  /// errors of WeightFiles::throwIfLost and, with WeightPlace::Resident, those of
  /// readResidentWeights
  static Weights load(const Checkpoint& checkpoint, const Arithmetic& arithmetic,
                      Progress& progress, WeightPlace place = WeightPlace::Mapped);
};

/// A weight in the run's dtype on the run's device, row-major; the file must not store it
/// in MXFP4. If isUsedInPlace, the result is a view of the mapped file. Otherwise it is
/// converted tile by tile, and the file's pages are released meanwhile. Two kinds of
/// weights are in memory twice until their conversion ends: those that the file misaligns
/// (storedTensor), and those without a group larger than a tile.
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
