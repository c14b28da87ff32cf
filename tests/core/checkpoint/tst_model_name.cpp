#include "core/checkpoint/model_name.h"

#include <QTemporaryDir>

#include "tests/support/hub_cache.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using equipatch::test::FakeHubCache;
namespace fs = std::filesystem;

class tst_model_name : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void meansAFolder_data();
  void meansAFolder();
  void namesFoldersUsedBefore();
  void aFolderIsAFolder();
  void tellsNearNames_data();
  void tellsNearNames();
  void saysWhatIsAmbiguous();
  void callsAModelByItsRepository();
  void ofAFolderOnlyItsNameIsTold();

 private:
  FakeHubCache m_cache;
  ModelPlaces m_places;
};

void tst_model_name::initTestCase() {
  m_cache.snapshot("google--gemma-3-1b-it", "aaaa");
  m_cache.snapshot("google--gemma-3-1b-it", "bbbb");
  m_cache.ref("google--gemma-3-1b-it", "main", "bbbb");
  m_cache.snapshot("meta--Llama-3.2-1B", "cccc");
  m_cache.snapshot("gpt2", "dddd");
  m_cache.snapshot("one--same", "e");
  m_cache.snapshot("two--same", "f");
  m_places = {.bundled = test::data("golden/llama2_gqa"),
              .caches = {m_cache.root()},
              .used = {test::data("golden/gemma3_text")}};
}

void tst_model_name::meansAFolder_data() {
  QTest::addColumn<QString>("word");
  QTest::addColumn<QString>("end");
  QTest::newRow("whole") << "meta/Llama-3.2-1B"
                         << "snapshots/cccc";
  QTest::newRow("short") << "Llama-3.2-1B"
                         << "snapshots/cccc";
  QTest::newRow("no owner") << "gpt2"
                            << "snapshots/dddd";
  QTest::newRow("main by itself") << "google/gemma-3-1b-it"
                                  << "snapshots/bbbb";
  QTest::newRow("main, short") << "gemma-3-1b-it"
                               << "snapshots/bbbb";
  QTest::newRow("revision") << "google/gemma-3-1b-it@aaaa"
                            << "snapshots/aaaa";
  QTest::newRow("short with revision") << "gemma-3-1b-it@aaaa"
                                       << "snapshots/aaaa";
  QTest::newRow("commit of main") << "google/gemma-3-1b-it@bbbb"
                                  << "snapshots/bbbb";
  QTest::newRow("commit of the only one") << "gpt2@dddd"
                                          << "snapshots/dddd";
  QTest::newRow("main by name") << "google/gemma-3-1b-it@main"
                                << "snapshots/bbbb";
  QTest::newRow("bundled") << "bundled"
                           << "llama2_gqa";
  QTest::newRow("used before") << "gemma3_text"
                               << "gemma3_text";
}

void tst_model_name::meansAFolder() {
  QFETCH(QString, word);
  QFETCH(QString, end);
  const fs::path folder = resolveModel(word.toStdString(), m_places);
  QVERIFY2(QString::fromStdString(folder.string()).endsWith(end), folder.c_str());
  QVERIFY(fs::is_directory(folder));
}

void tst_model_name::namesFoldersUsedBefore() {
  const ModelPlaces places{.used = {"/gone/tiny"}};
  QCOMPARE(resolveModel("tiny", places), fs::path("/gone/tiny"));
}

void tst_model_name::aFolderIsAFolder() {
  for (const char* word : {"/nowhere/model", "./model", "../x", "."})
    QCOMPARE(resolveModel(word, m_places), fs::path(word));
  const fs::path existing = test::data("golden/llama3_tied");
  QCOMPARE(resolveModel(existing.string(), m_places), existing);
}

void tst_model_name::tellsNearNames_data() {
  QTest::addColumn<QString>("word");
  QTest::addColumn<QString>("near");
  QTest::newRow("typing error") << "gtp2"
                                << "gpt2";
  QTest::newRow("case") << "llama-3.2-1b"
                        << "meta/Llama-3.2-1B";
  QTest::newRow("part") << "gemma-3"
                        << "google/gemma-3-1b-it@main";
  QTest::newRow("other owner") << "facebook/Llama-3.2-1B"
                               << "is neither a folder nor the name";
  QTest::newRow("nothing like it") << "zzzzzzzzzzz"
                                   << "\"equipatch-cli models\"";
  QTest::newRow("revision there is not") << "gpt2@v9"
                                         << "gpt2";
}

void tst_model_name::tellsNearNames() {
  QFETCH(QString, word);
  QFETCH(QString, near);
  QVERIFY_ERROR(resolveModel(word.toStdString(), m_places), word, near);
}

void tst_model_name::saysWhatIsAmbiguous() {
  QVERIFY_ERROR(resolveModel("same", m_places), "one/same", "two/same");
  QVERIFY(resolveModel("one/same", m_places).filename() == "e");
  // A folder used before does not silently win over a model in the cache, or another.
  ModelPlaces places = m_places;
  places.used = {"/models/Llama-3.2-1B"};
  QVERIFY_ERROR(resolveModel("Llama-3.2-1B", places), "meta/Llama-3.2-1B",
                "/models/Llama-3.2-1B");
  places.used = {"/a/tiny", "/b/tiny"};
  QVERIFY_ERROR(resolveModel("tiny", places), "/a/tiny", "/b/tiny");
}

void tst_model_name::callsAModelByItsRepository() {
  QCOMPARE(modelName("/c/models--google--gemma/snapshots/abc"),
           std::string("google/gemma"));
  QCOMPARE(modelName("/c/models--google--gemma/snapshots/abc/"),
           std::string("google/gemma"));
  QCOMPARE(modelName("/c/other/snapshots/abc"), std::string("abc"));
  QCOMPARE(modelName("/models/tiny/"), std::string("tiny"));
}

void tst_model_name::ofAFolderOnlyItsNameIsTold() {
  QTemporaryDir folder;
  const std::string here = folder.path().toStdString();
  QCOMPARE(modelNameOfWord(here), folder.path().section('/', -1).toStdString());
  QCOMPARE(modelNameOfWord("/nowhere/secret/tiny"), std::string("tiny"));
  QCOMPARE(modelNameOfWord("./secret/tiny"), std::string("tiny"));
  QCOMPARE(modelNameOfWord("/c/models--google--gemma/snapshots/abc"),
           std::string("google/gemma"));
  for (const char* name : {"bundled", "google/gemma", "google/gemma@main", ""})
    QCOMPARE(modelNameOfWord(name), std::string(name));
}

EQUIPATCH_TEST(tst_model_name)
#include "tst_model_name.moc"
