// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/progress.h"
#include "core/checkpoint/checkpoint.h"
#include "core/model/block.h"

namespace equipatch {

/// Tokens as they enter the first layer.
struct EmbeddedRows {
  Tensor x;         ///< resid_pre of layer 0 [rows, width]
  Tensor perLayer;  ///< [rows, layers, perLayerWidth]; undefined if the model has none
};

/// Rows that replace embeddings in a prompt, such as the rows of images.
struct GivenRows {
  struct Part {
    std::int64_t first = 0;  ///< position of the first row
    Tensor rows;             ///< [count, width], in the wide dtype (`Arithmetic::wide`)
    std::int64_t end() const { return first + rows.size(0); }
  };
  std::vector<Part> parts;  ///< ascending, not overlapping

  /// The parts as groups of tokens that see each other; adjacent parts form one group.
  std::vector<TokenGroup> groups() const;
};

/// A loaded model. Immutable, so several runs may share it, each with its own caches and
/// hooks.
class Transformer {
 public:
  /// For `place` and errors see Weights::load.
  static std::unique_ptr<Transformer> load(const Checkpoint& checkpoint,
                                           const Arithmetic& arithmetic,
                                           Progress& progress,
                                           WeightPlace place = WeightPlace::Mapped);

  const ModelSpec& spec() const { return m_spec; }
  const Arithmetic& arithmetic() const { return m_arithmetic; }
  const Weights& weights() const { return m_weights; }
  const Block& block(LayerIndex layer) const {
    return m_blocks.at(static_cast<std::size_t>(layer.value));
  }

  /// Embeds tokens from position `first` on. Given rows are not scaled; the ids at their
  /// positions are ignored, and per-layer embeddings use row 0 of their table there.
  /// @throws Error{BadInput} for ids outside the vocabulary, and for positions beyond the
  /// learned ones if the model has learned positions
  EmbeddedRows embed(std::span<const TokenId> ids, std::int64_t first,
                     const GivenRows& given = {}) const;
  /// One token, repeated in `rows` rows.
  EmbeddedRows embedRows(TokenId id, std::int64_t position, std::int64_t rows) const;

  /// Returns the last layer's output [rows, width]. Adds the context rows to the batch's
  /// cache.
  /// @throws Error{Numeric} if a context row of a layer's output is not finite;
  /// Error{Cancelled} if the batch's progress is stopped; as WeightFiles::throwIfLost
  Tensor forward(EmbeddedRows rows, const RowBatch& batch, BlockHooks& hooks,
                 const Arithmetic& arithmetic) const;

  /// [rows, width] → [rows, width]; x itself if the model has no final norm.
  Tensor finalNorm(const Tensor& x, const Arithmetic& arithmetic) const;
  /// Final norm and head, scaled and soft-capped as the spec says: [rows, width] → [rows,
  /// vocabulary], in the wide dtype, unrounded. @throws as WeightFiles::throwIfLost
  Tensor logits(const Tensor& x, const Arithmetic& arithmetic) const;

  /// The error for rows whose logits are not finite although x [rows, width], the last
  /// layer's output, is finite.
  Error notFiniteLogits(const Tensor& x, const Arithmetic& arithmetic) const;

  /// An empty cache, by default for the model's own arithmetic.
  /// @throws Error{Resource} if memory does not suffice
  KvCache makeCache(std::int64_t capacity) const;
  KvCache makeCache(std::int64_t capacity, const Arithmetic& arithmetic,
                    HeldInputs held = HeldInputs::All) const;

  /// Runs `ids` through all layers in chunks, from position `cache.length()` on. No chunk
  /// splits a group of given rows. Calls the hooks for every chunk. Returns the last
  /// layer's output for the last chunk, an undefined tensor without ids.
  /// @throws Error as `embed` and `forward`
  Tensor prefill(std::span<const TokenId> ids, KvCache& cache, BlockHooks& hooks,
                 const Arithmetic& arithmetic, Progress& progress,
                 const GivenRows& given = {}) const;

  /// True if a text of `b` tokens can use the cache of a text of `a` tokens.
  bool sharesCache(std::int64_t a, std::int64_t b) const;
  /// Makes the cache of `context`, as `prefill` left it, fit a text of `length` tokens.
  /// If `sharesCache` is false for the two lengths, computes the cache again, without
  /// hooks; otherwise does nothing.
  void renew(std::span<const TokenId> context, std::int64_t length, KvCache& cache,
             const Arithmetic& arithmetic, Progress& progress,
             const GivenRows& given = {}) const;

 private:
  Tensor perLayerEmbeddings(const Tensor& x, const std::vector<std::int64_t>& ids) const;
  Tensor throughBlocks(Tensor x, const RowBatch& batch, BlockHooks& hooks,
                       const Arithmetic& arithmetic) const;
  Tensor read(std::span<const TokenId> ids, std::int64_t wholeLength, KvCache& cache,
              BlockHooks& hooks, const Arithmetic& arithmetic, Progress& progress,
              const GivenRows& given) const;
  Error notFiniteIn(LayerIndex layer, const Tensor& x, RowBatch batch,
                    const Arithmetic& arithmetic) const;

  Transformer(ModelSpec spec, Arithmetic arithmetic, Weights weights);

  ModelSpec m_spec;
  Arithmetic m_arithmetic;
  Weights m_weights;
  std::vector<Block> m_blocks;  // refer to m_spec and m_weights, which must not move
};

}  // namespace equipatch
