#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/checkpoint/safetensors.h"
#include "core/model/torch_types.h"

namespace equipatch::test {

/// A golden.safetensors file: reference activations as tensors.
class GoldenFile {
 public:
  explicit GoldenFile(const std::filesystem::path& path)
      : m_file(SafetensorsFile::open(path)) {}

  Tensor tensor(const std::string& name) const {
    const TensorView& view = m_file.tensors().at(name);
    auto* data = const_cast<std::byte*>(view.bytes.data());
    return at::from_blob(data, view.shape, at::TensorOptions(toTorch(view.dtype)))
        .clone();
  }

  /// [1, n] or [n] token ids.
  std::vector<TokenId> ids(const std::string& name) const {
    const Tensor flat = tensor(name).flatten();
    std::vector<TokenId> ids;
    for (std::int64_t index = 0; index < flat.numel(); ++index)
      ids.emplace_back(flat[index].item<std::int64_t>());
    return ids;
  }

 private:
  SafetensorsFile m_file;
};

/// max |a − b| in double precision.
inline double largestDifference(const Tensor& a, const Tensor& b) {
  return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

}  // namespace equipatch::test
