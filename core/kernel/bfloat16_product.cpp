// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernel/bfloat16_product.h"

#include "core/base/error.h"

#if defined(__x86_64__)

#include <oneapi/dnnl/dnnl.hpp>

namespace equipatch {
namespace {

using Memory = dnnl::memory;

const dnnl::engine& processor() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

/// A range of the inner dimension of a product.
struct Inner {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Columns of a bfloat16 matrix. The const_cast is safe: oneDNN only reads them.
Memory columns(const WeightMatrix& matrix, Inner inner, bool transposed) {
  const auto* elements = static_cast<const std::uint16_t*>(matrix.data) + inner.first;
  const Memory::desc layout =
      transposed ? Memory::desc({inner.count, matrix.outputs}, Memory::data_type::bf16,
                                Memory::dims{1, matrix.inputs})
                 : Memory::desc({matrix.outputs, inner.count}, Memory::data_type::bf16,
                                Memory::dims{matrix.inputs, 1});
  return {layout, processor(), const_cast<std::uint16_t*>(elements)};
}

dnnl::matmul::primitive_desc plan(const Memory::desc& left, const Memory::desc& right,
                                  const Memory::desc& result,
                                  const dnnl::primitive_attr& attributes) {
#if DNNL_VERSION_MAJOR >= 3
  return {processor(), left, right, result, attributes};
#else
  return {dnnl::matmul::desc(left, right, result), attributes, processor()};
#endif
}

enum class IntoY { Assign, Add };

/// y = x Wᵀ or y += x Wᵀ over a range of the inputs.
void multiplyPart(const WeightMatrix& x, const WeightMatrix& W, Inner inner, float* y,
                  IntoY into) {
  const Memory left = columns(x, inner, /*transposed=*/false);
  const Memory right = columns(W, inner, /*transposed=*/true);
  const Memory result(Memory::desc({x.outputs, W.outputs}, Memory::data_type::f32,
                                   Memory::format_tag::ab),
                      processor(), y);
  dnnl::primitive_attr attributes;
  if (into == IntoY::Add) {
    dnnl::post_ops sum;
    sum.append_sum(1.0F);
    attributes.set_post_ops(sum);
  }
  const dnnl::matmul product(
      plan(left.get_desc(), right.get_desc(), result.get_desc(), attributes));
  dnnl::stream stream(processor());
  product.execute(
      stream, {{DNNL_ARG_SRC, left}, {DNNL_ARG_WEIGHTS, right}, {DNNL_ARG_DST, result}});
  stream.wait();
}

}  // namespace

bool multipliesBfloat16() {
  return __builtin_cpu_supports("avx512bf16");
}

void bfloat16Product(const WeightMatrix& x, const WeightMatrix& W, float* y,
                     SummationOrder order) {
  if (x.outputs <= 0 || W.outputs <= 0) return;
  const std::int64_t half = order == SummationOrder::Standard ? 0 : W.inputs / 2;
  try {
    multiplyPart(x, W, {half, W.inputs - half}, y, IntoY::Assign);
    if (half > 0) multiplyPart(x, W, {0, half}, y, IntoY::Add);
  } catch (const dnnl::error& error) {
    throw Error(ErrorKind::Resource,
                "a product of " + std::to_string(x.outputs) + " rows with a matrix of " +
                    std::to_string(W.outputs) + " by " + std::to_string(W.inputs) +
                    " elements failed in oneDNN (" + error.what() + "); " +
                    (error.status == dnnl_out_of_memory ? "free memory, or " : "") +
                    "use float32");
  }
}

}  // namespace equipatch

#else

namespace equipatch {

bool multipliesBfloat16() {
  return false;
}

void bfloat16Product(const WeightMatrix&, const WeightMatrix&, float*, SummationOrder) {
  throw unsupported(
      "a product by instructions for bfloat16 needs a program for x86-64, found one for "
      "another processor; use float32");
}

}  // namespace equipatch

#endif
