// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/session.h"

#include <QTemporaryDir>
#include <filesystem>
#include <fstream>

#include "core/base/stop_check.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

struct ImpatientProgress final : Progress {
  void report(double, std::string_view) override { ++reports; }
  bool stopRequested() const override { return reports > 2; }
  int reports = 0;
};

std::shared_ptr<const Session> open(const SessionRequest& request) {
  SilentProgress silent;
  return Session::open(request, silent);
}

std::vector<MemoryEstimate> needs() {
  return {{.dtype = DType::F64, .weights = 80},
          {.dtype = DType::F32, .weights = 40, .cache = 3},
          {.dtype = DType::BF16, .weights = 20},
          {.dtype = DType::F16, .weights = 20}};
}

}  // namespace

class tst_session : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void describesTheLoadedModel();
  void theStoredDtypeIsTheDefault();
  void withoutTokenizerIdsStillWork();
  void aTokenizerComesWithTheModel();
  void loadingCanBeStopped();
  void loadingTheTokenizerCanBeStopped();
  void anUnloadableFolderIsNamed();
  void weightsAreResidentWhereTheyFit();

 private Q_SLOTS:
  void aFittingModelIsNoShortage();
  void namesTheFittingDtypes();
  void reportsThatNoDtypeFits();
  void aTinyModelFitsHere();
  void aRunThatDoesNotFitIsNamed();
  void devicesHaveTheirOwnMemory();
  void reportsTheCostOfMappedWeights();
};

void tst_session::describesTheLoadedModel() {
  const auto session = open({.folder = test::data("golden/gemma3_text/")});
  QCOMPARE(session->modelName(), std::string("gemma3_text"));
  QCOMPARE(session->spec().layerCount(), 7);
  QCOMPARE(session->device(), std::string("cpu"));
  // 192 × 40 embeddings, 7 layers, the final norm.
  const std::int64_t layer = 4 * 40 + 2 * 16 + 40 * (64 + 16 + 16 + 64) + 3 * 40 * 96;
  QCOMPARE(session->parameterCount(), 192 * 40 + 7 * layer + 40);
}

void tst_session::theStoredDtypeIsTheDefault() {
  QCOMPARE(open({.folder = test::data("golden/gemma3_text")})->dtype(), DType::BF16);
  QCOMPARE(
      open({.folder = test::data("golden/gemma3_text"), .dtype = DType::F64})->dtype(),
      DType::F64);
}

void tst_session::withoutTokenizerIdsStillWork() {
  const auto session = open({.folder = test::data("golden/llama2_gqa")});
  QVERIFY(!session->hasTokenizer());
  QVERIFY_ERROR(session->tokenizer(), "tokenizer.json", "llama2_gqa");
}

void tst_session::aTokenizerComesWithTheModel() {
  EXTRA_DATA_OR_SKIP(folder, "models/stories260K");
  const auto session = open({.folder = folder});
  QVERIFY(session->hasTokenizer());
  QCOMPARE(session->tokenizer().size(), session->spec().vocabulary);
}

void tst_session::loadingCanBeStopped() {
  ImpatientProgress progress;
  try {
    Session::open({.folder = test::data("golden/gemma3_text")}, progress);
    QFAIL("loading continued after it was asked to stop");
  } catch (const Error& error) {
    QCOMPARE(error.kind(), ErrorKind::Cancelled);
  }
}

/// Loading of the weights does not begin, and the error does not blame the tokenizer.
void tst_session::loadingTheTokenizerCanBeStopped() {
  const QTemporaryDir folder;
  const std::filesystem::path model =
      std::filesystem::path(folder.path().toStdString()) / "model";
  std::filesystem::copy(test::data("golden/llama2_gqa"), model);
  const std::string spaces(3 * StopCheck::kStepsPerLook, ' ');
  std::ofstream(model / "tokenizer.json") << spaces;
  test::Patience progress(1);
  try {
    Session::open({.folder = model}, progress);
    QFAIL("loading continued after it was asked to stop");
  } catch (const Error& error) {
    QCOMPARE(error.kind(), ErrorKind::Cancelled);
  }
  QCOMPARE(progress.labels, std::vector<std::string>{"Checking the files"});
}

void tst_session::anUnloadableFolderIsNamed() {
  QVERIFY_ERROR(open({.folder = "/nonexistent/model"}), "/nonexistent/model");
  QVERIFY_ERROR(open({.folder = test::data("golden/llama2_gqa"), .dtype = DType::I32}),
                "int32", "float32");
  QVERIFY_ERROR(open({.folder = test::data("golden/llama2_gqa"), .device = "gpu"}), "gpu",
                "cpu, cuda");
}

