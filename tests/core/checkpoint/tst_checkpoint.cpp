// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"

#include <QTemporaryDir>
#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json.h"
#include "core/checkpoint/safetensors.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/support/tiny_checkpoint.h"

using namespace equipatch;

namespace {

struct RawTensor {
  TensorPlan plan;
  std::vector<std::byte> bytes;
};

std::vector<RawTensor> readTensors(const std::filesystem::path& file) {
  std::vector<RawTensor> tensors;
  const SafetensorsFile opened = SafetensorsFile::open(file);
  for (const auto& [name, view] : opened.tensors())
    tensors.push_back(
        {{name, view.dtype, view.shape}, {view.bytes.begin(), view.bytes.end()}});
  return tensors;
}

void writeTensors(const std::filesystem::path& file, std::span<const RawTensor> tensors) {
  std::vector<TensorPlan> plan;
  for (const RawTensor& tensor : tensors) plan.push_back(tensor.plan);
  SafetensorsWriter writer(file, plan);
  for (const RawTensor& tensor : tensors) writer.append(tensor.plan.name, tensor.bytes);
  writer.finish();
}

RawTensor zeros(const std::string& name, DType dtype, std::int64_t count) {
  return {{name, dtype, {count}},
          std::vector<std::byte>(static_cast<std::size_t>(count) * byteSize(dtype))};
}

}  // namespace

class tst_checkpoint : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void cleanup() { useNewFolder(); }
  void opensTheGoldenFolders_data();
  void opensTheGoldenFolders();
  void canonicalNamesLeadToTheRightBytes();
  void tensorNamesMayOmitTheirPrefix();
  void aTiedHeadIsAbsent();
  void shardsGiveTheTensorsOfTheWholeFile();
  void opensTheExtraModels();
  void tinyCheckpointsHaveTheChosenDtypeAndBiases_data();
  void tinyCheckpointsHaveTheChosenDtypeAndBiases();
  void randomValuesAreReproducibleAndStandardised();
  void aMissingTensorIsNamed();
  void aMissingHeadIsExplained();
  void aWrongShapeIsNamed();
  void integerWeightsAreRefused();
  void mixedFloatingTypesAreFine();
  void unreadTensorsAreListed();
  void generationConfigDecidesTheEndTokens();
  void aDamagedGenerationConfigIsRefused();
  void foldersWithoutAModelAreRefused();
  void aConfigOfAnotherModelIsRefused();
  void aTruncatedFileIsRefused();

 public:
  tst_checkpoint() { useNewFolder(); }

 private:
  void useNewFolder() {
    m_temporary = std::make_unique<QTemporaryDir>();
    m_folder = m_temporary->path().toStdString();
  }
  /// Writes a tiny checkpoint and lets `change` alter its tensors.
  template <typename Change>
  void writeChanged(Change change, const test::TinyModel& model = {}) {
    test::writeTinyCheckpoint(m_folder, model);
    std::vector<RawTensor> tensors = readTensors(m_folder / "model.safetensors");
    change(tensors);
    writeTensors(m_folder / "model.safetensors", tensors);
  }
  static RawTensor& named(std::vector<RawTensor>& tensors, const std::string& name) {
    return *std::find_if(tensors.begin(), tensors.end(), [&](const RawTensor& tensor) {
      return tensor.plan.name == name;
    });
  }

  std::unique_ptr<QTemporaryDir> m_temporary;
  std::filesystem::path m_folder;
};

void tst_checkpoint::opensTheGoldenFolders_data() {
  QTest::addColumn<QString>("name");
  for (const std::string& name : test::goldenNames())
    QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
}

/// The parameters are all stored elements except buffers, parts outside the text model,
/// and key and value weights of layers that read another layer's keys.
void tst_checkpoint::opensTheGoldenFolders() {
  QFETCH(QString, name);
  const auto folder = test::data("golden") / name.toStdString();
  const Checkpoint checkpoint = Checkpoint::open(folder);
  QCOMPARE(checkpoint.unreadTensors(), std::vector<std::string>{});
  QCOMPARE(checkpoint.unreadKeys(), std::vector<std::string>{});
  QCOMPARE(checkpoint.folder(), folder);
  std::int64_t stored = 0;
  for (const SafetensorsFile& file : checkpoint.files())
    for (const auto& [tensor, view] : file.tensors()) stored += view.elements();
  for (const std::string& tensor : checkpoint.ignoredTensors()) {
    const bool buffer = tensor.ends_with(".attn.bias") ||
                        tensor.ends_with(".attention.bias") ||
                        tensor.ends_with(".masked_bias") || tensor.ends_with(".inv_freq");
    const auto has = [&](const char* part) {
      return tensor.find(part) != std::string::npos;
    };
    const bool otherPart = has("vision") || has("audio") || has("visual") || has("mtp.");
    const bool unusedKeys = checkpoint.spec().sharesKeys() &&
                            (has("k_proj") || has("v_proj") || has("k_norm"));
    QVERIFY2(buffer || otherPart || unusedKeys, tensor.c_str());
    for (const SafetensorsFile& file : checkpoint.files())
      if (const auto found = file.tensors().find(tensor); found != file.tensors().end())
        stored -= found->second.elements();
  }
  QCOMPARE(checkpoint.parameterCount(), stored);
}

