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

/// The durations of repeated work.
struct Timing {
  std::string name;
  std::vector<double> milliseconds;

  Spread spread() const { return Spread::of(milliseconds); }
};

/// Ratios, round by round, of two pieces of work timed alternately: a temporary slowdown
/// of the machine cancels.
Spread ratioOf(const Timing& above, const Timing& below);

/// Work to be timed.
struct Timed {
  std::string name;
  std::function<void()> work;
  std::function<void()> prepare = {};  ///< called before each `work`, not timed
};

/// Runs each piece of work once to warm up, then all one after another, `rounds` times.
/// @throws Error{Cancelled} between two pieces after a stop request.
std::vector<Timing> timeInTurn(const std::vector<Timed>& things, int rounds,
                               Progress& progress);

enum class MeasureColdStart { No, Yes };
enum class MeasureLoading { No, Yes };

struct BenchRequest {
  int rounds = 10;  ///< of the steps; longer work is timed less often
  MeasureColdStart coldStart = MeasureColdStart::No;
  /// A session with the same random weights, kept in memory since they were drawn; may be
  /// null. Steps of the measured session and steps of this one are timed alternately.
  std::shared_ptr<const Session> drawn = nullptr;
  /// Times how long the session's one file, model.safetensors, takes to load.
  MeasureLoading loading = MeasureLoading::No;
  /// The number of times that the vision tower is timed on an image; 0: not at all.
  int images = 0;
};

/// Timings of a model on this machine, measured side by side in one run.
struct BenchReport {
  std::vector<Timing> timings;
  int threads = 0;  ///< used for computing

  std::int64_t stepBytes = 0;  ///< weights that one step reads
  std::int64_t weightBytes = 0;
  /// Peak memory up to the end of the prompt; nothing where it is unknown.
  std::optional<std::int64_t> peakBytes;
  std::int64_t promptTokens = 0;
  std::int64_t earlyStep = 0, lateStep = 0;  ///< positions of the tokens of lateRatio
  double largeProductRate = 0.0;             ///< floating-point operations per second

  Spread comparisonRatio;    ///< comparison step / plain decode step
  Spread materialisedRatio;  ///< comparison step, materialised / factored
  Spread bandwidthFraction;  ///< bytes per second: plain step / reading the weights
  Spread recordRatio;        ///< comparison step recorded / not recorded
  Spread lateRatio;          ///< duration of the passes: late step / early step
  Spread promptFraction;     ///< operations per second: prompt / large product
  std::optional<Spread> coldRatio;         ///< start from a cold file / reading it once
  std::optional<Spread> plainOnFileRatio;  ///< plain step: weights of a file / in memory
  std::optional<Spread> comparisonOnFileRatio;  ///< comparison step, likewise
  std::optional<Spread> coldLoadRatio;          ///< loading a cold file / reading it once
  std::optional<Spread> loadFraction;  ///< bytes per second: loading a file that is in
                                       ///< the page cache / copying memory

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
