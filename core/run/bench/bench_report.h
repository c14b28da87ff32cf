#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/progress.h"

namespace equipatch {

/// A middle value and how far the others lie from it.
struct Spread {
  double median = 0.0;
  double low = 0.0;   ///< a tenth lies below
  double high = 0.0;  ///< a tenth lies above

  static Spread of(const std::vector<double>& values);
};

/// How long something took each time it was done.
struct Timing {
  std::string name;
  std::vector<double> milliseconds;

  Spread spread() const { return Spread::of(milliseconds); }
};

/// Of what was timed in turn, round by round: what slows the machine down for a while
/// leaves it alone.
Spread ratioOf(const Timing& above, const Timing& below);

/// Something to be timed.
struct Timed {
  std::string name;
  std::function<void()> work;
  std::function<void()> prepare = {};  ///< before each time, not timed itself
};

/// Does everything once to warm up, then `rounds` times in turn.
/// @throws Error{Cancelled} when `progress` asks to stop, between two of them.
std::vector<Timing> timeInTurn(const std::vector<Timed>& things, int rounds,
                               Progress& progress);

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
