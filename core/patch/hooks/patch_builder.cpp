// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/hooks/patch_builder.h"

#include <algorithm>
#include <utility>

#include "core/patch/hooks/patch_application.h"
#include "core/patch/theorems/balanced_scale.h"
#include "core/patch/theorems/input_control.h"
#include "core/patch/theorems/output_experts.h"
#include "core/patch/theorems/output_matrix.h"
#include "core/patch/theorems/output_scale.h"
#include "core/patch/theorems/stable_scale.h"

namespace equipatch {
namespace {

double relative(double part, double whole) {
  return whole == 0.0 ? 0.0 : part / whole;
}

double cosine(const Vector& a, const Vector& b) {
  const double sizes = a.norm() * b.norm();
  return sizes == 0.0 ? 1.0 : std::clamp(a.dot(b) / sizes, -1.0, 1.0);
}

}  // namespace

/// A norm's patched scale m', and the input that the norm must get.
struct PatchBuilder::ScaleSplit {
  Vector m, hiddenTarget;
};

PatchBuilder::PatchBuilder(const ContextRecord& context, BuilderRows rows,
                           PatchOptions options)
    : m_context(context), m_rows(rows), m_options(options) {}

const ContextSites& PatchBuilder::target(const HookedBlock& block) const {
  return m_context.at(static_cast<std::size_t>(block.layer.value));
}

void PatchBuilder::degenerate(const char* note, std::int64_t components) {
  LayerRecord& record = m_diagnostics.back().record;
  record.guarded += components;
  if (record.note.find(note) != std::string::npos) return;
  record.note += (record.note.empty() ? "" : "; ") + std::string(note);
}

void PatchBuilder::hookMlpIn(const HookedBlock& block, const Tensor& resid_mid,
                             const Tensor& mlp_in) {
  m_patch.emplace_back();
  m_ledger.clear();
  m_residMid = hostRow(resid_mid, m_rows.source);
  m_mlpIn = hostRow(mlp_in, m_rows.source);
  const ContextSites& context = target(block);
  m_sameInput = m_mlpIn == context.mlp_in;
  m_same = m_sameInput && m_residMid == context.resid_mid;
  // Experts beside a dense MLP read not mlp_in but other functions of resid_mid.
  if (block.weights.hasDenseBeside()) m_sameInput = m_same;
  const Vector difference = context.resid_mid - m_residMid;
  m_branch = difference / block.outer.residualScale();
  LayerDiagnostics& layer = m_diagnostics.emplace_back();
  if (block.outer.closesWithScale()) layer.scaleDelta = Vector::Zero(m_residMid.size());
  layer.record.effect = relative(difference.norm(), m_residMid.norm());
  layer.record.zNorm = m_mlpIn.norm();
  layer.record.zCosine = cosine(m_mlpIn, context.mlp_in);
  layer.resid_mid = m_residMid;
  layer.mlp_in = m_mlpIn;
}

void PatchBuilder::keep(RankOne&& change, MatrixId matrix) {
  m_ledger.change(matrixName(matrix), change.norm());
  m_patch.back().matrices.push_back({matrix, std::move(change)});
}

void PatchBuilder::hookInProjection(const HookedBlock& block, Product& product) {
  const Tensor* wanted = target(block).target(product.id);
  const RowIndex source = product.indexOf(m_rows.source);
  if (!source) return;  // the source row does not use this expert
  m_ledger.enter(matrixName(product.id), product.linear.norm);
  if (m_same) return;
  if (!wanted) return degenerate("routing differs from the contextual pass's");
  const bool readsMlpIn =
      !block.weights.hasDenseBeside() || product.id.expert == MatrixId::kBeside;
  const Vector z = readsMlpIn ? m_mlpIn : hostRow(product.input, *source);
  // Equal inputs, as in parallel blocks, give equal products, so ΔW is 0.
  auto change =
      m_sameInput
          ? RankOne{Vector::Zero(wanted->numel()), z}
          : inputControl(rowDifference(*wanted, product.output.select(0, *source)), z);
  if (!change) return degenerate("z = 0: the input projections control nothing");
  if (!m_sameInput) applyInProjection(block, *change, product);
  keep(std::move(*change), product.id);
}

void PatchBuilder::applyInProjection(const HookedBlock& block, const RankOne& change,
                                     Product& product) const {
  // Patched routers give the open-loop row the contextual row's experts and gates.
  const MatrixRole role = product.id.role;
  const bool routes = role == MatrixRole::Router || role == MatrixRole::SharedRouter;
  if (routes && m_rows.source != m_rows.patched)
    applyToRow(change, product, m_rows.source, Application::Factored, block.arithmetic);
  const RowIndex patched =
      m_rows.patched < 0 ? RowIndex() : product.indexOf(m_rows.patched);
  if (patched)
    applyToRow(change, product, *patched, m_options.application, block.arithmetic);
}

void PatchBuilder::recordExperts(const std::vector<DownInput>& inputs) {
  if (inputs.size() == 1 && inputs.front().matrix.expert == MatrixId::kDense) return;
  LayerRecord& record = m_diagnostics.back().record;
  for (const DownInput& expert : inputs) {
    if (expert.matrix.expert == MatrixId::kBeside) continue;
    record.gateSum += expert.input.gate;
    if (expert.matrix.expert >= 0) record.experts.push_back(expert.matrix.expert);
  }
}

void PatchBuilder::hookDownProjection(const HookedBlock& block,
                                      std::vector<DownProduct>& down) {
  const ContextSites& context = target(block);
  std::vector<DownInput> own = downInputs(down, m_rows.source);
  recordExperts(own);
  const bool beside = block.weights.hasDenseBeside();
  if (beside) m_ledger.enter(kDenseScale, toHost(block.weights.dense_post_norm.m).norm());
  if (!biasAfter(down).defined())
    for (const DownProduct& product : down)
      if (product.indexOf(m_rows.source) &&
          (!beside || product.id.expert == MatrixId::kBeside))
        m_ledger.enter(matrixName(product.id), product.linear.norm);
  if (m_same || block.outer.closesWithNormBias()) return;
  const Vector output = ownActivations()
                            ? hostRow(mlpOutputOf(block, down, m_rows.source), 0)
                            : context.mlp_out;
  const auto missing = missingOutput(block, output);
  if (!missing) return;
  std::vector<DownInput> inputs = ownActivations() ? std::move(own) : context.downInputs;
  if (beside)
    restoreDense(block, output + *missing, std::move(inputs), down);
  else
    restoreOutput(block, *missing, std::move(inputs), down);
  if (m_rows.patched < 0) return;
  for (DownProduct& product : down) {
    const RankOne* change = m_patch.back().find(product.id);
    const RowIndex index = product.indexOf(m_rows.patched);
    if (change && index)
      applyToRow(*change, product, *index, m_options.application, block.arithmetic);
  }
}

/// What the patch must add to `output`, the unpatched mlp_out. If a scale closes the
/// block, `balanced` and `stable` also set m_branch and the patched scale; `direct`
/// returns nothing, because it patches only the scale.
std::optional<Vector> PatchBuilder::missingOutput(const HookedBlock& block,
                                                  const Vector& output) {
  const Vector& x = target(block).sum;
  const double r = block.outer.residualScale();
  // In the closed loop, the patch also corrects the rounding errors of earlier layers.
  if (!block.outer.closesWithScale())
    return ownActivations() ? Vector((x - m_residMid) / r - output) : m_branch;
  if (m_options.method == Method::Direct) return std::nullopt;
  m_branch = (x - m_residMid) / r;
  if (m_branch.isZero(0.0)) degenerate("g = 0: the branch is switched off");
  ScaleSplit closing =
      split(m_branch, toHost(block.outer.m()), output, block.outer.norm().eps);
  m_patch.back().scale = std::move(closing.m);
  return closing.hiddenTarget - output;
}

/// @param g the norm's required output, after its scale
/// @param output the norm's input without a patch of W_down
PatchBuilder::ScaleSplit PatchBuilder::split(const Vector& g, const Vector& m,
                                             const Vector& output, double eps) {
  if (m_options.method == Method::Balanced) {
    BalancedSplit balanced = balancedSplit(g, m, output, eps);
    return {std::move(balanced.m), std::move(balanced.hiddenTarget)};
  }
  StableSplit stable = stableSplit(g, m, output, eps);
  if (stable.floored > 0)
    degenerate("scales below a tenth of their RMS were lifted first", stable.floored);
  if (stable.hardCase) degenerate("hard case: μ is at its bound");
  if (stable.hardCase) m_diagnostics.back().record.hardCase = true;
  return {std::move(stable.m), std::move(stable.hiddenTarget)};
}

/// For a dense MLP beside experts: patches the dense MLP's norm and down projection so
/// that the sum of the two branches is `wanted`. The experts keep their outputs.
void PatchBuilder::restoreDense(const HookedBlock& block, const Vector& wanted,
                                std::vector<DownInput> inputs,
                                const std::vector<DownProduct>& down) {
  Vector output = target(block).dense, experts = target(block).experts;
  if (ownActivations()) {
    const BesideBranches branches = besideBranches(block, down, m_rows.source);
    output = hostRow(branches.dense, 0);
    experts = hostRow(branches.experts, 0);
  }
  m_denseBranch = wanted - experts;
  const MatrixId matrix{MatrixRole::Down, MatrixId::kBeside};
  ScaleSplit dense = split(m_denseBranch, toHost(block.weights.dense_post_norm.m), output,
                           block.outer.norm().eps);
  const auto input = std::ranges::find(inputs, matrix, &DownInput::matrix);
  auto change = outputMatrix(dense.hiddenTarget - output, input->input.h);
  if (!change) return degenerate("h = 0: the dense down projection controls nothing");
  m_patch.back().denseScale = std::move(dense.m);
  keep(std::move(*change), matrix);
}

/// Adds `missing` to the output bias. If there is none, the changes of the down
/// projections together supply `missing`.
void PatchBuilder::restoreOutput(const HookedBlock& block, const Vector& missing,
                                 std::vector<DownInput> inputs,
                                 const std::vector<DownProduct>& down) {
  const Tensor& bias = biasAfter(down);
  if (bias.defined()) return keepBias(block, toHost(bias), missing);
  std::vector<ExpertOutput> experts;
  for (DownInput& input : inputs) experts.push_back(std::move(input.input));
  // For a single dense matrix, both splits are the same (Lemma 9).
  const auto split =
      m_options.method == Method::Direct ? MoeSplit::Equal : MoeSplit::LeastNorm;
  auto changes = outputExperts(missing, std::move(experts), split);
  if (!changes)
    return degenerate(split == MoeSplit::Equal
                          ? "an expert's h or the sum of the gates is 0: no equal split"
                          : "h = 0: the down projections control nothing");
  // In the half and the open loop, `inputs` lists the contextual row's experts. Of these,
  // only experts that the source row also uses are patched.
  for (std::size_t index = 0; index < inputs.size(); ++index) {
    const auto product = std::ranges::find(down, inputs[index].matrix, &DownProduct::id);
    if (product != down.end() && product->indexOf(m_rows.source))
      keep(std::move((*changes)[index]), product->id);
  }
}

void PatchBuilder::hookOutBias(const HookedBlock&, Tensor& bias) {
  const std::optional<Vector>& patched = m_patch.back().bias;
  if (patched && m_rows.patched >= 0) applyBias(*patched, bias, m_rows.patched);
}

void PatchBuilder::hookDenseScale(const HookedBlock& block, const Tensor& n,
                                  Tensor& branch) {
  std::optional<Vector>& scale = m_patch.back().denseScale;
  if (!scale) return;
  if (ownActivations())
    scale = settleScale(*scale, m_denseBranch, hostRow(n, m_rows.source));
  if (m_options.application == Application::Materialised)
    scale = storedScale(*scale, block.outer.norm(), block.arithmetic);
  m_ledger.change(kDenseScale, (*scale - toHost(block.weights.dense_post_norm.m)).norm());
  if (m_rows.patched >= 0) applyScale(block, *scale, n, branch, m_rows.patched);
}

void PatchBuilder::hookOutScale(const HookedBlock& block, const Tensor& n,
                                Tensor& branch) {
  if (m_same) return;
  if (block.outer.closesWithNormBias()) return normBias(block, n, branch);
  const ContextSites& context = target(block);
  const Vector m = toHost(block.outer.m());
  std::optional<Vector>& scale = m_patch.back().scale;
  if (m_options.method == Method::Direct) {
    const Vector own = hostRow(n, m_rows.source);
    if (ownActivations())
      directScale(
          block,
          (context.sum - m_residMid) / block.outer.residualScale() - own.cwiseProduct(m),
          own);
    else
      directScale(block, m_branch, context.normalised);
  } else if (ownActivations()) {
    scale = settleScale(*scale, m_branch, hostRow(n, m_rows.source));
  }
  if (m_options.application == Application::Materialised)
    scale = storedScale(*scale, block.outer.norm(), block.arithmetic);
  m_diagnostics.back().scaleDelta = *scale - m;
  if (m_rows.patched >= 0) applyScale(block, *scale, n, branch, m_rows.patched);
}

/// Adds the missing output to the closing norm's bias [G, Lemma 8].
void PatchBuilder::normBias(const HookedBlock& block, const Tensor& n, Tensor& branch) {
  const Vector missing =
      ownActivations()
          ? Vector((target(block).sum - m_residMid) / block.outer.residualScale() -
                   hostRow(branch, m_rows.source))
          : m_branch;
  keepBias(block, toHost(block.outer.normBias()), missing);
  if (m_rows.patched >= 0)
    applyNormBias(block, *m_patch.back().bias, n, branch, m_rows.patched);
}

/// Sets the patch's b' and the diagnostics' Δb.
void PatchBuilder::keepBias(const HookedBlock& block, const Vector& bias,
                            const Vector& missing) {
  Vector patched = bias + missing;
  if (m_options.application == Application::Materialised)
    patched = storedBias(patched, block.arithmetic);
  m_diagnostics.back().biasDelta = patched - bias;
  m_patch.back().bias = patched;
}

/// Theorem 1: Δm = missing ⊘ n.
void PatchBuilder::directScale(const HookedBlock& block, const Vector& missing,
                               const Vector& n) {
  const Vector m = toHost(block.outer.m());
  const ScaleChange change =
      outputScale(missing, n, m, largestFinite(block.arithmetic.dtype()));
  m_diagnostics.back().record.smallestDivisor = change.smallestDivisor;
  if (change.guarded > 0)
    degenerate("components with n = 0 or a scale beyond the dtype were guarded",
               change.guarded);
  m_patch.back().scale = m + change.delta;
}

void PatchBuilder::hookResidPost(const HookedBlock& block, BlockSites& sites) {
  LayerDiagnostics& layer = m_diagnostics.back();
  layer.record.matrices = m_ledger.totals();
  if (layer.scaleDelta.size() > 0) recordScaleDelta(layer.scaleDelta, layer.record);
  if (layer.biasDelta.size() > 0) layer.record.biasNorm = layer.biasDelta.norm();
  // Algorithm 1 as printed: the next layer starts from the contextual pass's resid_post.
  if (m_options.loop == Loop::Open)
    setRow(sites.resid_post, m_rows.source, target(block).resid_post);
}

}  // namespace equipatch
