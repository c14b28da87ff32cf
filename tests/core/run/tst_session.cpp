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
using equipatch::test::openSession;

namespace {

struct ImpatientProgress final : Progress {
  void report(double, std::string_view) override { ++reports; }
  bool stopRequested() const override { return reports > 2; }
  int reports = 0;
};

}  // namespace

class tst_session : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void describesTheLoadedModel();
  void theStoredDtypeIsTheDefault();
  void aModelOpensWithoutTokenizer();
  void theTokenizerOfTheModelIsLoaded();
  void loadingCanBeStopped();
  void loadingTheTokenizerCanBeStopped();
  void anUnloadableFolderIsNamed();
  void fittingWeightsAreMappedOnlyOnRequest();
};

void tst_session::describesTheLoadedModel() {
  const auto session = openSession({.folder = test::data("golden/gemma3_text/")});
  QCOMPARE(session->modelName(), std::string("gemma3_text"));
  QCOMPARE(session->spec().layerCount(), 7);
  QCOMPARE(session->device(), std::string("cpu"));
  // 192 × 40 embeddings, 7 layers, the final norm.
  const std::int64_t layer = 4 * 40 + 2 * 16 + 40 * (64 + 16 + 16 + 64) + 3 * 40 * 96;
  QCOMPARE(session->parameterCount(), 192 * 40 + 7 * layer + 40);
}

void tst_session::theStoredDtypeIsTheDefault() {
  QCOMPARE(openSession({.folder = test::data("golden/gemma3_text")})->dtype(),
           DType::BF16);
  QCOMPARE(openSession({.folder = test::data("golden/gemma3_text"), .dtype = DType::F64})
               ->dtype(),
           DType::F64);
}

void tst_session::aModelOpensWithoutTokenizer() {
  const auto session = openSession({.folder = test::data("golden/llama2_gqa")});
  QVERIFY(!session->hasTokenizer());
  QVERIFY_ERROR(session->tokenizer(), "tokenizer.json", "llama2_gqa");
}

void tst_session::theTokenizerOfTheModelIsLoaded() {
  EXTRA_DATA_OR_SKIP(folder, "models/stories260K");
  const auto session = openSession({.folder = folder});
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
  QVERIFY_ERROR(openSession({.folder = "/nonexistent/model"}), "/nonexistent/model");
  QVERIFY_ERROR(
      openSession({.folder = test::data("golden/llama2_gqa"), .dtype = DType::I32}),
      "int32", "float32");
  QVERIFY_ERROR(openSession({.folder = test::data("golden/llama2_gqa"), .device = "gpu"}),
                "gpu", "cpu, cuda");
}

void tst_session::fittingWeightsAreMappedOnlyOnRequest() {
  SessionRequest request{.folder = test::data("golden/llama2_gqa")};
  QCOMPARE(openSession(request)->weightPlace(), WeightPlace::Resident);
  request.place = WeightPlace::Mapped;
  QCOMPARE(openSession(request)->weightPlace(), WeightPlace::Mapped);
  request.place = WeightPlace::Resident;
  QCOMPARE(openSession(request)->weightPlace(), WeightPlace::Resident);
  request = {.folder = test::data("golden/llama2_gqa"),
             .weights = WeightOrigin::Random,
             .place = WeightPlace::Mapped};  // random weights are in no file
  QCOMPARE(openSession(request)->weightPlace(), WeightPlace::Resident);
}

EQUIPATCH_TEST(tst_session)
#include "tst_session.moc"
