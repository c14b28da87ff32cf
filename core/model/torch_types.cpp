// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/torch_types.h"

#include <ATen/Parallel.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/kernel/threads.h"

namespace equipatch {

at::ScalarType toTorch(DType dtype) {
  switch (dtype) {
    case DType::F64:
      return at::kDouble;
    case DType::F32:
      return at::kFloat;
    case DType::F16:
      return at::kHalf;
    case DType::BF16:
      return at::kBFloat16;
    case DType::I64:
      return at::kLong;
    case DType::I32:
      return at::kInt;
    case DType::I16:
      return at::kShort;
    case DType::I8:
      return at::kChar;
    case DType::U8:
      return at::kByte;
    case DType::Bool:
      return at::kBool;
  }
  throw unsupported("no computation is possible with an unknown element type");
}

DType dtypeOf(const Tensor& x) {
  switch (x.scalar_type()) {
    case at::kDouble:
      return DType::F64;
    case at::kHalf:
      return DType::F16;
    case at::kBFloat16:
      return DType::BF16;
    default:
      return DType::F32;
  }
}

at::Device deviceFromName(const std::string& name) {
  if (name == "cpu") return at::kCPU;
  const bool cuda = name == "cuda" || name.rfind("cuda:", 0) == 0;
  const std::string number = name.size() > 5 ? name.substr(5) : "0";
  if (!cuda || number.size() > 3 ||
      number.find_first_not_of("0123456789") != std::string::npos || name == "cuda:")
    throw badInput("device " + inQuotes(name) +
                   " is not known; use cpu, cuda or cuda:N with a device number");
  if (!at::hasCUDA())
    throw unsupported("device " + inQuotes(name) +
                      " is not available: this libtorch has no CUDA or no GPU was "
                      "found; use cpu or build against a libtorch with CUDA");
  // The number is checked before the conversion to libtorch's eight-bit DeviceIndex.
  const int count = c10::impl::getDeviceGuardImpl(at::kCUDA)->deviceCount();
  if (std::stoi(number) >= count)
    throw unsupported("device " + inQuotes(name) +
                      " is not available: this machine has " +
                      countText(static_cast<std::size_t>(count), "GPU") +
                      ", counted from cuda:0; use one of them or cpu");
  return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(std::stoi(number)));
}

void setComputeThreads(int threads) {
  at::set_num_threads(threads);
  setKernelThreads(threads);
}

ComputeThreads::ComputeThreads(int threads) : m_before(at::get_num_threads()) {
  setComputeThreads(threads);
}

}  // namespace equipatch
