// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/family/family.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "core/base/error.h"

namespace equipatch {

ModelDescription describeLlama(JsonObject& config);
ModelDescription describeMistral(JsonObject& config);
ModelDescription describeMixtral(JsonObject& config);
ModelDescription describeQwen2(JsonObject& config);
ModelDescription describeQwen3(JsonObject& config);
ModelDescription describeQwen2Moe(JsonObject& config);
ModelDescription describeQwen3Moe(JsonObject& config);
ModelDescription describeGemma(JsonObject& config);
ModelDescription describeGemma2(JsonObject& config);
ModelDescription describeGemma3(JsonObject& config);
ModelDescription describeGemma3Multimodal(JsonObject& config);
ModelDescription describeGpt2(JsonObject& config);
ModelDescription describeOpenaiGpt(JsonObject& config);
ModelDescription describeGptj(JsonObject& config);
ModelDescription describeGptNeox(JsonObject& config);
ModelDescription describeOlmo2(JsonObject& config);
ModelDescription describePhi(JsonObject& config);
ModelDescription describeCohere(JsonObject& config);
ModelDescription describeGranite(JsonObject& config);
ModelDescription describeOlmo3(JsonObject& config);
ModelDescription describeSmolLM3(JsonObject& config);
ModelDescription describeStarcoder2(JsonObject& config);
ModelDescription describeStableLm(JsonObject& config);
ModelDescription describePhi3(JsonObject& config);
ModelDescription describeFalcon(JsonObject& config);
ModelDescription describeGptOss(JsonObject& config);
ModelDescription describeGemma4(JsonObject& config);
ModelDescription describeGemma4Multimodal(JsonObject& config);
ModelDescription describeQwen35(JsonObject& config);
ModelDescription describeQwen35Multimodal(JsonObject& config);
ModelDescription describeQwen35Moe(JsonObject& config);
ModelDescription describeQwen35MoeMultimodal(JsonObject& config);

namespace {

struct Family {
  std::string_view architecture;
  std::string_view body;  ///< the class without a head; config.json may name it instead
  std::string_view modelType;
  ModelDescription (*describe)(JsonObject& config);
};

/// The registry of families. A new family needs a row here and a declaration above.
constexpr std::array kFamilies{
    Family{"LlamaForCausalLM", "LlamaModel", "llama", describeLlama},
    Family{"MistralForCausalLM", "MistralModel", "mistral", describeMistral},
    Family{"MixtralForCausalLM", "MixtralModel", "mixtral", describeMixtral},
    Family{"Qwen2ForCausalLM", "Qwen2Model", "qwen2", describeQwen2},
    Family{"Qwen3ForCausalLM", "Qwen3Model", "qwen3", describeQwen3},
    Family{"Qwen2MoeForCausalLM", "Qwen2MoeModel", "qwen2_moe", describeQwen2Moe},
    Family{"Qwen3MoeForCausalLM", "Qwen3MoeModel", "qwen3_moe", describeQwen3Moe},
    Family{"GemmaForCausalLM", "GemmaModel", "gemma", describeGemma},
    Family{"Gemma2ForCausalLM", "Gemma2Model", "gemma2", describeGemma2},
    Family{"Gemma3ForCausalLM", "Gemma3TextModel", "gemma3_text", describeGemma3},
    Family{"Gemma3ForConditionalGeneration", "Gemma3Model", "gemma3",
           describeGemma3Multimodal},
    Family{"GPT2LMHeadModel", "GPT2Model", "gpt2", describeGpt2},
    Family{"OpenAIGPTLMHeadModel", "OpenAIGPTModel", "openai-gpt", describeOpenaiGpt},
    Family{"GPTJForCausalLM", "GPTJModel", "gptj", describeGptj},
    Family{"GPTNeoXForCausalLM", "GPTNeoXModel", "gpt_neox", describeGptNeox},
    Family{"Olmo2ForCausalLM", "Olmo2Model", "olmo2", describeOlmo2},
    Family{"PhiForCausalLM", "PhiModel", "phi", describePhi},
    Family{"CohereForCausalLM", "CohereModel", "cohere", describeCohere},
    Family{"GraniteForCausalLM", "GraniteModel", "granite", describeGranite},
    Family{"Olmo3ForCausalLM", "Olmo3Model", "olmo3", describeOlmo3},
    Family{"SmolLM3ForCausalLM", "SmolLM3Model", "smollm3", describeSmolLM3},
    Family{"Starcoder2ForCausalLM", "Starcoder2Model", "starcoder2", describeStarcoder2},
    Family{"StableLmForCausalLM", "StableLmModel", "stablelm", describeStableLm},
    Family{"Phi3ForCausalLM", "Phi3Model", "phi3", describePhi3},
    Family{"FalconForCausalLM", "FalconModel", "falcon", describeFalcon},
    Family{"GptOssForCausalLM", "GptOssModel", "gpt_oss", describeGptOss},
    Family{"Gemma4ForCausalLM", "Gemma4TextModel", "gemma4_text", describeGemma4},
    Family{"Gemma4ForConditionalGeneration", "Gemma4Model", "gemma4",
           describeGemma4Multimodal},
    Family{"Qwen3_5ForCausalLM", "Qwen3_5TextModel", "qwen3_5_text", describeQwen35},
    Family{"Qwen3_5ForConditionalGeneration", "Qwen3_5Model", "qwen3_5",
           describeQwen35Multimodal},
    Family{"Qwen3_5MoeForCausalLM", "Qwen3_5MoeTextModel", "qwen3_5_moe_text",
           describeQwen35Moe},
    Family{"Qwen3_5MoeForConditionalGeneration", "Qwen3_5MoeModel", "qwen3_5_moe",
           describeQwen35MoeMultimodal},
};

Error unknownModel(const std::string& source, const std::string& what) {
  std::string supported;
  for (const Family& family : kFamilies)
    supported += (supported.empty() ? "" : ", ") + std::string(family.architecture);
  return unsupported(source + ": " + what + " is not supported; supported are " +
                     supported);
}

/// The first entry of "architectures", if there is one and it is a string.
std::optional<std::string> firstArchitecture(JsonObject& config) {
  const Json* names = config.member("architectures");
  if (!names || !names->is_array() || names->empty() || !names->front().is_string())
    return std::nullopt;
  return names->front().get<std::string>();
}

/// The same, but an "architectures" that names no class is an error.
std::optional<std::string> architectureOf(JsonObject& config) {
  const auto first = firstArchitecture(config);
  if (!first && config.member("architectures"))
    throw badInput(
        config.source() +
        ": \"architectures\" should be a list that names the model's class, such "
        "as [\"LlamaForCausalLM\"]");
  return first;
}

const Family& familyOf(JsonObject& config) {
  const auto architecture = architectureOf(config);
  const auto modelType = config.optionalString("model_type");
  if (!architecture && !modelType)
    throw badInput(
        config.source() +
        ": neither \"architectures\" nor \"model_type\" says what model this is; "
        "fetch the model's own config.json");
  const auto family =
      std::find_if(kFamilies.begin(), kFamilies.end(), [&](const Family& candidate) {
        return architecture ? candidate.architecture == *architecture ||
                                  candidate.body == *architecture
                            : candidate.modelType == *modelType;
      });
  if (family == kFamilies.end())
    throw unknownModel(config.source(), architecture
                                            ? "architecture " + inQuotes(*architecture)
                                            : "model_type " + inQuotes(*modelType));
  if (modelType && *modelType != family->modelType)
    throw badInput(config.source() + ": \"architectures\" says " +
                   inQuotes(*architecture) + ", whose model_type is \"" +
                   std::string(family->modelType) + "\", but \"model_type\" says " +
                   inQuotes(*modelType) + "; fetch the model's own config.json");
  return *family;
}

}  // namespace

ModelDescription describeModel(const Json& config, const std::string& source) {
  JsonObject object(config, source);
  const Family& family = familyOf(object);
  ModelDescription description = family.describe(object);
  description.spec.architecture = family.architecture;
  for (const std::string& key : object.unread()) description.unreadKeys.push_back(key);
  std::sort(description.unreadKeys.begin(), description.unreadKeys.end());
  return description;
}

std::vector<std::string> supportedArchitectures() {
  std::vector<std::string> names;
  for (const Family& family : kFamilies) names.emplace_back(family.architecture);
  return names;
}

std::string statedArchitecture(const Json& config) {
  if (!config.is_object()) return {};
  JsonObject object(config, "config.json");
  if (const auto first = firstArchitecture(object)) return *first;
  const Json* type = object.member("model_type");
  return type && type->is_string() ? type->get<std::string>() : std::string();
}

}  // namespace equipatch
