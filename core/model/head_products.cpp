#include "core/model/head_products.h"

#include <vector>

#include "core/kernel/weight_products.h"
#include "core/model/host_result.h"

namespace equipatch {
namespace {

// A token's queries that share keys are hardly ever more, those of a prompt hardly ever
// fewer.
constexpr std::int64_t kFewQueries = 32;

/// a b of each batch, the inner sum optionally in two parts, the second first.
Tensor batchProduct(const Tensor& a, const Tensor& b, SummationOrder order) {
  const std::int64_t inner = a.size(2), half = inner / 2;
  if (order == SummationOrder::Standard || half == 0) return at::bmm(a, b);
  const auto part = [&](std::int64_t first, std::int64_t count) {
    return at::bmm(a.narrow(2, first, count), b.narrow(1, first, count));
  };
  return part(half, inner - half).add_(part(0, half));
}

/// Rows of each head's matrix follow one another in host memory.
bool suitsKernels(const Tensor& rows, const Tensor& matrices) {
  return rows.is_cpu() && rows.size(1) <= kFewQueries && matrices.numel() > 0 &&
         matrices.stride(2) == 1 && matrices.stride(1) == matrices.size(2);
}

WeightMatrix matrixOf(const Tensor& head) {
  return {head.data_ptr(), dtypeOf(head), head.size(0), head.size(1)};
}

std::vector<WeightMatrix> matricesOf(const Tensor& heads) {
  std::vector<WeightMatrix> matrices;
  for (std::int64_t head = 0; head < heads.size(0); ++head)
    matrices.push_back(matrixOf(heads.select(0, head)));
  return matrices;
}

/// q and `to` lie head after head.
template <typename T>
void scoreHeads(const std::vector<WeightMatrix>& K, const T* q, std::int64_t rows, T* to,
                SummationOrder order) {
  for (const WeightMatrix& head : K) {
    fewRowProduct(head, q, rows, to, order);
    q += rows * head.inputs;
    to += rows * head.outputs;
  }
}

}  // namespace

Tensor headScores(const Tensor& q, const Tensor& K, SummationOrder order) {
  if (!suitsKernels(q, K))
    return batchProduct(q, K.to(q.scalar_type()).transpose(1, 2), order);
  return hostResult(q, {q.size(0), q.size(1), K.size(1)},
                    [&](const auto* from, auto* to) {
                      scoreHeads(matricesOf(K), from, q.size(1), to, order);
                    });
}

Tensor weightedValues(const Tensor& p, const Tensor& V, SummationOrder order) {
  if (!suitsKernels(p, V)) return batchProduct(p, V.to(p.scalar_type()), order);
  return hostResult(p, {p.size(0), p.size(1), V.size(2)},
                    [&](const auto* from, auto* to) {
                      weightedSums(matricesOf(V), from, p.size(1), to, order);
                    });
}

}  // namespace equipatch
