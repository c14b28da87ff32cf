// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/checkpoint.h"

#include <QTemporaryDir>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "tests/support/safetensors_writer.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

constexpr const char* kFirst = "model-00001-of-00002.safetensors";
constexpr const char* kSecond = "model-00002-of-00002.safetensors";

}  // namespace

class tst_tensor_index : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void cleanup() { useNewFolder(); }
  void opensOneFile();
  void joinsShards();
  void aSingleFileIsPreferredToAnIndex();
  void tensorsThatTheIndexOmitsAreFoundInListedShards();
  void reportsMissingFiles();
  void reportsThatPickledFilesAreNotRead();
  void aMissingShardIsNamed();
  void aDamagedShardIsNamed();
  void aTensorMissingFromItsShardIsNamed();
  void aTensorInTwoShardsIsRefused();
  void shardPathsMustBePlainNames_data();
  void shardPathsMustBePlainNames();
  void aMalformedIndexIsRefused_data();
  void aMalformedIndexIsRefused();

 public:
  tst_tensor_index() { useNewFolder(); }

 private:
  void useNewFolder() {
    m_temporary = std::make_unique<QTemporaryDir>();
    m_folder = m_temporary->path().toStdString();
  }
  void writeIndex(const Json& weightMap) {
    std::ofstream(m_folder / "model.safetensors.index.json", std::ios::trunc)
        << Json{{"metadata", {{"total_size", 8}}}, {"weight_map", weightMap}}.dump();
  }
  void writeShards() {
    test::writeSafetensors(m_folder / kFirst, {{"a", {1}, {1.0F}}, {"b", {1}, {2.0F}}});
    test::writeSafetensors(m_folder / kSecond, {{"c", {1}, {3.0F}}});
  }

  std::unique_ptr<QTemporaryDir> m_temporary;
  std::filesystem::path m_folder;
};

void tst_tensor_index::opensOneFile() {
  test::writeSafetensors(m_folder / "model.safetensors",
                         {{"b", {1}, {2}}, {"a", {1}, {1}}});
  const TensorIndex index = TensorIndex::open(m_folder);
  QCOMPARE(index.names(), (std::vector<std::string>{"a", "b"}));
  QCOMPARE(index.files().size(), std::size_t{1});
  QVERIFY(index.find("c") == nullptr);
}

void tst_tensor_index::joinsShards() {
  writeShards();
  writeIndex({{"a", kFirst}, {"b", kFirst}, {"c", kSecond}});
  const TensorIndex index = TensorIndex::open(m_folder);
  QCOMPARE(index.names(), (std::vector<std::string>{"a", "b", "c"}));
  QCOMPARE(index.files().size(), std::size_t{2});
  const TensorView* c = index.find("c");
  QVERIFY(c != nullptr);
  QCOMPARE(*reinterpret_cast<const float*>(c->bytes.data()), 3.0F);
}

void tst_tensor_index::aSingleFileIsPreferredToAnIndex() {
  writeIndex({{"a", kFirst}});
  test::writeSafetensors(m_folder / "model.safetensors", {{"x", {1}, {1}}});
  QCOMPARE(TensorIndex::open(m_folder).names(), (std::vector<std::string>{"x"}));
}

void tst_tensor_index::tensorsThatTheIndexOmitsAreFoundInListedShards() {
  writeShards();
  writeIndex({{"a", kFirst}});
  QCOMPARE(TensorIndex::open(m_folder).names(), (std::vector<std::string>{"a", "b"}));
}

void tst_tensor_index::reportsMissingFiles() {
  QVERIFY_ERROR(TensorIndex::open(m_folder), "model.safetensors",
                "model.safetensors.index.json", "neither");
}

void tst_tensor_index::reportsThatPickledFilesAreNotRead() {
  std::ofstream(m_folder / "pytorch_model.bin") << "x";
  try {
    TensorIndex::open(m_folder);
    QFAIL("was opened");
  } catch (const Error& error) {
    QVERIFY(error.kind() == ErrorKind::Unsupported);
    QVERIFY(QString(error.what()).contains("only safetensors"));
  }
}

