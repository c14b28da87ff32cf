// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/model_folders.h"

#include "tests/support/changed_environment.h"
#include "tests/support/hub_cache.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::FakeHubCache;
namespace fs = std::filesystem;

class tst_hub_cache : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void readsNamesAndRevisions();
  void theMainRevisionComesFirst();
  void skipsEntriesThatAreNoModels();
  void circularAndBrokenLinksAreSkipped();
  void cacheFoldersFollowTheEnvironment_data();
  void cacheFoldersFollowTheEnvironment();
};

void tst_hub_cache::readsNamesAndRevisions() {
  const FakeHubCache cache;
  cache.snapshot("google--gemma-3-1b-it", "abc123");
  cache.ref("google--gemma-3-1b-it", "main", "abc123\n");
  cache.ref("google--gemma-3-1b-it", "refs/pr/7", "abc123");
  cache.snapshot("gpt2", "0f0f");
  cache.ref("gpt2", "users/me/fix/a/b", "0f0f");
  const auto found = readHubCache(cache.root());
  QCOMPARE(found.size(), std::size_t(2));
  QCOMPARE(found[0].repository, std::string("google/gemma-3-1b-it"));
  QCOMPARE(found[0].commit, std::string("abc123"));
  QCOMPARE(found[0].revisions, (std::vector<std::string>{"main", "refs/pr/7"}));
  QCOMPARE(found[0].folder,
           cache.root() / "models--google--gemma-3-1b-it/snapshots/abc123");
  QCOMPARE(found[1].repository, std::string("gpt2"));
  QCOMPARE(found[1].revisions, (std::vector<std::string>{"users/me/fix/a/b"}));
}

void tst_hub_cache::theMainRevisionComesFirst() {
  const FakeHubCache cache;
  for (const char* commit : {"a", "b", "c"}) cache.snapshot("o--n", commit);
  cache.ref("o--n", "main", "b");
  cache.ref("o--n", "v1", "a");
  const auto found = readHubCache(cache.root());
  QCOMPARE(found.size(), std::size_t(3));
  QCOMPARE(found[0].commit, std::string("b"));
  QCOMPARE(found[1].commit, std::string("a"));
}

void tst_hub_cache::skipsEntriesThatAreNoModels() {
  QVERIFY(readHubCache("/nowhere/at/all").empty());
  const FakeHubCache cache;
  fs::create_directories(cache.root() / "datasets--a--b/snapshots/c");
  fs::create_directories(cache.root() / ".locks");
  fs::create_directories(cache.root() / "models--no-snapshots");
  fs::create_directories(cache.root() / "models--bad\x1bname/snapshots/c");
  fs::create_directories(cache.root() / "models--not\xffutf8/snapshots/c");
  std::ofstream(cache.root() / "models--a-file") << "x";
  cache.snapshot("o--file-as-snapshot", "real");
  std::ofstream(cache.repository("o--file-as-snapshot") / "snapshots/file") << "x";
  cache.ref("o--file-as-snapshot", "long", std::string(100'000, 'a'));
  cache.ref("o--file-as-snapshot", "empty", "");
  fs::create_directories(cache.repository("o--file-as-snapshot") / "refs/folder");
  const auto found = readHubCache(cache.root());
  // Qt cannot remove a folder whose name is not valid UTF-8.
  fs::remove_all(cache.root() / "models--not\xffutf8");
  QCOMPARE(found.size(), std::size_t(1));
  QCOMPARE(found[0].commit, std::string("real"));
  QVERIFY(found[0].revisions.empty());
}

void tst_hub_cache::circularAndBrokenLinksAreSkipped() {
  const FakeHubCache cache;
  cache.snapshot("o--n", "c");
  cache.ref("o--n", "main", "c");
  fs::create_directory_symlink("..", cache.repository("o--n") / "refs/up");
  fs::create_directory_symlink("self", cache.repository("o--n") / "snapshots/self");
  fs::create_directory_symlink("gone", cache.root() / "models--o--gone");
  const auto found = readHubCache(cache.root());
  QCOMPARE(found.size(), std::size_t(1));
  QCOMPARE(found[0].revisions, (std::vector<std::string>{"main"}));
}

void tst_hub_cache::cacheFoldersFollowTheEnvironment_data() {
  QTest::addColumn<QByteArrayList>("set");
  QTest::addColumn<QStringList>("folders");
  const QStringList standard{"/home/me/.cache/huggingface/hub"};
  QTest::newRow("default") << QByteArrayList{} << standard;
  QTest::newRow("xdg") << QByteArrayList{"XDG_CACHE_HOME=/c"}
                       << QStringList{"/c/huggingface/hub"};
  QTest::newRow("home") << QByteArrayList{"HF_HOME=/hf", "XDG_CACHE_HOME=/c"}
                        << QStringList{"/hf/hub"};
  QTest::newRow("cache") << QByteArrayList{"HF_HUB_CACHE=/hub", "HF_HOME=/hf"}
                         << QStringList{"/hub"};
  QTest::newRow("old name") << QByteArrayList{"HUGGINGFACE_HUB_CACHE=/old"}
                            << QStringList{"/old"};
  QTest::newRow("tilde") << QByteArrayList{"HF_HOME=~/hf"}
                         << QStringList{"/home/me/hf/hub"};
  QTest::newRow("empty") << QByteArrayList{"HF_HOME="} << standard;
  QTest::newRow("transformers")
      << QByteArrayList{"TRANSFORMERS_CACHE=/t"} << standard + QStringList{"/t"};
  QTest::newRow("twice") << QByteArrayList{"HF_HUB_CACHE=/t", "TRANSFORMERS_CACHE=/t"}
                         << QStringList{"/t"};
}

void tst_hub_cache::cacheFoldersFollowTheEnvironment() {
  QFETCH(QByteArrayList, set);
  QFETCH(QStringList, folders);
  test::ChangedEnvironment environment("HOME", "/home/me");
  for (const char* name : {"HF_HOME", "XDG_CACHE_HOME"}) environment.unset(name);
  for (const QByteArray& one : set)
    environment.set(one.left(one.indexOf('=')), one.mid(one.indexOf('=') + 1));
  QStringList found;
  for (const fs::path& folder : hubCacheFolders())
    found += QString::fromStdString(folder.string());
  QCOMPARE(found, folders);
}

EQUIPATCH_TEST(tst_hub_cache)
#include "tst_hub_cache.moc"
