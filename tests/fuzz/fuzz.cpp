// SPDX-License-Identifier: GPL-3.0-or-later
// All harnesses as one fuzzer: fuzz HARNESS [libFuzzer's options and files]
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <vector>

#include "tests/fuzz/harness.h"
#include "tests/fuzz/mutate.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t most);

namespace equipatch::fuzz {
namespace {

/// The environment variable that passes the harness's name on to processes that libFuzzer
/// starts, because their options lack it.
constexpr const char* kVariable = "EQUIPATCH_HARNESS";
constexpr double kBytewise = 0.15;

const Harness* chosen = nullptr;

std::string mutated(std::string_view input, Random& random) {
  switch (chosen->form) {
    case Form::Json:
      return mutateJson(input, random);
    case Form::Tensors:
      return mutateTensors(input, random);
    case Form::Proto:
      return mutateProto(input, random);
    case Form::Lines:
      return mutateLines(input, random);
    case Form::Sql:
      return mutateSql(input, random);
    case Form::Bytes:
      break;
  }
  return {};
}

std::string crossed(std::string_view a, std::string_view b, Random& random) {
  if (chosen->form == Form::Json) return crossJson(a, b, random);
  if (chosen->form == Form::Lines || chosen->form == Form::Sql)
    return crossLines(a, b, random);
  return std::string(a.substr(0, random.below(a.size() + 1))) +
         std::string(b.substr(random.below(b.size() + 1)));
}

std::string_view viewOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

std::string mutateBytes(std::string_view bytes) {
  std::vector<std::uint8_t> buffer(bytes.begin(), bytes.end());
  buffer.resize(bytes.size() + 32);
  const std::size_t size = LLVMFuzzerMutate(buffer.data(), bytes.size(), buffer.size());
  return std::string(viewOf(buffer.data(), size));
}

}  // namespace equipatch::fuzz

using namespace equipatch;

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  const char* name = std::getenv(fuzz::kVariable);
  try {
    if (!name) {
      name = *count > 1 ? (*words)[1] : "";
      fuzz::harnessNamed(name);
      std::rotate(*words + 1, *words + 2, *words + *count);
      --*count;
      ::setenv(fuzz::kVariable, name, 1);
    }
    fuzz::chosen = &fuzz::harnessNamed(name);
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << "\n";
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::chosen->read(fuzz::viewOf(data, size));
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  Random random(seed);
  if (random.chance(fuzz::kBytewise)) return LLVMFuzzerMutate(data, size, most);
  const std::string text = fuzz::mutated(fuzz::viewOf(data, size), random);
  if (text.empty() || text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}

extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* data1,
                                                 std::size_t size1,
                                                 const std::uint8_t* data2,
                                                 std::size_t size2, std::uint8_t* out,
                                                 std::size_t most, unsigned seed) {
  Random random(seed);
  const std::string text =
      fuzz::crossed(fuzz::viewOf(data1, size1), fuzz::viewOf(data2, size2), random);
  const std::size_t size = std::min(text.size(), most);
  std::copy_n(text.begin(), size, out);
  return size;
}
