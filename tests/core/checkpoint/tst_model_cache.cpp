// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/model_cache.h"

#include <sys/stat.h>
#include <QScopeGuard>
#include <QTemporaryDir>

#include "core/base/error.h"
#include "core/checkpoint/model_folders.h"
#include "tests/support/changed_environment.h"
#include "tests/support/current_folder.h"
#include "tests/support/hub_cache.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using equipatch::test::FakeHubCache;

namespace fs = std::filesystem;

namespace {

std::vector<std::string> namesOf(const std::vector<ModelPlace>& places) {
  std::vector<std::string> names;
  for (const ModelPlace& place : places) names.push_back(place.name);
  return names;
}

fs::path goldenFolder(const char* name) {
  return test::data(fs::path("golden") / name);
}

}  // namespace

class tst_model_cache : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void modelsAreListedOnceByOrigin();
  void severalSnapshotsAreDistinguished();
  void aGivenFolderMayHoldModels();
  void otherProgramsModelsAreFound();
  void ggufFilesAreListedWithSizeAndProblem();
  void anExistingGgufFileIsResolvedAsAPath();
  void modelsOfLinkedFilesAreListed();
  void aDamagedModelDoesNotHideOtherModels();
  void listingModelsStopsOnRequest();
  void initTestCase();
  void modelNamesAreResolvedToFolders_data();
  void modelNamesAreResolvedToFolders();
  void foldersUsedBeforeAreFoundByName();
  void pathsAreResolvedToThemselves();
  void suggestsSimilarNames_data();
  void suggestsSimilarNames();
  void reportsAmbiguousNames();
  void errorsNameEachModelOnce();
  void modelsAreNamedByRepositoryOrFolder();
  void modelNamesOmitThePathOfAFolder();

 private:
  FakeHubCache m_cache;
  ModelPlaces m_places;
};

void tst_model_cache::modelsAreListedOnceByOrigin() {
  const FakeHubCache cache;
  cache.snapshot("a--b", "c");
  const auto found = findModels({.bundled = goldenFolder("llama2_gqa"),
                                 .bundledVision = test::data("images/gemma3_mm"),
                                 .caches = {cache.root(), cache.root(), "/nowhere"},
                                 .used = {"/gone", goldenFolder("llama2_gqa")},
                                 .given = {goldenFolder("gemma3_text")}});
  QCOMPARE(namesOf(found),
           (std::vector<std::string>{"bundled", "bundled-vision", "a/b", "/gone",
                                     goldenFolder("gemma3_text").string()}));
  QVERIFY(found[0].origin == ModelOrigin::Bundled);
  QVERIFY(found[1].origin == ModelOrigin::Bundled);
  QVERIFY(found[2].origin == ModelOrigin::HubCache);
  QVERIFY(found[3].origin == ModelOrigin::Used);
  QVERIFY(found[4].origin == ModelOrigin::Given);
  QVERIFY(findModels({}).empty());
  // The path of a folder may be written in several ways.
  const fs::path golden = goldenFolder("gemma3_text");
  QCOMPARE(
      namesOf(findModels({.used = {golden},
                          .given = {golden / "", golden / "../gemma3_text",
                                    golden.lexically_relative(fs::current_path())}})),
      (std::vector<std::string>{golden.string()}));
}

void tst_model_cache::severalSnapshotsAreDistinguished() {
  const FakeHubCache cache;
  cache.snapshot("a--b", "0123456789abcdef");
  cache.snapshot("a--b", "ffff");
  cache.ref("a--b", "main", "ffff");
  cache.snapshot("c", "1");
  QCOMPARE(namesOf(findModels({.caches = {cache.root()}})),
           (std::vector<std::string>{"a/b@main", "a/b@01234567", "c"}));
}

void tst_model_cache::aGivenFolderMayHoldModels() {
  // `--model` does not search a given cache, so its models are listed by their paths.
  const FakeHubCache cache;
  const fs::path snapshot = cache.snapshot("a--b", "c");
  const auto inCache = findModels({.used = {"/gone"}, .given = {cache.root()}});
  QCOMPARE(namesOf(inCache), (std::vector<std::string>{"/gone", snapshot.string()}));
  QVERIFY(inCache[1].origin == ModelOrigin::Given);
  QCOMPARE(resolveModel(inCache[1].name, {}), snapshot);
  const auto below = namesOf(findModels({.given = {test::data("golden")}}));
  QVERIFY(below.size() >= 3);
  QVERIFY(std::find(below.begin(), below.end(), goldenFolder("gemma3_text").string()) !=
          below.end());
  QCOMPARE(namesOf(findModels({.given = {"/nowhere"}})),
           (std::vector<std::string>{"/nowhere"}));
}

