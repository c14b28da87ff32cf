#pragma once

#include <vector>

#include "core/model/block_hooks.h"
#include "core/patch/host_vector.h"
#include "core/patch/theorems/output_experts.h"

namespace equipatch {

/// An input projection's rounded pre-activation, bias included.
struct FirstTarget {
  MatrixId matrix;
  Tensor y;  ///< [outputs], wide: where it was computed, until it is asked for
};

/// A down projection's part in the contextual pass's output.
struct LastTarget {
  MatrixId matrix;
  ExpertOutput output;
};

/// What the contextual pass had in one block: the targets a patch has to restore.
struct ContextSites {
  Vector v;                        ///< resid_mid [width]
  Vector z;                        ///< the MLP's input [width]
  std::vector<FirstTarget> first;  ///< of the matrices the token used
  std::vector<LastTarget> last;    ///< empty where left
  Vector y;                        ///< Σ gate · W_down h + b, unrounded [width]
  Vector n;    ///< normalised, unscaled output [width]; empty without a closing scale
  Vector sum;  ///< v + r·branch [width]: x, or what a closing norm makes x of
  Vector x;    ///< resid_post [width]

  const Tensor* target(MatrixId matrix) const;  ///< null: the token did not use it
};

/// What one row's last products come to.
std::vector<LastTarget> lastTargets(const std::vector<DownProduct>& last,
                                    std::int64_t row);
/// Σ gate · W_down h + b of one row [1, width], unpatched, wide and unrounded.
Tensor outputOf(const std::vector<DownProduct>& last, std::int64_t row);

/// By layer.
using ContextRecord = std::vector<ContextSites>;

/// Whether a record holds h. Only the half and the open loop ask for the contextual
/// pass's; it is thousands of numbers a layer.
enum class LastTargets { Kept, Left };

/// Writes down one row's activations as a forward pass goes by. In lockstep it stands
/// before the hooks that build the patch, so a layer's targets are known when they are
/// asked for: x_C already at the last product, from the row's own closing.
class ContextRecorder final : public BlockHooks {
 public:
  /// @param record has one entry a layer and outlives this.
  ContextRecorder(std::int64_t row, ContextRecord& record,
                  LastTargets last = LastTargets::Kept)
      : m_row(row), m_record(record), m_last(last) {}

  void hookMlpIn(const BlockView& block, const Tensor& v, const Tensor& z) override;
  void hookInProjection(const BlockView& block, Product& product) override;
  void hookDownProjection(const BlockView& block,
                          std::vector<DownProduct>& last) override;
  void hookResidPost(const BlockView& block, BlockSites& sites) override;

 private:
  ContextSites& at(const BlockView& block);

  std::int64_t m_row;
  ContextRecord& m_record;
  LastTargets m_last;
  Tensor m_v;  // of all rows, until the block closes
};

/// Relative error ‖x' − x‖ / ‖x‖ of one row's resid_post against the record, by layer.
class HiddenErrorProbe final : public BlockHooks {
 public:
  HiddenErrorProbe(std::int64_t row, const ContextRecord& record)
      : m_row(row), m_record(record) {}

  void hookResidPost(const BlockView& block, BlockSites& sites) override;
  const std::vector<double>& errors() const { return m_errors; }

 private:
  std::int64_t m_row;
  const ContextRecord& m_record;
  std::vector<double> m_errors;
};

}  // namespace equipatch
