// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/checkpoint/model_folders.h"
#include "core/hub/hub_cache.h"
#include "core/hub/model_download.h"
#include "tests/support/hub_cache.h"
#include "tests/support/ordinary_rights.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

namespace fs = std::filesystem;

const std::string kFirst(40, 'a');
const std::string kSecond(40, 'b');

void write(const fs::path& path, std::size_t bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << std::string(bytes, 'x');
}

HubModel modelOf(const std::string& commit, const std::string& hash) {
  return {.name = {"owner/tiny", "main"},
          .commit = commit,
          .files = {{"config.json", 100, hash}}};
}

}  // namespace

class tst_hub_cache_repository : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void aPublishedModelIsFound();
  void aCompleteModelNeedsNoWritePermission();
  void aNewCommitBecomesTheMainRevision();
  void filesAreStoredInTheSnapshotWhereLinksFail();
  void deletionRemovesOnlyUnsharedBlobs();
  void snapshotsThatCannotBeReadKeepTheirBlobs();
  void linksOutOfTheRepositoryAreNotFollowed();
  void aRepositoryOnAnotherDiskIsOnlyUnlinked();
  void onlyModelsOfACacheAreDeleted();
  void aLockedFileCannotBeLockedAgain();
};

void tst_hub_cache_repository::aPublishedModelIsFound() {
  const test::FakeHubCache cache;
  const HubCacheRepository repository(cache.root(), "owner/tiny");
  const HubModel model = modelOf(kFirst, std::string(40, '1'));
  repository.makeFolders();
  QVERIFY(!repository.has(model.files[0]));
  write(repository.blob(model.files[0]), 99);
  QVERIFY2(!repository.has(model.files[0]), "a blob of another size counts as missing");
  write(repository.blob(model.files[0]), 100);
  QVERIFY(repository.has(model.files[0]));
  repository.publish(model);
  repository.publish(model);  // changes nothing
  const auto found = readHubCache(cache.root());
  QCOMPARE(found.size(), std::size_t(1));
  QCOMPARE(found[0].repository, std::string("owner/tiny"));
  QCOMPARE(found[0].revisions, std::vector<std::string>{"main"});
  QCOMPARE(found[0].folder, repository.snapshot(kFirst));
  QCOMPARE(repositoryOfSnapshot(found[0].folder), std::string("owner/tiny"));
}

/// Users of a shared cache may lack the right to write into it.
void tst_hub_cache_repository::aCompleteModelNeedsNoWritePermission() {
  const test::FakeHubCache cache;
  const HubModel model = modelOf(kFirst, std::string(40, '1'));
  const HubCacheRepository repository(cache.root(), "owner/tiny");
  write(repository.blob(model.files[0]), 100);
  repository.publish(model);
  std::vector<fs::path> folders{cache.root()};
  for (const auto& entry : fs::recursive_directory_iterator(cache.root()))
    if (entry.is_directory()) folders.push_back(entry.path());
  const auto reading = fs::perms::owner_read | fs::perms::owner_exec;
  for (const fs::path& folder : folders) fs::permissions(folder, reading);
  const HubSettings settings{.cache = cache.root()};
  SilentProgress silent;
  const fs::path got =
      test::withOrdinaryRights([&] { return downloadModel(settings, model, silent); });
  for (const fs::path& folder : folders) fs::permissions(folder, fs::perms::owner_all);
  QCOMPARE(got, repository.snapshot(kFirst));
}

void tst_hub_cache_repository::aNewCommitBecomesTheMainRevision() {
  const test::FakeHubCache cache;
  const HubCacheRepository repository(cache.root(), "owner/tiny");
  for (const std::string& commit : {kFirst, kSecond}) {
    const HubModel model = modelOf(commit, std::string(40, '1'));
    write(repository.blob(model.files[0]), 100);
    repository.publish(model);
  }
  const auto found = readHubCache(cache.root());
  QCOMPARE(found.size(), std::size_t(2));
  QCOMPARE(found[0].commit, kSecond);  // main comes first
  QCOMPARE(commitOfRef(cache.repository("owner--tiny") / "refs/main"), kSecond);
}

/// Links fail, because a folder that is not empty has the name of the temporary link.
void tst_hub_cache_repository::filesAreStoredInTheSnapshotWhereLinksFail() {
  const test::FakeHubCache cache;
  const HubCacheRepository repository(cache.root(), "owner/tiny");
  HubModel model = modelOf(kFirst, std::string(40, '1'));
  model.files.push_back({"added_tokens.json", 100, std::string(40, '1')});
  model.files.push_back({"model.safetensors", 500, std::string(64, '2')});
  for (const HubFile& file : model.files) {
    write(repository.blob(file), file.bytes);
    write(repository.snapshot(kFirst) /
              (file.name + ".equipatch-" + std::to_string(::getpid())) / "full",
          1);
  }
  repository.publish(model);
  for (const HubFile& file : model.files) {
    const fs::path place = repository.snapshot(kFirst) / file.name;
    QVERIFY(fs::is_regular_file(fs::symlink_status(place)));
    QCOMPARE(fs::file_size(place), file.bytes);
    QVERIFY(!fs::exists(repository.blob(file)));
    QVERIFY(repository.has(file, kFirst) && !repository.has(file, kSecond));
  }
  QCOMPARE(missingBytes(model, cache.root()), std::uint64_t{0});
  repository.publish(model);  // changes nothing
  QCOMPARE(fs::file_size(repository.snapshot(kFirst) / "config.json"),
           std::uintmax_t{100});
}

