// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/bench/timed_tower.h"

#include "core/backend/torch_backend.h"

namespace equipatch {

KernelProduct::KernelProduct(const Arithmetic& arithmetic) : m_arithmetic(arithmetic) {
  constexpr std::int64_t kSize = 2048;
  m_x = at::full({kSize, kSize}, 0.5, at::TensorOptions(arithmetic.wide()));
  m_weights.weight =
      at::full({kSize, kSize}, 0.25, at::TensorOptions(arithmetic.weightType()));
}

void KernelProduct::run() {
  m_arithmetic.product(m_x, m_weights);
}

double KernelProduct::operations() const {
  return 2.0 * static_cast<double>(m_x.numel()) *
         static_cast<double>(m_weights.weight.size(0));
}

TowerRun::TowerRun(const Session& session, Progress& progress)
    : m_tower(session.checkpoint(), transformerOf(session).arithmetic(), progress),
      m_operations(session.spec().vision->operations(session.spec().width)),
      m_progress(progress) {
  const std::int64_t side = session.spec().vision->imageSize;
  m_pixels = at::linspace(-1.0, 1.0, 3 * side * side).view({3, side, side});
}

void TowerRun::run() {
  TowerHooks none;
  m_tower.rows(m_pixels, none, m_progress);
}

double TowerRun::operations() const {
  return m_operations;
}

}  // namespace equipatch
