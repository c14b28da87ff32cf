// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/rotary.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "core/kernel/row_operations.h"
#include "core/kernel/threads.h"
#include "core/model/torch_types.h"

namespace equipatch {
namespace {

/// Llama 3's scaling by wavelength.
double llama3Scaled(double frequency, const RopeSpec& spec) {
  const double original = static_cast<double>(spec.originalPositions);
  const double wavelength = 2.0 * std::numbers::pi / frequency;
  if (wavelength < original / spec.highFreqFactor) return frequency;
  if (wavelength > original / spec.lowFreqFactor) return frequency / spec.factor;
  const double smooth = (original / wavelength - spec.lowFreqFactor) /
                        (spec.highFreqFactor - spec.lowFreqFactor);
  return (1.0 - smooth) * frequency / spec.factor + smooth * frequency;
}

/// The (fractional) index of the pair that makes `rotations` full rotations within the
/// original positions.
double yarnPair(double rotations, const RopeSpec& spec) {
  const double original = static_cast<double>(spec.originalPositions);
  return static_cast<double>(spec.dims) *
         std::log(original / (rotations * 2.0 * std::numbers::pi)) /
         (2.0 * std::log(spec.theta));
}

/// YaRN's scaling: a mean of `frequency` and `frequency` / factor, whose weights depend
/// on the pair's index.
double yarnScaled(double frequency, std::int64_t pair, const RopeSpec& spec) {
  double low = yarnPair(spec.betaFast, spec), high = yarnPair(spec.betaSlow, spec);
  if (spec.truncate) low = std::floor(low), high = std::ceil(high);
  low = std::max(low, 0.0);
  high = std::min(high, static_cast<double>(spec.dims - 1));
  if (low == high) high += 0.001;
  const double stretched =
      std::clamp((static_cast<double>(pair) - low) / (high - low), 0.0, 1.0);
  return stretched * frequency / spec.factor + (1.0 - stretched) * frequency;
}

double scaledFrequency(double frequency, std::int64_t pair, const RopeSpec& spec,
                       std::int64_t sequence) {
  switch (spec.scaling) {
    case RopeScaling::Proportional:
      return pair < spec.turningPairs ? frequency / spec.factor : 0.0;
    case RopeScaling::LongRope:
      return frequency /
             (sequence > spec.originalPositions ? spec.longFactors : spec.shortFactors)
                 .at(static_cast<std::size_t>(pair));
    case RopeScaling::Linear:
      return frequency / spec.factor;
    case RopeScaling::Llama3:
      return llama3Scaled(frequency, spec);
    case RopeScaling::Yarn:
      return yarnScaled(frequency, pair, spec);
    case RopeScaling::None:
    case RopeScaling::Dynamic:
      break;
  }
  return frequency;
}

/// Dynamic NTK scaling: the base grows with the length of the text.
double baseFor(const RopeSpec& spec, std::int64_t sequence) {
  if (spec.scaling != RopeScaling::Dynamic || sequence <= spec.originalPositions)
    return spec.theta;
  const double ratio =
      static_cast<double>(sequence) / static_cast<double>(spec.originalPositions);
  const double dims = static_cast<double>(spec.dims);
  return spec.theta *
         std::pow(spec.factor * ratio - (spec.factor - 1.0), dims / (dims - 2.0));
}

}  // namespace

std::vector<double> rotaryFrequencies(const RopeSpec& spec, std::int64_t sequence,
                                      DType dtype) {
  const double base = baseFor(spec, sequence);
  std::vector<double> frequencies;
  for (std::int64_t pair = 0; pair < spec.dims / 2; ++pair) {
    const double exponent =
        2.0 * static_cast<double>(pair) / static_cast<double>(spec.dims);
    // Round to float32 before and after the scaling, as transformers does.
    double frequency = 1.0 / std::pow(base, exponent);
    if (dtype != DType::F64) frequency = static_cast<float>(frequency);
    frequency = scaledFrequency(frequency, pair, spec, sequence);
    frequencies.push_back(dtype == DType::F64 ? frequency
                                              : static_cast<float>(frequency));
  }
  return frequencies;
}

bool rotatesAlike(const RopeSpec& spec, std::int64_t a, std::int64_t b) {
  return spec.scaling != RopeScaling::LongRope ||
         (a > spec.originalPositions) == (b > spec.originalPositions);
}

Rotary::Rotary(const RopeSpec& spec, const Arithmetic& arithmetic)
    : m_spec(spec),
      m_dtype(arithmetic.dtype()),
      m_frequencies(at::tensor(rotaryFrequencies(spec, 0, m_dtype), at::kDouble)
                        .to(arithmetic.device(), arithmetic.wide())) {}

Tensor Rotary::frequencies(std::int64_t sequence) const {
  const bool dependsOnLength =
      m_spec.scaling == RopeScaling::Dynamic || m_spec.scaling == RopeScaling::LongRope;
  if (!dependsOnLength || sequence <= m_spec.originalPositions) return m_frequencies;
  return at::tensor(rotaryFrequencies(m_spec, sequence, m_dtype), at::kDouble)
      .to(m_frequencies.options());
}

RotaryEmbedding Rotary::embedding(const RotaryPositions& positions) const {
  const Tensor frequency = frequencies(positions.sequence);
  const Tensor angles = at::outer(positions.rows.to(frequency.scalar_type()), frequency);
  RotaryEmbedding embedding{at::cos(angles), at::sin(angles)};
  if (m_spec.magnitude != 1.0) {
    embedding.cosine.mul_(m_spec.magnitude);
    embedding.sine.mul_(m_spec.magnitude);
  }
  return embedding;
}

Tensor Rotary::rotate(const Tensor& x, const RotaryEmbedding& embedding) const {
  if (x.is_cpu()) return rotateOnHost(x, embedding);
  const Tensor cosine = embedding.cosine.unsqueeze(1), sine = embedding.sine.unsqueeze(1);
  const bool halves = m_spec.pairs == RopePairs::HalfSplit;
  const std::int64_t half = m_spec.dims / 2;
  const Tensor rotary = x.narrow(2, 0, m_spec.dims);
  const Tensor paired =
      halves ? rotary.reshape({x.size(0), x.size(1), 2, half})
             : rotary.reshape({x.size(0), x.size(1), half, 2}).transpose(2, 3);
  const Tensor first = paired.select(2, 0), second = paired.select(2, 1);
  const Tensor rotated = at::stack(
      {first * cosine - second * sine, second * cosine + first * sine}, halves ? 2 : 3);
  return at::cat({rotated.flatten(2), x.narrow(2, m_spec.dims, x.size(2) - m_spec.dims)},
                 2);
}

Tensor Rotary::rotateOnHost(const Tensor& x, const RotaryEmbedding& embedding) const {
  const std::int64_t width = x.size(1) * x.size(2), pairs = m_spec.dims / 2;
  const std::int64_t grain = 1 + kElementsWorthAThread / width;
  return hostResult(x, x.sizes(), [&](const auto* from, auto* to) {
    using Real = std::remove_pointer_t<decltype(to)>;
    const Real* cosine = embedding.cosine.data_ptr<Real>();
    const Real* sine = embedding.sine.data_ptr<Real>();
    onLibraryThreads(x.size(0), grain, [&](auto begin, auto end) {
      const HeadShape shape{.rows = end - begin,
                            .heads = x.size(1),
                            .headDim = x.size(2),
                            .pairs = pairs,
                            .neighbours = m_spec.pairs == RopePairs::Interleaved};
      rotateHeads(shape, from + begin * width, cosine + begin * pairs,
                  sine + begin * pairs, to + begin * width);
    });
  });
}

}  // namespace equipatch