void tst_checkpoint::canonicalNamesLeadToTheRightBytes() {
  const auto folder = test::data("golden/llama2_gqa");
  const Checkpoint checkpoint = Checkpoint::open(folder);
  const SafetensorsFile file = SafetensorsFile::open(folder / "model.safetensors");
  const std::pair<const char*, const char*> names[] = {
      {"layers.2.W_down", "model.layers.2.mlp.down_proj.weight"},
      {"layers.0.W_k", "model.layers.0.self_attn.k_proj.weight"},
      {"layers.1.mlp_norm", "model.layers.1.post_attention_layernorm.weight"},
      {"head", "lm_head.weight"}};
  for (const auto& [canonical, stored] : names) {
    const TensorView& view = checkpoint.weight(canonical).stored;
    const TensorView& expected = file.tensors().at(stored);
    QCOMPARE(view.shape, expected.shape);
    QVERIFY(std::equal(view.bytes.begin(), view.bytes.end(), expected.bytes.begin(),
                       expected.bytes.end()));
  }
  QVERIFY_THROWS_EXCEPTION(std::out_of_range, checkpoint.weight("layers.3.W_k"));
}

void tst_checkpoint::tensorNamesMayOmitTheirPrefix() {
  const auto rename = [](auto& tensors, const std::string& from, const std::string& to) {
    for (RawTensor& tensor : tensors)
      if (tensor.plan.name.starts_with(from))
        tensor.plan.name = to + tensor.plan.name.substr(from.size());
  };
  test::TinyModel model{.family = "llama"};
  model.moreConfig = R"({"tie_word_embeddings": true})";
  writeChanged([&](auto& tensors) { rename(tensors, "model.", ""); }, model);
  QVERIFY(Checkpoint::open(m_folder).unreadTensors().empty());
  model.family = "gpt2";
  writeChanged([&](auto& tensors) { rename(tensors, "transformer.", ""); }, model);
  QVERIFY(Checkpoint::open(m_folder).has("layers.2.W_q"));
  writeChanged(
      [&](auto& tensors) {
        rename(tensors, "transformer.", "");
        tensors.push_back(zeros("lm_head.weight", DType::F32, 1));
        tensors.push_back(zeros("h.0.attn.bias", DType::Bool, 9));
        tensors.push_back(zeros("h.0.attn.masked_bias", DType::F32, 1));
      },
      model);
  QVERIFY(Checkpoint::open(m_folder).unreadTensors().empty());
  QCOMPARE(Checkpoint::open(m_folder).ignoredTensors().size(), std::size_t{3});
  writeChanged([&](auto& tensors) { rename(tensors, "transformer.", "strange."); },
               model);
  QVERIFY_ERROR(Checkpoint::open(m_folder), "\"transformer.wte.weight\" is missing");
}

void tst_checkpoint::aTiedHeadIsAbsent() {
  QVERIFY(Checkpoint::open(test::data("golden/llama2_gqa")).has("head"));
  QVERIFY(!Checkpoint::open(test::data("golden/llama3_tied")).has("head"));
  QVERIFY(!Checkpoint::open(test::data("golden/gemma3_text")).has("head"));
  QVERIFY(Checkpoint::open(test::data("golden/gemma3_text")).has("layers.6.q_norm"));
}

