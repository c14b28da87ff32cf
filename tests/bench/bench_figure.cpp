// SPDX-License-Identifier: GPL-3.0-or-later
// Times two computations of the heat map: the grid of a step's Δm, computed when another
// step is selected, and the pooling of a grid to 600 columns, computed when the map's
// values, range or width change.

#include <benchmark/benchmark.h>

#include <random>

#include "core/figure/layer_panels.h"

namespace {

using namespace equipatch;

constexpr int kLayers = 26, kWidth = 1152;

std::vector<float> randomValues(std::size_t count) {
  std::mt19937 engine(1);
  std::normal_distribution<float> normal;
  std::vector<float> all(count);
  for (float& value : all) value = normal(engine);
  return all;
}

void scaleGrid(benchmark::State& state) {
  StepRecord record;
  record.layers.resize(kLayers);
  for (LayerRecord& layer : record.layers) layer.scaleDelta = randomValues(kWidth);
  for (auto _ : state) benchmark::DoNotOptimize(scaleDeltaGrid(record));
}

void pooling(benchmark::State& state) {
  HeatGrid grid(kLayers, 0);
  for (std::int64_t column = 0; column < state.range(0); ++column)
    grid.addColumn(randomValues(kLayers));
  for (auto _ : state)
    benchmark::DoNotOptimize(pool(grid, 0.0, static_cast<double>(grid.columns()), 600));
}

BENCHMARK(scaleGrid)->Unit(benchmark::kMicrosecond);
BENCHMARK(pooling)->Arg(kWidth)->Arg(10'000)->Unit(benchmark::kMicrosecond);

}  // namespace
