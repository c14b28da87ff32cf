// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/random_weights.h"

#include <algorithm>
#include <cstring>

#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/machine.h"
#include "core/base/number_format.h"
#include "core/base/random.h"

namespace equipatch {
namespace {

/// Masks that turn a random word w into values: (w & random) | fixed.
struct Pattern {
  std::uint64_t random;
  std::uint64_t fixed;
};

/// The fraction is random; for Small also the sign. The exponent is 0 for One, −6 for
/// Small.
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

/// One for scales, Small for all other weights. If the model stores its norms' scales m
/// as m − 1, scales are Small too. Some scales should be One but are Small, which does
/// not affect timings:
/// - in a model with m − 1, those of a vision tower or a DeltaNet, which are stored as m,
/// - those that are stored head by head ("q_norm.3").
Magnitude magnitudeOf(const TensorBinding& binding, const ModelSpec& spec) {
  const bool scale = binding.name.ends_with("norm") || binding.name.ends_with("scalar") ||
                     binding.name.ends_with("scale");
  return scale && !spec.norm.storedMinusOne ? Magnitude::One : Magnitude::Small;
}

enum class Contents {
  Small,   ///< Magnitude::Small
  One,     ///< Magnitude::One
  Blocks,  ///< the bytes of MXFP4's values
  Scales,  ///< the bytes of MXFP4's exponents
};

/// One stored tensor and its place in the block of memory.
struct Planned {
  Contents contents;
  DType dtype;
  std::vector<std::int64_t> shape;
  std::size_t begin = 0;

  std::size_t bytes() const {
    std::size_t bytes = byteSize(dtype);
    for (const std::int64_t extent : shape) bytes *= static_cast<std::size_t>(extent);
    return bytes;
  }
};

struct Plan {
  std::map<std::string, Planned> tensors;
  std::size_t end = 0;

  /// Does nothing if the name is already planned: several weights may share a stored
  /// tensor.
  void add(const std::string& name, Planned tensor) {
    constexpr std::size_t kLine = 64;
    tensor.begin = end;
    const std::size_t bytes = tensor.bytes();
    if (!tensors.emplace(name, std::move(tensor)).second) return;
    end += (bytes + kLine - 1) / kLine * kLine;
  }
};

Plan planOf(const std::vector<TensorBinding>& bindings, const ModelSpec& spec,
            DType dtype) {
  Plan plan;
  for (const TensorBinding& binding : bindings) {
    std::vector<std::int64_t> shape = storedShape(binding);
    if (binding.scalesName.empty()) {
      const bool one = magnitudeOf(binding, spec) == Magnitude::One;
      plan.add(binding.checkpointName,
               {one ? Contents::One : Contents::Small, dtype, std::move(shape)});
      continue;
    }
    plan.add(binding.scalesName, {Contents::Scales, DType::U8, shape});
    shape.push_back(kMxfp4BlockBytes);
    plan.add(binding.checkpointName, {Contents::Blocks, DType::U8, std::move(shape)});
  }
  return plan;
}

void fillWords(std::span<std::byte> bytes, Pattern pattern, std::uint64_t seed) {
  Random random(seed);
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= bytes.size();
       at += sizeof(std::uint64_t)) {
    const std::uint64_t word = (random.next() & pattern.random) | pattern.fixed;
    std::memcpy(bytes.data() + at, &word, sizeof word);
  }
}

void fill(const Planned& tensor, std::span<std::byte> bytes) {
  // 2⁻⁷: multiplied by it, MXFP4's values, of magnitude up to 6, are about Small.
  constexpr std::byte kScale{120};
  switch (tensor.contents) {
    case Contents::Small:
      return;  // randomWeights filled all memory with Small
    case Contents::One:
      return fillRandom(bytes, tensor.dtype, Magnitude::One, 2);
    case Contents::Blocks:
      return fillWords(bytes, {.random = ~std::uint64_t{0}, .fixed = 0}, 3);
    case Contents::Scales:
      std::ranges::fill(bytes, kScale);
  }
}

void requireMemory(const Plan& plan, DType dtype) {
  const auto need = static_cast<std::int64_t>(plan.end);
  const auto free = availableMemory();
  if (!free || need <= *free) return;
  throw Error(ErrorKind::Resource,
              "random weights of this shape take " + bytesText(need) + " in " +
                  std::string(torchName(dtype)) + ", but only " + bytesText(*free) +
                  " of memory is free; choose a smaller shape or dtype");
}

}  // namespace

void fillRandom(std::span<std::byte> bytes, DType dtype, Magnitude magnitude,
                std::uint64_t seed) {
  fillWords(bytes, patternOf(dtype, magnitude), seed);
}

std::map<std::string, TensorView> randomWeights(
    const std::vector<TensorBinding>& bindings, const ModelSpec& spec, DType dtype) {
  const Plan plan = planOf(bindings, spec, dtype);
  requireMemory(plan, dtype);
  const auto memory = FileMap::inMemory(plan.end, [&](std::span<std::byte> bytes) {
    fillRandom(bytes, dtype, Magnitude::Small, 1);
    for (const auto& [name, tensor] : plan.tensors)
      fill(tensor, bytes.subspan(tensor.begin, (tensor.bytes() + 7) / 8 * 8));
  });
  std::map<std::string, TensorView> tensors;
  for (const auto& [name, tensor] : plan.tensors)
    tensors[name] = {tensor.dtype, tensor.shape,
                     memory->bytes().subspan(tensor.begin, tensor.bytes()), memory};
  return tensors;
}

}  // namespace equipatch
