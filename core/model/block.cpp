#include "core/model/block.h"

#include "core/model/feed_forward.h"
#include "core/model/norm.h"

namespace equipatch {

Block::Block(const ModelSpec& spec, LayerIndex layer, const LayerWeights& weights,
             const Arithmetic& arithmetic)
    : m_spec(spec),
      m_layer(layer),
      m_weights(weights),
      m_attention(spec, layer, weights, arithmetic),
      m_outer(spec.norm, weights.mlp_post_norm) {}

Tensor Block::forward(const Tensor& x, const RowBatch& batch, BlockPolicy& policy,
                      const Arithmetic& arithmetic) const {
  const BlockView view{m_layer, m_weights, m_outer, arithmetic};
  BlockSites sites;
  sites.resid_pre = x;

  const Tensor attn_in = rmsNorm(x, m_weights.attn_norm, m_spec.norm, arithmetic);
  sites.attn_out = m_attention.forward(attn_in, batch, arithmetic);
  const Tensor added =
      m_weights.attn_post_norm.defined()
          ? rmsNorm(sites.attn_out, m_weights.attn_post_norm, m_spec.norm, arithmetic)
          : sites.attn_out;
  sites.resid_mid = arithmetic.round(x + added);

  sites.z = rmsNorm(sites.resid_mid, m_weights.mlp_norm, m_spec.norm, arithmetic);
  policy.atMlpInput(view, sites.resid_mid, sites.z);
  const Tensor gate = first(view, FirstMatrix::Gate, sites.z, policy);
  const Tensor up = first(view, FirstMatrix::Up, sites.z, policy);
  const Tensor h = gatedHidden(gate, up, m_spec.activation, arithmetic);

  Tensor y = arithmetic.product(h, m_weights.W_down);
  policy.atLastProduct(view, h, y);
  sites.mlp_out = arithmetic.round(y);
  Tensor branch = sites.mlp_out;
  if (m_outer.closesWithScale()) {
    const Tensor n = m_outer.normalisedOutput(sites.mlp_out, arithmetic);
    branch = m_outer.branch(n, m_outer.m(), arithmetic);
    policy.atClosingScale(view, n, branch);
  }
  sites.resid_post = arithmetic.round(sites.resid_mid + branch);
  policy.atBlockOutput(view, sites);
  return sites.resid_post;
}

Tensor Block::first(const BlockView& view, FirstMatrix which, const Tensor& z,
                    BlockPolicy& policy) const {
  Tensor y = view.arithmetic.product(z, view.first(which));
  policy.atFirstProduct(view, which, y);
  return view.arithmetic.round(y);
}

}  // namespace equipatch
