#include "core/run/model_folder.h"

#include <QTemporaryDir>

#include "core/checkpoint/used_folders.h"
#include "tests/support/hub_cache.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
namespace fs = std::filesystem;

class tst_model_folder : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void cleanupTestCase();
  void aUsedFolderHasAName();
  void whatIsInTheCacheIsNotListedTwice();

 private:
  QTemporaryDir m_data;
  test::FakeHubCache m_cache;
};

void tst_model_folder::initTestCase() {
  qputenv("XDG_DATA_HOME", m_data.path().toUtf8());
  qputenv("HF_HUB_CACHE", m_cache.root().string().c_str());
}

void tst_model_folder::cleanupTestCase() {
  qunsetenv("XDG_DATA_HOME");
  qunsetenv("HF_HUB_CACHE");
}

void tst_model_folder::aUsedFolderHasAName() {
  QVERIFY_ERROR(modelFolder("gemma3_text"), "gemma3_text");
  const fs::path folder = test::data("golden/gemma3_text");
  rememberModel(folder);
  QCOMPARE(modelFolder("gemma3_text"), folder);
  QVERIFY_ERROR(modelFolder("gemma3_txt"), "names like it are gemma3_text");
}

void tst_model_folder::whatIsInTheCacheIsNotListedTwice() {
  m_cache.link(test::data("golden/llama2_gqa"), "owner--tiny", "abc");
  const fs::path folder = modelFolder("owner/tiny");
  const auto before = UsedFolders().all();
  rememberModel(folder);
  QCOMPARE(UsedFolders().all(), before);
}

EQUIPATCH_TEST(tst_model_folder)
#include "tst_model_folder.moc"
