// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/checkpoint/safetensors.h"
#include "core/run/backend.h"
#include "tests/support/largest_difference.h"
#include "tests/support/test_case.h"
#include "tests/trainer/tiny_training.h"
#include "trainer/network/row_loops.h"
#include "trainer/training/training_files.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_training_files : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void savedTrainingStateIsRestored() {
    const TrainingState state = {.step = 7,
                                 .nextDocument = 1ull << 40,
                                 .tokens = 123456789012,
                                 .seconds = 0.1,
                                 .parameters = {1, 2, 3},
                                 .expAvg = {-0.0f, 1e-30f, 5},
                                 .expAvgSq = {7, 8, 9}};
    saveState(m_path, state);
    const TrainingState read = loadState(m_path, 3);
    QCOMPARE(read.step, state.step);
    QCOMPARE(read.nextDocument, state.nextDocument);
    QCOMPARE(read.tokens, state.tokens);
    QCOMPARE(read.seconds, state.seconds);
    QCOMPARE(read.parameters, state.parameters);
    QCOMPARE(read.expAvg, state.expAvg);
    QCOMPARE(read.expAvgSq, state.expAvgSq);
  }

  void invalidStatesAreRefused() {
    saveState(m_path, {.parameters = {1, 2}, .expAvg = {1, 2}, .expAvgSq = {1, 2}});
    QVERIFY_ERROR(loadState(m_path, 3), "state.safetensors", "expected 3", "parameters");
    for (const TrainingState& damaged :
         {TrainingState{.step = -1}, TrainingState{.nextDocument = 1ull << 63},
          TrainingState{.tokens = -5}, TrainingState{.seconds = -0.5},
          TrainingState{.seconds = std::numeric_limits<double>::infinity()},
          TrainingState{.seconds = 1e300}}) {
      saveState(m_path, damaged);
      QVERIFY_ERROR(loadState(m_path, 0), "state.safetensors", "is negative");
    }
    saveState(m_path, {.parameters = {1, 2}, .expAvg = {1, 2}, .expAvgSq = {1, 2}});
    std::filesystem::resize_file(m_path, std::filesystem::file_size(m_path) - 4);
    QVERIFY_ERROR(loadState(m_path, 2), "state.safetensors");
    std::ofstream(m_path) << "{}";
    QVERIFY_ERROR(loadState(m_path, 2), "state.safetensors");
  }

  void configurationsAreWritten() {
    const Json config = textConfig(m_training.options.shape);
    QCOMPARE(config.at("hidden_size").get<int>(), 32);
    writeConfigs(m_training.folder(), config);
    QVERIFY(readJsonFile(m_training.folder() / "config.json") == config);
    const Json generation = readJsonFile(m_training.folder() / "generation_config.json");
    QCOMPARE(generation.at("eos_token_id").get<int>(), kEosId);
    QCOMPARE(generation.at("do_sample").get<bool>(), false);
  }

  void aMissingFolderIsNamed() {
    QVERIFY_ERROR(saveState("/no/such/folder/state.safetensors", {}), "/no/such/folder");
  }

  void parametersAreRoundedToBfloat16() {
    const auto path = m_training.folder() / "part.safetensors";
    const std::vector<float> values = {1, 1.0009765625f, -3, 1e-20f, 7, 8};
    writeParameters(path,
                    {{.name = "a", .shape = {2, 2}, .offset = 0, .count = 4},
                     {.name = "b", .shape = {2}, .offset = 4, .count = 2}},
                    values);
    const SafetensorsFile file = SafetensorsFile::open(path);
    const TensorView& a = file.tensors().at("a");
    QCOMPARE(a.dtype, DType::BF16);
    QCOMPARE(a.shape, (std::vector<std::int64_t>{2, 2}));
    const std::vector<float> rounded = roundedToBfloat(values);
    QCOMPARE(rounded[1], 1.0f);
    for (std::size_t i = 0; i < 6; ++i) {
      const TensorView& view = file.tensors().at(i < 4 ? "a" : "b");
      Bfloat stored;
      std::memcpy(&stored, view.bytes.data() + 2 * (i % 4), 2);
      QCOMPARE(float(stored), rounded[i]);
    }
  }

  /// The trainer's and the program's forward passes are independent implementations. The
  /// document is longer than the window, so that local and global layers differ.
  void programAndTrainerLogitsAgree() {
    const BatchMaker documents = m_training.documents();
    Trainer trainer(m_training.options, documents);
    for (int i = 0; i < 20; ++i) trainer.step();
    writeModel(m_training.folder(), m_training.options.shape, trainer.state().parameters);
    SilentProgress silent;
    const auto session =
        Session::open({.folder = m_training.folder(), .dtype = DType::F32}, silent);
    QVERIFY(session->unreadKeys().empty());
    QVERIFY(session->unreadTensors().empty());

    Batch batch = documents.make(longDocument());
    QVERIFY(batch.tokens() > 2 * m_training.options.shape.window);
    std::vector<TokenId> ids;
    batch.rows.clear();
    batch.successors.clear();
    for (std::int64_t i = 0; i < batch.tokens(); ++i) {
      ids.push_back(TokenId(batch.ids[static_cast<std::size_t>(i)]));
      batch.rows.push_back(i);
      batch.successors.push_back(0);
    }
    const auto theirs =
        backend().computeLogits(*session, ids, SiteCapture::LogitsOnly).front().values;
    const auto network = Network::create(m_training.options.shape, Precision::Float32);
    const std::vector<float> stored = roundedToBfloat(trainer.state().parameters);
    network->setParameters(stored);
    const auto ours = network->logits(batch);
    const double largest = largestDifference(ours, theirs);
    QVERIFY2(largest < 1e-4, qPrintable(QString::number(largest)));
  }

  void anUnwritableFileIsNamed() {
    const std::vector<float> parameters = initialParameters(m_training.options.shape, 1);
    QVERIFY_ERROR(writeModel("/no/such/folder", m_training.options.shape, parameters),
                  "/no/such/folder/config.json");
  }

 private:
  QTemporaryDir m_folder;
  std::filesystem::path m_path = m_folder.filePath("state.safetensors").toStdString();
  static Document longDocument() {
    Document document;
    document.give("Remember: ");
    for (int i = 0; i < 60; ++i) document.give(std::to_string(i) + " ");
    return document.answer(" end");
  }

  /// Rounding by its definition: to the nearer neighbour, ties to even.
  static std::vector<float> roundedToBfloat(std::vector<float> values) {
    for (float& value : values) {
      if (value == 0) continue;
      int exponent = 0;
      std::frexp(value, &exponent);
      const float unit = std::ldexp(1.0f, exponent - 8);
      value = std::nearbyint(value / unit) * unit;
    }
    return values;
  }

  TinyTraining m_training;
};

EQUIPATCH_TEST(tst_training_files)
#include "tst_training_files.moc"
