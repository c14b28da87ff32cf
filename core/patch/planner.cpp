#include "core/patch/planner.h"

namespace equipatch {
namespace {

ParameterPlan firstMatrix(const std::string& W) {
  return {W, "rank 1: ΔW = " + W + " (z_C − z) zᵀ / ‖z‖²",
          "input-controllable inner function: Definition 3, Lemmas 6 and 7", "all"};
}

void planWithScale(PatchPlan& plan) {
  plan.parameters.push_back(
      {"W_down", "rank 1: ΔW = (C y / ρ − W_down h) hᵀ / ‖h‖², y = g ⊘ m'",
       "output-controllable outer function, ν-split: Lemma 9 with Appendix B's freedom",
       "balanced"});
  plan.parameters.push_back({"m (mlp_post_norm)",
                             "m' = sgn(m) sqrt(m² + ν g²), ν from mean(y²) = ρ²",
                             "ν-split (Theorem 5)", "balanced"});
  plan.parameters.push_back({"m (mlp_post_norm)", "Δm = Δv ⊘ n",
                             "elementwise scale: Lemma 10, Theorem 1", "direct"});
}

void planWithMatrix(PatchPlan& plan) {
  plan.parameters.push_back(
      {"W_down", "rank 1: ΔW = Δv hᵀ / ‖h‖²",
       "output-controllable outer function, last matrix: Lemma 9, Theorem 5", "all"});
}

std::string blockInWords(const ModelSpec& spec) {
  std::string words = "v = x + ";
  words += spec.attentionPostNorm ? "norm(attention(norm(x)))" : "attention(norm(x))";
  words += ";  z = norm(v);  h = ";
  words += spec.activation == Activation::Silu ? "SiLU" : "GELU";
  words += "(W_gate z) ⊙ (W_up z);  x' = v + ";
  words += spec.mlpPostNorm ? "norm(W_down h) ⊙ m" : "W_down h";
  return words;
}

}  // namespace

PatchPlan planPatch(const ModelSpec& spec) {
  PatchPlan plan;
  plan.block = blockInWords(spec);
  plan.closesWithScale = spec.mlpPostNorm;
  plan.matrices = {"gate", "up", "down"};
  plan.parameters = {firstMatrix("W_gate"), firstMatrix("W_up")};
  if (spec.mlpPostNorm)
    planWithScale(plan);
  else
    planWithMatrix(plan);
  plan.untouched = {
      "attention and its norms: their effect is what the patch absorbs",
      "mlp_norm: it defines z, the patch's input",
      "embedding, final norm and head: the last block's output is restored"};
  if (spec.mlpBias)
    plan.untouched.emplace_back(
        "biases of the MLP: targets are pre-activations with them");
  return plan;
}

}  // namespace equipatch
