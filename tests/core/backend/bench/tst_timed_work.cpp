// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/bench/timed_work.h"

#include <set>

#include "core/backend/torch_backend.h"
#include "core/base/error.h"
#include "core/base/file_map.h"
#include "core/base/temporary_folder.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/step_size.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/disk_for_tests.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
namespace fs = std::filesystem;

class tst_timed_work : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void randomTokensSpanTheVocabularyAndRepeat();
  void plainDecoderGeneratesTheComparisonsTokens();
  void aRepeatedStepGivesTheSameLogits();
  void promptPrefillCanBeRepeated();
  void stepWeightsEqualACountByHand();
  void stepWeightsCountOnlyActiveExperts();
  void packedExpertsAreCountedWithTheirScales();
  void coldStartCopiesTheModel_data();
  void coldStartCopiesTheModel();
  void firstStepLeavesNoCopyInThePageCache();
  void coolingDropsPagesThatTheSessionMaps();

 private:
  /// The folder of the only copy in `place`.
  static fs::path copyIn(const fs::path& place) {
    return fs::directory_iterator(place)->path();
  }
};

void tst_timed_work::randomTokensSpanTheVocabularyAndRepeat() {
  const auto tokens = randomTokens(200, 7);
  QCOMPARE(tokens.size(), std::size_t{200});
  std::set<std::int64_t> seen;
  for (const TokenId token : tokens) seen.insert(token.value);
  QCOMPARE(*seen.begin(), 0);
  QCOMPARE(*seen.rbegin(), 6);
  QVERIFY(randomTokens(200, 7) == tokens);
}

void tst_timed_work::plainDecoderGeneratesTheComparisonsTokens() {
  const c10::InferenceMode inference;
  const test::TinySession tiny({.family = "gemma3_text"});
  const auto prompt = randomTokens(9, tiny.session->spec().vocabulary);
  PlainDecoder plain(transformerOf(*tiny.session), prompt, 12);
  const std::unique_ptr<Comparison> comparison =
      preparedComparison(tiny.session, prompt, 12, Application::Materialised);
  int steps = 0;
  for (; !comparison->done(); ++steps) QCOMPARE(plain.step(), comparison->step()->token);
  QCOMPARE(steps, 12);
}

void tst_timed_work::aRepeatedStepGivesTheSameLogits() {
  const c10::InferenceMode inference;
  const test::TinySession tiny({.family = "gemma3_text"});
  StepAtPosition late(transformerOf(*tiny.session), 100);
  const PassResults first = late.run(), second = late.run();
  QVERIFY(first.contextual.equal(second.contextual));
  QVERIFY(first.bare.defined());
  QVERIFY(!first.bare.equal(first.contextual));  // the contextual row sees a context
}

void tst_timed_work::promptPrefillCanBeRepeated() {
  const c10::InferenceMode inference;
  const test::TinySession tiny({.family = "llama"});
  PromptPrefill prompt(transformerOf(*tiny.session), randomTokens(20, 64));
  const Tensor first = prompt.run();
  QCOMPARE(first.size(0), 20);
  QVERIFY(first.equal(prompt.run()));
}

void tst_timed_work::stepWeightsEqualACountByHand() {
  const test::TinySession tiny({.family = "llama",
                                .vocabulary = 64,
                                .width = 32,
                                .mlpWidth = 48,
                                .layers = 3,
                                .heads = 4,
                                .kvHeads = 2,
                                .headDim = 8},
                               DType::BF16);
  const std::int64_t layer = 2 * 32 * 32 + 2 * 16 * 32 + 3 * 48 * 32;
  QCOMPARE(bytesOf(stepWeights(transformerOf(*tiny.session))), 2 * (3 * layer + 64 * 32));
}