void tst_model_cache::otherProgramsModelsAreFound() {
  const QTemporaryDir folder;
  const fs::path home = folder.path().toStdString();
  const test::ChangedEnvironment environment("HOME", folder.path().toUtf8());
  QVERIFY(otherProgramsFolders().empty());
  const fs::path studio = home / ".lmstudio/models",
                 webui = home / "text-generation-webui";
  const auto add = [](const fs::path& model) {
    fs::create_directories(model.parent_path());
    fs::copy(goldenFolder("llama2_gqa"), model);
    return model.string();
  };
  const std::vector<std::string> expected{add(studio / "publisher/model"),
                                          add(webui / "user_data/models/owner_model"),
                                          add(webui / "models/old")};
  QCOMPARE(otherProgramsFolders(),
           (std::vector<fs::path>{studio, webui / "user_data/models", webui / "models"}));
  QCOMPARE(namesOf(findModels({.others = otherProgramsFolders()})), expected);
  QVERIFY(findModels({.others = {studio}})[0].origin == ModelOrigin::OtherProgram);
  QCOMPARE(resolveModel("owner_model", {.others = otherProgramsFolders()}).string(),
           expected[1]);

  fs::rename(home / ".lmstudio", home / "elsewhere");
  std::ofstream(home / ".lmstudio-home-pointer") << (home / "elsewhere").string();
  QCOMPARE(otherProgramsFolders().front(), home / "elsewhere/models");
  fs::remove(home / ".lmstudio-home-pointer");
  QCOMPARE(::mkfifo((home / ".lmstudio-home-pointer").c_str(), 0600), 0);
  QCOMPARE(otherProgramsFolders().front(),
           webui / "user_data/models");  // does not wait for the pipe
}

void tst_model_cache::ggufFilesAreListedWithSizeAndProblem() {
  const QTemporaryDir folder;
  const fs::path models = folder.path().toStdString();
  const fs::path file = models / "publisher/model-GGUF/model-Q4_K_M.gguf";
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "GGUF" << std::string(996, 'x');
  fs::create_symlink("nowhere", models / "publisher/broken.gguf");
  SilentProgress silent;
  for (const ModelPlaces& places :
       {ModelPlaces{.others = {models}}, ModelPlaces{.given = {file.parent_path()}}}) {
    const auto found = listModels(places, silent);
    QCOMPARE(found.size(), std::size_t(1));
    const ModelEntry& entry = found[0].entry;
    QCOMPARE(entry.folder, file);
    QCOMPARE(entry.bytes, std::uintmax_t(1000));
    QVERIFY(!entry.loadable());
    QVERIFY(!entry.supported);
    QVERIFY2(entry.problem.find("GGUF files are not read yet") != std::string::npos,
             entry.problem.c_str());
  }
}

void tst_model_cache::anExistingGgufFileIsResolvedAsAPath() {
  const QTemporaryDir folder;
  const test::CurrentFolder current(folder.path());
  fs::create_directory("models");
  std::ofstream("models/tiny.gguf") << "GGUF";
  QCOMPARE(resolveModel("models/tiny.gguf", {}), fs::path("models/tiny.gguf"));
}

void tst_model_cache::modelsOfLinkedFilesAreListed() {
  const FakeHubCache cache;
  cache.link(goldenFolder("gemma3_text"), "owner--tiny", "abc");
  SilentProgress silent;
  const auto models = listModels({.caches = {cache.root()}}, silent);
  QCOMPARE(models.size(), std::size_t(1));
  QCOMPARE(models[0].entry.name, std::string("owner/tiny"));
  QVERIFY2(models[0].entry.loadable(), models[0].entry.problem.c_str());
  QVERIFY(models[0].entry.bytes >
          fs::file_size(goldenFolder("gemma3_text") / "config.json"));
}

void tst_model_cache::aDamagedModelDoesNotHideOtherModels() {
  const FakeHubCache cache;
  cache.link(goldenFolder("llama2_gqa"), "a--good", "1");
  std::ofstream(cache.snapshot("b--bad", "1") / "config.json") << "{";
  fs::create_symlink("config.json", cache.snapshot("c--loop", "1") / "config.json");
  cache.link(goldenFolder("llama3_tied"), "d--good", "1");
  SilentProgress silent;
  const auto models = listModels({.caches = {cache.root()}}, silent);
  QCOMPARE(models.size(), std::size_t(4));
  QVERIFY(models[0].entry.loadable());
  QVERIFY(!models[1].entry.loadable());
  QVERIFY(!models[2].entry.loadable());
  QVERIFY(models[3].entry.loadable());
}

void tst_model_cache::listingModelsStopsOnRequest() {
  test::StoppedProgress stop;
  const ModelPlaces places{.given = {goldenFolder("llama2_gqa")}};
  QVERIFY_THROWS_EXCEPTION(Error, listModels(places, stop));
}

