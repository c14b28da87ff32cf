// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/spec.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/base/program_files.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/family/family.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

class tst_spec : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void namesALayersWeight();
  void storedShapesFollowFromTheParts();
  void countsParametersAsByHand();
  void benchShapesHaveTheModelsParameterCounts();
  void weightsCanBePartsOfOneTensor();
  void matricesAreNamedByRole();
  void expertsShareAMatrixNameButNotAWeightName();
  void theSharedExpertIsNamedApart();
};

void tst_spec::namesALayersWeight() {
  QCOMPARE(layerWeight(3, "W_gate"), std::string("layers.3.W_gate"));
  QCOMPARE(layerWeight(0, "attn_norm"), std::string("layers.0.attn_norm"));
}

void tst_spec::storedShapesFollowFromTheParts() {
  using Shape = std::vector<std::int64_t>;
  TensorBinding binding{.name = "W_q", .checkpointName = "q", .shape = {6, 4}};
  QCOMPARE(storedShape(binding), (Shape{6, 4}));
  binding.part.transposed = true;
  QCOMPARE(storedShape(binding), (Shape{4, 6}));
  binding.part.parts = 3;
  QCOMPARE(storedShape(binding), (Shape{4, 18}));
  binding.part = {.groups = 2, .parts = 3, .index = 1};
  QCOMPARE(storedShape(binding), (Shape{18, 4}));
  binding.shape = {6};
  QCOMPARE(storedShape(binding), (Shape{18}));
  binding.part = {.parts = 5, .index = 1, .span = 3};
  QCOMPARE(storedShape(binding), (Shape{10}));
  binding.shape = {6, 4};
  binding.part = {.transposed = true, .groups = 6, .parts = 2, .slices = 5, .slice = 1};
  QCOMPARE(storedShape(binding), (Shape{5, 4, 12}));
}

void tst_spec::countsParametersAsByHand() {
  const auto count = [](const char* name) {
    return Checkpoint::open(test::data("golden") / name).parameterCount();
  };
  // Per layer q + k + v + o + 3 MLP matrices + norms.
  QCOMPARE(count("llama2_gqa"), std::int64_t{2 * 192 * 48 + 48 +
                                             3 * (48 * 48 + 16 * 48 + 16 * 48 + 48 * 48 +
                                                  3 * 80 * 48 + 2 * 48)});
  QCOMPARE(count("gpt2"), std::int64_t{192 * 48 + 64 * 48 + 2 * 48 +
                                       3 * (4 * 48 + 4 * (48 * 48 + 48) + 48 * 192 + 192 +
                                            192 * 48 + 48)});
  QCOMPARE(count("gemma3_text"), std::int64_t{192 * 40 + 40 +
                                              7 * (64 * 40 + 16 * 40 + 16 * 40 + 40 * 64 +
                                                   3 * 96 * 40 + 4 * 40 + 2 * 16)});
}

/// Elements of the stored tensors, each counted once.
static std::int64_t parametersOf(const std::vector<TensorBinding>& bindings) {
  std::map<std::string, std::int64_t> tensors;
  for (const TensorBinding& binding : bindings) {
    std::int64_t& count = tensors[binding.checkpointName] = 1;
    for (const std::int64_t extent : storedShape(binding)) count *= extent;
    if (!binding.scalesName.empty()) count *= 32;  // MXFP4: one scale for 32 elements
  }
  std::int64_t sum = 0;
  for (const auto& [tensor, count] : tensors) sum += count;
  return sum;
}

/// The numbers are those of the text models in the released checkpoints.
void tst_spec::benchShapesHaveTheModelsParameterCounts() {
  const std::map<std::string, std::int64_t> models{
      {"gemma-3-1b", 999'885'952},     {"gemma-3-4b", 3'880'263'168},
      {"gemma-4-e2b", 4'628'569'379},  {"gpt-oss-20b", 20'914'757'184},
      {"llama-3.1-8b", 8'030'261'248}, {"llama-3.2-1b", 1'235'814'400},
      {"qwen3-0.6b", 596'049'920},     {"qwen3-4b", 4'022'468'096},
      {"qwen3.5-0.8b", 752'393'024}};
  const auto shapes = findResource(Resource::Shapes);
  QVERIFY(shapes);
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*shapes)) {
    const std::string name = entry.path().filename().string();
    const ModelDescription description =
        describeModel(readJsonFile(entry.path() / "config.json", kMostConfigBytes), name);
    QVERIFY2(models.contains(name), name.c_str());
    QCOMPARE(parametersOf(description.tensors), models.at(name));
    // Gemma 3 4B has a tower of 416.9 M parameters and a projector of 2.95 M.
    const std::int64_t vision = parametersOf(description.visionTensors);
    QCOMPARE((vision + 50'000) / 100'000, name == "gemma-3-4b" ? 4'198 : 0);
    ++found;
  }
  QCOMPARE(found, models.size());
}

void tst_spec::weightsCanBePartsOfOneTensor() {
  const Checkpoint gpt2 = Checkpoint::open(test::data("golden/gpt2"));
  const StoredWeight& value = gpt2.weight("layers.1.W_v");
  QCOMPARE(value.stored.shape, (std::vector<std::int64_t>{48, 144}));
  QCOMPARE(value.shape, (std::vector<std::int64_t>{48, 48}));
  QVERIFY((value.part == TensorPart{.transposed = true, .parts = 3, .index = 2}));
  QVERIFY(value.stored.bytes.data() == gpt2.weight("layers.1.W_q").stored.bytes.data());
  const Checkpoint neox = Checkpoint::open(test::data("golden/gpt_neox"));
  const StoredWeight& bias = neox.weight("layers.2.b_k");
  QCOMPARE(bias.stored.shape, (std::vector<std::int64_t>{192}));
  QCOMPARE(bias.shape, (std::vector<std::int64_t>{64}));
  QVERIFY((bias.part == TensorPart{.groups = 4, .parts = 3, .index = 1}));
}

void tst_spec::matricesAreNamedByRole() {
  QCOMPARE(matrixName({MatrixRole::Gate}), std::string("gate"));
  QCOMPARE(matrixName({MatrixRole::In}), std::string("in"));
  const MatrixId beside{MatrixRole::Up, MatrixId::kBeside};
  QCOMPARE(matrixName(beside), std::string("dense_up"));
  QCOMPARE(weightName(beside), std::string("W_up"));
  QCOMPARE(weightName({MatrixRole::Down}), std::string("W_down"));
  QCOMPARE(weightName({MatrixRole::Router}), std::string("W_router"));
}

void tst_spec::expertsShareAMatrixNameButNotAWeightName() {
  QCOMPARE(matrixName({MatrixRole::Up, 3}), std::string("up"));
  QCOMPARE(weightName({MatrixRole::Up, 3}), std::string("experts.3.W_up"));
  QVERIFY(MatrixId({MatrixRole::Up, 3}) != MatrixId({MatrixRole::Up, 4}));
}

void tst_spec::theSharedExpertIsNamedApart() {
  QCOMPARE(matrixName({MatrixRole::Gate, MatrixId::kShared}), std::string("shared_gate"));
  QCOMPARE(weightName({MatrixRole::Gate, MatrixId::kShared}),
           std::string("shared.W_gate"));
  QCOMPARE(matrixName({MatrixRole::SharedRouter}), std::string("shared_router"));
}

EQUIPATCH_TEST(tst_spec)
#include "tst_spec.moc"
