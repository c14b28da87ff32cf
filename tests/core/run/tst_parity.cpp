// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/parity.h"

#include <QTemporaryDir>
#include <fstream>
#include <limits>
#include <sstream>

#include "core/base/error.h"
#include "core/base/program_files.h"
#include "core/checkpoint/checkpoint.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
namespace fs = std::filesystem;

namespace {

const ParityCache kNoCache{{}};

const std::string kLlama = "LlamaForCausalLM";

void write(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// A cache, a golden folder and a libtorch that a test may change.
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

class tst_parity : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aResultPassesOnlyIfAllMeasuresDo();
  void checksAnArchitectureOnce();
  void aMissingReferenceIsReported();
  void theBundledModelsHaveReferences();
  void aDamagedReferenceIsReported();
  void badgesHaveTexts_data();
  void badgesHaveTexts();
  void cachedResultsAreFoundByArchitecture();
  void theCacheMayHoldMegabytes();
  void cachedResultsExpireWithLibtorch();
  void cachedResultsExpireWithTheReference();
  void aDamagedFileIsAnEmptyCache();
  void parityBooksWithOneCacheCheckOnce();
};

void tst_parity::aResultPassesOnlyIfAllMeasuresDo() {
  GoldenResult golden{.logits = 1e-6, .hidden = 1e-5, .modules = 1e-7, .greedy = true};
  QCOMPARE(golden.largest(), 1e-5);
  QVERIFY(golden.equal());
  golden.greedy = false;
  QVERIFY(!golden.equal());
  golden.greedy.reset();  // the reference has no greedy tokens
  QVERIFY(golden.equal());
  golden.greedy = true;
  golden.hidden = std::numeric_limits<double>::infinity();
  QVERIFY(!golden.equal());

  PatchResult patch{.steps = 4, .matches = 4, .linf = 1e-5, .bareLinf = 10.0};
  QVERIFY(patch.passes());
  patch.dtype = DType::F64;
  QVERIFY(!patch.passes());
  patch.dtype = DType::F32;
  patch.matches = 3;
  QVERIFY(!patch.passes());
  QVERIFY(!PatchResult{}.passes());
  patch.dtype = DType::BF16;
  QVERIFY(!patch.passes());  // no floor was measured
  patch.floor = 2e-5;
  QCOMPARE(patch.floorShare(), 0.5);
  QVERIFY(patch.passes());  // the token that differs is a near tie
  patch.linf = 3e-5;
  QVERIFY(!patch.passes());
}

void tst_parity::checksAnArchitectureOnce() {
  QTemporaryDir copy;
  const fs::path folder = fs::path(copy.path().toStdString()) / "tiny";
  fs::copy(test::data("golden/llama2_gqa"), folder);
  ParityBook book({folder}, kNoCache);
  SilentProgress silent;
  QVERIFY(book.known("LlamaForCausalLM").state == ParityState::Unknown);
  const ParityBadge badge = book.badge("LlamaForCausalLM", silent);
  QVERIFY2(badge.state == ParityState::Equal, badge.problem.c_str());
  QVERIFY(badge.largest > 0.0);
  QVERIFY(badge.largest < kGoldenTolerance);
  fs::remove_all(folder);  // the result is kept
  QCOMPARE(book.badge("LlamaForCausalLM", silent).largest, badge.largest);
  QVERIFY(book.known("LlamaForCausalLM").state == ParityState::Equal);
}

void tst_parity::aMissingReferenceIsReported() {
  ParityBook book({test::data("golden/llama2_gqa")}, kNoCache);
  SilentProgress silent;
  QVERIFY(book.badge("T5Model", silent).state == ParityState::NoReference);
  QVERIFY(ParityBook({}, kNoCache).badge("LlamaForCausalLM", silent).state ==
          ParityState::NoReference);
}

void tst_parity::theBundledModelsHaveReferences() {
  ParityBook book(goldenFolders(), kNoCache);
  SilentProgress silent;
  for (const Resource resource : {Resource::BundledModel, Resource::BundledVisionModel}) {
    const auto folder = findResource(resource);
    QVERIFY(folder);
    const std::string architecture = Checkpoint::open(*folder).spec().architecture;
    const ParityBadge badge = book.badge(architecture, silent);
    QVERIFY2(badge.state == ParityState::Equal, (architecture + badge.text).c_str());
  }
}

void tst_parity::aDamagedReferenceIsReported() {
  QTemporaryDir copy;
  const fs::path folder = fs::path(copy.path().toStdString()) / "tiny";
  fs::create_directories(folder);
  for (const char* file : {"config.json", "model.safetensors"})
    fs::copy_file(test::data(fs::path("golden/llama2_gqa") / file), folder / file);
  std::ofstream(folder / "golden.safetensors") << "nothing";
  ParityBook book({folder}, kNoCache);
  SilentProgress silent;
  const ParityBadge badge = book.badge("LlamaForCausalLM", silent);
  QVERIFY(badge.state == ParityState::Different);
  QVERIFY(badge.problem.find("golden.safetensors") != std::string::npos);
}

void tst_parity::badgesHaveTexts_data() {
  QTest::addColumn<int>("state");
  QTest::addColumn<double>("largest");
  QTest::addColumn<QString>("text");
  const auto row = [](const char* name, ParityState state, double largest,
                      const char* text) {
    QTest::newRow(name) << int(state) << largest << QString::fromUtf8(text);
  };
  row("unknown", ParityState::Unknown, 0.0, "not checked yet");
  row("none", ParityState::NoReference, 0.0, "no reference");
  row("equal", ParityState::Equal, 2e-6,
      "✓ architecture equals Hugging Face's within 2e-06");
  row("rounded up", ParityState::Equal, 2.1e-6,
      "✓ architecture equals Hugging Face's within 3e-06");
  row("into the next", ParityState::Equal, 9.5e-6,
      "✓ architecture equals Hugging Face's within 1e-05");
  row("different", ParityState::Different, 0.25, "✗ differs from Hugging Face by 3e-01");
  row("greedy", ParityState::Different, 1e-6, "✗ other greedy tokens than Hugging Face");
}

void tst_parity::badgesHaveTexts() {
  QFETCH(int, state);
  QFETCH(double, largest);
  QFETCH(QString, text);
  QCOMPARE(QString::fromStdString(badgeText({ParityState(state), largest, {}, {}})),
           text);
}

void tst_parity::cachedResultsAreFoundByArchitecture() {
  const CacheFixture given;
  QVERIFY(!given.cache.find(kLlama, given.golden));
  given.keep();
  QCOMPARE(given.cache.find(kLlama, given.golden), std::optional(2.5e-6));
  QVERIFY(!given.cache.find("PhiForCausalLM", given.golden));
  QVERIFY(!ParityCache({}).find(kLlama, given.golden));
}

/// The cache may hold the results of many architectures, each with the paths of dozens of
/// files.
void tst_parity::theCacheMayHoldMegabytes() {
  const CacheFixture given;
  given.keep();
  std::stringstream text;
  text << std::ifstream(given.file).rdbuf();
  write(given.file, R"({"Large": ")" + std::string(3 << 20, 'x') + "\"," +
                        text.str().substr(text.str().find('{') + 1));
  QCOMPARE(given.cache.find(kLlama, given.golden), std::optional(2.5e-6));
}

