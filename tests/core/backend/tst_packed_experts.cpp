// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/backend/torch_backend.h"
#include "core/base/json.h"
#include "core/base/random.h"
#include "core/checkpoint/memory_estimate.h"
#include "core/run/export_job.h"
#include "tests/core/backend/steps_of.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

namespace fs = std::filesystem;

/// A tiny gpt-oss in three folders. "packed" has the experts in MXFP4. "expanded" has the
/// same experts as float32 matrices. "damaged scales" equals "packed", except that the
/// scales of layer 1's down_proj are NaN.
class Twins {
 public:
  Twins() {
    test::writeTinyCheckpoint(root() / "expanded",
                              {.family = "gpt_oss",
                               .width = 32,
                               .mlpWidth = 64,
                               .moreConfig = R"({"num_local_experts": 3,
                                 "num_experts_per_tok": 2, "sliding_window": 4})"});
    fs::create_directory(root() / "packed");
    Json config = readJsonFile(root() / "expanded/config.json");
    config["quantization_config"] = {{"quant_method", "mxfp4"},
                                     {"modules_to_not_convert", {"lm_head"}}};
    std::ofstream(root() / "packed/config.json") << config.dump();
    const SafetensorsFile file =
        SafetensorsFile::open(root() / "expanded/model.safetensors");
    for (const auto& [name, view] : file.tensors()) {
      const bool matrix = name.ends_with("gate_up_proj") || name.ends_with("down_proj");
      if (matrix)
        addExperts(name, view.shape);
      else
        for (auto* tensors : {&m_expanded, &m_packed})
          tensors->push_back(
              {name, view.dtype, view.shape, {view.bytes.begin(), view.bytes.end()}});
    }
    write(m_expanded, root() / "new.safetensors");
    fs::rename(root() / "new.safetensors", root() / "expanded/model.safetensors");
    write(m_packed, root() / "packed/model.safetensors");
    fs::create_directory(root() / "damaged scales");
    fs::copy(root() / "packed/config.json", root() / "damaged scales");
    for (Bytes& tensor : m_packed)
      if (tensor.name.ends_with("1.mlp.experts.down_proj_scales"))
        std::ranges::fill(tensor.bytes, std::byte{255});  // NaN
    write(m_packed, root() / "damaged scales/model.safetensors");
  }

  fs::path root() const { return m_folder.path().toStdString(); }
  std::shared_ptr<const Session> open(const char* which, DType dtype) const {
    return test::openSession({.folder = root() / which, .dtype = dtype});
  }

 private:
  struct Bytes {
    std::string name;
    DType dtype;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;
  };

  /// @param shape of the expanded tensor [experts, inputs, outputs]
  void addExperts(const std::string& name, const std::vector<std::int64_t>& shape) {
    const std::int64_t experts = shape[0], inputs = shape[1], outputs = shape[2];
    Bytes blocks{name + "_blocks", DType::U8, {experts, outputs, inputs / 32, 16}, {}};
    Bytes scales{name + "_scales", DType::U8, {experts, outputs, inputs / 32}, {}};
    std::vector<float> values(static_cast<std::size_t>(experts * inputs * outputs));
    constexpr double kSizes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    for (std::int64_t row = 0; row < experts * outputs; ++row)
      for (std::int64_t column = 0; column < inputs; ++column) {
        if (column % 32 == 0)
          scales.bytes.push_back(static_cast<std::byte>(122 + m_random.below(3)));
        const auto code = static_cast<unsigned>(m_random.below(16));
        if (column % 2 == 0)
          blocks.bytes.push_back(static_cast<std::byte>(code));
        else
          blocks.bytes.back() |= static_cast<std::byte>(code << 4U);
        const double value =
            std::ldexp(kSizes[code & 7U], static_cast<int>(scales.bytes.back()) - 127);
        const std::int64_t expert = row / outputs, output = row % outputs;
        values[static_cast<std::size_t>((expert * inputs + column) * outputs + output)] =
            static_cast<float>(code & 8U ? -value : value);
      }
    const auto bytes = std::as_bytes(std::span(values));
    m_expanded.push_back({name, DType::F32, shape, {bytes.begin(), bytes.end()}});
    m_packed.push_back(std::move(blocks));
    m_packed.push_back(std::move(scales));
  }

  static void write(const std::vector<Bytes>& tensors, const fs::path& path) {
    std::vector<TensorPlan> plan;
    for (const Bytes& tensor : tensors)
      plan.push_back({tensor.name, tensor.dtype, tensor.shape});
    SafetensorsWriter writer(path, plan);
    for (const Bytes& tensor : tensors)
      writer.append(tensor.name, std::span<const std::byte>(tensor.bytes));
    writer.finish();
  }

  QTemporaryDir m_folder;
  Random m_random{11};
  std::vector<Bytes> m_expanded, m_packed;
};

