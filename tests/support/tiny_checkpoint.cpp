// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/tiny_checkpoint.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/checkpoint/family/family.h"
#include "core/checkpoint/safetensors.h"

namespace equipatch::test {
namespace {

/// The sizes under the keys that GPT, GPT-2 and GPT-J use.
Json earlySizes(const TinyModel& model) {
  return {{"n_embd", model.width},
          {"n_layer", model.layers},
          {"n_head", model.heads},
          {"n_inner", model.mlpWidth},
          {"n_positions", model.maxPositions},
          {"rotary_dim", model.headDim / 2}};
}

Json usualSizes(const TinyModel& model) {
  return {{"hidden_size", model.width},
          {"intermediate_size", model.mlpWidth},
          {"num_hidden_layers", model.layers},
          {"num_attention_heads", model.heads},
          {"num_key_value_heads", model.kvHeads},
          {"head_dim", model.headDim},
          {"max_position_embeddings", model.maxPositions}};
}

Json qwenExperts() {
  return {{"num_experts", 5},
          {"num_experts_per_tok", 2},
          {"moe_intermediate_size", 20},
          {"shared_expert_intermediate_size", 28}};
}

/// Further keys that the family needs.
Json familyKeys(const TinyModel& model) {
  const std::string& family = model.family;
  if (family == "gemma3_text")
    return {{"query_pre_attn_scalar", model.headDim},
            {"sliding_window", 6},
            {"sliding_window_pattern", 3}};
  if (family == "gemma2")
    return {{"query_pre_attn_scalar", model.headDim}, {"sliding_window", 6}};
  if (family == "mixtral") return {{"num_local_experts", 5}, {"num_experts_per_tok", 2}};
  if (family == "qwen2_moe" || family == "qwen3_moe") return qwenExperts();
  if (family == "qwen3_5_text" || family == "qwen3_5_moe_text")
    return {{"linear_num_key_heads", 2},
            {"linear_num_value_heads", 4},
            {"linear_key_head_dim", 8},
            {"linear_value_head_dim", 6},
            {"full_attention_interval", 2}};
  if (family == "gpt_oss")
    return {{"num_local_experts", 5}, {"num_experts_per_tok", 2}, {"sliding_window", 6}};
  if (family == "gemma4_text")  // the last layer shares the previous one's KV
    return {{"layer_types", {"sliding_attention", "full_attention", "full_attention"}},
            {"sliding_window", 6},
            {"global_head_dim", 2 * model.headDim},
            {"num_kv_shared_layers", 1},
            {"hidden_size_per_layer_input", 6},
            {"vocab_size_per_layer_input", model.vocabulary}};
  if (family == "gemma4_mixture")
    return {{"model_type", "gemma4_text"},
            {"layer_types", {"sliding_attention", "full_attention", "full_attention"}},
            {"sliding_window", 6},
            {"global_head_dim", 2 * model.headDim},
            {"attention_k_eq_v", true},
            {"num_global_key_value_heads", 1},
            {"hidden_size_per_layer_input", 0},
            {"enable_moe_block", true},
            {"num_experts", 5},
            {"top_k_experts", 2},
            {"moe_intermediate_size", 20}};
  return Json::object();
}

Json configOf(const TinyModel& model) {
  const bool early =
      model.family == "gpt2" || model.family == "gptj" || model.family == "openai-gpt";
  Json config = early ? earlySizes(model) : usualSizes(model);
  config.update({{"model_type", model.family},
                 {"vocab_size", model.vocabulary},
                 {"bos_token_id", 1},
                 {"eos_token_id", 2},
                 {"torch_dtype", torchName(model.dtype)}});
  config.update(familyKeys(model));
  if (model.family == "qwen3_5_moe_text") config.update(qwenExperts());
  config.update(Json::parse(model.moreConfig));
  return config;
}

std::string storedName(const TensorBinding& binding,
                       const ModelDescription& description) {
  const NameScheme& scheme = description.schemes.front();
  return (binding.scope == TensorScope::Head ? scheme.head : scheme.body) +
         binding.checkpointName;
}

/// The stored tensor of which the weight is the whole or a part.
FloatTensor randomTensor(const TensorBinding& binding, const TinyModel& model,
                         const ModelDescription& description) {
  const ModelSpec& spec = description.spec;
  const std::vector<std::int64_t> shape = storedShape(binding);
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  // Weights that are parts of one stored tensor must give this tensor the same values.
  const std::string seedName =
      binding.part.parts > 1 ? binding.checkpointName : binding.name;
  FloatTensor tensor{storedName(binding, description), shape,
                     randomValues(seedName, count, model.seed)};
  const bool isNorm = binding.name.ends_with("norm") ||
                      binding.name.ends_with("scalar") || binding.name.ends_with("scale");
  const bool isBias =
      binding.name.ends_with(".bias") || (binding.shape.size() == 1 && !isNorm);
  const bool isEmbedding = binding.name == "embed";
  double spread = 1.0 / std::sqrt(static_cast<double>(binding.shape.back()));
  if (isNorm || isBias) spread = 0.2;
  if (isEmbedding) spread = 1.0 / spec.embeddingScale;
  if (binding.name == "positions") spread = 0.5;
  const double centre = isNorm && !spec.norm.storedMinusOne ? 1.0 : 0.0;
  for (float& value : tensor.values)
    value = static_cast<float>(centre + spread * static_cast<double>(value));
  return tensor;
}

}  // namespace

std::vector<float> randomValues(const std::string& name, std::size_t count,
                                std::uint64_t seed) {
  Random random(fnv1a(name) ^ (seed * 0xD1342543DE82EF95U));
  std::vector<float> values(count);
  for (float& value : values) {
    // Nearly normal, with mean 0 and variance 1, and the same on any machine.
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += random.uniform();
    value = static_cast<float>(sum);
  }
  return values;
}

std::filesystem::path writeTinyCheckpoint(const std::filesystem::path& folder,
                                          const TinyModel& model) {
  std::filesystem::create_directories(folder);
  const Json config = configOf(model);
  std::ofstream file(folder / "config.json", std::ios::binary);
  file << config.dump(2) << '\n';
  file.close();
  if (!file) throw std::runtime_error("cannot write into " + folder.string());

  const ModelDescription description =
      describeModel(config, (folder / "config.json").string());
  std::vector<FloatTensor> tensors;
  std::set<std::string> written;
  for (const TensorBinding& binding : description.tensors)
    if (written.insert(storedName(binding, description)).second)
      tensors.push_back(randomTensor(binding, model, description));
  writeSafetensors(folder / "model.safetensors", tensors, model.dtype);
  return folder;
}

void changeTensors(const std::filesystem::path& folder,
                   const std::function<void(const std::string& name,
                                            std::vector<float>& values)>& change) {
  const std::filesystem::path path = folder / "model.safetensors";
  std::vector<FloatTensor> tensors;
  const SafetensorsFile file = SafetensorsFile::open(path);
  for (const auto& [name, view] : file.tensors()) {
    std::vector<float> values(static_cast<std::size_t>(view.elements()));
    std::memcpy(values.data(), view.bytes.data(), view.bytes.size());
    change(name, values);
    tensors.push_back({name, view.shape, std::move(values)});
  }
  writeSafetensors(folder / "new.safetensors", tensors);
  std::filesystem::rename(folder / "new.safetensors", path);
}

}  // namespace equipatch::test
