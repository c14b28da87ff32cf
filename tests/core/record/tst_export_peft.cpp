// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/export/export_run.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include "core/backend/torch_backend.h"
#include "core/checkpoint/safetensors.h"
#include "core/model/transformer.h"
#include "core/model/weights.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

namespace fs = std::filesystem;
using Tensors = std::map<std::string, Tensor>;

/// A file's tensors in float64, without scalars and without integers and booleans, such
/// as the masks of old checkpoints.
Tensors readTensors(const fs::path& path) {
  Tensors tensors;
  const SafetensorsFile file = SafetensorsFile::open(path);
  for (const auto& [name, view] : file.tensors())
    if (!view.shape.empty() && isFloating(view.dtype))
      tensors[name] = loadTensor({.stored = view, .shape = view.shape, .part = {}},
                                 Arithmetic(DType::F64, at::kCPU));
  return tensors;
}

void writeTensors(const fs::path& path, const Tensors& tensors) {
  std::vector<TensorPlan> plan;
  for (const auto& [name, tensor] : tensors)
    plan.push_back({name, DType::F64, tensor.sizes().vec()});
  SafetensorsWriter writer(path, plan);
  for (const auto& [name, tensor] : tensors) {
    const Tensor whole = tensor.contiguous();
    writer.append(name, std::span<const double>(whole.data_ptr<double>(),
                                                std::size_t(whole.numel())));
  }
  writer.finish();
}

QJsonObject readJson(const fs::path& path) {
  QFile file(QString::fromStdString(path.string()));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return QJsonDocument::fromJson(file.readAll()).object();
}

/// The tensor of a parameter. In a checkpoint without the head, names may lack the first
/// component.
Tensor& parameter(Tensors& checkpoint, const std::string& name) {
  const auto found = checkpoint.find(name);
  if (found != checkpoint.end()) return found->second;
  return checkpoint.at(name.substr(name.find('.') + 1));
}

/// Merges an adapter as PEFT's merge_and_unload does. Patched parameters replace the
/// tensors with their names.
void merge(const fs::path& adapter, Tensors& checkpoint) {
  const QJsonObject config = readJson(adapter / "adapter_config.json");
  const double scaling = config["lora_alpha"].toDouble() / config["r"].toDouble();
  const Tensors lora = readTensors(adapter / "adapter_model.safetensors");
  for (const auto& value : config["target_modules"].toArray()) {
    const std::string module = value.toString().toStdString();
    const Tensor a = lora.at("base_model.model." + module + ".lora_A.weight");
    const Tensor b = lora.at("base_model.model." + module + ".lora_B.weight");
    const Tensor change = scaling * b.matmul(a);
    Tensor& weight = parameter(checkpoint, module + ".weight");
    weight = weight + (config["fan_in_fan_out"].toBool() ? change.t() : change);
  }
  const Tensors vectors = readTensors(adapter / "patched_parameters.safetensors");
  for (const auto& [name, vector] : vectors) {
    Tensor& target = parameter(checkpoint, name);
    if (!target.sizes().equals(vector.sizes())) throw std::runtime_error(name);
    target = vector;
  }
}

struct Recorded {
  RunHeader header;
  std::shared_ptr<const StepRecord> step;  ///< the run's last step
};

Recorded record(const fs::path& model, RunRequest request) {
  SilentProgress silent;
  const auto session = test::openSession({.folder = model, .dtype = DType::F64});
  request.prompt = test::tokensOf({5, 17, 3, 40, 11});
  request.steps = 3;
  request.keepFactors = request.ignoreEndOfSequence = true;
  TorchComparison comparison(session, request);
  comparison.prefill(silent);
  Recorded result{.header = comparison.header(), .step = nullptr};
  while (!comparison.done()) result.step = comparison.step();
  return result;
}

Tensor logitsOfTokenAlone(const fs::path& model, const StepRecord& step) {
  const auto session = test::openSession({.folder = model, .dtype = DType::F64});
  const Transformer& transformer = transformerOf(*session);
  BlockHooks none;
  const Tensor out =
      transformer.forward(transformer.embedRows(step.x, step.position.value, 1),
                          {.reducedRows = 1}, none, transformer.arithmetic());
  return transformer.logits(out, transformer.arithmetic()).select(0, 0);
}

}  // namespace

class tst_export_peft : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void mergedAdaptersGiveThePatchedPass_data();
  void mergedAdaptersGiveThePatchedPass();
  void fusedMatricesShareAnAdapter();
  void filesHaveTheFormatOfPeft();
  void anExportThatFailedCanBeRepeated();
  void tensorsAreWrittenInTheWideDtype();
  void inexpressiblePatchesAreRefused();
};