void tst_session::weightsAreResidentWhereTheyFit() {
  SessionRequest request{.folder = test::data("golden/llama2_gqa")};
  QCOMPARE(open(request)->weightPlace(), WeightPlace::Resident);
  request.place = WeightPlace::Mapped;
  QCOMPARE(open(request)->weightPlace(), WeightPlace::Mapped);
  request.place = WeightPlace::Resident;
  QCOMPARE(open(request)->weightPlace(), WeightPlace::Resident);
  request = {.folder = test::data("golden/llama2_gqa"),
             .weights = WeightOrigin::Random,
             .place = WeightPlace::Mapped};  // there is no file to map
  QCOMPARE(open(request)->weightPlace(), WeightPlace::Resident);
}

void tst_session::aFittingModelIsNoShortage() {
  QVERIFY(!shortageOf("big", needs(), DType::F32, 43));
  QVERIFY(shortageOf("big", needs(), DType::F32, 42));
  QVERIFY(!shortageOf("big", needs(), DType::F64, 1000));
  QVERIFY(!shortageOf("big", {}, DType::F64, 0));
}

void tst_session::namesTheFittingDtypes() {
  const auto shortage = shortageOf("big", needs(), DType::F32, 30);
  QVERIFY(shortage);
  QCOMPARE(shortage->fitting.size(), std::size_t(2));
  const auto sentence = QString::fromStdString(shortage->sentence);
  for (const char* part : {"big needs about 43 B in float32", "only 30 B",
                           "bfloat16 (20 B) or float16 (20 B) would fit"})
    QVERIFY2(sentence.contains(QString::fromUtf8(part)), qPrintable(sentence));
}

void tst_session::reportsThatNoDtypeFits() {
  const auto shortage = shortageOf("big", needs(), DType::BF16, 5);
  QVERIFY(shortage);
  QVERIFY(shortage->fitting.empty());
  QVERIFY(shortage->sentence.find("no dtype") != std::string::npos);
}

void tst_session::aTinyModelFitsHere() {
  QVERIFY(!findShortage({.folder = test::data("golden/gemma3_text")}));
  QVERIFY_ERROR(findShortage({.folder = "/nowhere/model"}), "/nowhere/model");
}

/// A run is compared with what it needs beside the weights, to the byte.
void tst_session::aRunThatDoesNotFitIsNamed() {
  const auto session = open({.folder = test::data("golden/qwen3_5")});
  RunRequest request{.prompt = std::vector<Token>(20), .steps = 13};
  const auto fits = [&](std::int64_t free) {
    return runShortage(*session, request, free).empty();
  };
  const auto needed = [&] {
    std::int64_t most = 0;
    for (std::int64_t bit = std::int64_t{1} << 40; bit > 0; bit /= 2)
      if (!fits(most + bit - 1)) most += bit;
    return most;
  };
  const MemoryEstimate estimate =
      estimateFor(session->checkpoint(), session->dtype(), 32);
  const std::int64_t whole = needed();
  QVERIFY(whole >= estimate.cache);
  QVERIFY(whole < estimate.total());
  const std::string sentence = runShortage(*session, request, whole - 1);
  for (const char* part : {"a run of 32 positions needs about", "shorter prompt"})
    QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());
  request.absorbed.keptPrompt = {{0, 3}};
  QVERIFY(estimate.keptParts > 0);
  QCOMPARE(needed(), whole + estimate.keptParts);
  request.absorbed = {};
  request.measureNoise = true;
  QVERIFY(needed() >= whole + estimate.cache);
}

void tst_session::devicesHaveTheirOwnMemory() {
  QVERIFY(!findShortage({.folder = "/nowhere/model", .device = "cuda"}));
}

void tst_session::reportsTheCostOfMappedWeights() {
  const std::int64_t big = 16'000'000'000;
  const std::vector<MemoryEstimate> needs{
      {.dtype = DType::BF16, .weights = big, .mapped = big, .scratch = 100}};
  const auto sentence = [&](std::optional<WeightPlace> place, std::int64_t free) {
    return shortageOf("big", needs, DType::BF16, free, place)->sentence;
  };
  for (const std::optional<WeightPlace> place :
       std::initializer_list<std::optional<WeightPlace>>{{}, WeightPlace::Mapped}) {
    const std::string text = sentence(place, 1000);
    QVERIFY2(text.find("stay mapped") != std::string::npos &&
                 text.find("up to 16.0 GB from the disk at every step, 16 s at 1 GB/s") !=
                     std::string::npos,
             text.c_str());
  }
  QVERIFY(sentence(WeightPlace::Resident, 1000).find("mapped instead of resident") !=
          std::string::npos);
  // Mapping does not help where what remains in memory does not fit either.
  QVERIFY(sentence({}, 99).find("mapped") == std::string::npos);
}

EQUIPATCH_TEST(tst_session)
#include "tst_session.moc"