void tst_checkpoint::shardsGiveTheTensorsOfTheWholeFile() {
  const auto golden = test::data("golden/gemma3_text");
  const std::vector<RawTensor> tensors = readTensors(golden / "model.safetensors");
  std::filesystem::copy_file(golden / "config.json", m_folder / "config.json");
  const std::size_t cuts[] = {0, 20, 21, tensors.size()};
  Json weightMap = Json::object();
  for (std::size_t shard = 0; shard < 3; ++shard) {
    const std::string name =
        "model-0000" + std::to_string(shard + 1) + "-of-00003.safetensors";
    const auto part =
        std::span(tensors).subspan(cuts[shard], cuts[shard + 1] - cuts[shard]);
    writeTensors(m_folder / name, part);
    for (const RawTensor& tensor : part) weightMap[tensor.plan.name] = name;
  }
  std::ofstream(m_folder / "model.safetensors.index.json")
      << Json{{"weight_map", weightMap}}.dump();

  const Checkpoint whole = Checkpoint::open(golden);
  const Checkpoint split = Checkpoint::open(m_folder);
  QCOMPARE(split.files().size(), std::size_t{3});
  QCOMPARE(split.parameterCount(), whole.parameterCount());
  for (std::int64_t layer = 0; layer < 7; ++layer)
    for (const char* weight : {"W_q", "k_norm", "W_down", "mlp_post_norm"}) {
      const auto name = layerWeight(layer, weight);
      const auto& a = whole.weight(name).stored.bytes;
      const auto& b = split.weight(name).stored.bytes;
      QVERIFY(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    }
  std::filesystem::remove(m_folder / "model-00002-of-00003.safetensors");
  QVERIFY_ERROR(Checkpoint::open(m_folder), "model-00002-of-00003.safetensors",
                "missing");
}

void tst_checkpoint::opensTheExtraModels() {
  EXTRA_DATA_OR_SKIP(stories, "models/stories260K");
  EXTRA_DATA_OR_SKIP(gemma, "models/gemma3_frankenstein");
  QVERIFY(Checkpoint::open(stories).unreadTensors().empty());
  const Checkpoint checkpoint = Checkpoint::open(gemma);
  QVERIFY(checkpoint.unreadTensors().empty());
  QVERIFY(checkpoint.unreadKeys().empty());
  QVERIFY(!checkpoint.spec().layers[2].window.has_value());
}

void tst_checkpoint::tinyCheckpointsHaveTheChosenDtypeAndBiases_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<int>("dtype");
  QTest::addColumn<QString>("more");
  for (const char* family : {"llama", "gemma3_text", "olmo2", "qwen3", "granite"})
    for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16})
      for (const char* more :
           {"{}", R"({"attention_bias": true, "tie_word_embeddings": false})"})
        QTest::addRow("%s %s %s", family, std::string(torchName(dtype)).c_str(), more)
            << family << static_cast<int>(dtype) << more;
}

void tst_checkpoint::tinyCheckpointsHaveTheChosenDtypeAndBiases() {
  QFETCH(QString, family);
  QFETCH(int, dtype);
  QFETCH(QString, more);
  test::TinyModel model;
  model.family = family.toStdString();
  model.dtype = static_cast<DType>(dtype);
  model.moreConfig = more.toStdString();
  const Checkpoint checkpoint =
      Checkpoint::open(test::writeTinyCheckpoint(m_folder, model));
  QVERIFY(checkpoint.spec().storedDType == model.dtype);
  QVERIFY(checkpoint.weight("embed").stored.dtype == model.dtype);
  QCOMPARE(checkpoint.has("layers.2.b_o"), more != "{}");
  QVERIFY(checkpoint.unreadKeys().empty());
  QVERIFY(checkpoint.unreadTensors().empty());
}

