#include "core/toy/kernel.h"

namespace equipatch::toy {
namespace {

constexpr double kRounding = 1e-10;

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

}  // namespace equipatch::toy
