#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace equipatch {

/// How long work will still take that took `elapsed` for this fraction of itself, if it
/// goes on as it began; nothing while too little is done to tell.
std::optional<std::chrono::seconds> remainingTime(std::chrono::duration<double> elapsed,
                                                  double fraction);

/// "40 s", "12 min", "3 h 20 min", "2 d 5 h".
std::string durationText(std::chrono::seconds duration);

}  // namespace equipatch
