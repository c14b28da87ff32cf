// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how close the kernels come to the speed of reading memory, and how much time
// further rows take. Compare `bytes_per_second` of the products with `bytes_per_second`
// of the plain read. Compare the times of 2, 3 and 4 rows with the time of one row.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "core/kernel/logit_metrics.h"
#include "core/kernel/stream_read.h"
#include "core/kernel/threads.h"
#include "core/kernel/weight_products.h"

namespace {

using namespace equipatch;

constexpr std::size_t kPoolBytes = std::size_t{384} << 20;
constexpr DType kDtypes[] = {DType::F32, DType::BF16, DType::F16};

/// The weights of the large products, also read by `plainRead`; larger than the caches of
/// most processors. The bits are finite values in every dtype.
const std::vector<std::uint64_t>& pool() {
  static const std::vector<std::uint64_t> words(kPoolBytes / 8, 0x3c003c003c003c00u);
  return words;
}

struct Shape {
  std::int64_t outputs, inputs;
};
constexpr Shape kUp{6912, 1152}, kDown{1152, 6912};

std::vector<WeightMatrix> matrices(DType dtype, Shape shape) {
  const std::size_t bytes =
      static_cast<std::size_t>(shape.outputs * shape.inputs) * byteSize(dtype);
  const auto* data = reinterpret_cast<const std::byte*>(pool().data());
  std::vector<WeightMatrix> all;
  for (std::size_t at = 0; at + bytes <= kPoolBytes; at += bytes)
    all.push_back({data + at, dtype, shape.outputs, shape.inputs});
  return all;
}

void reportBytes(benchmark::State& state, const std::vector<WeightMatrix>& all) {
  const std::int64_t bytes = all[0].outputs * all[0].inputs *
                             static_cast<std::int64_t>(byteSize(all[0].dtype)) *
                             std::ssize(all);
  state.SetBytesProcessed(state.iterations() * bytes);
}

void plainRead(benchmark::State& state) {
  setKernelThreads(static_cast<int>(state.range(0)));
  const std::span<const std::byte> memory = std::as_bytes(std::span(pool()));
  for (auto _ : state) benchmark::DoNotOptimize(streamRead(memory));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kPoolBytes));
}

void fewRows(benchmark::State& state, DType dtype, Shape shape) {
  setKernelThreads(static_cast<int>(state.range(0)));
  const std::int64_t rows = state.range(1);
  const auto all = matrices(dtype, shape);
  const std::vector<float> x(static_cast<std::size_t>(rows * shape.inputs), 0.5f);
  std::vector<float> y(static_cast<std::size_t>(rows * shape.outputs));
  for (auto _ : state)
    for (const WeightMatrix& W : all) fewRowProduct(W, x.data(), rows, y.data());
  reportBytes(state, all);
}

/// The scales of each row follow its blocks, so that a product reads memory in order.
void fewRowsOfMxfp4(benchmark::State& state, Shape shape) {
  setKernelThreads(static_cast<int>(state.range(0)));
  const std::int64_t rows = state.range(1);
  const std::int64_t stride = shape.inputs / 2 + shape.inputs / kMxfp4BlockValues;
  const auto size = static_cast<std::size_t>(shape.outputs * stride);
  const auto* data = reinterpret_cast<const std::uint8_t*>(pool().data());
  const std::vector<float> x(static_cast<std::size_t>(rows * shape.inputs), 0.5f);
  std::vector<float> y(static_cast<std::size_t>(rows * shape.outputs));
  for (auto _ : state)
    for (std::size_t at = 0; at + size <= kPoolBytes; at += size)
      fewRowProduct({data + at, data + at + shape.inputs / 2, stride, stride,
                     shape.outputs, shape.inputs},
                    DType::BF16, x.data(), rows, y.data());
  state.SetBytesProcessed(state.iterations() *
                          static_cast<std::int64_t>(kPoolBytes / size * size));
}

void materialised(benchmark::State& state, DType dtype, Shape shape) {
  setKernelThreads(static_cast<int>(state.range(0)));
  const auto all = matrices(dtype, shape);
  const std::vector<float> u(static_cast<std::size_t>(shape.outputs), 0.01f);
  const std::vector<float> w(static_cast<std::size_t>(shape.inputs), 0.25f);
  std::vector<float> y(u.size());
  for (auto _ : state)
    for (const WeightMatrix& W : all)
      materialisedProduct(W, u.data(), w.data(), w.data(), y.data());
  reportBytes(state, all);
}

std::vector<float> logits(unsigned seed, float scale) {
  constexpr std::size_t kVocabulary = 262'144;
  std::mt19937 engine(seed);
  std::normal_distribution<float> normal;
  std::vector<float> row(kVocabulary);
  for (float& logit : row) logit = scale * normal(engine);
  return row;
}

void summarise(benchmark::State& state) {
  setKernelThreads(static_cast<int>(state.range(0)));
  const std::vector<float> row = logits(1, 3.0f);
  for (auto _ : state) benchmark::DoNotOptimize(summariseLogits(row, 10));
}

/// compareLogits has a faster path for small differences.
/// @param noise the standard deviation of the rows' difference
void compare(benchmark::State& state, float noise) {
  setKernelThreads(static_cast<int>(state.range(0)));
  const std::vector<float> a = logits(1, 3.0f);
  std::vector<float> b = logits(2, noise);
  for (std::size_t token = 0; token < a.size(); ++token) b[token] += a[token];
  const double sumA = summariseLogits(a, 0).logSumExp;
  const double sumB = summariseLogits(b, 0).logSumExp;
  for (auto _ : state) benchmark::DoNotOptimize(compareLogits(a, sumA, b, sumB));
}

void smallProduct(benchmark::State& state) {
  setKernelThreads(1);
  const std::vector<float> W(64 * 64, 0.5f), x(3 * 64, 0.5f);
  std::vector<float> y(3 * 64);
  for (auto _ : state) {
    fewRowProduct({W.data(), DType::F32, 64, 64}, x.data(), state.range(0), y.data());
    benchmark::ClobberMemory();
  }
}

template <typename Run>
void measure(const std::string& name, Run run,
             std::vector<std::vector<std::int64_t>> arguments) {
  benchmark::RegisterBenchmark(name.c_str(), run)
      ->ArgsProduct(std::move(arguments))
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond);
}

const bool kRegistered = [] {
  measure("read/threads", plainRead, {{1, 2}});
  for (DType dtype : kDtypes)
    for (Shape shape : {kUp, kDown}) {
      const std::string what = std::string(safetensorsName(dtype)) + "/" +
                               std::to_string(shape.outputs) + "x" +
                               std::to_string(shape.inputs);
      measure("product/" + what + "/threads/rows",
              [=](benchmark::State& state) { fewRows(state, dtype, shape); },
              {{1, 2}, {1, 2, 3, 4}});
      measure("materialised/" + what + "/threads",
              [=](benchmark::State& state) { materialised(state, dtype, shape); },
              {{1, 2}});
    }
  measure("product/MXFP4/2880x2880/threads/rows",
          [](benchmark::State& state) {
            fewRowsOfMxfp4(state, {2880, 2880});
          },
          {{1, 2}, {1, 2, 3, 4}});
  measure("small_product/rows", smallProduct, {{1, 2, 3}});
  measure("summarise/threads", summarise, {{1, 2}});
  measure("compare_near/threads", [](benchmark::State& state) { compare(state, 1e-4f); },
          {{1, 2}});
  measure("compare_far/threads", [](benchmark::State& state) { compare(state, 3.0f); },
          {{1, 2}});
  return true;
}();

}  // namespace
