#include "core/patch/context_effect.h"

namespace equipatch {
namespace {

std::size_t indexOf(const BlockView& block) {
  return static_cast<std::size_t>(block.layer.value);
}

}  // namespace

ContextSites& ContextRecorder::at(const BlockView& block) {
  return m_record.at(indexOf(block));
}

void ContextRecorder::atMlpInput(const BlockView& block, const Tensor& v,
                                 const Tensor& z) {
  m_v = v;
  at(block).v = hostRow(v, m_row);
  at(block).z = hostRow(z, m_row);
}

void ContextRecorder::atFirstProduct(const BlockView& block, FirstMatrix which,
                                     Tensor& y) {
  Vector& target = which == FirstMatrix::Gate ? at(block).gate : at(block).up;
  target = toHost(block.arithmetic.round(y.select(0, m_row)));
}

void ContextRecorder::atLastProduct(const BlockView& block, const Tensor& h, Tensor& y) {
  ContextSites& sites = at(block);
  const Tensor row = y.narrow(0, m_row, 1);
  sites.h = hostRow(h, m_row);
  sites.y = hostRow(y, m_row);
  sites.x = hostRow(block.outer.close(m_v.narrow(0, m_row, 1), row, block.arithmetic), 0);
  if (block.outer.closesWithScale())
    sites.n = hostRow(
        block.outer.normalisedOutput(block.arithmetic.round(row), block.arithmetic), 0);
}

void ContextRecorder::atBlockOutput(const BlockView& block, BlockSites& sites) {
  at(block).x = hostRow(sites.resid_post, m_row);
}

void HiddenErrorProbe::atBlockOutput(const BlockView& block, BlockSites& sites) {
  const Vector& x = m_record.at(indexOf(block)).x;
  const double size = x.norm();
  const double error = (hostRow(sites.resid_post, m_row) - x).norm();
  m_errors.push_back(error == 0.0 ? 0.0 : error / size);
}

}  // namespace equipatch
