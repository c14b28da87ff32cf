// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/model/block_hooks.h"
#include "core/patch/host_vector.h"
#include "core/patch/theorems/output_experts.h"

namespace equipatch {

/// The output of an input projection or a router with its bias, rounded as in the block.
struct ProjectionTarget {
  MatrixId matrix;
  Tensor output;  ///< [outputs], wide, on the device that computed it
};

/// A down projection's input and its expert's gate.
struct DownInput {
  MatrixId matrix;
  ExpertOutput input;
};

/// One row's activations in one block, computed with the context.
struct ContextSites {
  Vector resid_mid;                             ///< [width]
  Vector mlp_in;                                ///< [width]
  std::vector<ProjectionTarget> inProjections;  ///< only of matrices that the token used
  std::vector<DownInput> downInputs;            ///< empty with DownInputs::Omit
  Vector mlp_out;                               ///< [width], see mlpOutputOf
  Vector dense, experts;                        ///< [width] or empty, see BesideBranches
  Vector normalised;  ///< [width], mlp_out after the closing norm, before its scale;
                      ///< empty without a closing scale
  Vector sum;         ///< [width], resid_mid + r·branch, before a norm of the sum
  Vector resid_post;  ///< [width]

  /// Null if the token did not use the matrix.
  const Tensor* target(MatrixId matrix) const;
};

/// The contextual row's activations by layer.
using ContextRecord = std::vector<ContextSites>;

/// The inputs of one row's down projections. @param row index in the batch
std::vector<DownInput> downInputs(const std::vector<DownProduct>& down, std::int64_t row);

/// Whether a record holds the down projections' inputs, thousands of values per layer.
/// Only the loops `half` and `open` need them.
enum class DownInputs { Keep, Omit };

/// Records one row's activations during a forward pass. In a chain of hooks, the recorder
/// must precede a builder that reads the record. In hookDownProjection, the recorder
/// computes `sum` itself, because the builder reads `sum` before the block computes it.
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
  Tensor m_residMid;  // of all rows in the current block
};

/// Measures the hidden error ‖x' − x‖ / ‖x‖ of one row by layer, where x' is the row's
/// resid_post and x the recorded one.
class HiddenErrorProbe final : public BlockHooks {
 public:
  /// @param record must hold a layer's resid_post when hookResidPost is called for the
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
