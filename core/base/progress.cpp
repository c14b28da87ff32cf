#include "core/base/progress.h"

#include <cstdint>

#include "core/base/error.h"

namespace equipatch {

void Progress::throwIfStopped() const {
  if (stopRequested()) throw Error(ErrorKind::Cancelled, "stopped on request");
}

namespace {

constexpr double kFirstSeconds = 2.0;      // what starts is slower than what goes on
constexpr double kLongestSeconds = 3.0e8;  // ten years

/// "3 h 20 min", or "3 h" where the smaller unit adds nothing.
std::string twoUnits(std::int64_t count, std::int64_t smaller, const std::string& unit,
                     const std::string& smallerUnit) {
  const std::string text = std::to_string(count / smaller) + " " + unit;
  if (count % smaller == 0) return text;
  return text + " " + std::to_string(count % smaller) + " " + smallerUnit;
}

}  // namespace

std::optional<std::chrono::seconds> remainingTime(std::chrono::duration<double> elapsed,
                                                  double fraction) {
  if (!(fraction > 0.0) || fraction > 1.0 || elapsed.count() < kFirstSeconds)
    return std::nullopt;
  const double seconds = elapsed.count() * (1.0 - fraction) / fraction;
  if (seconds > kLongestSeconds) return std::nullopt;
  return std::chrono::seconds(static_cast<std::int64_t>(seconds + 0.5));
}

std::string durationText(std::chrono::seconds duration) {
  constexpr std::int64_t kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  const std::int64_t seconds = duration.count();
  if (seconds < kMinute) return std::to_string(seconds) + " s";
  if (seconds < kHour) return std::to_string(seconds / kMinute) + " min";
  if (seconds < kDay) return twoUnits(seconds / kMinute, 60, "h", "min");
  return twoUnits(seconds / kHour, 24, "d", "h");
}

}  // namespace equipatch
