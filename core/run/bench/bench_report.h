// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"

namespace equipatch {

class Session;

/// Median and spread of repeated measurements; all 0 without a measurement.
struct Spread {
  double median = 0.0;
  double low = 0.0;   ///< tenth percentile
  double high = 0.0;  ///< ninetieth percentile

  static Spread of(const std::vector<double>& values);
};

struct Timing {
  std::string name;
  std::vector<double> milliseconds;

  Spread spread() const { return Spread::of(milliseconds); }
};

/// The spread of `above` / `below`, divided round by round: if both were timed in turn, a
/// temporary slowdown of the machine cancels.
Spread ratioOf(const Timing& above, const Timing& below);

struct Timed {
  std::string name;
  std::function<void()> work;
  std::function<void()> prepare = {};  ///< called before each `work`, not timed
};

/// Runs `things` in turn: one untimed round to warm up, then `rounds` timed rounds.
/// @throws Error{Cancelled} between two pieces of work.
std::vector<Timing> timeInTurn(const std::vector<Timed>& things, int rounds,
                               Progress& progress);

enum class MeasureColdStart { No, Yes };
enum class MeasureLoading { No, Yes };

struct BenchRequest {
  int rounds = 10;  ///< of the steps; longer work is timed less often
  MeasureColdStart coldStart = MeasureColdStart::No;
  /// A session that holds the same random weights in memory; may be null. Its steps are
  /// timed alternately with the measured session's.
  std::shared_ptr<const Session> drawn = nullptr;
  /// Yes requires that the session's weights are in one file, model.safetensors.
  MeasureLoading loading = MeasureLoading::No;
  int images = 0;  ///< images on which the vision tower is timed; 0: none
};

struct BenchReport {
  std::vector<Timing> timings;
  int threads = 0;  ///< used for computing

  std::int64_t stepBytes = 0;  ///< weights that one step reads
  std::int64_t weightBytes = 0;
  /// Peak memory of the process until the prompt is prefilled; nothing if unknown.
  std::optional<std::int64_t> peakBytes;
  std::int64_t promptTokens = 0;
  std::int64_t earlyStep = 0, lateStep = 0;  ///< positions of the steps in lateRatio
  double largeProductRate = 0.0;             ///< floating-point operations per second

  Spread comparisonRatio;    ///< comparison step / plain decode step
  Spread materialisedRatio;  ///< comparison step, materialised / factored
  Spread bandwidthFraction;  ///< bytes per second: plain step / reading the weights
  Spread recordRatio;        ///< comparison step recorded / not recorded
  Spread lateRatio;          ///< duration of the passes: late step / early step
  Spread promptFraction;     ///< operations per second: prompt / large product
  std::optional<Spread> coldRatio;         ///< cold start / reading the cold file once
  std::optional<Spread> plainOnFileRatio;  ///< plain step: weights of a file / in memory
  std::optional<Spread> comparisonOnFileRatio;  ///< comparison step, likewise
  std::optional<Spread> coldLoadRatio;          ///< loading a cold file / reading it once
  std::optional<Spread> loadFraction;  ///< bytes per second: loading a file from the page
                                       ///< cache / copying memory

  double imageOperations = 0.0;         ///< floating-point, on one image
  std::optional<Spread> towerFraction;  ///< operations per second: vision tower / a large
                                        ///< product in the dtype

  /// @param name a TimingName. @throws std::out_of_range if it was not timed.
  const Timing& timing(const std::string& name) const;
};

namespace TimingName {
inline constexpr const char* kPlainStep = "plain step";
inline constexpr const char* kComparisonStep = "comparison step";
inline constexpr const char* kMaterialisedStep = "materialised step";
inline constexpr const char* kRecording = "recording a step";
inline constexpr const char* kReading = "reading the weights";
inline constexpr const char* kEarlyStep = "early step";
inline constexpr const char* kLateStep = "late step";
inline constexpr const char* kPrompt = "prompt";
inline constexpr const char* kLargeProduct = "large product";
inline constexpr const char* kImage = "vision tower";
inline constexpr const char* kOwnProduct = "large product in the dtype";
inline constexpr const char* kColdFile = "cold file";
inline constexpr const char* kColdStart = "cold start";
inline constexpr const char* kPlainStepDrawn = "plain step, drawn weights";
inline constexpr const char* kComparisonStepDrawn = "comparison step, drawn weights";
inline constexpr const char* kColdLoadFile = "cold file, for loading";
inline constexpr const char* kColdLoad = "loading the cold file";
inline constexpr const char* kCachedLoad = "loading the file in the page cache";
inline constexpr const char* kMemoryCopy = "copying as much memory";
}  // namespace TimingName

}  // namespace equipatch
