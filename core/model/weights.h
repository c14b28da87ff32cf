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

/// The matrices of a dense MLP or of one expert. With MlpForm::Gated, W_in is undefined;
/// with MlpForm::Plain, W_gate and W_up are.
struct FeedForwardWeights {
  Linear W_gate, W_up, W_in;  ///< [inner, width]; inner: this MLP's hidden width
  Linear W_down;              ///< [width, inner]
};

/// Parameters of a Gated DeltaNet except W_o; sizes as in DeltaNetSpec. `conv`, `decay`,
/// `dt_bias` and `norm` have the wide dtype.
struct DeltaNetWeights {
  Linear W_in;      ///< [channels, width]
  Linear W_z;       ///< [values, width]
  Linear W_b, W_a;  ///< [valueHeads, width]
  Tensor conv;      ///< [kernel, channels], the last row is the newest token's
  Tensor decay;     ///< −exp(A_log) [valueHeads]
  Tensor dt_bias;   ///< [valueHeads]
  Tensor norm;      ///< [valueDim]
};

/// One block's parameters; undefined where the spec has no such parameter.
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

  // Only in blocks whose dense MLP runs beside experts: see MoeSpec::besideDense.
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
  /// Call this after computing with the weights: a file that became unreadable meanwhile
  /// reads as zeros. @throws Error{BadInput} that names such a file
  void throwIfLost() const;

 private:
  std::set<std::shared_ptr<const FileMap>> m_files;
};

/// A model's parameters under canonical names, on the run's device: matrices in the run's
/// dtype, vectors in the wide dtype. On the CPU with WeightPlace::Mapped, a tensor that
/// the file stores in this form is a view of the mapped file. On every device, matrices
/// in MXFP4 and `per_layer_embed` stay as the file stores them, see storedTensor. Other
/// matrices are held in memory. Immutable after `load`.
struct Weights {
  Tensor embed;      ///< [vocabulary, width]
  Tensor positions;  ///< [maxPositions, width]; undefined unless learned
  Linear head;       ///< [vocabulary, width]; the same tensor as `embed` when tied
  NormWeights final_norm;
  /// [vocabulary, layers·perLayerWidth] in the file's dtype: convert the rows that you
  /// read. Undefined without per-layer embeddings.
  Tensor per_layer_embed;
  Linear W_per_layer;  ///< [layers·perLayerWidth, width]
  NormWeights per_layer_norm;
  std::vector<LayerWeights> layers;
  WeightFiles files;

  /// @param place ignored except on the CPU
  /// @throws Error{Cancelled} on a stop request; Error as WeightFiles::throwIfLost and,
  /// with WeightPlace::Resident, as readResidentWeights
  static Weights load(const Checkpoint& checkpoint, const Arithmetic& arithmetic,
                      Progress& progress, WeightPlace place = WeightPlace::Mapped);
};

/// A weight in the run's dtype on the run's device, row-major: a view of the mapped file
/// if isUsedInPlace, otherwise a copy. After copying, the file's pages are released. Not
/// for a weight that is stored in MXFP4.
Tensor loadTensor(const StoredWeight& weight, const Arithmetic& arithmetic);

/// A weight that is stored in MXFP4, as views of the mapped file.
PackedMatrix packedMatrix(const StoredWeight& weight);

/// True if `loadTensor` or `packedMatrix` returns a view of the mapped file.
bool isUsedInPlace(const StoredWeight& weight, const Arithmetic& arithmetic);

/// A tensor as the file stores it: a view, or a copy if its bytes are misaligned.
Tensor storedTensor(const TensorView& view);

/// A view [groups, span · n, inputs…] of the parts of a stored tensor that hold a weight;
/// n: the outputs in a part, see TensorPart.
Tensor partOf(const Tensor& stored, const TensorPart& part);

}  // namespace equipatch