void tst_model_cache::initTestCase() {
  m_cache.snapshot("google--gemma-3-1b-it", "aaaa");
  m_cache.snapshot("google--gemma-3-1b-it", "bbbb");
  m_cache.ref("google--gemma-3-1b-it", "main", "bbbb");
  m_cache.snapshot("meta--Llama-3.2-1B", "cccc");
  m_cache.snapshot("gpt2", "dddd");
  m_cache.snapshot("one--same", "e");
  m_cache.snapshot("two--same", "f");
  m_places = {.bundled = test::data("golden/llama2_gqa"),
              .bundledVision = test::data("images/gemma3_mm"),
              .caches = {m_cache.root()},
              .used = {test::data("golden/gemma3_text")}};
}

void tst_model_cache::modelNamesAreResolvedToFolders_data() {
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
  QTest::newRow("bundled, vision") << "bundled-vision"
                                   << "images/gemma3_mm";
  QTest::newRow("used before") << "gemma3_text"
                               << "gemma3_text";
}

void tst_model_cache::modelNamesAreResolvedToFolders() {
  QFETCH(QString, word);
  QFETCH(QString, end);
  const fs::path folder = resolveModel(word.toStdString(), m_places);
  QVERIFY2(QString::fromStdString(folder.string()).endsWith(end), folder.c_str());
  QVERIFY(fs::is_directory(folder));
}

void tst_model_cache::foldersUsedBeforeAreFoundByName() {
  const ModelPlaces places{.used = {"/gone/tiny"}};
  QCOMPARE(resolveModel("tiny", places), fs::path("/gone/tiny"));
}

void tst_model_cache::pathsAreResolvedToThemselves() {
  for (const char* word : {"/nowhere/model", "./model", "../x", "."})
    QCOMPARE(resolveModel(word, m_places), fs::path(word));
  const fs::path existing = test::data("golden/llama3_tied");
  QCOMPARE(resolveModel(existing.string(), m_places), existing);
}

void tst_model_cache::suggestsSimilarNames_data() {
  QTest::addColumn<QString>("word");
  QTest::addColumn<QString>("near");
  QTest::newRow("typing error") << "gtp2"
                                << "gpt2";
  QTest::newRow("case") << "llama-3.2-1b"
                        << "meta/Llama-3.2-1B";
  QTest::newRow("part") << "gemma-3"
                        << "google/gemma-3-1b-it@main";
  QTest::newRow("other owner") << "facebook/Llama-3.2-1B"
                               << "names like it are meta/Llama-3.2-1B;";
  QTest::newRow("nothing like it") << "zzzzzzzzzzz"
                                   << "\"equipatch-cli models\"";
  QTest::newRow("unknown revision") << "gpt2@v9"
                                    << "names like it are gpt2;";
}

void tst_model_cache::suggestsSimilarNames() {
  QFETCH(QString, word);
  QFETCH(QString, near);
  QVERIFY_ERROR(resolveModel(word.toStdString(), m_places), word, near);
}

void tst_model_cache::reportsAmbiguousNames() {
  QVERIFY_ERROR(resolveModel("same", m_places), "one/same", "two/same");
  QVERIFY(resolveModel("one/same", m_places).filename() == "e");
  // A folder used before does not silently take precedence over a model in the cache or
  // another folder.
  ModelPlaces places = m_places;
  places.used = {"/models/Llama-3.2-1B"};
  QVERIFY_ERROR(resolveModel("Llama-3.2-1B", places), "meta/Llama-3.2-1B",
                "/models/Llama-3.2-1B");
  places.used = {"/a/tiny", "/b/tiny"};
  QVERIFY_ERROR(resolveModel("tiny", places), "/a/tiny", "/b/tiny");
}

void tst_model_cache::errorsNameEachModelOnce() {
  const FakeHubCache second;
  second.snapshot("one--same", "e");
  const ModelPlaces places{.caches = {m_cache.root(), second.root()},
                           .used = {"/a/tiny", "/b/tiny"}};
  QVERIFY_ERROR(resolveModel("same", places), "any of one/same, two/same; give");
  QVERIFY_ERROR(resolveModel("tyny", places), "names like it are tiny;");
}

void tst_model_cache::modelsAreNamedByRepositoryOrFolder() {
  QCOMPARE(modelName("/c/models--google--gemma/snapshots/abc"),
           std::string("google/gemma"));
  QCOMPARE(modelName("/c/models--google--gemma/snapshots/abc/"),
           std::string("google/gemma"));
  QCOMPARE(modelName("/c/other/snapshots/abc"), std::string("abc"));
  QCOMPARE(modelName("/models/tiny/"), std::string("tiny"));
}

void tst_model_cache::modelNamesOmitThePathOfAFolder() {
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

EQUIPATCH_TEST(tst_model_cache)
#include "tst_model_cache.moc"