void tst_export_peft::mergedAdaptersGiveThePatchedPass_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<int>("method");
  for (const std::string& name : test::goldenNames()) {
    if (name == "gpt_oss") continue;  // see inexpressiblePatchesAreRefused
    for (const Method method : {Method::Balanced, Method::Stable})
      QTest::addRow("%s %s", name.c_str(), std::string(equipatch::name(method)).c_str())
          << QString::fromStdString(name) << int(method);
  }
}

void tst_export_peft::mergedAdaptersGiveThePatchedPass() {
  QFETCH(QString, name);
  QFETCH(int, method);
  const fs::path model = test::data("golden/" + name.toStdString());
  const Recorded run = record(model, {.patch = {.method = Method(method)}});
  const QTemporaryDir folder;
  const fs::path root = folder.path().toStdString();
  exportPeft(run.header, *run.step, root / "adapter");

  fs::create_directories(root / "merged");
  fs::copy_file(model / "config.json", root / "merged/config.json");
  Tensors checkpoint;
  for (const auto& file : fs::directory_iterator(model))
    if (const auto stem = file.path().filename().string();
        stem.starts_with("model") && stem.ends_with(".safetensors"))
      checkpoint.merge(readTensors(file.path()));
  merge(root / "adapter", checkpoint);
  writeTensors(root / "merged/model.safetensors", checkpoint);

  const Tensor bare = logitsOfTokenAlone(model, *run.step);
  const Tensor merged = logitsOfTokenAlone(root / "merged", *run.step);
  for (const Choice& choice : run.step->patched)
    QVERIFY(std::abs(merged[choice.id.value].item<double>() - choice.logit) < 1e-9);
  for (const Choice& choice : run.step->contextual)
    QVERIFY(std::abs(merged[choice.id.value].item<double>() - choice.logit) < 1e-6);
  for (const Choice& choice : run.step->bare)
    QVERIFY(std::abs(bare[choice.id.value].item<double>() - choice.logit) < 1e-9);
  QVERIFY((merged - bare).abs().max().item<double>() > 1e-3);
}

/// One tensor holds gate and up, as in Phi-3, but here their rows alternate.
void tst_export_peft::fusedMatricesShareAnAdapter() {
  RunHeader header;
  for (const std::int64_t index : {0, 1})
    header.parameters.push_back({.name = layerWeight(0, index == 0 ? "W_gate" : "W_up"),
                                 .tensor = "t.weight",
                                 .module = "t.weight",
                                 .shape = {2, 3},
                                 .part = {.groups = 2, .parts = 2, .index = index}});
  StepRecord step;
  LayerFactors layer;
  layer.matrices = {{"W_gate", {1.0, 2.0}, {7.0, 8.0, 9.0}},
                    {"W_up", {3.0, 4.0}, {7.0, 8.0, 9.0}}};
  step.factors = std::make_shared<const PatchFactors>(PatchFactors{layer});
  const QTemporaryDir folder;
  const fs::path root = folder.path().toStdString();
  exportPeft(header, step, root);
  const Tensors lora = readTensors(root / "adapter_model.safetensors");
  QCOMPARE(lora.size(), 2u);
  QVERIFY(lora.at("base_model.model.t.lora_A.weight")
              .equal(at::tensor({7.0, 8.0, 9.0}, at::kDouble).view({1, 3})));
  QVERIFY(lora.at("base_model.model.t.lora_B.weight")
              .equal(at::tensor({1.0, 3.0, 2.0, 4.0}, at::kDouble).view({4, 1})));
  // Two different w would need rank 2.
  layer.matrices[1].w = {7.0, 8.0, 9.5};
  step.factors = std::make_shared<const PatchFactors>(PatchFactors{layer});
  QVERIFY_ERROR(exportPeft(header, step, root), "rank 1", "\"t.weight\"");
  // Exporting a step that patches no matrix removes the earlier adapter.
  step.factors = std::make_shared<const PatchFactors>(PatchFactors{LayerFactors()});
  exportPeft(header, step, root);
  for (const char* name : {"adapter_config.json", "adapter_model.safetensors"})
    QVERIFY2(!fs::exists(root / name), name);
  QVERIFY(fs::exists(root / "reference.json"));
}

