// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/step_size.h"

#include <QTemporaryDir>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json.h"
#include "core/base/program_files.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/family/family.h"
#include "core/checkpoint/memory_estimate.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
namespace fs = std::filesystem;

namespace {

using Size = std::int64_t;

/// A checkpoint with the shapes of a config.json. Its weight file is sparse: a header and
/// a hole.
class HollowCheckpoint {
 public:
  explicit HollowCheckpoint(const fs::path& config) {
    const ModelDescription description =
        describeModel(readJsonFile(config, kMostConfigBytes), config.string());
    for (const TensorBinding& binding : description.tensors) {
      const NameScheme& scheme = description.schemes.front();
      const std::string prefix =
          binding.scope == TensorScope::Head ? scheme.head : scheme.body;
      std::vector<Size> shape = storedShape(binding);
      if (binding.scalesName.empty()) {
        add(prefix + binding.checkpointName, "BF16", 2, shape);
        continue;
      }
      add(prefix + binding.scalesName, "U8", 1, shape);
      shape.push_back(16);
      add(prefix + binding.checkpointName, "U8", 1, shape);
    }
    fs::copy_file(config, folder() / "config.json");
    write();
  }

  fs::path folder() const { return m_folder.path().toStdString(); }

 private:
  void add(const std::string& name, const char* dtype, Size bytes,
           const std::vector<Size>& shape) {
    if (m_header.contains(name)) return;
    for (const Size extent : shape) bytes *= extent;
    m_header[name] = {
        {"dtype", dtype}, {"shape", shape}, {"data_offsets", {m_end, m_end + bytes}}};
    m_end += bytes;
  }

  void write() const {
    const fs::path path = folder() / "model.safetensors";
    std::ofstream file(path, std::ios::binary);
    std::string header = m_header.dump();
    header.resize((header.size() + 7) / 8 * 8, ' ');  // aligns the tensors
    const auto length = static_cast<std::uint64_t>(header.size());
    file.write(reinterpret_cast<const char*>(&length), sizeof length);
    file << header;
    file.close();
    fs::resize_file(path,
                    sizeof length + header.size() + static_cast<std::size_t>(m_end));
  }

  QTemporaryDir m_folder;
  Json m_header = Json::object();
  Size m_end = 0;
};

struct KnownShape {
  explicit KnownShape(const char* name)
      : hollow(*findResource(Resource::Shapes) / name / "config.json"),
        checkpoint(Checkpoint::open(hollow.folder())) {}
  HollowCheckpoint hollow;
  Checkpoint checkpoint;
};

}  // namespace

class tst_step_size : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void stepSizeCountsTheMultipliedMatrices_data();
  void stepSizeCountsTheMultipliedMatrices();
  void qwen35SizesEqualHandCounts();
  void gemma4SizesEqualHandCounts();
  void gptOssSizesEqualHandCounts();
};

