#include "core/patch/hooks/context_recorder.h"

#include <algorithm>

namespace equipatch {
namespace {

std::size_t indexOf(const BlockView& block) {
  return static_cast<std::size_t>(block.layer.value);
}

}  // namespace

const Tensor* ContextSites::target(MatrixId matrix) const {
  const auto found = std::find_if(first.begin(), first.end(), [&](const FirstTarget& at) {
    return at.matrix == matrix;
  });
  return found == first.end() ? nullptr : &found->y;
}

std::vector<LastTarget> lastTargets(const std::vector<DownProduct>& last,
                                    std::int64_t row) {
  std::vector<LastTarget> targets;
  for (const DownProduct& product : last)
    if (const RowPlace place = product.place(row))
      targets.push_back(
          {product.id, {product.gate(*place), hostRow(product.input, *place)}});
  return targets;
}

Tensor outputOf(const std::vector<DownProduct>& last, std::int64_t row) {
  const Tensor sum = sumOf(last, row);
  const Tensor& bias = last.front().linear.bias;
  return bias.defined() ? sum + bias : sum;
}

ContextSites& ContextRecorder::at(const BlockView& block) {
  return m_record.at(indexOf(block));
}

void ContextRecorder::hookMlpIn(const BlockView& block, const Tensor& v,
                                const Tensor& z) {
  m_v = v;
  at(block).first.clear();
  at(block).last.clear();
  at(block).v = hostRow(v, m_row);
  at(block).z = hostRow(z, m_row);
}

void ContextRecorder::hookInProjection(const BlockView& block, Product& product) {
  const RowPlace place = product.place(m_row);
  if (!place) return;
  const Tensor row = product.output.select(0, *place);
  at(block).first.push_back({product.id, block.arithmetic.rounds()
                                             ? block.arithmetic.round(row)
                                             : row.clone()});
}

void ContextRecorder::hookDownProjection(const BlockView& block,
                                         std::vector<DownProduct>& last) {
  ContextSites& sites = at(block);
  const Tensor row = outputOf(last, m_row);
  if (m_last == LastTargets::Kept) sites.last = lastTargets(last, m_row);
  sites.y = hostRow(row, 0);
  const Tensor sum = block.outer.sum(m_v.narrow(0, m_row, 1), row, block.arithmetic);
  sites.sum = hostRow(sum, 0);
  sites.x = hostRow(block.outer.finish(sum, block.arithmetic), 0);
  if (block.outer.closesWithScale())
    sites.n = hostRow(
        block.outer.normalisedOutput(block.arithmetic.round(row), block.arithmetic), 0);
}

void ContextRecorder::hookResidPost(const BlockView& block, BlockSites& sites) {
  at(block).x = hostRow(sites.resid_post, m_row);
}

void HiddenErrorProbe::hookResidPost(const BlockView& block, BlockSites& sites) {
  const Vector& x = m_record.at(indexOf(block)).x;
  const double size = x.norm();
  const double error = (hostRow(sites.resid_post, m_row) - x).norm();
  m_errors.push_back(error == 0.0 ? 0.0 : error / size);
}

}  // namespace equipatch
