// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/training/training_files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/checkpoint/safetensors.h"
#include "trainer/network/network.h"
#include "trainer/network/row_loops.h"
#include "trainer/vocabulary/tokenizer_files.h"

namespace equipatch {
namespace {

constexpr const char* kCounters = "counters";  // step, next document, tokens
constexpr const char* kSeconds = "seconds";
constexpr const char* kParameters = "parameters";
constexpr const char* kExpAvg = "mean";
constexpr const char* kExpAvgSq = "square";
constexpr double kMostSeconds = 1e12;  // 30,000 years; whole seconds fit into int64

template <typename Number>
void read(const SafetensorsFile& file, const std::string& name, DType dtype,
          std::span<Number> numbers) {
  const auto found = file.tensors().find(name);
  if (found == file.tensors().end() || found->second.dtype != dtype ||
      found->second.bytes.size() != numbers.size_bytes())
    throw badInput(file.path().string() + ": expected " + std::to_string(numbers.size()) +
                   " values of a training state in \"" + name +
                   "\"; was it made with other sizes? Start a new training in another "
                   "folder");
  std::memcpy(numbers.data(), found->second.bytes.data(), numbers.size_bytes());
}

}  // namespace

void saveState(const std::filesystem::path& path, const TrainingState& state) {
  const auto count = static_cast<std::int64_t>(state.parameters.size());
  SafetensorsWriter writer(path, {{kCounters, DType::I64, {3}},
                                  {kSeconds, DType::F64, {1}},
                                  {kParameters, DType::F32, {count}},
                                  {kExpAvg, DType::F32, {count}},
                                  {kExpAvgSq, DType::F32, {count}}});
  const std::array<std::int64_t, 3> counters = {
      state.step, static_cast<std::int64_t>(state.nextDocument), state.tokens};
  writer.append(kCounters, std::span<const std::int64_t>(counters));
  writer.append(kSeconds, std::span<const double>(&state.seconds, 1));
  writer.append(kParameters, std::span<const float>(state.parameters));
  writer.append(kExpAvg, std::span<const float>(state.expAvg));
  writer.append(kExpAvgSq, std::span<const float>(state.expAvgSq));
  writer.finish();
}

TrainingState loadState(const std::filesystem::path& path, std::int64_t parameters) {
  const SafetensorsFile file = SafetensorsFile::open(path);
  const auto count = static_cast<std::size_t>(parameters);
  TrainingState state{.parameters = std::vector<float>(count),
                      .expAvg = std::vector<float>(count),
                      .expAvgSq = std::vector<float>(count)};
  std::array<std::int64_t, 3> counters = {};
  read<std::int64_t>(file, kCounters, DType::I64, counters);
  read(file, kSeconds, DType::F64, std::span<double>(&state.seconds, 1));
  read<float>(file, kParameters, DType::F32, state.parameters);
  read<float>(file, kExpAvg, DType::F32, state.expAvg);
  read<float>(file, kExpAvgSq, DType::F32, state.expAvgSq);
  if (std::ranges::any_of(counters, [](std::int64_t each) { return each < 0; }) ||
      !(state.seconds >= 0.0 && state.seconds <= kMostSeconds))
    throw badInput(path.string() +
                   ": a count or the time of a training state is negative, too large or "
                   "not a number, so the file is damaged; start a new training in "
                   "another folder");
  state.step = counters[0];
  state.nextDocument = static_cast<std::uint64_t>(counters[1]);
  state.tokens = counters[2];
  return state;
}

Json textConfig(const NetworkShape& shape) {
  return {{"model_type", "gemma3_text"},
          {"vocab_size", shape.vocabulary},
          {"hidden_size", shape.width},
          {"intermediate_size", shape.mlpWidth},
          {"num_hidden_layers", shape.layers},
          {"num_attention_heads", shape.heads},
          {"num_key_value_heads", shape.kvHeads},
          {"head_dim", kHeadDim},
          {"query_pre_attn_scalar", kHeadDim},
          {"max_position_embeddings", shape.maxPositions},
          {"sliding_window", shape.window},
          {"sliding_window_pattern", shape.windowPattern},
          {"rope_theta", shape.globalPeriod},
          {"rope_local_base_freq", shape.localPeriod},
          {"rope_scaling", nullptr},
          {"rms_norm_eps", shape.epsilon},
          {"hidden_activation", "gelu_pytorch_tanh"},
          {"attention_bias", false},
          {"attention_dropout", 0.0},
          {"attn_logit_softcapping", nullptr},
          {"final_logit_softcapping", nullptr},
          {"torch_dtype", "bfloat16"},
          {"use_cache", true}};
}

void writeConfigs(const std::filesystem::path& folder, const Json& config) {
  const Json generation = {{"do_sample", false},
                           {"bos_token_id", kBosId},
                           {"eos_token_id", kEosId},
                           {"pad_token_id", kPadId}};
  writeText(folder / "config.json", config.dump(2) + '\n');
  writeText(folder / "generation_config.json", generation.dump(2) + '\n');
}

void writeModel(const std::filesystem::path& folder, const NetworkShape& shape,
                std::span<const float> parameters) {
  Json config = textConfig(shape);
  config.update({{"architectures", Json::array({"Gemma3ForCausalLM"})},
                 {"tie_word_embeddings", true},
                 {"pad_token_id", kPadId},
                 {"eos_token_id", kEosId},
                 {"bos_token_id", kBosId}});
  writeConfigs(folder, config);
  const ParameterLayout layout(shape);
  writeParameters(folder / "model.safetensors", layout.parameters(), parameters);
}

void writeParameters(const std::filesystem::path& path,
                     const std::vector<Parameter>& layout,
                     std::span<const float> parameters) {
  std::vector<TensorPlan> plan;
  for (const Parameter& parameter : layout)
    plan.push_back({parameter.name, DType::BF16, parameter.shape});
  SafetensorsWriter writer(path, plan, {{"format", "pt"}});
  for (const Parameter& parameter : layout) {
    const auto values = parameters.subspan(static_cast<std::size_t>(parameter.offset),
                                           static_cast<std::size_t>(parameter.count));
    const std::vector<Bfloat> rounded(values.begin(), values.end());
    writer.append(parameter.name, std::span<const Bfloat>(rounded));
  }
  writer.finish();
}

}  // namespace equipatch