/// The two commits share a blob, and each also has a blob of its own.
void tst_hub_cache_repository::deletionRemovesOnlyUnsharedBlobs() {
  const test::FakeHubCache cache;
  const HubCacheRepository repository(cache.root(), "owner/tiny");
  const HubFile shared{"model.safetensors", 5000, std::string(64, '2')};
  std::vector<HubFile> own;
  for (const std::string& commit : {kFirst, kSecond}) {
    HubModel model = modelOf(commit, std::string(40, commit[0]));
    model.files.push_back(shared);
    own.push_back(model.files[0]);
    for (const HubFile& file : model.files) write(repository.blob(file), file.bytes);
    repository.publish(model);
  }
  write(repository.incomplete({"", 0, std::string(64, '3')}), 70);

  const auto second = SnapshotRemoval::plan(repository.snapshot(kSecond));
  QCOMPARE(second.bytes, std::uint64_t(100));
  second.execute();
  QVERIFY(!fs::exists(repository.snapshot(kSecond)) && !repository.has(own[1]));
  QVERIFY(repository.has(own[0]) && repository.has(shared));
  QCOMPARE(readHubCache(cache.root())[0].revisions, std::vector<std::string>());

  // A shell completes a folder's name with a slash.
  const auto first = SnapshotRemoval::plan(repository.snapshot(kFirst) / "");
  QCOMPARE(first.bytes, std::uint64_t(5000 + 100 + 70));
  first.execute();
  QVERIFY(readHubCache(cache.root()).empty());
  QVERIFY(!fs::exists(cache.repository("owner--tiny")));
}

void tst_hub_cache_repository::snapshotsThatCannotBeReadKeepTheirBlobs() {
  const test::FakeHubCache cache;
  const HubCacheRepository repository(cache.root(), "owner/tiny");
  const HubModel model = modelOf(kFirst, std::string(40, '1'));
  write(repository.blob(model.files[0]), 100);
  repository.publish(model);
  // A link to itself is unreadable even for root, who can read every folder.
  fs::create_symlink(kSecond, repository.snapshot(kSecond));
  SnapshotRemoval::plan(repository.snapshot(kFirst)).execute();
  QVERIFY(!fs::exists(repository.snapshot(kFirst)));
  QVERIFY(repository.has(model.files[0]));
}

void tst_hub_cache_repository::linksOutOfTheRepositoryAreNotFollowed() {
  const test::FakeHubCache cache;
  const HubCacheRepository repository(cache.root(), "owner/tiny");
  write(cache.root() / "mine", 10);
  for (const std::string& commit : {kFirst, kSecond}) {
    fs::create_directories(repository.snapshot(commit));
    fs::create_symlink("../../../mine", repository.snapshot(commit) / "config.json");
  }
  SnapshotRemoval::plan(repository.snapshot(kFirst)).execute();
  SnapshotRemoval::plan(repository.snapshot(kSecond)).execute();
  QVERIFY(!fs::exists(repository.snapshot(kFirst)));
  QVERIFY(!fs::exists(repository.snapshot(kSecond)));
  QVERIFY(fs::exists(cache.root() / "mine"));
}

/// The user moved the repository to another disk and left a link in the cache.
void tst_hub_cache_repository::aRepositoryOnAnotherDiskIsOnlyUnlinked() {
  const test::FakeHubCache cache, disk;
  const fs::path moved = disk.repository("owner--tiny");
  write(moved / "blobs" / "1", 1000);
  const fs::path linked = cache.repository("owner--tiny");
  write(disk.snapshot("owner--tiny", kFirst) / "config.json", 10);
  fs::create_directory_symlink(moved, linked);
  const SnapshotRemoval removal = SnapshotRemoval::plan(linked / "snapshots" / kFirst);
  QCOMPARE(removal.bytes, std::uint64_t(0));
  removal.execute();
  QVERIFY(!fs::exists(fs::symlink_status(linked)));
  QCOMPARE(fs::file_size(moved / "blobs" / "1"), std::uintmax_t(1000));
}

void tst_hub_cache_repository::onlyModelsOfACacheAreDeleted() {
  const test::FakeHubCache cache;
  write(cache.root() / "mine" / "config.json", 10);
  QVERIFY_ERROR(SnapshotRemoval::plan(cache.root() / "mine"),
                "expected a model in a Hugging Face cache");
}

void tst_hub_cache_repository::aLockedFileCannotBeLockedAgain() {
  const test::FakeHubCache cache;
  const HubCacheRepository repository(cache.root(), "owner/tiny");
  repository.makeFolders();
  const fs::path path = repository.lock({"", 0, "1"});
  FlockedFile other;
  {
    FlockedFile one;
    QVERIFY(one.tryLock(path));
    QVERIFY(!other.tryLock(path));
  }
  QVERIFY(other.tryLock(path));
}

EQUIPATCH_TEST(tst_hub_cache_repository)
#include "tst_hub_cache_repository.moc"