RunRequest someSteps() {
  RunRequest request;
  request.prompt = test::tokensOf({5, 17, 3, 40, 9});
  request.steps = 4;
  request.audit = true;
  request.ignoreEndOfSequence = true;
  return request;
}

}  // namespace

class tst_packed_experts : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void giveTheResultsOfExpandedExperts_data();
  void giveTheResultsOfExpandedExperts();
  void areCountedAtTheirStoredSize();
  void cannotBeSavedWithAPatch();
  void missingBlocksAreRefused();
  void theMatrixWithDamagedScalesIsNamed();

 private:
  const Twins m_twins;
};

void tst_packed_experts::giveTheResultsOfExpandedExperts_data() {
  QTest::addColumn<QString>("dtype");
  QTest::addColumn<bool>("materialised");
  for (const char* dtype : {"float32", "float64", "bfloat16", "float16"})
    for (const bool materialised : {false, true})
      QTest::addRow("%s %s", dtype, materialised ? "materialised" : "factored")
          << dtype << materialised;
}

void tst_packed_experts::giveTheResultsOfExpandedExperts() {
  QFETCH(QString, dtype);
  QFETCH(bool, materialised);
  const DType type = *dtypeFromTorchName(dtype.toStdString());
  const auto packed = m_twins.open("packed", type);
  const auto expanded = m_twins.open("expanded", type);
  std::vector<TokenId> ids;
  for (std::int64_t id = 0; id < 20; ++id) ids.emplace_back((7 * id) % 64);
  const auto logits = [&](const Session& session) {
    return computeLogits(session, ids, SiteCapture::LogitsOnly).front().values;
  };
  QVERIFY(logits(*packed) == logits(*expanded));
  RunRequest request = someSteps();
  if (materialised) request.patch.application = Application::Materialised;
  const auto ours = test::stepsOf(packed, request),
             theirs = test::stepsOf(expanded, request);
  QCOMPARE(ours.size(), 4u);
  QCOMPARE(theirs.size(), 4u);
  for (std::size_t step = 0; step < ours.size(); ++step) {
    QVERIFY(ours[step]->contextual == theirs[step]->contextual);
    QVERIFY(ours[step]->patchedDistance == theirs[step]->patchedDistance);
    QVERIFY(ours[step]->auditDistance == theirs[step]->auditDistance);
    if (type == DType::F64) QVERIFY(ours[step]->patchedDistance.linf < 1e-10);
  }
}

void tst_packed_experts::areCountedAtTheirStoredSize() {
  const auto estimate = [&](const char* which) {
    return memoryEstimates(Checkpoint::open(m_twins.root() / which), 16).front();
  };
  // Three layers, three experts, three matrices; MXFP4 takes 17/32 of a byte per value.
  const std::int64_t values = 3 * 3 * 3 * 64 * 32;
  const auto size = static_cast<std::int64_t>(byteSize(estimate("packed").dtype));
  QCOMPARE(estimate("expanded").weights - estimate("packed").weights,
           values * size - values * 17 / 32);
  QCOMPARE(Checkpoint::open(m_twins.root() / "packed").parameterCount(),
           Checkpoint::open(m_twins.root() / "expanded").parameterCount());
}

void tst_packed_experts::cannotBeSavedWithAPatch() {
  const auto session = m_twins.open("packed", DType::F32);
  RunRequest request = someSteps();
  request.keepFactors = true;
  const auto steps = test::stepsOf(session, request);
  SilentProgress silent;
  const PatchedCheckpoint patched{.original = session->checkpoint(),
                                  .factors = *steps.front()->factors,
                                  .dtype = DType::F32};
  QVERIFY_ERROR(savePatched(patched, m_twins.root() / "patched", silent), "MXFP4",
                "bfloat16");
  QVERIFY(!fs::exists(m_twins.root() / "patched"));
  QVERIFY_ERROR(
      requireStorable(session->checkpoint(), DType::F32, m_twins.root() / "patched"),
      "MXFP4", "bfloat16");
  requireStorable(Checkpoint::open(m_twins.root() / "expanded"), DType::F32,
                  m_twins.root() / "patched");
}

void tst_packed_experts::missingBlocksAreRefused() {
  const fs::path folder = m_twins.root() / "damaged";
  fs::create_directory(folder);
  fs::copy(m_twins.root() / "packed/config.json", folder);
  fs::copy(m_twins.root() / "expanded/model.safetensors", folder);
  QVERIFY_ERROR(Checkpoint::open(folder), "gate_up_proj_blocks", "missing", "MXFP4");
}

void tst_packed_experts::theMatrixWithDamagedScalesIsNamed() {
  for (const DType dtype : {DType::F64, DType::F32, DType::BF16, DType::F16})
    QVERIFY_ERROR(test::stepsOf(m_twins.open("damaged scales", dtype), someSteps()),
                  "layer 1's MLP", "W_down holds NaN or infinity", "another copy");
}

EQUIPATCH_TEST(tst_packed_experts)
#include "tst_packed_experts.moc"