void tst_tensor_index::aMissingShardIsNamed() {
  writeShards();
  writeIndex({{"a", kFirst}, {"c", kSecond}});
  std::filesystem::remove(m_folder / kSecond);
  QVERIFY_ERROR(TensorIndex::open(m_folder), "index.json", kSecond, "missing", "fetch");
  writeIndex({{"a", std::string(100'000, 'x') + ".safetensors"}});
  try {
    TensorIndex::open(m_folder);
    QFAIL("was opened");
  } catch (const Error& error) {
    QVERIFY(std::string_view(error.what()).size() < 1000);
  }
}

void tst_tensor_index::aDamagedShardIsNamed() {
  writeShards();
  writeIndex({{"a", kFirst}, {"c", kSecond}});
  std::filesystem::resize_file(m_folder / kSecond,
                               std::filesystem::file_size(m_folder / kSecond) - 1);
  QVERIFY_ERROR(TensorIndex::open(m_folder), kSecond, "\"c\"", "download");
}

void tst_tensor_index::aTensorMissingFromItsShardIsNamed() {
  writeShards();
  writeIndex({{"a", kSecond}, {"b", kFirst}, {"c", kSecond}});
  QVERIFY_ERROR(TensorIndex::open(m_folder), "\"a\"", kSecond, "does not hold it");
  writeIndex({{"a", kFirst}, {"nowhere", kFirst}});
  QVERIFY_ERROR(TensorIndex::open(m_folder), "\"nowhere\"", kFirst);
}

void tst_tensor_index::aTensorInTwoShardsIsRefused() {
  writeShards();
  test::writeSafetensors(m_folder / kSecond, {{"a", {1}, {1}}, {"c", {1}, {3}}});
  writeIndex({{"a", kFirst}, {"c", kSecond}});
  QVERIFY_ERROR(TensorIndex::open(m_folder), "\"a\"", kFirst, kSecond);
}

void tst_tensor_index::shardPathsMustBePlainNames_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"../outside.safetensors", "/etc/outside.safetensors",
                           "sub/inside.safetensors", "..\\outside.safetensors", "..", ".",
                           "", ".safetensors", "model.bin", "./model.safetensors"})
    QTest::newRow(*name ? name : "nothing") << QString(name);
  QTest::newRow("zero byte") << QString("a") + QChar(u'\0') + QString(".safetensors");
}

void tst_tensor_index::shardPathsMustBePlainNames() {
  QFETCH(QString, name);
  const std::filesystem::path inner = m_folder / "model";
  std::filesystem::create_directories(inner / "sub");
  test::writeSafetensors(m_folder / "outside.safetensors", {{"a", {1}, {1}}});
  test::writeSafetensors(inner / "sub" / "inside.safetensors", {{"a", {1}, {1}}});
  m_folder = inner;
  writeIndex({{"a", name.toStdString()}});
  QVERIFY_ERROR(TensorIndex::open(m_folder), "index.json", "plain name");
}

void tst_tensor_index::aMalformedIndexIsRefused_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("part");
  QTest::newRow("empty") << ""
                         << "not valid JSON";
  QTest::newRow("a list") << "[]"
                          << "object";
  QTest::newRow("without a map") << "{\"metadata\":{}}"
                                 << "weight_map";
  QTest::newRow("an empty map") << "{\"weight_map\":{}}"
                                << "weight_map";
  QTest::newRow("map is a list") << "{\"weight_map\":[\"a\"]}"
                                 << "weight_map";
  QTest::newRow("file is a number") << "{\"weight_map\":{\"a\":1}}"
                                    << "should be a string";
}

void tst_tensor_index::aMalformedIndexIsRefused() {
  QFETCH(QString, text);
  QFETCH(QString, part);
  std::ofstream(m_folder / "model.safetensors.index.json") << text.toStdString();
  QVERIFY_ERROR(TensorIndex::open(m_folder), "index.json", qPrintable(part));
}

EQUIPATCH_TEST(tst_tensor_index)
#include "tst_tensor_index.moc"
