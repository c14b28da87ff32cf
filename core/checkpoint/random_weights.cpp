// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/random_weights.h"

#include <cstring>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/machine.h"
#include "core/base/number_format.h"
#include "core/base/random.h"

namespace equipatch {
namespace {

/// Masks for each 64-bit word: random bits to keep, and bits to set.
struct Pattern {
  std::uint64_t random;
  std::uint64_t fixed;
};

Pattern patternOf(DType dtype, Magnitude magnitude) {
  const bool one = magnitude == Magnitude::One;
  switch (dtype) {
    case DType::BF16:
      return one ? Pattern{0x007f007f007f007f, 0x3f803f803f803f80}
                 : Pattern{0x807f807f807f807f, 0x3c803c803c803c80};
    case DType::F16:
      return one ? Pattern{0x03ff03ff03ff03ff, 0x3c003c003c003c00}
                 : Pattern{0x83ff83ff83ff83ff, 0x2400240024002400};
    case DType::F32:
      return one ? Pattern{0x007fffff007fffff, 0x3f8000003f800000}
                 : Pattern{0x807fffff807fffff, 0x3c8000003c800000};
    case DType::F64:
      return one ? Pattern{0x000fffffffffffff, 0x3ff0000000000000}
                 : Pattern{0x800fffffffffffff, 0x3f90000000000000};
    default:
      throw badInput("random weights should have a floating dtype, found " +
                     std::string(torchName(dtype)));
  }
}

/// Magnitude of a stored tensor: a norm's scale is near 1 unless the file holds m − 1.
Magnitude magnitudeOf(const TensorBinding& binding, const ModelSpec& spec) {
  const bool scale = binding.name.ends_with("norm") || binding.name.ends_with("scalar");
  return scale && !spec.norm.storedMinusOne ? Magnitude::One : Magnitude::Small;
}

std::size_t bytesOf(const TensorBinding& binding, DType dtype) {
  std::size_t bytes = byteSize(dtype);
  for (const std::int64_t extent : storedShape(binding))
    bytes *= static_cast<std::size_t>(extent);
  return bytes;
}

/// Offset of each tensor, a multiple of a cache line, and the total size.
struct Plan {
  std::map<std::string, std::size_t> begin;
  std::size_t end = 0;
};

Plan planOf(const std::vector<TensorBinding>& bindings, DType dtype) {
  constexpr std::size_t kLine = 64;
  Plan plan;
  for (const TensorBinding& binding : bindings) {
    if (!binding.scalesName.empty())
      throw unsupported(
          "random weights are not made in MXFP4; leave "
          "\"quantization_config\" out of config.json");
    if (!plan.begin.emplace(binding.checkpointName, plan.end).second) continue;
    plan.end += (bytesOf(binding, dtype) + kLine - 1) / kLine * kLine;
  }
  return plan;
}

void requireMemory(const Plan& plan, DType dtype) {
  const auto need = static_cast<std::int64_t>(plan.end);
  const auto free = availableMemory();
  if (!free || need <= *free) return;
  throw Error(ErrorKind::Resource,
              "random weights of this shape take " + bytesText(need) + " in " +
                  std::string(torchName(dtype)) + ", but only " + bytesText(*free) +
                  " of memory are free; choose a smaller shape or dtype");
}

}  // namespace

void fillRandom(std::span<std::byte> bytes, DType dtype, Magnitude magnitude,
                std::uint64_t seed) {
  const Pattern pattern = patternOf(dtype, magnitude);
  Random random(seed);
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size();
       at += sizeof(std::uint64_t)) {
    const std::uint64_t word = (random.next() & pattern.random) | pattern.fixed;
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }
}

std::map<std::string, TensorView> randomWeights(
    const std::vector<TensorBinding>& bindings, const ModelSpec& spec, DType dtype) {
  const Plan plan = planOf(bindings, dtype);
  requireMemory(plan, dtype);
  const auto memory = FileMap::inMemory(plan.end, [&](std::span<std::byte> bytes) {
    // Fill everything as small, then overwrite the scales of norms.
    fillRandom(bytes, dtype, Magnitude::Small, 1);
    for (const TensorBinding& binding : bindings)
      if (magnitudeOf(binding, spec) == Magnitude::One) {
        const std::size_t size = (bytesOf(binding, dtype) + 7) / 8 * 8;
        fillRandom(bytes.subspan(plan.begin.at(binding.checkpointName), size), dtype,
                   Magnitude::One, 2);
      }
  });
  std::map<std::string, TensorView> tensors;
  for (const TensorBinding& binding : bindings)
    tensors[binding.checkpointName] = {
        dtype, storedShape(binding),
        memory->bytes().subspan(plan.begin.at(binding.checkpointName),
                                bytesOf(binding, dtype)),
        memory};
  return tensors;
}

}  // namespace equipatch
