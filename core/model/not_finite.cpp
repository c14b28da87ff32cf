// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/not_finite.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>

#include "core/kernel/row_operations.h"

namespace equipatch {
namespace {

template <typename Real>
bool finiteElements(const Tensor& x) {
  return allFinite(std::span(x.data_ptr<Real>(), static_cast<std::size_t>(x.numel())));
}

/// Tests tile by tile: libtorch's isfinite makes copies, and an embedding may have
/// gigabytes.
bool finiteTiles(const Tensor& x) {
  constexpr std::int64_t kTileElements = 1 << 24;
  const auto isFinite = [](const Tensor& tile) {
    return tile.isfinite().all().item<bool>();
  };
  if (x.numel() <= kTileElements) return isFinite(x);
  const std::int64_t rows =
      std::max<std::int64_t>(1, kTileElements / (x.numel() / x.size(0)));
  return std::ranges::all_of(x.split(rows), isFinite);
}

std::string dtypeAdvice(at::ScalarType held) {
  if (held == at::kHalf) return "use bfloat16 or float32";
  if (held == at::kDouble) return "no dtype is wider, so check the checkpoint's weights";
  return "use float64";
}

Parameters parametersOf(const std::string& name, const Linear& linear) {
  return {{"W_" + name, linear.weight}, {"b_" + name, linear.bias}};
}

Parameters parametersOf(const std::string& name, const NormWeights& norm) {
  return {{name, norm.m}, {name + ".bias", norm.bias}};
}

Parameters joined(std::initializer_list<Parameters> lists) {
  Parameters all;
  for (const Parameters& some : lists) all.insert(all.end(), some.begin(), some.end());
  return all;
}

Parameters attentionParameters(const LayerWeights& weights) {
  const DeltaNetWeights& delta = weights.delta;
  return joined(
      {parametersOf("attn_norm", weights.attn_norm), parametersOf("q", weights.W_q),
       parametersOf("k", weights.W_k), parametersOf("v", weights.W_v),
       parametersOf("q_norm", weights.q_norm), parametersOf("k_norm", weights.k_norm),
       parametersOf("attn_gate", weights.W_attn_gate), parametersOf("o", weights.W_o),
       parametersOf("delta_in", delta.W_in), parametersOf("delta_z", delta.W_z),
       parametersOf("delta_b", delta.W_b), parametersOf("delta_a", delta.W_a),
       Parameters{{"sinks", weights.sinks},
                  {"delta_conv", delta.conv},
                  {"delta_A_log", delta.decay},
                  {"delta_dt_bias", delta.dt_bias},
                  {"delta_norm", delta.norm}}});
}

/// Expands a matrix in MXFP4, because one of its scales may be NaN.
Parameters parametersOf(const Product& product, const Arithmetic& arithmetic) {
  const Linear& linear = product.linear;
  const std::string weight = weightName(product.id);
  return {{weight, linear.rows(0, linear.outputs(), arithmetic.weightOptions())},
          {weight + "'s bias", linear.bias}};
}

}  // namespace

Parameters parametersAfterResidPost(const LayerWeights& weights) {
  return joined({parametersOf("per_layer_gate", weights.W_per_layer_gate),
                 parametersOf("per_layer_out", weights.W_per_layer_out),
                 parametersOf("per_layer_post_norm", weights.per_layer_post_norm),
                 Parameters{{"layer_scalar", weights.layer_scalar}}});
}

bool allFinite(const Tensor& x) {
  const bool wide = x.scalar_type() == at::kDouble || x.scalar_type() == at::kFloat;
  if (!x.is_cpu() || !x.is_contiguous() || !wide) return finiteTiles(x);
  return x.scalar_type() == at::kDouble ? finiteElements<double>(x)
                                        : finiteElements<float>(x);
}

Tensor infinityAsNaN(const Tensor& x) {
  if (x.is_cpu() && allFinite(x))
    return x;  // on a GPU the test would wait for the device
  return x.masked_fill(x.isinf(), std::numeric_limits<double>::quiet_NaN());
}

Error notFinite(const NotFinitePart& part, const Arithmetic& arithmetic) {
  const std::string dtype(torchName(arithmetic.dtype()));
  for (const auto& [name, values] : part.parameters)
    if (values.defined() && !allFinite(values))
      return Error(ErrorKind::Numeric,
                   part.name + " is not finite, because " + name +
                       " holds NaN or infinity in " + dtype + "; use " +
                       (arithmetic.dtype() == DType::F16
                            ? "bfloat16 or float32, and if that fails too, "
                            : "") +
                       "another copy of the checkpoint");
  const bool rounds = arithmetic.rounds();
  const std::string range = rounds                             ? dtype
                            : arithmetic.wide() == at::kDouble ? "float64"
                                                               : "float32";
  return Error(ErrorKind::Numeric, part.name + " left the range of " + range +
                                       ": it holds NaN or infinity; " +
                                       dtypeAdvice(arithmetic.activationType()));
}

void NotFiniteFinder::look(const HookedBlock& block, const Tensor& output,
                           NotFinitePart part) {
  if (!m_part.name.empty() || allFinite(output)) return;
  part.name = "layer " + std::to_string(block.layer.value) + "'s " + part.name;
  m_part = std::move(part);
}

void NotFiniteFinder::hookInProjection(const HookedBlock& block, Product& product) {
  // Experts beside a dense MLP, and their router, have inputs of their own.
  const LayerWeights& weights = block.weights;
  if (weights.hasDenseBeside() && product.id.role == MatrixRole::Router)
    look(block, product.input,
         {"MLP (the router's input)", {{"router_scale", weights.router_scale}}});
  else if (weights.hasDenseBeside() && product.id.expert != MatrixId::kBeside)
    look(
        block, product.input,
        {"MLP (the experts' input)", parametersOf("experts_norm", weights.experts_norm)});
  look(block, block.arithmetic.round(product.output),
       {"MLP (" + weightName(product.id) + " mlp_in)",
        parametersOf(product, block.arithmetic)});
}

void NotFiniteFinder::hookDownProjection(const HookedBlock& block,
                                         std::vector<DownProduct>& down) {
  for (const DownProduct& product : down) {
    const std::string weight = weightName(product.id);
    look(block, product.input, {"MLP (h, the input of " + weight + ")", {}});
    if (product.gates.defined())
      look(block, product.gates,
           {"MLP (a router's gate)", {{"expert_scale", block.weights.expert_scale}}});
    look(block, block.arithmetic.round(product.output),
         {"MLP (" + weight + " h)", parametersOf(product, block.arithmetic)});
  }
}

/// Only stores the arguments. mlp_out, which is computed before them, must be tested
/// first, but only hookResidPost receives it.
void NotFiniteFinder::hookOutScale(const HookedBlock&, const Tensor& n, Tensor& branch) {
  m_n = n;
  m_branch = branch;
}

void NotFiniteFinder::hookDenseScale(const HookedBlock& block, const Tensor& n,
                                     Tensor& branch) {
  lookAtScale(block, n, branch, "dense_post_norm", block.weights.dense_post_norm);
}

void NotFiniteFinder::lookAtScale(const HookedBlock& block, const Tensor& n,
                                  const Tensor& branch, const std::string& norm,
                                  const NormWeights& weights) {
  look(block, n, {"norm after the MLP (n)", {}});
  look(block, branch, {"norm after the MLP", parametersOf(norm, weights)});
}

/// Tests the parts before the MLP too, because attn_out has no hook of its own. If one of
/// them is not finite, it replaces the part of the MLP that an earlier hook found.
void NotFiniteFinder::hookResidPost(const HookedBlock& block, BlockSites& sites) {
  const LayerWeights& weights = block.weights;
  NotFinitePart later = std::move(m_part);
  m_part = {};
  look(block, sites.attn_out, {"attention (attn_out)", attentionParameters(weights)});
  look(block, sites.resid_mid,
       {"residual sum after attention (resid_mid)",
        parametersOf("attn_post_norm", weights.attn_post_norm)});
  look(block, sites.mlp_in,
       {"norm before the MLP (mlp_in)", parametersOf("mlp_norm", weights.mlp_norm)});
  if (m_part.name.empty()) m_part = std::move(later);
  Parameters ofOutput = parametersOf("experts_post_norm", weights.experts_post_norm);
  ofOutput.emplace_back("W_down's bias", weights.mlp.W_down.bias);
  look(block, sites.mlp_out, {"MLP (mlp_out)", ofOutput});
  if (m_n.defined())
    lookAtScale(block, std::exchange(m_n, {}), std::exchange(m_branch, {}),
                "mlp_post_norm", weights.mlp_post_norm);
  look(block, sites.resid_post,
       {"residual sum after the MLP (resid_post)",
        parametersOf("mlp_post_norm", weights.mlp_post_norm)});
}

}  // namespace equipatch
