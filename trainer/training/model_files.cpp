#include "trainer/training/model_files.h"

#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/checkpoint/safetensors_writer.h"
#include "trainer/network/bfloat.h"
#include "trainer/network/parameter_layout.h"
#include "trainer/vocabulary/tokenizer_files.h"

namespace equipatch {
namespace {

Json config(const NetworkShape& shape) {
  return {{"architectures", Json::array({"Gemma3ForCausalLM"})},
          {"model_type", "gemma3_text"},
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
          {"tie_word_embeddings", true},
          {"torch_dtype", "bfloat16"},
          {"use_cache", true},
          {"pad_token_id", kPadId},
          {"eos_token_id", kEosId},
          {"bos_token_id", kBosId}};
}

void write(const std::filesystem::path& path, const Json& json) {
  std::ofstream stream(path);
  stream << json.dump(2) << '\n';
  if (!stream.flush())
    throw Error(ErrorKind::Resource,
                path.string() + " could not be written; is the disk full?");
}

}  // namespace

void writeModel(const std::filesystem::path& folder, const NetworkShape& shape,
                std::span<const float> parameters) {
  write(folder / "config.json", config(shape));
  write(folder / "generation_config.json", {{"do_sample", false},
                                            {"bos_token_id", kBosId},
                                            {"eos_token_id", kEosId},
                                            {"pad_token_id", kPadId}});
  const ParameterLayout layout(shape);
  std::vector<TensorPlan> plan;
  for (const Parameter& parameter : layout.parameters())
    plan.push_back({parameter.name, DType::BF16, parameter.shape});
  SafetensorsWriter writer(folder / "model.safetensors", plan, {{"format", "pt"}});
  for (const Parameter& parameter : layout.parameters()) {
    const auto values = parameters.subspan(static_cast<std::size_t>(parameter.offset),
                                           static_cast<std::size_t>(parameter.count));
    const std::vector<Bfloat> rounded(values.begin(), values.end());
    writer.append(parameter.name, std::span<const Bfloat>(rounded));
  }
  writer.finish();
}

}  // namespace equipatch
