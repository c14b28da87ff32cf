#include "core/model/rotary.h"

#include <cmath>
#include <numbers>

namespace equipatch {
namespace {

/// Llama 3's three bands by wavelength: short ones stay, long ones are stretched by the
/// factor, those between are blended.
double llama3Scaled(double frequency, const RopeSpec& spec) {
  const double original = static_cast<double>(spec.originalPositions);
  const double wavelength = 2.0 * std::numbers::pi / frequency;
  if (wavelength < original / spec.highFreqFactor) return frequency;
  if (wavelength > original / spec.lowFreqFactor) return frequency / spec.factor;
  const double smooth = (original / wavelength - spec.lowFreqFactor) /
                        (spec.highFreqFactor - spec.lowFreqFactor);
  return (1.0 - smooth) * frequency / spec.factor + smooth * frequency;
}

double scaledFrequency(double frequency, const RopeSpec& spec) {
  switch (spec.scaling) {
    case RopeScaling::Linear:
      return frequency / spec.factor;
    case RopeScaling::Llama3:
      return llama3Scaled(frequency, spec);
    case RopeScaling::None:
      break;
  }
  return frequency;
}

}  // namespace

std::vector<double> rotaryFrequencies(const RopeSpec& spec, std::int64_t headDim,
                                      DType dtype) {
  std::vector<double> frequencies;
  for (std::int64_t pair = 0; pair < headDim / 2; ++pair) {
    const double exponent =
        2.0 * static_cast<double>(pair) / static_cast<double>(headDim);
    double frequency = 1.0 / std::pow(spec.theta, exponent);
    if (dtype != DType::F64) frequency = static_cast<float>(frequency);
    frequency = scaledFrequency(frequency, spec);
    frequencies.push_back(dtype == DType::F64 ? frequency
                                              : static_cast<float>(frequency));
  }
  return frequencies;
}

Rotary::Rotary(const RopeSpec& spec, std::int64_t headDim, const Arithmetic& arithmetic)
    : m_frequencies(
          at::tensor(rotaryFrequencies(spec, headDim, arithmetic.dtype()), at::kDouble)
              .to(arithmetic.device(), arithmetic.wide())) {}

Tensor Rotary::rotate(const Tensor& x, const Tensor& positions) const {
  const Tensor angles =
      at::outer(positions.to(m_frequencies.scalar_type()), m_frequencies);
  const Tensor cosine = at::cos(angles).unsqueeze(1);  // [rows, 1, headDim / 2]
  const Tensor sine = at::sin(angles).unsqueeze(1);
  const std::int64_t half = x.size(2) / 2;
  const Tensor first = x.narrow(2, 0, half);
  const Tensor second = x.narrow(2, half, half);
  return at::cat({first * cosine - second * sine, second * cosine + first * sine}, 2);
}

}  // namespace equipatch
