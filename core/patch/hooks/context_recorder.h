// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/model/block_hooks.h"
#include "core/patch/host_vector.h"
#include "core/patch/theorems/output_experts.h"

namespace equipatch {

/// An input projection's pre-activation, bias included, rounded to the run's dtype.
struct ProjectionTarget {
  MatrixId matrix;
  Tensor output;  ///< [outputs], wide, on the device that computed it
};

/// A down projection's input and gate.
struct DownInput {
  MatrixId matrix;
  ExpertOutput input;
};

/// One row's activations in one block with the context: the targets that a patch has to
/// restore.
struct ContextSites {
  Vector resid_mid;                             ///< [width]
  Vector mlp_in;                                ///< [width]
  std::vector<ProjectionTarget> inProjections;  ///< of the matrices the token used
  std::vector<DownInput> downInputs;            ///< empty where they are omitted
  Vector mlp_out;                               ///< see mlpOutputOf [width]
  Vector dense, experts;  ///< see BesideBranches [width]; empty in other blocks
  Vector normalised;      ///< mlp_out after the closing norm, before its scale [width];
                          ///< empty without a closing scale
  Vector sum;             ///< resid_mid + r·branch [width], before a norm of the sum
  Vector resid_post;      ///< [width]

  /// Null where the token did not use the matrix.
  const Tensor* target(MatrixId matrix) const;
};

/// The contextual row's activations by layer.
using ContextRecord = std::vector<ContextSites>;

/// The inputs of one row's down projections.
std::vector<DownInput> downInputs(const std::vector<DownProduct>& down, std::int64_t row);

/// Says whether a record holds the down projections' inputs: thousands of values per
/// layer, which only the half and the open loop read.
enum class DownInputs { Keep, Omit };

/// Records one row's activations during a forward pass. If the patch is built in the same
/// forward pass, the recorder precedes the builder in the chain of hooks, so a layer's
/// targets are ready when the builder reads them. The builder reads `sum` at the down
/// projection, before the block adds; the recorder therefore computes `sum` there, from
/// the row's own output.
class ContextRecorder final : public BlockHooks {
 public:
  /// @param record has one entry per layer and outlives this.
  ContextRecorder(std::int64_t row, ContextRecord& record,
                  DownInputs inputs = DownInputs::Keep)
      : m_row(row), m_record(record), m_inputs(inputs) {}

  void hookMlpIn(const HookedBlock& block, const Tensor& resid_mid,
                 const Tensor& mlp_in) override;
  void hookInProjection(const HookedBlock& block, Product& product) override;
  void hookDownProjection(const HookedBlock& block,
                          std::vector<DownProduct>& down) override;
  void hookResidPost(const HookedBlock& block, BlockSites& sites) override;

 private:
  ContextSites& at(const HookedBlock& block);

  std::int64_t m_row;
  ContextRecord& m_record;
  DownInputs m_inputs;
  Tensor m_residMid;  // of all rows, in the block that hookMlpIn was last called for
};

/// Relative error ‖x' − x‖ / ‖x‖ of one row's resid_post against the record, by layer.
class HiddenErrorProbe final : public BlockHooks {
 public:
  /// @param record holds a layer's resid_post before hookResidPost is called for the
  /// layer; outlives this.
  HiddenErrorProbe(std::int64_t row, const ContextRecord& record)
      : m_row(row), m_record(record) {}

  void hookResidPost(const HookedBlock& block, BlockSites& sites) override;
  const std::vector<double>& errors() const { return m_errors; }

 private:
  std::int64_t m_row;
  const ContextRecord& m_record;
  std::vector<double> m_errors;
};

}  // namespace equipatch