void tst_step_size::stepSizeCountsTheMultipliedMatrices_data() {
  QTest::addColumn<QString>("folder");
  for (const std::string& name : test::goldenNames())
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

/// All matrices count except lookup tables and idle experts.
void tst_step_size::stepSizeCountsTheMultipliedMatrices() {
  QFETCH(QString, folder);
  const Checkpoint checkpoint =
      Checkpoint::open(test::data("golden") / folder.toStdString());
  const ModelSpec& spec = checkpoint.spec();
  Size elements = 0;
  for (const auto& [name, weight] : checkpoint.weights()) {
    const bool table = name == "positions" || name == "per_layer_embed" ||
                       (name == "embed" && !spec.tiedHead);
    if (weight.shape.size() != 2 || table) continue;
    const bool expert = name.find(".experts.") != std::string::npos;
    bool idle = expert;
    for (Size active = 0; expert && active < spec.moe->active; ++active)
      if (name.find(".experts." + std::to_string(active) + ".") != std::string::npos)
        idle = false;
    if (!idle) elements += weight.shape[0] * weight.shape[1];
  }
  const StepSize size = stepSize(checkpoint, DType::BF16);
  QCOMPARE(size.elements, elements);
  QCOMPARE(size.headElements, spec.vocabulary * spec.width);
  QCOMPARE(size.bytes, 2 * elements);
  QCOMPARE(stepSize(checkpoint, DType::F32).bytes, 4 * elements);
}

/// 18 recurrent layers, 6 with attention and an output gate; the head is the embedding.
void tst_step_size::qwen35SizesEqualHandCounts() {
  const KnownShape shape("qwen3.5-0.8b");
  const ModelSpec& spec = shape.checkpoint.spec();
  QVERIFY(shape.checkpoint.unreadKeys().empty());
  const Size width = 1024, recurrent = 6144 + 2048 + 16 + 16 + 2048;
  const Size attention = 2 * 8 * 256 + 2 * 2 * 256 + 8 * 256;
  const Size expected = width * (24 * 3 * 3584 + 18 * recurrent + 6 * attention + 248320);
  const StepSize size = stepSize(shape.checkpoint, DType::BF16);
  QCOMPARE(size.elements, expected);
  QCOMPARE(size.bytes, 2 * expected);
  const Size vectors =
      width * (2 * 24 + 1) + 6 * 2 * 256 + 18 * (6144 * 4 + 16 + 16 + 128);
  QCOMPARE(shape.checkpoint.parameterCount(), expected + vectors);
  const MemoryEstimate need = estimateFor(shape.checkpoint, DType::BF16, 1000);
  QCOMPARE(need.weights, 2 * (expected + vectors));
  const Size state = 2 * 16 * 128 * 128 * 4 + 3 * (6144 + 2 * 16) * 2;
  QCOMPARE(need.cache, 2 * 1000 * 6 * 2 * 2 * 256 + 18 * state);
  QCOMPARE(spec.layers[3].rope->dims, Size{64});
}

/// The last 20 of 35 layers read the keys and values of earlier ones and have MLPs twice
/// as wide. Every fifth layer has no window, and its heads are twice as large.
void tst_step_size::gemma4SizesEqualHandCounts() {
  const KnownShape shape("gemma-4-e2b");
  QVERIFY(shape.checkpoint.unreadKeys().empty());
  const Size width = 1536;
  const Size queries = 2 * 8 * (28 * 256 + 7 * 512);
  const Size keys = 2 * (12 * 256 + 3 * 512);
  const Size mlp = 3 * 6144 * (15 + 2 * 20);
  const Size perLayer = 35 * (2 * 256 + 256);
  const Size expected = width * (queries + keys + mlp + perLayer + 262144);
  const StepSize size = stepSize(shape.checkpoint, DType::BF16);
  QCOMPARE(size.elements, expected);
  QCOMPARE(size.headElements, width * 262144);
  const Size table = 262144 * Size{35 * 256};
  const MemoryEstimate need = estimateFor(shape.checkpoint, DType::F32, 1000);
  const Size others = shape.checkpoint.parameterCount() - table;
  QCOMPARE(need.weights, 4 * others + 2 * table);
  QCOMPARE(need.mapped, 2 * table);
  QCOMPARE(need.cache, 4 * 1000 * 2 * (12 * 256 + 3 * 512));
}

/// OpenAI states 20.91 billion parameters. The experts' matrices are MXFP4: half a byte
/// per element, and a scale of one byte for 32 elements.
void tst_step_size::gptOssSizesEqualHandCounts() {
  const KnownShape shape("gpt-oss-20b");
  QVERIFY(shape.checkpoint.unreadKeys().empty());
  QCOMPARE(shape.checkpoint.parameterCount(), Size{20'914'757'184});
  const Size width = 2880;
  const Size plain = width * (24 * (2 * 4096 + 2 * 512 + 32) + 201088);
  const Size experts = 24 * 3 * width * width;  // one expert in each layer
  const StepSize size = stepSize(shape.checkpoint, DType::BF16);
  QCOMPARE(size.elements, plain + 4 * experts);
  QCOMPARE(size.bytes, 2 * plain + 4 * (experts / 2 + experts / 32));
  const MemoryEstimate need = estimateFor(shape.checkpoint, DType::BF16, 1000);
  const Size packed = 32 * experts;
  const Size others = shape.checkpoint.parameterCount() - packed;
  QCOMPARE(need.weights, 2 * others + packed / 2 + packed / 32);
  QCOMPARE(need.mapped, need.weights);
  QCOMPARE(need.cache, 2 * 1000 * 24 * Size{2 * 8 * 64});
}

EQUIPATCH_TEST(tst_step_size)
#include "tst_step_size.moc"
