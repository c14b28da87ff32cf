#include "core/patch/patch_builder.h"

#include "core/patch/balanced_scale.h"
#include "core/patch/input_control.h"
#include "core/patch/output_matrix.h"
#include "core/patch/output_scale.h"
#include "core/patch/patch_application.h"

namespace equipatch {
namespace {

double relative(double part, double whole) {
  return whole > 0.0 ? part / whole : 0.0;
}

double cosine(const Vector& a, const Vector& b) {
  const double sizes = a.norm() * b.norm();
  return sizes > 0.0 ? a.dot(b) / sizes : 1.0;
}

}  // namespace

PatchBuilder::PatchBuilder(const ContextRecord& context, BuilderRows rows,
                           PatchOptions options)
    : m_context(context), m_rows(rows), m_options(options) {}

const ContextSites& PatchBuilder::target(const BlockView& block) const {
  return m_context.at(static_cast<std::size_t>(block.layer.value));
}

void PatchBuilder::degenerate(const char* note, std::int64_t components) {
  LayerDiagnostics& diagnostics = m_diagnostics.back();
  diagnostics.guarded += components;
  diagnostics.note += (diagnostics.note.empty() ? "" : "; ") + std::string(note);
}

void PatchBuilder::atMlpInput(const BlockView& block, const Tensor& v, const Tensor& z) {
  m_patch.emplace_back();
  m_zRows = z;
  m_v = hostRow(v, m_rows.source);
  m_z = hostRow(z, m_rows.source);
  const ContextSites& context = target(block);
  m_same = m_v == context.v && m_z == context.z;
  m_g = context.v - m_v;
  m_diagnostics.push_back({.scaleDelta = block.outer.closesWithScale()
                                             ? Vector(Vector::Zero(m_v.size()))
                                             : Vector(),
                           .effect = relative(m_g.norm(), m_v.norm()),
                           .zNorm = m_z.norm(),
                           .zCosine = cosine(m_z, context.z),
                           .note = {}});
}

void PatchBuilder::atFirstProduct(const BlockView& block, FirstMatrix which, Tensor& y) {
  if (m_same) return;
  const auto change =
      inputControl(target(block).first(which), hostRow(y, m_rows.source), m_z);
  if (!change) return degenerate("z = 0: the first matrices control nothing");
  const MatrixApplication matrix{m_options.application, block.arithmetic};
  if (m_rows.patched >= 0)
    matrix.apply(*change, block.first(which), m_zRows, y, m_rows.patched);

  LayerDiagnostics& diagnostics = m_diagnostics.back();
  const bool gate = which == FirstMatrix::Gate;
  (gate ? diagnostics.gateNorm : diagnostics.upNorm) = change->norm();
  (gate ? diagnostics.gateRelative : diagnostics.upRelative) =
      relative(change->norm(), block.first(which).norm);
  (gate ? m_patch.back().gate : m_patch.back().up) = *change;
}

void PatchBuilder::atLastProduct(const BlockView& block, const Tensor& h, Tensor& y) {
  if (m_same) return;
  const ContextSites& context = target(block);
  if (ownActivations())
    restoreOutput(block, hostRow(h, m_rows.source), hostRow(y, m_rows.source));
  else
    restoreOutput(block, context.h, context.y);
  const auto& change = m_patch.back().down;
  const MatrixApplication matrix{m_options.application, block.arithmetic};
  if (change && m_rows.patched >= 0)
    matrix.apply(*change, block.weights.W_down, h, y, m_rows.patched);
}

/// Decides W_down's change (and, for `balanced`, the scale) from its input h and its
/// unpatched product y.
void PatchBuilder::restoreOutput(const BlockView& block, const Vector& h,
                                 const Vector& y) {
  const ContextSites& context = target(block);
  Vector missing;  // what W_down's output lacks
  if (!block.outer.closesWithScale()) {
    // In the closed loop v, y and x_C carry the rounding of the layers before: absorb it
    // too.
    missing = ownActivations() ? Vector(context.x - m_v - y) : Vector(context.v - m_v);
  } else if (m_options.method == Method::Balanced) {
    m_g = context.x - m_v;
    const auto split =
        balancedSplit(m_g, toHost(block.outer.m()), y, block.outer.norm().eps);
    if (m_g.isZero(0.0)) degenerate("g = 0: the branch is switched off");
    m_patch.back().scale = split.m;
    missing = split.hiddenTarget - y;
  } else {
    return;  // `direct` leaves W_down alone
  }
  m_patch.back().down = outputMatrix(missing, h);
  if (!m_patch.back().down) return degenerate("h = 0: W_down controls nothing");
  LayerDiagnostics& diagnostics = m_diagnostics.back();
  diagnostics.downNorm = m_patch.back().down->norm();
  diagnostics.downRelative = relative(diagnostics.downNorm, block.weights.W_down.norm);
}

void PatchBuilder::atClosingScale(const BlockView& block, const Tensor& n,
                                  Tensor& branch) {
  if (m_same) return;
  const ContextSites& context = target(block);
  const Vector m = toHost(block.outer.m());
  std::optional<Vector>& scale = m_patch.back().scale;
  if (m_options.method == Method::Direct) {
    const Vector own = hostRow(n, m_rows.source);
    if (ownActivations())
      directScale(block, context.x - m_v - own.cwiseProduct(m), own);
    else
      directScale(block, context.v - m_v, context.n);
  } else if (ownActivations()) {
    scale = settleScale(*scale, m_g, hostRow(n, m_rows.source));
  }
  if (m_options.application == Application::Materialised)
    scale = storedScale(*scale, block.outer.norm(), block.arithmetic);
  m_diagnostics.back().scaleDelta = *scale - m;
  if (m_rows.patched >= 0) applyScale(block, *scale, n, branch, m_rows.patched);
}

/// Theorem 1: Δm = missing ⊘ n.
void PatchBuilder::directScale(const BlockView& block, const Vector& missing,
                               const Vector& n) {
  const Vector m = toHost(block.outer.m());
  const ScaleChange change =
      outputScale(missing, n, m, largestFinite(block.arithmetic.dtype()));
  m_diagnostics.back().smallestDivisor = change.smallestDivisor;
  if (change.guarded > 0)
    degenerate("components with n = 0 or a scale beyond the dtype were guarded",
               change.guarded);
  m_patch.back().scale = m + change.delta;
}

void PatchBuilder::atBlockOutput(const BlockView& block, BlockSites& sites) {
  // Algorithm 1 as printed: every layer starts from the contextual pass's own input.
  if (m_options.loop == Loop::Open)
    setRow(sites.resid_post, m_rows.source, target(block).x);
}

}  // namespace equipatch
