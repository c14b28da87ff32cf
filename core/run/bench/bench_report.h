#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/run/bench/timing.h"

namespace equipatch {

enum class MeasureColdStart { No, Yes };

struct BenchRequest {
  int rounds = 10;  ///< how often steps are timed; what takes long is timed less often
  MeasureColdStart coldStart = MeasureColdStart::No;
};

/// How fast this machine runs a model, measured side by side in one run.
struct BenchReport {
  std::vector<Timing> timings;
  int threads = 0;  ///< that computed

  std::int64_t stepBytes = 0;  ///< of weights that a token's step reads
  std::int64_t weightBytes = 0;
  /// Memory at most, until the prompt was read; nothing where the system does not tell.
  std::optional<std::int64_t> peakBytes;
  std::int64_t promptTokens = 0;
  std::int64_t earlyStep = 0, lateStep = 0;
  double largeProductRate = 0.0;  ///< floating-point operations a second

  Spread comparisonRatio;    ///< comparison step / plain decode step
  Spread materialisedRatio;  ///< comparison step, materialised / factored
  Spread bandwidthFraction;  ///< plain step: bytes a second / those of reading alone
  Spread recordRatio;        ///< comparison step recorded / not recorded
  Spread lateRatio;          ///< passes of the late step / the early one
  Spread promptFraction;     ///< operations a second: prompt / large product
  std::optional<Spread> coldRatio;  ///< cold file to first step / reading it once

  const Timing& timing(const std::string& name) const;  ///< name: a TimingName
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
inline constexpr const char* kColdFile = "cold file";
inline constexpr const char* kColdStart = "cold start";
}  // namespace TimingName

}  // namespace equipatch