void tst_timed_work::stepWeightsCountOnlyActiveExperts() {
  const test::TinySession tiny({.family = "mixtral"});
  const ModelSpec& spec = tiny.session->spec();
  const std::int64_t all = tiny.session->parameterCount() * 4;
  const std::int64_t expert = 3 * spec.moe->expertWidth * spec.width * 4;
  const std::int64_t idle =
      spec.layerCount() * (spec.moe->experts - spec.moe->active) * expert;
  const std::int64_t norms = (2 * spec.layerCount() + 1) * spec.width * 4;
  const std::int64_t embedding = spec.tiedHead ? 0 : spec.vocabulary * spec.width * 4;
  QCOMPARE(bytesOf(stepWeights(transformerOf(*tiny.session))),
           all - idle - norms - embedding);
}

/// MXFP4 experts take 4 bits for each element and one scale byte for 32 elements.
void tst_timed_work::packedExpertsAreCountedWithTheirScales() {
  const auto session = test::openSession(
      {.folder = test::data("shapes/tiny_mxfp4"), .weights = WeightOrigin::Random});
  const std::int64_t plain = 2 * (2 * 64 * 32 + 2 * 64 * 16 + 3 * 64) + 64 * 64;
  const std::int64_t packed =
      2 * 2 * 3 * 64 * 32;  // layers × active experts × matrices × their sizes
  const StepSize size = stepSize(session->checkpoint(), DType::BF16);
  QCOMPARE(size.elements, plain + packed);
  QCOMPARE(bytesOf(stepWeights(transformerOf(*session))),
           2 * plain + packed / 2 + packed / 32);
  QCOMPARE(size.bytes, 2 * plain + packed / 2 + packed / 32);
}

void tst_timed_work::coldStartCopiesTheModel_data() {
  QTest::addColumn<WeightOrigin>("origin");
  QTest::newRow("from files") << WeightOrigin::Files;
  QTest::newRow("random") << WeightOrigin::Random;
}

void tst_timed_work::coldStartCopiesTheModel() {
  QFETCH(WeightOrigin, origin);
  const auto session =
      test::openSession({.folder = test::data("golden/gpt2"), .weights = origin});
  const TemporaryFolder place;
  {
    const ColdStart start(*session, place.path());
    const Checkpoint copied = Checkpoint::open(copyIn(place.path()));
    QCOMPARE(copied.parameterCount(), session->parameterCount());
    QVERIFY(copied.unreadTensors().empty());
    for (const auto& [name, weight] : session->checkpoint().weights())
      QVERIFY(std::ranges::equal(weight.stored.bytes, copied.weight(name).stored.bytes));
  }
  QVERIFY(fs::is_empty(place.path()));
}

void tst_timed_work::firstStepLeavesNoCopyInThePageCache() {
  const fs::path disk = equipatch::test::diskForTests();
  if (disk.empty()) QSKIP("no folder for temporary files is on a disk with enough room");
  const test::TinySession tiny({.width = 512, .mlpWidth = 2048, .layers = 2});
  const TemporaryFolder place(disk);
  const ColdStart start(*tiny.session, place.path());
  const fs::path file = copyIn(place.path()) / "model.safetensors";
  start.cool();
  QVERIFY(cachedShare(file) < 0.5);
  start.firstStep();  // copies the weights into memory and drops the file's pages
  QVERIFY(cachedShare(file) < 0.5);
  start.cool();
  start.readFile();
  QCOMPARE(cachedShare(file), 1.0);
}

void tst_timed_work::coolingDropsPagesThatTheSessionMaps() {
  const fs::path disk = equipatch::test::diskForTests();
  if (disk.empty()) QSKIP("no folder for temporary files is on a disk with enough room");
  const TemporaryFolder place(disk);
  test::writeTinyCheckpoint(place.path(), {.width = 512, .mlpWidth = 2048, .layers = 2});
  const auto session =
      test::openSession({.folder = place.path(), .place = WeightPlace::Mapped});
  RepeatedLoad load(*session);
  load.warm();
  const auto& weights = session->checkpoint().weights();
  for (const auto& [name, weight] : weights)  // maps the pages
    QVERIFY(std::ranges::count(weight.stored.bytes, std::byte{1}) >= 0);
  // The session's readahead may still map some of them.
  QTRY_VERIFY((load.cool(), cachedShare(place.path() / "model.safetensors") < 0.5));
}

EQUIPATCH_TEST(tst_timed_work)
#include "tst_timed_work.moc"
