#pragma once

#include <cstdint>
#include <string>

namespace equipatch {

// Numbers of things, in three digits.

/// "1.24 GB", decimal as disks and models are sold.
std::string bytesText(std::int64_t bytes);

/// "1.24 G", "18.5 M", "512": a count of numbers.
std::string metricText(std::int64_t count);

}  // namespace equipatch
