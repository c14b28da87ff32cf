#include "core/run/parity_cache.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/run/parity_book.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

const std::string kLlama = "LlamaForCausalLM";

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// A cache, a golden folder and a libtorch, all of which may change.
struct CacheFixture {
  QTemporaryDir place;
  std::filesystem::path folder = place.path().toStdString();
  std::filesystem::path file = folder / "cache" / "parity.json";
  std::filesystem::path torch = folder / "my programs" / "libtorch.so";
  ParityCache::Folders golden{folder / "golden"};
  ParityCache cache{file};

  CacheFixture() {
    std::filesystem::create_directory(golden.front());
    std::filesystem::create_directory(torch.parent_path());
    write(golden.front() / "config.json", "{}");
    write(torch, "torch");
  }
  void keep() const { cache.keep(kLlama, golden, 2.5e-6, torch); }
};

}  // namespace

class tst_parity_cache : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void findsWhatWasKept();
  void anotherLibtorchIsCheckedAnew();
  void anotherReferenceIsCheckedAnew();
  void aDamagedFileIsAnEmptyCache();
  void aBookChecksOnceInTwoPrograms();
};

void tst_parity_cache::findsWhatWasKept() {
  const CacheFixture given;
  QVERIFY(!given.cache.find(kLlama, given.golden));
  given.keep();
  QCOMPARE(given.cache.find(kLlama, given.golden), std::optional(2.5e-6));
  QVERIFY(!given.cache.find("PhiForCausalLM", given.golden));
  QVERIFY(!ParityCache({}).find(kLlama, given.golden));
}

void tst_parity_cache::anotherLibtorchIsCheckedAnew() {
  const CacheFixture given;
  given.keep();
  write(given.torch, "a newer torch");
  QVERIFY(!given.cache.find(kLlama, given.golden));
  given.keep();
  QVERIFY(given.cache.find(kLlama, given.golden));
  std::filesystem::remove(given.torch);
  QVERIFY(!given.cache.find(kLlama, given.golden));
}

void tst_parity_cache::anotherReferenceIsCheckedAnew() {
  const CacheFixture given;
  given.keep();
  write(given.golden.front() / "more.json", "{}");
  QVERIFY(!given.cache.find(kLlama, given.golden));
  given.keep();
  write(given.golden.front() / "config.json", "{ }");
  QVERIFY(!given.cache.find(kLlama, given.golden));
}

void tst_parity_cache::aDamagedFileIsAnEmptyCache() {
  const CacheFixture given;
  for (const char* text :
       {"", "[", "[]", "7", R"({"LlamaForCausalLM": 3})",
        R"({"LlamaForCausalLM": {"largest": "x", "torch": 1, "depends": {}}})"}) {
    given.keep();
    write(given.file, text);
    QVERIFY(!given.cache.find(kLlama, given.golden));
    given.keep();
    QVERIFY(given.cache.find(kLlama, given.golden));
  }
}

/// The second book finds the first one's result although its reference would fail now.
void tst_parity_cache::aBookChecksOnceInTwoPrograms() {
  const CacheFixture given;
  const ParityCache::Folders golden{test::data("golden/llama2_gqa")};
  SilentProgress silent;
  const ParityBadge first = ParityBook(golden, given.cache).badge(kLlama, silent);
  QVERIFY(first.state == ParityState::Equal);
  QCOMPARE(given.cache.find(kLlama, golden), std::optional(first.largest));
  given.cache.keep(kLlama, golden, 5e-5, given.torch);
  QCOMPARE(ParityBook(golden, given.cache).badge(kLlama, silent).largest, 5e-5);
}

EQUIPATCH_TEST(tst_parity_cache)
#include "tst_parity_cache.moc"
