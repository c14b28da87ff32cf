// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/vision_spec.h"

#include <QTemporaryDir>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/checkpoint/checkpoint.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

class tst_vision_spec : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void readsThePixelRuleOfTheProcessor();
  void unsupportedOrInvalidPreprocessingIsRefused_data();
  void unsupportedOrInvalidPreprocessingIsRefused();
  void towersAreReadUnderBothNamings_data();
  void towersAreReadUnderBothNamings();
  void aMissingTowerOrTowerTensorIsAProblem();
};

namespace {

std::filesystem::path golden() {
  return test::data("images/gemma3_mm");
}

/// Read from the golden preprocessor_config.json with some members changed.
PixelRule ruleWith(const Json& changes) {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.path().toStdString();
  Json file = readJsonFile(golden() / "preprocessor_config.json");
  file.update(changes);
  std::ofstream(path / "preprocessor_config.json") << file.dump();
  return readPixelRule(path, {.imageSize = 112});
}

/// The golden checkpoint with its tensors renamed; those renamed to "" are left out.
std::unique_ptr<QTemporaryDir> renamed(
    const std::function<std::string(const std::string&)>& name) {
  auto folder = std::make_unique<QTemporaryDir>();
  const std::filesystem::path path = folder->path().toStdString();
  for (const char* file : {"config.json", "preprocessor_config.json"})
    std::filesystem::copy_file(golden() / file, path / file);
  const SafetensorsFile file = SafetensorsFile::open(golden() / "model.safetensors");
  std::vector<TensorPlan> plan;
  for (const auto& [stored, view] : file.tensors())
    if (!name(stored).empty()) plan.push_back({name(stored), view.dtype, view.shape});
  SafetensorsWriter writer(path / "model.safetensors", plan);
  for (const auto& [stored, view] : file.tensors())
    if (!name(stored).empty()) writer.append(name(stored), view.bytes);
  writer.finish();
  return folder;
}

}  // namespace

void tst_vision_spec::readsThePixelRuleOfTheProcessor() {
  QVERIFY(ruleWith(Json::object()) == PixelRule());
  const PixelRule rule = ruleWith(
      {{"rescale_factor", 0.5}, {"image_mean", {0.25, 0, 1}}, {"image_std", {1, 2, 4}}});
  QVERIFY((rule == PixelRule{0.5, {0.25F, 0.0F, 1.0F}, {1.0F, 2.0F, 4.0F}}));
}

void tst_vision_spec::unsupportedOrInvalidPreprocessingIsRefused_data() {
  QTest::addColumn<QString>("changes");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* changes, const char* part) {
    QTest::newRow(changes) << changes << part;
  };
  row(R"({"size": {"height": 224, "width": 112}})", "\"height\" is 224, expected 112");
  row(R"({"size": null})", "\"size\" is missing");
  row(R"({"resample": 3})", "\"resample\" is 3, expected 2");
  row(R"({"do_resize": false})", "\"do_resize\" is false");
  row(R"({"do_normalize": false})", "\"do_normalize\" is false");
  row(R"({"do_pan_and_scan": true})", "\"do_pan_and_scan\" is true");
  row(R"({"image_mean": [1, 2]})", "\"image_mean\" should be three numbers");
  row(R"({"image_std": [1, 2, 0]})", "\"image_std\" should be three numbers");
  row(R"({"rescale_factor": 0})", "\"rescale_factor\" should be positive");
}

void tst_vision_spec::unsupportedOrInvalidPreprocessingIsRefused() {
  QFETCH(QString, changes);
  QFETCH(QString, part);
  QVERIFY_ERROR(ruleWith(parseJson(changes.toStdString(), "test")),
                "preprocessor_config.json", part);
}

void tst_vision_spec::towersAreReadUnderBothNamings_data() {
  QTest::addColumn<bool>("newer");
  QTest::newRow("older") << false;
  QTest::newRow("newer") << true;
}

/// Older files name the text model "language_model.model.", newer ones
/// "model.language_model.". Newer files put "model." before the tower's and the
/// projector's names.
void tst_vision_spec::towersAreReadUnderBothNamings() {
  QFETCH(bool, newer);
  const auto folder = renamed([&](const std::string& name) {
    const std::string text = "language_model.model.";
    if (!newer) return name;
    if (name.starts_with(text)) return "model.language_model." + name.substr(text.size());
    return "model." + name;
  });
  const Checkpoint checkpoint = Checkpoint::open(folder->path().toStdString());
  QCOMPARE(checkpoint.spec().vision->problem, std::string());
  QCOMPARE(checkpoint.visionWeights().size(), std::size_t{2 + 1 + 3 * 16 + 2 + 2});
  QCOMPARE(checkpoint.visionWeight("vision.projector").stored.shape,
           (std::vector<std::int64_t>{32, 48}));
  QCOMPARE(checkpoint.visionParameterCount(),
           32 * 3 * 14 * 14 + 32 + 64 * 32 +
               3 * (4 * (32 * 32 + 32) + 2 * 60 * 32 + 60 + 32 + 4 * 32) + 2 * 32 + 32 +
               32 * 48);
  QVERIFY(checkpoint.unreadTensors().empty());
  QVERIFY(checkpoint.ignoredTensors().empty());
}

void tst_vision_spec::aMissingTowerOrTowerTensorIsAProblem() {
  const auto without = renamed([](const std::string& name) {
    return name.starts_with("vision_tower") ? std::string() : name;
  });
  const Checkpoint checkpoint = Checkpoint::open(without->path().toStdString());
  QVERIFY(checkpoint.visionWeights().empty());
  QVERIFY(QString::fromStdString(checkpoint.spec().vision->problem)
              .contains("patch_embedding.weight\" is missing"));
  const auto one = renamed([](const std::string& name) {
    return name.ends_with("encoder.layers.1.mlp.fc2.bias") ? std::string() : name;
  });
  const Checkpoint damaged = Checkpoint::open(one->path().toStdString());
  QVERIFY(QString::fromStdString(damaged.spec().vision->problem)
              .contains("layers.1.mlp.fc2.bias"));
  QVERIFY(damaged.visionWeights().empty());
}

EQUIPATCH_TEST(tst_vision_spec)
#include "tst_vision_spec.moc"
