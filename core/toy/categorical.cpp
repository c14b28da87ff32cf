// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/categorical.h"

#include <algorithm>

namespace equipatch::toy {
namespace {

/// Relative tolerance: a smaller asymmetry or negative eigenvalue counts as a rounding
/// error of float64.
constexpr double kRounding = 1e-10;

/// W_{y_i} − E_{c∼p(·|f(x_i))} W_c for the points of the context: [N, width].
Tensor predictionErrors(const CategoricalTask& task, const Tensor& f) {
  const Tensor expected =
      at::matmul(distribution(task, f.slice(0, 0, task.context())), task.embeddings);
  return task.embeddings.index_select(0, task.next) - expected;
}

double ratePerPoint(const CategoricalTask& task) {
  return task.rate / static_cast<double>(task.context());
}

/// Calls `between` now, and again when a backward pass reaches `f`.
void endUnit(const Tensor& f, const BetweenUnits& between) {
  if (!between) return;
  between();
  if (f.requires_grad()) f.register_hook([between](const Tensor&) { between(); });
}

/// The kernel features and the matrix A [width, r_h] of every head.
struct Heads {
  std::vector<KernelFeatures> features;
  std::vector<Tensor> A;

  bool mercer() const {
    return std::all_of(features.begin(), features.end(),
                       [](const auto& each) { return each.mercer; });
  }
  Tensor residual(const BetweenUnits& between) const {
    Tensor f = at::matmul(features[0].queries, A[0].t());
    for (std::size_t head = 1; head < A.size(); ++head) {
      endUnit(f, between);
      f = f + at::matmul(features[head].queries, A[head].t());
    }
    endUnit(f, between);
    return f;
  }
};

Heads headsAtZero(const CategoricalTask& task, const BetweenUnits& between) {
  Heads heads;
  for (const Tensor& K : task.kernels) {
    heads.features.push_back(featuresOf(K.detach()));
    heads.A.push_back(
        at::zeros({task.embeddings.size(1), heads.features.back().keys.size(1)},
                  K.options().requires_grad(false)));
    endUnit(heads.A.back(), between);
  }
  return heads;
}

void descend(Heads& heads, const CategoricalTask& task, const BetweenUnits& between) {
  for (Tensor& A : heads.A) A = A.detach().requires_grad_(true);
  crossEntropy(task, heads.residual(between)).backward();
  for (Tensor& A : heads.A) A = A.detach() - task.rate * A.grad();
}

void stepWithoutGradient(Heads& heads, const CategoricalTask& task,
                         const BetweenUnits& between) {
  const Tensor missed = predictionErrors(task, heads.residual(between));
  for (std::size_t head = 0; head < heads.A.size(); ++head) {
    heads.A[head] +=
        ratePerPoint(task) *
        at::matmul(missed.t(), heads.features[head].keys.slice(0, 0, task.context()));
    endUnit(heads.A[head], between);
  }
}

}  // namespace

Tensor kernelMatrix(Kernel kernel, const Tensor& keys, const Tensor& queries) {
  const Tensor inner = at::matmul(keys, queries.t());
  switch (kernel) {
    case Kernel::Linear:
      return inner;
    case Kernel::Rbf:
      return (inner - 0.5 * keys.square().sum(1).unsqueeze(1) -
              0.5 * queries.square().sum(1).unsqueeze(0))
          .exp();
    case Kernel::Softmax:
      return at::softmax(inner, 0);
  }
  return inner;
}

double asymmetry(const Tensor& K) {
  return ((K - K.t()).norm() / K.norm()).item<double>();
}

KernelFeatures featuresOf(const Tensor& K) {
  if (asymmetry(K) < kRounding) {
    const auto [values, vectors] = at::linalg_eigh(K);
    if (values.min().item<double>() >= -kRounding * values.max().item<double>()) {
      const Tensor features = vectors * values.clamp_min(0.0).sqrt();
      return {features, features, true};
    }
  }
  const auto [U, S, V] = at::linalg_svd(K, /*full_matrices=*/false);
  const Tensor roots = S.sqrt();
  return {U * roots, V.t() * roots, false};
}

Tensor distribution(const CategoricalTask& task, const Tensor& f) {
  return at::softmax(at::matmul(f, task.embeddings.t()), -1);
}

Tensor crossEntropy(const CategoricalTask& task, const Tensor& f) {
  const Tensor logits = at::matmul(f.slice(0, 0, task.context()), task.embeddings.t());
  return at::nll_loss(at::log_softmax(logits, -1), task.next);
}

Residuals byLayers(const CategoricalTask& task, const BetweenUnits& between) {
  Residuals all{at::zeros({task.kernels[0].size(1), task.embeddings.size(1)},
                          task.embeddings.options().requires_grad(false))};
  for (std::int64_t layer = 0; layer < task.layers; ++layer) {
    const Tensor missed = ratePerPoint(task) * predictionErrors(task, all.back());
    Tensor f = all.back();
    for (const Tensor& K : task.kernels) {
      f = f + at::matmul(K.slice(0, 0, task.context()).t(), missed);
      endUnit(f, between);
    }
    all.push_back(f);
  }
  return all;
}

Residuals byDescent(const CategoricalTask& task, const BetweenUnits& between) {
  Heads heads = headsAtZero(task, between);
  Residuals all{heads.residual(between)};
  for (std::int64_t layer = 0; layer < task.layers; ++layer) {
    if (heads.mercer())
      descend(heads, task, between);
    else
      stepWithoutGradient(heads, task, between);
    all.push_back(heads.residual(between).detach());
  }
  return all;
}

}  // namespace equipatch::toy
