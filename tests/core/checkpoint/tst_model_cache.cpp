#include "core/checkpoint/model_cache.h"

#include "core/base/error.h"
#include "tests/support/hub_cache.h"
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

class StopAtOnce final : public Progress {
 public:
  void report(double, std::string_view) override {}
  bool stopRequested() const override { return true; }
};

}  // namespace

class tst_model_cache : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void listsByOriginAndOnce();
  void severalSnapshotsAreToldApart();
  void aGivenFolderMayHoldModels();
  void readsThroughLinks();
  void oneBadModelHidesNoOther();
  void stopsWhenAsked();
};

void tst_model_cache::listsByOriginAndOnce() {
  const FakeHubCache cache;
  cache.snapshot("a--b", "c");
  const auto found = findModels({.bundled = goldenFolder("llama2_gqa"),
                                 .caches = {cache.root(), cache.root(), "/nowhere"},
                                 .used = {"/gone", goldenFolder("llama2_gqa")},
                                 .given = {goldenFolder("gemma3_text")}});
  QCOMPARE(namesOf(found),
           (std::vector<std::string>{"bundled", "a/b", "/gone",
                                     goldenFolder("gemma3_text").string()}));
  QVERIFY(found[0].origin == ModelOrigin::Bundled);
  QVERIFY(found[1].origin == ModelOrigin::HubCache);
  QVERIFY(found[2].origin == ModelOrigin::Used);
  QVERIFY(found[3].origin == ModelOrigin::Given);
  QVERIFY(findModels({}).empty());
}

void tst_model_cache::severalSnapshotsAreToldApart() {
  const FakeHubCache cache;
  cache.snapshot("a--b", "0123456789abcdef");
  cache.snapshot("a--b", "ffff");
  cache.ref("a--b", "main", "ffff");
  cache.snapshot("c", "1");
  QCOMPARE(namesOf(findModels({.caches = {cache.root()}})),
           (std::vector<std::string>{"a/b@main", "a/b@01234567", "c"}));
}

void tst_model_cache::aGivenFolderMayHoldModels() {
  const FakeHubCache cache;
  cache.snapshot("a--b", "c");
  QCOMPARE(namesOf(findModels({.given = {cache.root()}})),
           (std::vector<std::string>{"a/b"}));
  const auto below = namesOf(findModels({.given = {test::data("golden")}}));
  QVERIFY(below.size() >= 3);
  QVERIFY(std::find(below.begin(), below.end(), goldenFolder("gemma3_text").string()) !=
          below.end());
  QCOMPARE(namesOf(findModels({.given = {"/nowhere"}})),
           (std::vector<std::string>{"/nowhere"}));
}

void tst_model_cache::readsThroughLinks() {
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

void tst_model_cache::oneBadModelHidesNoOther() {
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

void tst_model_cache::stopsWhenAsked() {
  StopAtOnce stop;
  const ModelPlaces places{.given = {goldenFolder("llama2_gqa")}};
  QVERIFY_THROWS_EXCEPTION(Error, listModels(places, stop));
}

EQUIPATCH_TEST(tst_model_cache)
#include "tst_model_cache.moc"
