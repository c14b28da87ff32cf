#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace equipatch {

/// A result on the host, row-major, for writing to a file.
struct NamedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

enum class SiteCapture { LogitsOnly, AllSites };

}  // namespace equipatch