void tst_checkpoint::randomValuesAreReproducibleAndStandardised() {
  const auto values = test::randomValues("layers.0.W_q", 10'000);
  QCOMPARE(values, test::randomValues("layers.0.W_q", 10'000));
  QVERIFY(values != test::randomValues("layers.0.W_k", 10'000));
  QVERIFY(values != test::randomValues("layers.0.W_q", 10'000, 1));
  double sum = 0.0;
  double squares = 0.0;
  for (const float value : values) {
    sum += static_cast<double>(value);
    squares += static_cast<double>(value) * static_cast<double>(value);
  }
  QVERIFY(std::abs(sum / 1e4) < 0.05);  // five standard errors
  QVERIFY(std::abs(squares / 1e4 - 1.0) < 0.07);
}

void tst_checkpoint::aMissingTensorIsNamed() {
  const std::string name = "model.layers.1.mlp.up_proj.weight";
  writeChanged([&](auto& tensors) {
    std::erase_if(tensors,
                  [&](const RawTensor& tensor) { return tensor.plan.name == name; });
  });
  QVERIFY_ERROR(Checkpoint::open(m_folder), name.c_str(), "missing", "[48, 32]");
}

void tst_checkpoint::aMissingHeadIsExplained() {
  writeChanged([](auto& tensors) {
    std::erase_if(tensors, [](const RawTensor& tensor) {
      return tensor.plan.name == "lm_head.weight";
    });
  });
  QVERIFY_ERROR(Checkpoint::open(m_folder), "\"lm_head.weight\" is missing", "tied");
}

void tst_checkpoint::aWrongShapeIsNamed() {
  writeChanged(
      [](auto& tensors) {  // transposed: the same number of elements, another meaning
        named(tensors, "model.layers.0.mlp.down_proj.weight").plan.shape = {48, 32};
      });
  QVERIFY_ERROR(Checkpoint::open(m_folder), "model.layers.0.mlp.down_proj.weight",
                "shape [48, 32]", "expected [32, 48]");
  writeChanged([](auto& tensors) {
    named(tensors, "model.norm.weight").plan.shape = {1, 32};
  });
  QVERIFY_ERROR(Checkpoint::open(m_folder), "model.norm.weight", "[1, 32]",
                "expected [32]");
}

void tst_checkpoint::integerWeightsAreRefused() {
  writeChanged([](auto& tensors) {
    named(tensors, "model.norm.weight") = zeros("model.norm.weight", DType::I8, 32);
  });
  QVERIFY_ERROR(Checkpoint::open(m_folder), "model.norm.weight", "I8", "BF16");
}

void tst_checkpoint::mixedFloatingTypesAreFine() {
  writeChanged([](auto& tensors) {
    named(tensors, "model.norm.weight") = zeros("model.norm.weight", DType::F16, 32);
  });
  QVERIFY(Checkpoint::open(m_folder).weight("final_norm").stored.dtype == DType::F16);
}

void tst_checkpoint::unreadTensorsAreListed() {
  const auto addStrangers = [](auto& tensors) {
    tensors.push_back(
        zeros("model.layers.0.self_attn.rotary_emb.inv_freq", DType::F32, 4));
    tensors.push_back(zeros("model.layers.0.self_attn.sinks", DType::F32, 4));
    tensors.push_back(zeros("another.lm_head.scale", DType::I64, 1));
  };
  writeChanged(addStrangers);
  QCOMPARE(Checkpoint::open(m_folder).unreadTensors(),
           (std::vector<std::string>{"another.lm_head.scale",
                                     "model.layers.0.self_attn.sinks"}));
  test::TinyModel tied;
  tied.moreConfig = R"({"tie_word_embeddings": true})";
  writeChanged(
      [](auto& tensors) { tensors.push_back(zeros("lm_head.weight", DType::F32, 1)); },
      tied);
  QVERIFY(Checkpoint::open(m_folder).unreadTensors().empty());
  QVERIFY(!Checkpoint::open(m_folder).has("head"));
}

void tst_checkpoint::generationConfigDecidesTheEndTokens() {
  test::writeTinyCheckpoint(m_folder);
  const auto endTokens = [&](const char* text) {
    std::ofstream(m_folder / "generation_config.json", std::ios::trunc) << text;
    return Checkpoint::open(m_folder).spec().endOfSequence;
  };
  QVERIFY((endTokens(R"({"eos_token_id": [3, 63], "top_k": 64})") ==
           std::vector<TokenId>{TokenId(3), TokenId(63)}));
  QVERIFY((endTokens(R"({"eos_token_id": 5})") == std::vector<TokenId>{TokenId(5)}));
  QVERIFY((endTokens(R"({"top_k": 64})") == std::vector<TokenId>{TokenId(2)}));
}

void tst_checkpoint::aDamagedGenerationConfigIsRefused() {
  test::writeTinyCheckpoint(m_folder);
  for (const char* text :
       {"", "[]", R"({"eos_token_id": 64})", R"({"eos_token_id": "x"})"}) {
    std::ofstream(m_folder / "generation_config.json", std::ios::trunc) << text;
    QVERIFY_ERROR(Checkpoint::open(m_folder), "generation_config.json");
  }
}

void tst_checkpoint::foldersWithoutAModelAreRefused() {
  QVERIFY_ERROR(Checkpoint::open(m_folder / "nowhere"), "nowhere",
                "nothing of that name");
  QVERIFY_ERROR(Checkpoint::open(m_folder), "config.json is missing", "Hugging Face");
  std::ofstream(m_folder / "file") << "x";
  QVERIFY_ERROR(Checkpoint::open(m_folder / "file"), "a file");
  std::ofstream(m_folder / "config.json") << R"({"model_type": "llama"})";
  QVERIFY_ERROR(Checkpoint::open(m_folder), "model.safetensors");
  std::filesystem::remove(m_folder / "config.json");
  std::filesystem::create_directory(m_folder / "config.json");
  QVERIFY_ERROR(Checkpoint::open(m_folder), "config.json", "regular file");
}

void tst_checkpoint::aConfigOfAnotherModelIsRefused() {
  test::writeTinyCheckpoint(m_folder);
  std::filesystem::copy_file(test::data("golden/llama2_gqa/config.json"),
                             m_folder / "config.json",
                             std::filesystem::copy_options::overwrite_existing);
  QVERIFY_ERROR(Checkpoint::open(m_folder), "model.embed_tokens.weight", "[64, 32]",
                "expected [192, 48]");
}

void tst_checkpoint::aTruncatedFileIsRefused() {
  test::writeTinyCheckpoint(m_folder);
  const auto file = m_folder / "model.safetensors";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  QVERIFY_ERROR(Checkpoint::open(m_folder), "model.safetensors", "download");
}

EQUIPATCH_TEST(tst_checkpoint)
#include "tst_checkpoint.moc"
