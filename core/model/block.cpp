// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/block.h"

#include <cmath>

namespace equipatch {
namespace {

using Mixer = std::variant<Attention, DeltaNet>;

Mixer mixerOf(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights,
              const Arithmetic& arithmetic) {
  if (spec.layers.at(static_cast<std::size_t>(layer.value)).recurrent)
    return DeltaNet(spec, layer, weights);
  return Attention(spec, layer, weights, arithmetic);
}

}  // namespace

Block::Block(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights,
             const Arithmetic& arithmetic)
    : m_spec(spec),
      m_layer(layer),
      m_weights(weights),
      m_mixer(mixerOf(spec, layer, weights, arithmetic)),
      m_feedForward(spec, layer, weights),
      m_outer(spec, weights.mlp_post_norm) {}

Tensor Block::forward(const Tensor& x, const RowBatch& batch, BlockHooks& hooks,
                      const Arithmetic& arithmetic) const {
  const HookedBlock hooked{m_layer, m_weights, m_outer, arithmetic};
  BlockSites sites;
  sites.resid_pre = x;

  const Tensor attn_in = normed(x, m_weights.attn_norm, arithmetic);
  sites.attn_out = std::visit(
      [&](const auto& mixer) { return mixer.forward(attn_in, batch, arithmetic); },
      m_mixer);
  sites.resid_mid = residMid(sites, arithmetic);

  sites.mlp_in = mlpInput(sites, attn_in, arithmetic);
  hooks.hookMlpIn(hooked, sites.resid_mid, sites.mlp_in);
  std::vector<DownProduct> down =
      m_feedForward.products(hooked, mlpInputs(sites, arithmetic), hooks);
  hooks.hookDownProjection(hooked, down);
  sites.mlp_out = arithmetic.round(m_feedForward.sum(hooked, down, batch.rows(), hooks));

  // A post-norm applies to the branch here, or to the sum in `finish`.
  Tensor branch = sites.mlp_out;
  if (m_outer.closesWithScale()) {
    const Tensor n = m_outer.normalisedOutput(sites.mlp_out, arithmetic);
    branch = m_outer.branch(n, m_outer.m(), arithmetic);
    hooks.hookOutScale(hooked, n, branch);
  }
  sites.resid_post =
      m_outer.finish(m_outer.add(sites.resid_mid, branch, arithmetic), arithmetic);
  hooks.hookResidPost(hooked, sites);
  const Tensor out = output(sites.resid_post, batch, arithmetic);
  hooks.hookOutput(hooked, out);
  return out;
}

/// The next block's input. It depends only on resid_post and the token, so a patch that
/// restores resid_post also restores this input.
Tensor Block::output(const Tensor& resid_post, const RowBatch& batch,
                     const Arithmetic& arithmetic) const {
  Tensor out = resid_post;
  if (m_weights.W_per_layer_gate.exists()) {
    Tensor gate = arithmetic.product(out, m_weights.W_per_layer_gate);
    arithmetic.roundInPlace(gate);
    const Tensor h = gatedHidden(gate, batch.perLayer.select(1, m_layer.value),
                                 m_spec.activation, arithmetic);
    Tensor branch = arithmetic.product(h, m_weights.W_per_layer_out);
    arithmetic.roundInPlace(branch);
    out =
        arithmetic.round(out + normed(branch, m_weights.per_layer_post_norm, arithmetic));
  }
  if (m_weights.layer_scalar.defined())
    out = arithmetic.round(out * m_weights.layer_scalar);
  return out;
}

Tensor Block::normed(const Tensor& x, const NormWeights& weights,
                     const Arithmetic& arithmetic) const {
  return weights.exists() ? norm(x, weights, m_spec.norm, arithmetic) : x;
}

Tensor Block::residMid(const BlockSites& sites, const Arithmetic& arithmetic) const {
  const NormWeights& post = m_weights.attn_post_norm;
  if (m_spec.postNormPlace == PostNormPlace::Sum)
    return normed(m_outer.add(sites.resid_pre, sites.attn_out, arithmetic), post,
                  arithmetic);
  return m_outer.add(sites.resid_pre, normed(sites.attn_out, post, arithmetic),
                     arithmetic);
}

Tensor Block::mlpInput(const BlockSites& sites, const Tensor& attn_in,
                       const Arithmetic& arithmetic) const {
  switch (m_spec.mlpInput) {
    case MlpInput::AttentionInput:
      return attn_in;
    case MlpInput::ResidPre:
      return normed(sites.resid_pre, m_weights.mlp_norm, arithmetic);
    case MlpInput::ResidMid:
      break;
  }
  return normed(sites.resid_mid, m_weights.mlp_norm, arithmetic);
}

MlpInputs Block::mlpInputs(const BlockSites& sites, const Arithmetic& arithmetic) const {
  if (!m_weights.hasDenseBeside()) return {sites.mlp_in, sites.mlp_in, sites.mlp_in};
  const Tensor n =
      arithmetic.round(normalised(sites.resid_mid, m_spec.norm, arithmetic.order()));
  const Tensor scaled = arithmetic.round(n * m_weights.router_scale);
  const double inverseRoot = 1.0 / std::sqrt(static_cast<double>(m_spec.width));
  return {.dense = sites.mlp_in,
          .experts = normed(sites.resid_mid, m_weights.experts_norm, arithmetic),
          .router = arithmetic.round(scaled * inverseRoot)};
}

}  // namespace equipatch
