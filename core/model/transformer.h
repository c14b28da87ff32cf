#pragma once

#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/model/block.h"

namespace equipatch {

/// A loaded model that computes. Immutable; caches and hooks belong to the caller, so
/// several runs may share one transformer.
class Transformer {
 public:
  /// @throws Error naming what is missing; Error{Cancelled} when asked to stop.
  static std::unique_ptr<Transformer> load(const Checkpoint& checkpoint,
                                           const Arithmetic& arithmetic,
                                           Progress& progress);

  const ModelSpec& spec() const { return m_spec; }
  const Arithmetic& arithmetic() const { return m_arithmetic; }
  const Weights& weights() const { return m_weights; }
  const Block& block(LayerIndex layer) const {
    return m_blocks.at(static_cast<std::size_t>(layer.value));
  }

  /// Embeddings as they enter layer 0, of tokens at positions `first`, `first` + 1, …:
  /// ids → [ids, width]. @throws Error{BadInput} for ids or positions the model lacks.
  Tensor embed(std::span<const TokenId> ids, std::int64_t first) const;
  /// The same token at one position in each of `rows` rows.
  Tensor embedRows(TokenId id, std::int64_t position, std::int64_t rows) const;

  /// All blocks: x [rows, width] → resid_post of the last block. Context rows are added
  /// to the batch's cache. @throws Error{Numeric} naming the layer when a context row's
  /// activation is not finite.
  Tensor forward(Tensor x, const RowBatch& batch, BlockHooks& hooks,
                 const Arithmetic& arithmetic) const;

  /// After the final norm, where the model has one: [rows, width].
  Tensor finalNorm(const Tensor& x, const Arithmetic& arithmetic) const;
  /// Final norm and head: [rows, vocabulary], wide and unrounded.
  Tensor logits(const Tensor& x, const Arithmetic& arithmetic) const;

  KvCache makeCache(std::int64_t capacity) const;
  KvCache makeCache(std::int64_t capacity, const Arithmetic& arithmetic) const;

  /// Feeds `ids` at positions from `cache.length()` on, some hundred at a time. Returns
  /// the last block's output of the last chunk. The hooks sees every chunk.
  Tensor prefill(std::span<const TokenId> ids, KvCache& cache, BlockHooks& hooks,
                 const Arithmetic& arithmetic, Progress& progress) const;

 private:
  Transformer(ModelSpec spec, Arithmetic arithmetic, Weights weights);

  ModelSpec m_spec;
  Arithmetic m_arithmetic;
  Weights m_weights;
  std::vector<Block> m_blocks;  // refer to m_spec and m_weights: not movable
};

}  // namespace equipatch
