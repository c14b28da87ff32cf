// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/planner.h"

#include <algorithm>
#include <string>

#include "core/patch/layer_record.h"
#include "core/patch/plan_words.h"

namespace equipatch {
namespace {

/// Begins the entry of PatchPlan::untouched that planOfMethod removes for `direct`.
constexpr const char* kExpertsDown = "W_down of the experts";

class Counter {
 public:
  explicit Counter(const ModelSpec& spec) : m_spec(spec) {}

  void matrix(std::int64_t outputs, std::int64_t inputs) {
    m_size.changed += outputs * inputs;
    m_size.factors += outputs + inputs;
  }
  void vector(std::int64_t size) {
    m_size.changed += size;
    m_size.factors += size;
  }
  void feedForward(std::int64_t inside, bool withDown) {
    const int inputs = m_spec.mlpForm == MlpForm::Gated ? 2 : 1;
    for (int i = 0; i < inputs; ++i) matrix(inside, m_spec.width);
    if (withDown) matrix(m_spec.width, inside);
  }
  ParameterCount size() const { return m_size; }

 private:
  const ModelSpec& m_spec;
  ParameterCount m_size;
};

void addMoe(const ModelSpec& spec, bool patchesDown, Counter& counter) {
  const MoeSpec& moe = *spec.moe;
  const bool withDown = patchesDown && !spec.closesWithNormBias() && !moe.besideDense;
  counter.matrix(moe.experts, spec.width);
  for (std::int64_t expert = 0; expert < moe.active; ++expert)
    counter.feedForward(moe.expertWidth, withDown);
  if (moe.sharedWidth == 0) return;
  counter.matrix(1, spec.width);
  counter.feedForward(moe.sharedWidth, withDown);
}

const char* activationName(Activation activation) {
  switch (activation) {
    case Activation::GeluTanh:
    case Activation::GeluExact:
      return "GELU";
    case Activation::QuickGelu:
      return "quick GELU";
    case Activation::Relu:
      return "ReLU";
    case Activation::Silu:
      break;
  }
  return "SiLU";
}

/// Kinds of MLP among the layers.
struct Kinds {
  bool dense = false;
  bool moe = false;
  bool shared = false;
  bool beside = false;  ///< a dense MLP beside the experts
};

Kinds kindsOf(const ModelSpec& spec) {
  Kinds kinds;
  for (const LayerSpec& layer : spec.layers) (layer.moe ? kinds.moe : kinds.dense) = true;
  kinds.shared = kinds.moe && spec.moe && spec.moe->sharedWidth > 0;
  kinds.beside = kinds.moe && spec.hasDenseBeside();
  return kinds;
}

std::vector<std::string> inProjections(const ModelSpec& spec) {
  return spec.mlpForm == MlpForm::Gated ? std::vector<std::string>{"W_gate", "W_up"}
                                        : std::vector<std::string>{"W_in"};
}

/// @param whose such as " of each expert in use"; empty where the layer has one MLP.
ParameterPlan inProjection(const ModelSpec& spec, const std::string& W,
                           const std::string& whose = {}) {
  const std::string change = "rank 1: ΔW = " + W + " (z_C − z) zᵀ / ‖z‖²";
  if (spec.mlpInput == MlpInput::ResidMid)
    return {W + whose, change,
            "input-controllable inner function: Definition 3, Lemmas 6 and 7", "all"};
  return {W + whose,
          change +
              "; 0 except for rounding, since z is computed from the block's "
              "input, which is the same in both passes",
          "parallel block: Lemma 12", "all"};
}

void planMoeInputs(const ModelSpec& spec, const Kinds& kinds, PatchPlan& plan) {
  if (!kinds.moe) return;
  const std::string change = "rank 1: ΔW = W_router (z_C − z) zᵀ / ‖z‖²";
  plan.parameters.push_back(
      {"W_router", change + (kinds.beside ? ", z being the router's own input" : ""),
       "the router is an input projection: Lemma 7; without its patch other "
       "experts might be chosen",
       "all"});
  for (const std::string& W : inProjections(spec))
    plan.parameters.push_back(inProjection(spec, W, " of each expert in use"));
  if (kinds.beside)
    for (const std::string& W : inProjections(spec))
      plan.parameters.push_back(inProjection(spec, W, " of the dense MLP"));
  if (!kinds.shared) return;
  plan.parameters.push_back(
      {"W_shared_router", "rank 1: ΔW = W_shared_router (z_C − z) zᵀ / ‖z‖²",
       "the shared expert's gate is an input projection: Lemma 7", "all"});
  for (const std::string& W : inProjections(spec))
    plan.parameters.push_back(inProjection(spec, W, " of the shared expert"));
}

void planMoeOutputs(const Kinds& kinds, PatchPlan& plan) {
  if (!kinds.moe || kinds.beside) return;
  const std::string all = kinds.shared ? " and the shared one" : "";
  plan.parameters.push_back(
      {"W_down of each expert in use" + all,
       "rank 1: ΔW_e = s_e δ h_eᵀ / (Σ s_f² ‖h_f‖²), gates s, missing output δ",
       "mixture of experts: Lemma 11 with the split of least norm, which exists also "
       "where Σ s = 0",
       "balanced, stable"});
  plan.parameters.push_back(
      {"W_down of each expert in use" + all,
       "rank 1: ΔW_e = δ h_eᵀ / (S ‖h_e‖²), S = Σ s, missing output δ",
       "mixture of experts: Lemma 11", "direct"});
}

/// For a dense MLP beside experts.
void planDenseOutput(PatchPlan& plan) {
  const std::string change = "rank 1: ΔW = (C y / ρ − W_down h) hᵀ / ‖h‖², y = g₁ ⊘ m₁'";
  plan.parameters.push_back(
      {"W_down of the dense MLP", change,
       "the dense MLP supplies what the experts leave missing from the closing norm's "
       "input: Lemma 9",
       "balanced, stable"});
  plan.parameters.push_back(
      {"m₁ (dense_post_norm)", "m₁' = sgn(m₁) sqrt(m₁² + ν g₁²), ν from mean(y²) = ρ²",
       "ν-split (Theorem 5) of the norm after the dense MLP", "balanced"});
  plan.parameters.push_back({"m₁ (dense_post_norm)",
                             "m₁' = m₁ − μ / m₁, μ from mean(y²) = ρ²",
                             "Appendix B, step 3 corrected to a division (Theorem 5), "
                             "for the norm after the dense MLP",
                             "stable"});
}

void planWithScale(const Kinds& kinds, PatchPlan& plan) {
  if (kinds.dense)
    plan.parameters.push_back({"W_down",
                               "rank 1: ΔW = (C y / ρ − W_down h) hᵀ / ‖h‖², y = g ⊘ m'",
                               "output-controllable outer function: Lemma 9; m changes, "
                               "too, by the ν-split",
                               "balanced"});
  if (kinds.dense)
    plan.parameters.push_back(
        {"W_down", "rank 1: ΔW = (C y / ρ − W_down h) hᵀ / ‖h‖², y = g ⊘ m'",
         "numerically stable outer function: Appendix B, Lemma 9", "stable"});
  planMoeOutputs(kinds, plan);
  if (kinds.beside) planDenseOutput(plan);
  plan.parameters.push_back({"m (mlp_post_norm)",
                             "m' = sgn(m) sqrt(m² + ν g²), ν from mean(y²) = ρ²",
                             "ν-split (Theorem 5)", "balanced"});
  plan.parameters.push_back({"m (mlp_post_norm)", "m' = m − μ / m, μ from mean(y²) = ρ²",
                             "Appendix B, step 3 corrected to a division (Theorem 5)",
                             "stable"});
  plan.parameters.push_back({"m (mlp_post_norm)", "Δm = Δv ⊘ n",
                             "elementwise scale: Lemma 10, Theorem 1", "direct"});
}

void planWithoutScale(const ModelSpec& spec, const Kinds& kinds, PatchPlan& plan) {
  const bool multiplies = spec.residualScale != 1.0;
  const std::string missing =
      std::string("Δv").append(multiplies ? " / r, residual multiplier r" : "") +
      (plan.parallel ? ", the attention branch's difference" : "");
  const std::string why = plan.parallel ? ", parallel block: Lemma 12" : ", Theorem 5";
  const std::string divisor = multiplies ? "(r ‖h‖²), residual multiplier r" : "‖h‖²";
  if (kinds.dense && spec.mlpBias)
    plan.parameters.push_back(
        {"b_down", "Δb = " + missing, "outer bias: Lemma 8" + why, "all"});
  else if (kinds.dense)
    plan.parameters.push_back(
        {"W_down", "rank 1: ΔW = Δv hᵀ / " + divisor,
         "output-controllable outer function, down projection: Lemma 9" + why, "all"});
  planMoeOutputs(kinds, plan);
}

std::string normed(bool has, const std::string& inside) {
  return has ? "norm(" + inside + ")" : inside;
}

std::string hiddenInWords(const ModelSpec& spec) {
  const std::string f = activationName(spec.activation);
  const std::string b = spec.mlpBias || (spec.moe && spec.moe->bias) ? " + b" : "";
  if (spec.mlpForm == MlpForm::Plain) return f + "(W_in z" + b + ")";
  if (spec.gateLimit)
    return f + "(min(W_gate z" + b + ", c)) ⊙ (clamp(W_up z" + b + ", ±c) + 1)";
  return f + "(W_gate z" + b + ") ⊙ (W_up z" + b + ")";
}

std::string outputInWords(const ModelSpec& spec, const Kinds& kinds) {
  const std::string dense =
      std::string("W_down h").append(spec.mlpBias ? " + b_down" : "");
  if (!kinds.moe) return dense;
  const std::string term = spec.moe->bias ? "(W_down,e h_e + b_e)" : "W_down,e h_e";
  std::string experts = "Σ s_e " + term + " over the " +
                        std::to_string(spec.moe->active) + " of " +
                        std::to_string(spec.moe->experts) + " experts in use";
  if (kinds.shared) experts += " and the shared one";
  if (kinds.beside) return "norm(" + dense + ") ⊙ m₁ + norm(" + experts + ")";
  return kinds.dense ? experts + " (in dense layers " + dense + ")" : experts;
}

/// x + r·branch, with a post-norm around the branch or the sum, if there is one.
std::string sumInWords(const ModelSpec& spec, const std::string& x, bool postNorm,
                       const std::string& branch) {
  const std::string plus = spec.residualScale == 1.0 ? " + " : " + r·";
  if (spec.postNormPlace == PostNormPlace::Sum)
    return normed(postNorm, x + plus + branch);
  return x + plus + normed(postNorm, branch);
}

std::string blockInWords(const ModelSpec& spec, const Kinds& kinds,
                         const std::string& mixer) {
  std::string words =
      "v = " + sumInWords(spec, "x", spec.attentionPostNorm,
                          mixer + "(" + normed(spec.attentionPreNorm, "x") + ")");
  words += ";  z = ";
  switch (spec.mlpInput) {
    case MlpInput::ResidMid:
      words += normed(spec.mlpPreNorm, "v");
      break;
    case MlpInput::ResidPre:
      words += normed(spec.mlpPreNorm, "x") + " (parallel, with its own norm)";
      break;
    case MlpInput::AttentionInput:
      words += normed(spec.attentionPreNorm, "x") + " (parallel, attention's input)";
      break;
  }
  words += ";  h = " + hiddenInWords(spec) + ";  x' = ";
  words += sumInWords(spec, "v", spec.mlpPostNorm, outputInWords(spec, kinds));
  words += spec.scalesBranch() ? " ⊙ m" : "";
  if (spec.perLayerWidth > 0)
    words += ";  then x' + norm(W_out(" + std::string(activationName(spec.activation)) +
             "(W_gate x') ⊙ p)) with the layer's embedding p of the token";
  if (spec.layerScalar) words += ";  all multiplied by the layer's scalar";
  return words;
}

void listMatrices(const ModelSpec& spec, const Kinds& kinds, PatchPlan& plan) {
  const std::vector<std::string> first = spec.mlpForm == MlpForm::Gated
                                             ? std::vector<std::string>{"gate", "up"}
                                             : std::vector<std::string>{"in"};
  if (kinds.moe) plan.matrices.emplace_back("router");
  plan.matrices.insert(plan.matrices.end(), first.begin(), first.end());
  if (kinds.beside) {
    for (const std::string& name : first) plan.matrices.push_back("dense_" + name);
    plan.matrices.insert(plan.matrices.end(), {"dense_down", kDenseScale});
    return;
  }
  // No "down" where the patch changes a bias instead of W_down.
  if (!spec.closesWithNormBias() && (kinds.moe || !spec.mlpBias || spec.scalesBranch()))
    plan.matrices.emplace_back("down");
  if (!kinds.shared) return;
  plan.matrices.emplace_back("shared_router");
  for (const std::string& name : first) plan.matrices.push_back("shared_" + name);
  plan.matrices.emplace_back("shared_down");
}

void listUntouched(const ModelSpec& spec, const Kinds& kinds, PatchPlan& plan) {
  plan.untouched = {
      plan.mixer +
      " and its norms: the patch supplies what the context changes in their output"};
  if (spec.mlpPreNorm && spec.mlpInput != MlpInput::AttentionInput)
    plan.untouched.emplace_back("mlp_norm: it defines z, the patch's input");
  if (spec.mlpBias)
    plan.untouched.emplace_back(
        "biases of the input projections: the pre-activations that the patch restores "
        "include them");
  if (kinds.moe && spec.moe->bias)
    plan.untouched.emplace_back(
        "biases of the router and the experts: the pre-activations that the patch "
        "restores "
        "include them, and W_down of each expert supplies the missing output");
  if (spec.mlpBias && kinds.dense && !spec.scalesBranch())
    plan.untouched.emplace_back("W_down: the bias after it supplies the missing output");
  if (spec.mlpPostNorm && spec.postNormPlace == PostNormPlace::Sum)
    plan.untouched.emplace_back(
        "mlp_post_norm: it normalises the sum, which the patch has already restored");
  if (spec.perLayerWidth > 0 || spec.layerScalar)
    plan.untouched.emplace_back(
        "all parts between the MLP and the next layer (the per-layer embedding's gate, "
        "the layer's scalar): they depend on x' and the token alone, and x' is restored");
  if (kinds.beside)
    plan.untouched.push_back(std::string(kExpertsDown) +
                             " and the norms around them: the dense MLP's branch "
                             "supplies the missing output");
  if (kinds.moe) plan.untouched.emplace_back("experts that the token does not use");
  plan.untouched.emplace_back(
      "embedding, final norm and head: the last layer's output is restored");
}

/// @param patchesDown whether the method patches down projections where it can
ParameterCount parameterCount(const ModelSpec& spec, bool patchesDown) {
  Counter counter(spec);
  // If a bias follows the down projection, the patch changes the bias, not the matrix.
  const bool denseBias = spec.mlpBias && !spec.scalesBranch();
  for (const LayerSpec& layer : spec.layers) {
    const bool beside = layer.moe && spec.hasDenseBeside();
    if (beside && patchesDown) counter.vector(spec.width);
    if (layer.moe) addMoe(spec, patchesDown, counter);
    if (!layer.moe || beside)
      counter.feedForward(spec.mlpWidthOf(layer),
                          patchesDown && !spec.closesWithNormBias() && !denseBias);
    const bool bias = spec.closesWithNormBias() || (!layer.moe && denseBias);
    if (bias || spec.scalesBranch()) counter.vector(spec.width);
  }
  return counter.size();
}

}  // namespace

bool PatchPlan::methodsDiffer() const {
  return std::ranges::any_of(parameters, [](const ParameterPlan& parameter) {
    return parameter.methods != "all";
  });
}

PatchPlan planPatch(const ModelSpec& spec) {
  const Kinds kinds = kindsOf(spec);
  PatchPlan plan;
  if (spec.deltaNet) plan.mixer = "attention or Gated DeltaNet";
  plan.block = blockInWords(spec, kinds, plan.mixer);
  plan.size = parameterCount(spec, true);
  plan.parallel = spec.mlpInput != MlpInput::ResidMid;
  plan.closesWithScale = spec.scalesBranch() && !spec.closesWithNormBias();
  plan.closesWithBias =
      spec.closesWithNormBias() || (kinds.dense && spec.mlpBias && !spec.scalesBranch());
  if (kinds.dense)
    for (const std::string& W : inProjections(spec))
      plan.parameters.push_back(inProjection(spec, W));
  planMoeInputs(spec, kinds, plan);
  if (spec.closesWithNormBias())
    plan.parameters.push_back({"b (mlp_post_norm.bias)", "Δb = Δv",
                               "outer bias after a post-norm: Lemma 8, Theorem 5",
                               "all"});
  else if (spec.scalesBranch())
    planWithScale(kinds, plan);
  else
    planWithoutScale(spec, kinds, plan);
  listMatrices(spec, kinds, plan);
  listUntouched(spec, kinds, plan);
  return plan;
}

PatchPlan planOfMethod(PatchPlan plan, const ModelSpec& spec, Method method) {
  const auto isDown = [](const ParameterPlan& parameter) {
    return parameter.parameter.starts_with("W_down");
  };
  const bool couldPatchDown = std::ranges::any_of(plan.parameters, isDown);
  plan.parameters = parametersOf(plan, method);
  if (!couldPatchDown || std::ranges::any_of(plan.parameters, isDown)) return plan;
  plan.size = parameterCount(spec, false);
  std::erase_if(plan.matrices, [](const std::string& matrix) {
    return matrix.ends_with("down") || matrix == kDenseScale;
  });
  std::erase_if(plan.untouched,
                [](const std::string& part) { return part.starts_with(kExpertsDown); });
  plan.untouched.insert(
      plan.untouched.begin(),
      std::string("W_down")
          .append(spec.hasDenseBeside() ? " of the experts and of the dense MLP, and the "
                                          "norms around each: the closing"
                                        : ": the")
          .append(" norm's scale alone supplies the missing output"));
  return plan;
}

}  // namespace equipatch