void tst_parity::cachedResultsExpireWithLibtorch() {
  const CacheFixture given;
  given.keep();
  write(given.torch, "a newer torch");
  QVERIFY(!given.cache.find(kLlama, given.golden));
  given.keep();
  QVERIFY(given.cache.find(kLlama, given.golden));
  std::filesystem::remove(given.torch);
  QVERIFY(!given.cache.find(kLlama, given.golden));
}

void tst_parity::cachedResultsExpireWithTheReference() {
  const CacheFixture given;
  given.keep();
  write(given.golden.front() / "more.json", "{}");
  QVERIFY(!given.cache.find(kLlama, given.golden));
  given.keep();
  write(given.golden.front() / "config.json", "{ }");
  QVERIFY(!given.cache.find(kLlama, given.golden));
}

void tst_parity::aDamagedFileIsAnEmptyCache() {
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

/// The test writes a number into the cache that no check computed. The second book
/// returns this number, so it did not check the architecture again.
void tst_parity::parityBooksWithOneCacheCheckOnce() {
  const CacheFixture given;
  const ParityCache::Folders golden{test::data("golden/llama2_gqa")};
  SilentProgress silent;
  const ParityBadge first = ParityBook(golden, given.cache).badge(kLlama, silent);
  QVERIFY(first.state == ParityState::Equal);
  QCOMPARE(given.cache.find(kLlama, golden), std::optional(first.largest));
  given.cache.keep(kLlama, golden, 5e-5, given.torch);
  QCOMPARE(ParityBook(golden, given.cache).badge(kLlama, silent).largest, 5e-5);
}

EQUIPATCH_TEST(tst_parity)
#include "tst_parity.moc"
