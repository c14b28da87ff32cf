// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vision/vision_files.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/json.h"
#include "core/checkpoint/safetensors.h"
#include "trainer/network/row_loops.h"
#include "trainer/scenes/questions.h"
#include "trainer/training/training_files.h"
#include "trainer/vocabulary/tokenizer_files.h"

namespace equipatch {
namespace {

constexpr std::uint64_t kVocabularyScenes = 3000;
constexpr std::size_t kPieces = 512;

/// The texts that follow an image: an empty line, a question and its answer, for each of
/// several questions.
std::string textsAbout(const Scene& scene) {
  constexpr int kQuestions = 8;
  Random random(scene.seed);
  std::string texts;
  const auto add = [&](const Question& question) {
    texts += "\n\n" + question.text + question.answer;
  };
  add(*ask(QuestionKind::Describe, scene, random));
  for (int i = 0; i < kQuestions; ++i) add(askAnything(scene, random));
  return texts;
}

Json config(const VisionShape& shape) {
  return {{"architectures", Json::array({"Gemma3ForConditionalGeneration"})},
          {"model_type", "gemma3"},
          {"boi_token_index", kBeginOfImageId},
          {"eoi_token_index", kEndOfImageId},
          {"image_token_index", kImageId},
          {"mm_tokens_per_image", shape.tokens},
          {"bos_token_id", kBosId},
          {"eos_token_id", kEosId},
          {"pad_token_id", kPadId},
          {"tie_word_embeddings", true},
          {"torch_dtype", "bfloat16"},
          {"text_config", textConfig(shape.text)},
          {"vision_config",
           {{"model_type", "siglip_vision_model"},
            {"hidden_size", shape.width},
            {"intermediate_size", shape.mlpWidth},
            {"num_hidden_layers", shape.layers},
            {"num_attention_heads", shape.heads},
            {"num_channels", 3},
            {"image_size", shape.imageSize},
            {"patch_size", shape.patch},
            {"hidden_act", "gelu_pytorch_tanh"},
            {"layer_norm_eps", shape.epsilon},
            {"attention_dropout", 0.0},
            {"vision_use_head", false},
            {"torch_dtype", "bfloat16"}}}};
}

Json preprocessor(const VisionShape& shape) {
  return {{"image_processor_type", "Gemma3ImageProcessor"},
          {"processor_class", "Gemma3Processor"},
          {"do_convert_rgb", nullptr},
          {"do_resize", true},
          {"do_rescale", true},
          {"do_normalize", true},
          {"do_pan_and_scan", nullptr},
          {"image_mean", {0.5, 0.5, 0.5}},
          {"image_std", {0.5, 0.5, 0.5}},
          {"image_seq_length", shape.tokens},
          {"resample", 2},
          {"rescale_factor", 1.0 / 255.0},
          {"size", {{"height", shape.imageSize}, {"width", shape.imageSize}}}};
}

void write(const std::filesystem::path& path, const Json& json) {
  writeText(path, json.dump(2) + '\n');
}

}  // namespace

void writeVisionTokenizer(const std::filesystem::path& folder, std::uint64_t seed) {
  const SceneGenerator generator(Split::Training, seed);
  writeTokenizer(folder, Texts([&](std::uint64_t number) {
                   return textsAbout(generator.scene(number));
                 }),
                 {.pieces = kPieces,
                  .documents = kVocabularyScenes,
                  .specials = {{"boi_token", "<start_of_image>"},
                               {"eoi_token", "<end_of_image>"},
                               {"image_token", "<image_soft_token>"}}});
}

void writeVisionModel(const std::filesystem::path& folder, const VisionShape& shape,
                      std::span<const float> parameters) {
  writeConfigs(folder, config(shape));
  write(folder / "preprocessor_config.json", preprocessor(shape));
  write(folder / "processor_config.json",
        {{"processor_class", "Gemma3Processor"}, {"image_seq_length", shape.tokens}});
  const VisionLayout layout(shape);
  writeParameters(folder / "model.safetensors", layout.parameters(), parameters);
}

}  // namespace equipatch
