#include "core/model/head_products.h"

#include "core/kernel/mix_rows.h"

namespace equipatch {
namespace {

// A token's queries that share keys are hardly ever more; those of a prompt always are.
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

/// kernel(matrix, rows, count of rows, result) for each head, in the rows' type.
template <typename Kernel>
Tensor byHead(const Tensor& rows, const Tensor& matrices, std::int64_t width,
              const Kernel& kernel) {
  const Tensor from = rows.contiguous();
  const Tensor to = at::empty({rows.size(0), rows.size(1), width}, rows.options());
  for (std::int64_t head = 0; head < rows.size(0); ++head) {
    const WeightMatrix matrix = matrixOf(matrices.select(0, head));
    const Tensor source = from.select(0, head), target = to.select(0, head);
    if (rows.scalar_type() == at::kDouble)
      kernel(matrix, source.data_ptr<double>(), rows.size(1), target.data_ptr<double>());
    else
      kernel(matrix, source.data_ptr<float>(), rows.size(1), target.data_ptr<float>());
  }
  return to;
}

}  // namespace

Tensor headScores(const Tensor& q, const Tensor& K, SummationOrder order) {
  if (!suitsKernels(q, K))
    return batchProduct(q, K.to(q.scalar_type()).transpose(1, 2), order);
  return byHead(q, K, K.size(1),
                [&](const WeightMatrix& matrix, const auto* rows, std::int64_t count,
                    auto* result) { fewRowProduct(matrix, rows, count, result, order); });
}

Tensor headMixtures(const Tensor& p, const Tensor& V, SummationOrder order) {
  if (!suitsKernels(p, V)) return batchProduct(p, V.to(p.scalar_type()), order);
  return byHead(p, V, V.size(2),
                [&](const WeightMatrix& matrix, const auto* rows, std::int64_t count,
                    auto* result) { mixRows(matrix, rows, count, result, order); });
}

}  // namespace equipatch
