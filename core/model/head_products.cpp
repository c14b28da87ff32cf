#include "core/model/head_products.h"

#include <vector>

#include "core/kernel/mix_rows.h"

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

/// What `work(from, to)` makes of `rows`, head after head, in their type:
/// [heads, rows, width].
template <typename Work>
Tensor computed(const Tensor& rows, std::int64_t width, const Work& work) {
  const Tensor from = rows.contiguous();
  const Tensor to = at::empty({rows.size(0), rows.size(1), width}, rows.options());
  if (rows.scalar_type() == at::kDouble)
    work(from.data_ptr<double>(), to.data_ptr<double>());
  else
    work(from.data_ptr<float>(), to.data_ptr<float>());
  return to;
}

}  // namespace

Tensor headScores(const Tensor& q, const Tensor& K, SummationOrder order) {
  if (!suitsKernels(q, K))
    return batchProduct(q, K.to(q.scalar_type()).transpose(1, 2), order);
  return computed(q, K.size(1), [&](const auto* from, auto* to) {
    scoreHeads(matricesOf(K), from, q.size(1), to, order);
  });
}

Tensor headMixtures(const Tensor& p, const Tensor& V, SummationOrder order) {
  if (!suitsKernels(p, V)) return batchProduct(p, V.to(p.scalar_type()), order);
  return computed(p, V.size(2), [&](const auto* from, auto* to) {
    mixRows(matricesOf(V), from, p.size(1), to, order);
  });
}

}  // namespace equipatch
