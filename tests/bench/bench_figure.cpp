// What a chart asks of the engine for every picture: a step's Δm as a grid, and a grid
// brought down to the columns that a heat map has room for.

#include <benchmark/benchmark.h>

#include <random>

#include "core/figure/heat_grid.h"

namespace {

using namespace equipatch;

constexpr int kLayers = 26, kWidth = 1152;

std::vector<float> numbers(std::size_t count) {
  std::mt19937 engine(1);
  std::normal_distribution<float> normal;
  std::vector<float> all(count);
  for (float& number : all) number = normal(engine);
  return all;
}

void scaleGrid(benchmark::State& state) {
  StepRecord record;
  record.layers.resize(kLayers);
  for (LayerRecord& layer : record.layers) layer.scaleDelta = numbers(kWidth);
  for (auto _ : state) benchmark::DoNotOptimize(scaleDeltaGrid(record));
}

void pooling(benchmark::State& state) {
  HeatGrid grid(kLayers, 0);
  for (std::int64_t column = 0; column < state.range(0); ++column)
    grid.addColumn(numbers(kLayers));
  for (auto _ : state)
    benchmark::DoNotOptimize(pool(grid, 0.0, static_cast<double>(grid.columns()), 600));
}

BENCHMARK(scaleGrid)->Unit(benchmark::kMicrosecond);
BENCHMARK(pooling)->Arg(kWidth)->Arg(10'000)->Unit(benchmark::kMicrosecond);

}  // namespace
