#include "ui/run/run_queue.h"

namespace equipatch {

std::vector<RunSettings> precisionGrid(const RunSettings& base) {
  struct Cell {
    DType dtype;
    Method method;
    Loop loop;
  };
  constexpr Cell kCells[] = {
      {DType::F32, Method::Balanced, Loop::Closed},
      {DType::BF16, Method::Direct, Loop::Open},
      {DType::BF16, Method::Stable, Loop::Open},
      {DType::BF16, Method::Balanced, Loop::Closed},
  };
  std::vector<RunSettings> runs;
  for (const auto& [dtype, method, loop] : kCells) {
    RunSettings run = base;
    run.model.dtype = dtype;
    run.model.computeFloat32 = false;
    run.run.patch.method = method;
    run.run.patch.loop = loop;
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace equipatch