void tst_export_peft::filesHaveTheFormatOfPeft() {
  const Recorded run = record(test::data("golden/gpt2"), {});
  const QTemporaryDir folder;
  const fs::path root = fs::path(folder.path().toStdString()) / "new/adapter";
  exportPeft(run.header, *run.step, root);
  QCOMPARE(
      QDir(QString::fromStdString(root.string())).entryList(QDir::Files),
      (QStringList{"adapter_config.json", "adapter_model.safetensors",
                   "patched_parameters.safetensors", "reference.json", "verify.py"}));
  const QJsonObject config = readJson(root / "adapter_config.json");
  QCOMPARE(config["peft_type"].toString(), QString("LORA"));
  QCOMPARE(config["task_type"].toString(), QString("CAUSAL_LM"));
  QCOMPARE(config["r"].toInt(), 1);
  QCOMPARE(config["lora_alpha"].toInt(), 1);
  QCOMPARE(config["fan_in_fan_out"].toBool(), true);
  QCOMPARE(config["target_modules"].toArray()[0].toString(),
           QString("transformer.h.0.mlp.c_fc"));
  const auto tensors = SafetensorsFile::open(root / "adapter_model.safetensors");
  QCOMPARE(tensors.metadata().at("format"), std::string("pt"));
  const std::string module = "base_model.model.transformer.h.0.mlp.c_fc.lora_";
  const std::int64_t width = run.header.width;
  QCOMPARE(tensors.tensors().at(module + "A.weight").shape,
           (std::vector<std::int64_t>{1, width}));
  QCOMPARE(tensors.tensors().at(module + "B.weight").shape[1], 1);
  const QJsonObject reference = readJson(root / "reference.json");
  QCOMPARE(reference["token_id"].toInteger(), run.step->x.value);
  QCOMPARE(reference["position"].toInteger(), run.step->position.value);
  QCOMPARE(reference["patched"].toArray()[0].toObject()["logit"].toDouble(),
           run.step->patched[0].logit);
  QCOMPARE(reference["bare"].toArray().size(), qsizetype(run.step->bare.size()));
}

void tst_export_peft::anExportThatFailedCanBeRepeated() {
  const Recorded run = record(test::data("golden/gpt2"), {});
  const QTemporaryDir folder;
  const fs::path root = folder.path().toStdString();
  fs::create_directory(root / "patched_parameters.safetensors");
  QVERIFY_ERROR(exportPeft(run.header, *run.step, root), "patched_parameters");
  QVERIFY(fs::exists(root / "adapter_config.json"));
  fs::remove(root / "patched_parameters.safetensors");
  requireOwnAdapter(root);
  exportPeft(run.header, *run.step, root);
  QVERIFY(fs::exists(root / "verify.py"));
}

void tst_export_peft::tensorsAreWrittenInTheWideDtype() {
  Recorded run = record(test::data("golden/gemma3_text"), {});
  const QTemporaryDir folder;
  const fs::path root = folder.path().toStdString();
  exportPeft(run.header, *run.step, root / "wide");
  run.header.dtype = DType::BF16;
  exportPeft(run.header, *run.step, root / "narrow");
  const auto dtype = [&](const char* where, const char* file) {
    return SafetensorsFile::open(root / where / file).tensors().begin()->second.dtype;
  };
  for (const char* file :
       {"adapter_model.safetensors", "patched_parameters.safetensors"}) {
    QCOMPARE(dtype("wide", file), DType::F64);
    QCOMPARE(dtype("narrow", file), DType::F32);
  }
  QCOMPARE(readJson(root / "narrow/reference.json")["weights_dtype"].toString(),
           QString("bfloat16"));
}

void tst_export_peft::inexpressiblePatchesAreRefused() {
  const QTemporaryDir folder;
  const fs::path root = fs::path(folder.path().toStdString()) / "adapter";
  const fs::path model = test::data("golden/llama2_gqa");
  Recorded run = record(model, {.strength = {.alpha = 0.5, .layers = {}}});
  QVERIFY_ERROR(exportPeft(run.header, *run.step, root), "a part of the patch",
                "whole patch");
  run = record(model, {.strength = {.alpha = 1.0, .layers = {1}}});
  QVERIFY_ERROR(exportPeft(run.header, *run.step, root), "whole patch");
  run = record(model, {});
  run.header.parameters.clear();
  QVERIFY_ERROR(exportPeft(run.header, *run.step, root), "layers.0.W_gate");
  // In gpt-oss, one tensor holds all experts; it is no module's weight.
  run = record(test::data("golden/gpt_oss"), {});
  QVERIFY_ERROR(exportPeft(run.header, *run.step, root), "experts.gate_up_proj");
  QVERIFY_ERROR(requireAdapterPossible(run.header), "experts.gate_up_proj",
                "not the weight of a module");
  QVERIFY(!fs::exists(root));
}

EQUIPATCH_TEST(tst_export_peft)
#include "tst_export_peft.moc"
