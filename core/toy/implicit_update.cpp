// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toy/implicit_update.h"

#include <vector>

namespace equipatch::toy {
namespace {

Tensor rankOne(const Tensor& u, const Tensor& w) {
  return u.unsqueeze(-1) * w.unsqueeze(-2);
}

Tensor squaredNorm(const Tensor& z) {
  return z.square().sum(-1, /*keepdim=*/true);
}

Tensor frobenius(const Tensor& a) {
  return a.square().sum({-2, -1}).sqrt();
}

}  // namespace

Tensor implicitUpdate(const Tensor& W, const Tensor& z_C, const Tensor& z) {
  return rankOne(at::linear(z_C - z, W), z / squaredNorm(z));
}

Tensor updateSteps(const Tensor& W, const Tensor& prefixes) {
  const Tensor z = prefixes.slice(-2, 0, 1);
  const Tensor steps = prefixes.slice(-2, 1) - prefixes.slice(-2, 0, -1);
  return (squaredNorm(at::linear(steps, W)) / squaredNorm(z)).sqrt().squeeze(-1);
}

Tensor gradientDescent(const Tensor& W, const Tensor& prefixes) {
  const Tensor W_0 = W.detach();
  const Tensor z = prefixes[0].detach();
  const double rate = 1.0 / squaredNorm(z).item<double>();
  Tensor current = W_0.clone().requires_grad_(true);
  std::vector<Tensor> weights{W_0};
  for (std::int64_t i = 0; i + 1 < prefixes.size(0); ++i) {
    const Tensor delta =
        rankOne(at::mv(W_0, (prefixes[i] - prefixes[i + 1]).detach()), z);
    at::matmul(delta.t(), current).trace().backward();
    current = (current - rate * current.grad()).detach().requires_grad_(true);
    weights.push_back(current.detach());
  }
  return at::stack(weights);
}

Tensor factorisedUpdates(const Tensor& W, const Tensor& suffixes) {
  std::vector<Tensor> weights{W.expand([&] {
    auto shape = suffixes.sizes().slice(0, suffixes.dim() - 2).vec();
    shape.insert(shape.end(), W.sizes().begin(), W.sizes().end());
    return shape;
  }())};
  for (std::int64_t i = 1; i < suffixes.size(-2); ++i) {
    const Tensor z = suffixes.select(-2, i);
    const Tensor removed = suffixes.select(-2, i - 1) - z;
    // W (1 + h A) = W + (W removed) (z / ‖z‖²)ᵀ needs no matrix A.
    const Tensor u = at::matmul(weights.back(), removed.unsqueeze(-1)).squeeze(-1);
    weights.push_back(weights.back() + rankOne(u, z / squaredNorm(z)));
  }
  return at::stack(weights, -3);
}

Tensor alignment(const Tensor& a, const Tensor& b) {
  return (a * b).sum({-2, -1}) / (frobenius(a) * frobenius(b));
}

}  // namespace equipatch::toy
