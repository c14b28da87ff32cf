#include "trainer/training/training_state.h"

#include <array>
#include <cstring>

#include "core/base/error.h"
#include "core/checkpoint/safetensors.h"
#include "core/checkpoint/safetensors_writer.h"

namespace equipatch {
namespace {

constexpr const char* kCounters = "counters";  // step, next document, tokens
constexpr const char* kSeconds = "seconds";
constexpr const char* kParameters = "parameters";
constexpr const char* kMean = "mean";
constexpr const char* kSquare = "square";

template <typename Number>
void read(const SafetensorsFile& file, const std::string& name, DType dtype,
          std::span<Number> numbers) {
  const auto found = file.tensors().find(name);
  if (found == file.tensors().end() || found->second.dtype != dtype ||
      found->second.bytes.size() != numbers.size_bytes())
    throw badInput(file.path().string() + ": expected " + std::to_string(numbers.size()) +
                   " numbers of a training under \"" + name +
                   "\"; was it made with other sizes? Begin anew in another folder");
  std::memcpy(numbers.data(), found->second.bytes.data(), numbers.size_bytes());
}

}  // namespace

void saveState(const std::filesystem::path& path, const TrainingState& state) {
  const auto count = static_cast<std::int64_t>(state.parameters.size());
  SafetensorsWriter writer(path, {{kCounters, DType::I64, {3}},
                                  {kSeconds, DType::F64, {1}},
                                  {kParameters, DType::F32, {count}},
                                  {kMean, DType::F32, {count}},
                                  {kSquare, DType::F32, {count}}});
  const std::array<std::int64_t, 3> counters = {
      state.step, static_cast<std::int64_t>(state.nextDocument), state.tokens};
  writer.append(kCounters, std::span<const std::int64_t>(counters));
  writer.append(kSeconds, std::span<const double>(&state.seconds, 1));
  writer.append(kParameters, std::span<const float>(state.parameters));
  writer.append(kMean, std::span<const float>(state.mean));
  writer.append(kSquare, std::span<const float>(state.square));
  writer.finish();
}

TrainingState loadState(const std::filesystem::path& path, std::int64_t parameters) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  const auto count = static_cast<std::size_t>(parameters);
  TrainingState state{.parameters = std::vector<float>(count),
                      .mean = std::vector<float>(count),
                      .square = std::vector<float>(count)};
  std::array<std::int64_t, 3> counters = {};
  read<std::int64_t>(file, kCounters, DType::I64, counters);
  read(file, kSeconds, DType::F64, std::span<double>(&state.seconds, 1));
  read<float>(file, kParameters, DType::F32, state.parameters);
  read<float>(file, kMean, DType::F32, state.mean);
  read<float>(file, kSquare, DType::F32, state.square);
  state.step = counters[0];
  state.nextDocument = static_cast<std::uint64_t>(counters[1]);
  state.tokens = counters[2];
  return state;
}

}  // namespace equipatch
