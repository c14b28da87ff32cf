// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/program_files.h"

#include <dlfcn.h>

#include <QTemporaryDir>

#include "core/base/error.h"
#include "tests/support/changed_environment.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace fs = std::filesystem;

class tst_program_files : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  /// The classes that run later in this process need the folders set by main.
  void cleanup() { m_environment.restore(); }
  void installedResourcesAreFound();
  void aBuildTreeReadsTheSourceTree();
  void theEnvironmentSetsTheResourceFolder();
  void theDataFolderFollowsXdg();
  void theCacheFolderFollowsXdg();

  void homeAndTildeComeFromTheEnvironment();
  void ownLibraryFolderHoldsTheBaseLibrary();
  void loadErrorsNameTheLibrary();

 protected:
  void prepare() override { m_environment.unset("EQUIPATCH_RESOURCES"); }

 private:
  test::ChangedEnvironment m_environment;
};

void tst_program_files::installedResourcesAreFound() {
  QTemporaryDir folder;
  const fs::path prefix = folder.path().toStdString();
  fs::create_directories(prefix / "share/equipatch/golden");
  QCOMPARE(findResource(Resource::GoldenCheckpoints, prefix / "bin").value(),
           prefix / "share/equipatch/golden");
  fs::create_directories(prefix / "share/equipatch/golden-images");
  QCOMPARE(findResource(Resource::ImageGoldens, prefix / "bin").value(),
           prefix / "share/equipatch/golden-images");
}

void tst_program_files::aBuildTreeReadsTheSourceTree() {
  QTemporaryDir folder;
  const auto found =
      findResource(Resource::GoldenCheckpoints, folder.path().toStdString());
  QVERIFY(found);
  QVERIFY(fs::equivalent(*found, equipatch::test::data("golden")));
  QVERIFY(findResource(Resource::GoldenCheckpoints));
}

void tst_program_files::theEnvironmentSetsTheResourceFolder() {
  QTemporaryDir folder;
  const fs::path chosen = folder.path().toStdString();
  const fs::path prefix = chosen / "prefix";
  fs::create_directories(prefix / "share/equipatch/golden");
  m_environment.set("EQUIPATCH_RESOURCES", folder.path().toUtf8());
  QVERIFY(!findResource(Resource::GoldenCheckpoints, prefix / "bin"));
  fs::create_directories(chosen / "golden");
  QCOMPARE(findResource(Resource::GoldenCheckpoints, prefix / "bin").value(),
           chosen / "golden");
}

void tst_program_files::theDataFolderFollowsXdg() {
  m_environment.set("HOME", "/home/me");
  m_environment.unset("XDG_DATA_HOME");
  QCOMPARE(userDataFolder(), fs::path("/home/me/.local/share"));
  m_environment.set("XDG_DATA_HOME", "relative");
  QCOMPARE(userDataFolder(), fs::path("/home/me/.local/share"));
  m_environment.set("XDG_DATA_HOME", "/data");
  QCOMPARE(userDataFolder(), fs::path("/data"));
  m_environment.unset("XDG_DATA_HOME");
  m_environment.unset("HOME");
  QVERIFY(userDataFolder().empty());
}

void tst_program_files::theCacheFolderFollowsXdg() {
  m_environment.set("HOME", "/home/me");
  m_environment.unset("XDG_CACHE_HOME");
  QCOMPARE(userCacheFolder(), fs::path("/home/me/.cache"));
  m_environment.set("XDG_CACHE_HOME", "relative");
  QCOMPARE(userCacheFolder(), fs::path("/home/me/.cache"));
  m_environment.set("XDG_CACHE_HOME", "/cache");
  QCOMPARE(userCacheFolder(), fs::path("/cache"));
  m_environment.unset("XDG_CACHE_HOME");
  m_environment.unset("HOME");
  QVERIFY(userCacheFolder().empty());
}

void tst_program_files::homeAndTildeComeFromTheEnvironment() {
  m_environment.set("HOME", "/home/me");
  QCOMPARE(homeFolder(), fs::path("/home/me"));
  QCOMPARE(folderFromEnvironment("HOME"), homeFolder());
  QCOMPARE(expandedHome("~"), fs::path("/home/me"));
  QCOMPARE(expandedHome("~/a/b"), fs::path("/home/me/a/b"));
  for (const char* other : {"", "a/~", "~other/a", "/a"})
    QCOMPARE(expandedHome(other), fs::path(other));
  m_environment.unset("HOME");
  QVERIFY(homeFolder().empty());
}

void tst_program_files::ownLibraryFolderHoldsTheBaseLibrary() {
  QVERIFY(std::filesystem::exists(ownLibraryFolder() / "libequipatch_base.so"));
}

void tst_program_files::loadErrorsNameTheLibrary() {
  QVERIFY_ERROR(ownLibraryFunction("libequipatch_none.so", "nothing", RTLD_LAZY),
                "libequipatch_none.so", "cannot be loaded", "install Equipatch again");
  QVERIFY_ERROR(ownLibraryFunction("libequipatch_base.so", "nothing", RTLD_LAZY),
                "libequipatch_base.so", "undefined symbol: nothing");
}

EQUIPATCH_TEST(tst_program_files)
#include "tst_program_files.moc"
