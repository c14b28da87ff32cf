// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/model_entry.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/checkpoint/checkpoint.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/support/tiny_checkpoint.h"

using namespace equipatch;
namespace fs = std::filesystem;

class tst_model_entry : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void cleanup() { m_folder = std::make_unique<QTemporaryDir>(); }
  void describesAModel();
  void tokenizerFilesAreDetected();
  void anUnknownArchitectureIsDescribed();
  void reportsMissingShardsAndBrokenLinks();
  void damagedFoldersAreReportedAsProblems_data();
  void damagedFoldersAreReportedAsProblems();
  void ggufFilesAreReportedAsUnsupported();
  void longHeadersAreRefused();

 private:
  fs::path folder() const { return m_folder->path().toStdString(); }
  void write(const char* name, const std::string& bytes) const {
    std::ofstream(folder() / name, std::ios::binary) << bytes;
  }
  std::unique_ptr<QTemporaryDir> m_folder = std::make_unique<QTemporaryDir>();
};

void tst_model_entry::describesAModel() {
  test::writeTinyCheckpoint(folder(), {.dtype = DType::BF16});
  const ModelEntry entry = describeModelFolder(folder());
  QVERIFY2(entry.loadable(), entry.problem.c_str());
  QCOMPARE(entry.architecture, std::string("LlamaForCausalLM"));
  QCOMPARE(entry.parameters, Checkpoint::open(folder()).parameterCount());
  QVERIFY(entry.dtype == DType::BF16);
  QCOMPARE(entry.bytes, fs::file_size(folder() / "config.json") +
                            fs::file_size(folder() / "model.safetensors"));
  QVERIFY(entry.missing.empty());
  QVERIFY(!entry.hasTokenizer);
  QCOMPARE(entry.needs.size(), kRunDTypes.size());
  QCOMPARE(entry.name, folder().string());
}

void tst_model_entry::tokenizerFilesAreDetected() {
  write("vocab.json", "{}");
  QVERIFY(!describeModelFolder(folder()).hasTokenizer);
  write("merges.txt", "");
  QVERIFY(describeModelFolder(folder()).hasTokenizer);
  fs::remove(folder() / "vocab.json");
  write("tokenizer.json", "{}");
  QVERIFY(describeModelFolder(folder()).hasTokenizer);
  fs::remove(folder() / "tokenizer.json");
  QVERIFY(!describeModelFolder(folder()).hasTokenizer);
  write("cl100k_base.tiktoken", "");
  QVERIFY(describeModelFolder(folder()).hasTokenizer);
}

void tst_model_entry::anUnknownArchitectureIsDescribed() {
  test::writeTinyCheckpoint(folder(), {.dtype = DType::F32});
  const std::int64_t parameters = describeModelFolder(folder()).parameters;
  write("config.json", R"({"architectures": ["T5Model"], "model_type": "t5"})");
  const ModelEntry entry = describeModelFolder(folder());
  QCOMPARE(entry.architecture, std::string("T5Model"));
  QVERIFY(!entry.loadable());
  QVERIFY(entry.problem.find("T5Model") != std::string::npos);
  QVERIFY(!entry.supported);
  QCOMPARE(entry.parameters, parameters);  // from the headers of the weight files
  QVERIFY(entry.dtype == DType::F32);
  QVERIFY(entry.needs.empty());
}

void tst_model_entry::reportsMissingShardsAndBrokenLinks() {
  write("config.json", R"({"model_type": "llama"})");
  write("model.safetensors.index.json",
        R"({"weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors",
                           "c": "../../etc/passwd", "d": "", "e": "..",
                           "f": "model-3.bin"}})");
  fs::create_symlink("gone", folder() / "tokenizer.json");
  fs::create_symlink("model-2.safetensors", folder() / "model-2.safetensors");  // itself
  const ModelEntry entry = describeModelFolder(folder());
  QCOMPARE(entry.missing,
           (std::vector<std::string>{"model-1.safetensors", "model-2.safetensors",
                                     "tokenizer.json"}));
  QVERIFY(!entry.loadable());
  QVERIFY(!entry.hasTokenizer);
}

void tst_model_entry::damagedFoldersAreReportedAsProblems_data() {
  QTest::addColumn<QByteArray>("config");
  QTest::addColumn<QByteArray>("weights");
  QTest::newRow("no config") << QByteArray() << QByteArray();
  QTest::newRow("not JSON") << QByteArray("{") << QByteArray();
  QTest::newRow("a list") << QByteArray("[1]") << QByteArray();
  QTest::newRow("strange names")
      << QByteArray(R"({"architectures": [{}]})") << QByteArray("x");
  QTest::newRow("deep") << QByteArray(100'000, '[') << QByteArray();
  QTest::newRow("no weights") << QByteArray(R"({"model_type": "llama"})") << QByteArray();
  QTest::newRow("no header") << QByteArray(R"({"model_type": "llama"})")
                             << QByteArray("1234567");
  QTest::newRow("binary") << QByteArray("\xff\0\1", 3) << QByteArray(64, '\0');
}

void tst_model_entry::damagedFoldersAreReportedAsProblems() {
  QFETCH(QByteArray, config);
  QFETCH(QByteArray, weights);
  if (!config.isEmpty()) write("config.json", config.toStdString());
  if (!weights.isEmpty()) write("model.safetensors", weights.toStdString());
  const ModelEntry entry = describeModelFolder(folder());
  QVERIFY(!entry.loadable());
  QVERIFY(entry.supported);
  QVERIFY(entry.needs.empty());
  QVERIFY(!describeModelFolder(folder() / "nowhere").loadable());
}

/// On the hub, only some repositories of GGUF files have a config.json.
void tst_model_entry::ggufFilesAreReportedAsUnsupported() {
  write("model.GGUF", "GGUF");
  for (const bool hasConfig : {false, true}) {
    if (hasConfig) {
      test::writeTinyCheckpoint(folder(), {.dtype = DType::BF16});
      fs::remove(folder() / "model.safetensors");
    }
    const ModelEntry entry = describeModelFolder(folder());
    QVERIFY2(entry.problem.find("GGUF files are not read yet") != std::string::npos,
             entry.problem.c_str());
    QVERIFY(!entry.supported);
  }
}

void tst_model_entry::longHeadersAreRefused() {
  write("config.json", R"({"model_type": "llama"})");
  // SafetensorsFile reads headers up to 100 MB, the list of models up to 32 MB.
  const std::uint64_t length = 50'000'000;
  std::string bytes(reinterpret_cast<const char*>(&length), sizeof length);
  write("model.safetensors", bytes);
  fs::resize_file(folder() / "model.safetensors", 60'000'000);  // sparse
  const ModelEntry entry = describeModelFolder(folder());
  QVERIFY2(entry.problem.find("50000000") != std::string::npos, entry.problem.c_str());
}

EQUIPATCH_TEST(tst_model_entry)
#include "tst_model_entry.moc"
