// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/vision_spec.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/number_format.h"
#include "core/base/paths.h"

namespace equipatch {
namespace {

constexpr const char* kProcessorFile = "preprocessor_config.json";
constexpr std::uintmax_t kMostProcessorBytes = 1'000'000;
constexpr std::int64_t kBilinear = 2;

void requireTrue(JsonObject& config, const char* key) {
  if (!config.boolean(key, true))
    throw unsupported(config.source() + ": \"" + key +
                      "\" is false; expected images to be resized, rescaled and "
                      "normalised");
}

/// Reads one number each for red, green and blue; all are 0.5 if the key is absent.
std::array<float, 3> channelNumbers(JsonObject& config, const char* key, double least) {
  constexpr double kLargest = 1e6;
  std::array<float, 3> numbers{0.5F, 0.5F, 0.5F};
  const Json* list = config.member(key);
  if (!list) return numbers;
  const auto wrong = [&] {
    return badInput(config.source() + ": \"" + key +
                    "\" should be three numbers for red, green and blue, from " +
                    shortText(least, 3) + " to " + shortText(kLargest, 3));
  };
  if (!list->is_array() || list->size() != numbers.size()) throw wrong();
  for (std::size_t channel = 0; channel < numbers.size(); ++channel) {
    const Json& entry = (*list)[channel];
    const double value = entry.is_number() ? entry.get<double>() : NAN;
    if (!(value >= least && value <= kLargest)) throw wrong();
    numbers[channel] = static_cast<float>(value);
  }
  return numbers;
}

void checkSize(JsonObject& config, std::int64_t side) {
  const Json* size = config.member("size");
  if (!size) {
    throw badInput(config.source() + ": \"size\" is missing, expected height and width " +
                   std::to_string(side) + "; fetch the model's own file");
  }
  JsonObject object(*size, config.source() + ": \"size\"");
  for (const char* key : {"height", "width"})
    if (const std::int64_t found = object.integer(key, 1, 1 << 20); found != side)
      throw badInput(object.source() + ": \"" + key + "\" is " + std::to_string(found) +
                     ", expected " + std::to_string(side) +
                     " as config.json says; fetch both files again");
}

}  // namespace

std::int64_t VisionSpec::pooledGrid() const {
  return std::max<std::int64_t>(1, std::llround(std::sqrt(static_cast<double>(tokens))));
}

double VisionSpec::operations(std::int64_t textWidth) const {
  const auto T = static_cast<double>(patches()), V = static_cast<double>(width);
  const auto I = static_cast<double>(mlpWidth);
  const double matrices = 2.0 * T * (4.0 * V * V + 2.0 * V * I);
  const double attention = 4.0 * T * T * V;
  const double patches = 2.0 * T * V * 3.0 * static_cast<double>(patch * patch);
  return static_cast<double>(layers) * (matrices + attention) + patches +
         2.0 * static_cast<double>(tokens) * V * static_cast<double>(textWidth);
}

PixelRule readPixelRule(const std::filesystem::path& folder, const VisionSpec& vision) {
  const std::filesystem::path path = folder / kProcessorFile;
  if (!isThere(path))
    throw badInput(
        folder.string() + ": " + kProcessorFile +
        " is missing; it says how images become pixel values, so fetch it from "
        "the model's source");
  const Json document = readJsonFile(path, kMostProcessorBytes);
  JsonObject config(document, path.string());
  for (const char* key : {"do_resize", "do_rescale", "do_normalize"})
    requireTrue(config, key);
  checkSize(config, vision.imageSize);
  if (config.optionalInteger("resample", 0, 100).value_or(kBilinear) != kBilinear)
    throw unsupported(path.string() + ": \"resample\" is " +
                      config.member("resample")->dump() +
                      ", expected 2, the bilinear filter; no other is computed");
  if (config.boolean("do_pan_and_scan", false))
    throw unsupported(path.string() +
                      ": \"do_pan_and_scan\" is true; expected images to be read as a "
                      "whole; crops are not supported");
  PixelRule rule;
  rule.rescaleFactor = config.optionalNumber("rescale_factor").value_or(1.0 / 255.0);
  if (!(rule.rescaleFactor > 0.0 && rule.rescaleFactor <= 1e6))
    throw badInput(path.string() +
                   ": \"rescale_factor\" should be positive and at most 1e6");
  rule.mean = channelNumbers(config, "image_mean", -1e6);
  rule.deviation = channelNumbers(config, "image_std", 1e-6);
  return rule;
}

}  // namespace equipatch
