// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <cmath>
#include <cstring>

#include "core/checkpoint/safetensors.h"
#include "tests/core/backend/steps_of.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
using equipatch::test::tokensOf;

namespace {

std::vector<std::int64_t> idsOf(const std::filesystem::path& path,
                                const std::string& key) {
  const auto file = SafetensorsFile::open(path);
  const TensorView& view = file.tensors().at(key);
  std::vector<std::int64_t> ids(static_cast<std::size_t>(view.elements()));
  std::memcpy(ids.data(), view.bytes.data(), view.bytes.size());
  return ids;
}

std::vector<std::int64_t> goldenIds(const char* name, const char* key) {
  return idsOf(test::data(std::string("golden/") + name + "/golden.safetensors"), key);
}

}  // namespace

class tst_torch_comparison : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void bothPassesContinueAsTheReference_data();
  void bothPassesContinueAsTheReference();
  void tokensMatchInMixtureModels_data();
  void tokensMatchInMixtureModels();
  void stepRecordsAreComplete();
  void tokensMatchInTrainedModels_data();
  void tokensMatchInTrainedModels();
  void storiesEqualThoseOfLlama2C_data();
  void storiesEqualThoseOfLlama2C();
  void aFreeRunFollowsThePatchedPass();
  void bothPassesSampleWithTheSameSeed();
  void aBranchDrawsItsParentsRandomNumbers();
  void endOfSequenceEndsTheRunUnlessIgnored();
  void roundedLogitsAreExactInTheDtype();
  void firstStepOfAOneTokenPromptHasNoPatch();
  void impossibleRequestsAreRefused();
  void overflowStopsTheRunAndNamesTheLayer();
  void aResumedRunEqualsAnUninterruptedRun_data();
  void aResumedRunEqualsAnUninterruptedRun();
  void invalidResumptionsAreRefused();
};

void tst_torch_comparison::bothPassesContinueAsTheReference_data() {
  QTest::addColumn<QString>("name");
  for (const char* name : {"llama2_gqa", "llama3_tied", "gemma3_text"})
    QTest::newRow(name) << name;
}

void tst_torch_comparison::bothPassesContinueAsTheReference() {
  QFETCH(QString, name);
  const QByteArray folder = name.toUtf8();
  const Steps steps = test::stepsOf(test::goldenSession(folder.toStdString()),
                                    {.prompt = tokensOf(goldenIds(folder, "input_ids")),
                                     .steps = 12,
                                     .ignoreEndOfSequence = true});
  const auto expected = goldenIds(folder, "greedy_ids");
  QCOMPARE(steps.size(), 12u);
  for (std::size_t step = 0; step < 12; ++step) {
    QCOMPARE(steps[step]->token.value, expected[24 + step]);
    QCOMPARE(steps[step]->patchedToken.value, expected[24 + step]);
    QVERIFY(steps[step]->match);
    QVERIFY(steps[step]->patchedDistance.linf < 1e-4 * steps[step]->bareDistance->linf);
  }
}

void tst_torch_comparison::tokensMatchInMixtureModels_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<bool>("wide");
  for (const char* family : {"gemma4_mixture", "qwen3_5_moe_text"})
    for (const bool wide : {false, true})
      QTest::addRow("%s, %s", family, wide ? "float64" : "float32") << family << wide;
}

/// These families have no reference from transformers.
void tst_torch_comparison::tokensMatchInMixtureModels() {
  QFETCH(QString, family);
  QFETCH(bool, wide);
  const test::TinySession tiny({.family = family.toStdString()},
                               wide ? DType::F64 : DType::F32);
  const Steps steps =
      test::stepsOf(tiny.session, {.prompt = tokensOf({2, 7, 30, 4, 51, 9, 12, 33}),
                                   .steps = 64,
                                   .ignoreEndOfSequence = true});
  const RunSummary summary = summarise(steps);
  QCOMPARE(summary.steps, 64);
  QCOMPARE(summary.matches, 64);
  QVERIFY(summary.bareLinfMedian > 1e-2);
  QVERIFY(summary.linfMax < (wide ? 1e-10 : 1e-4) * summary.bareLinfMedian);
}

void tst_torch_comparison::stepRecordsAreComplete() {
  const auto session = test::goldenSession("gemma3_text");
  const Steps steps = test::stepsOf(session, {.prompt = tokensOf({2, 7, 30, 4}),
                                              .steps = 3,
                                              .measureNoise = true,
                                              .ignoreEndOfSequence = true,
                                              .topChoices = 5});
  QCOMPARE(steps.size(), 3u);
  for (std::size_t index = 0; index < steps.size(); ++index) {
    const StepRecord& step = *steps[index];
    QCOMPARE(step.step.value, static_cast<std::int64_t>(index));
    QCOMPARE(step.position.value, static_cast<std::int64_t>(index) + 3);
    QCOMPARE(step.x, index == 0 ? TokenId(4) : steps[index - 1]->continued);
    QCOMPARE(step.contextual.size(), 5u);
    QCOMPARE(step.bare.size(), 5u);
    QCOMPARE(step.contextual[0].id, step.token);
    QCOMPARE(step.margin, step.contextual[0].logit - step.contextual[1].logit);
    QVERIFY(step.contextual[0].probability > step.contextual[1].probability);
    QCOMPARE(step.tokenText, std::to_string(step.token.value));  // no tokenizer
    QVERIFY(step.noise && step.noise->linf < 1e-4);
    QVERIFY(!step.rounding);  // nothing is rounded in float32
    QCOMPARE(step.layers.size(), 7u);
    QCOMPARE(step.layerNoise.size(), 7u);
    QCOMPARE(step.layers[3].scaleDelta.size(), 40u);
    QCOMPARE(step.layers[3].matrices.size(), 3u);
    QVERIFY(step.layers[3].matrices[2].norm > 0.0);
    QVERIFY(step.layers[3].hiddenError < 1e-5);
    QVERIFY(step.milliseconds > 0.0);
  }
}

void tst_torch_comparison::tokensMatchInTrainedModels_data() {
  QTest::addColumn<QString>("model");
  QTest::addColumn<QString>("prompt");
  QTest::addColumn<QString>("method");
  QTest::newRow("stories260K") << "stories260K"
                               << "Once upon a time"
                               << "balanced";
  QTest::newRow("gemma3, balanced") << "gemma3_frankenstein"
                                    << "I had been"
                                    << "balanced";
  QTest::newRow("gemma3, direct") << "gemma3_frankenstein"
                                  << "I had been"
                                  << "direct";
}

void tst_torch_comparison::tokensMatchInTrainedModels() {
  QFETCH(QString, model);
  QFETCH(QString, prompt);
  QFETCH(QString, method);
  EXTRA_DATA_OR_SKIP(models, "models");
  const auto session =
      test::openSession({.folder = models / model.toStdString(), .dtype = DType::F32});
  RunRequest request{
      .promptText = prompt.toStdString(),
      .prompt = session->tokenizer().encode(prompt.toStdString(), SpecialTokens::Add),
      .steps = 64};
  request.patch.method = *methodFromName(method.toStdString());
  const RunSummary summary = summarise(test::stepsOf(session, request));
  QCOMPARE(summary.steps, 64);
  QCOMPARE(summary.matches, 64);
  QVERIFY(summary.linfMax < 1e-4 * summary.bareLinfMedian);
}

void tst_torch_comparison::storiesEqualThoseOfLlama2C_data() {
  QTest::addColumn<QString>("run");
  for (const char* run : {"p0", "p1", "p2", "p3"}) QTest::newRow(run) << run;
}

/// llama2.c is the C program that the model was made for. At margins up to 1e-3 CPUs may
/// choose different tokens, so the comparison ends there.
void tst_torch_comparison::storiesEqualThoseOfLlama2C() {
  QFETCH(QString, run);
  EXTRA_DATA_OR_SKIP(folder, "models/stories260K");
  const auto prompt =
      idsOf(folder / "golden.safetensors", run.toStdString() + ".prompt_ids");
  const auto tokens = idsOf(folder / "golden.safetensors", run.toStdString() + ".tokens");
  SilentProgress silent;
  const auto steps =
      test::stepsOf(Session::open({.folder = folder, .dtype = DType::F32}, silent),
                    {.prompt = tokensOf(prompt),
                     .steps = static_cast<std::int64_t>(tokens.size() - prompt.size()),
                     .ignoreEndOfSequence = true});
  std::size_t agreed = 0;
  while (agreed < steps.size() && steps[agreed]->margin > 1e-3) {
    QCOMPARE(steps[agreed]->token.value, tokens[prompt.size() + agreed]);
    QCOMPARE(steps[agreed]->patchedToken.value, tokens[prompt.size() + agreed]);
    ++agreed;
  }
  QVERIFY(agreed > 32);
}

void tst_torch_comparison::aFreeRunFollowsThePatchedPass() {
  const Steps steps =
      test::stepsOf(test::goldenSession("gemma3_text", DType::BF16),
                    {.prompt = tokensOf({2, 7, 30, 4}),
                     .steps = 8,
                     .patch = {.method = Method::Direct, .loop = Loop::Open},
                     .freeRun = true,
                     .ignoreEndOfSequence = true});
  QVERIFY(summarise(steps).matches < 8);  // else both passes have the same tokens
  for (const auto& step : steps) QCOMPARE(step->continued, step->patchedToken);
}

void tst_torch_comparison::bothPassesSampleWithTheSameSeed() {
  RunRequest request{.prompt = tokensOf({2, 7, 30, 4}),
                     .steps = 16,
                     .sampling = {.temperature = 2.0, .seed = 1},
                     .ignoreEndOfSequence = true};
  const auto session = test::goldenSession("gemma3_text");
  const auto tokens = [&] {
    std::vector<std::int64_t> ids;
    for (const auto& step : test::stepsOf(session, request)) {
      // Passes that agree choose the same token. −1 or −2 makes the list too long.
      if (step->token != step->patchedToken) ids.push_back(-1);
      if (step->sampledMatch != (step->token == step->patchedToken)) ids.push_back(-2);
      ids.push_back(step->token.value);
    }
    return ids;
  };
  const auto first = tokens();
  QCOMPARE(first.size(), 16u);
  QCOMPARE(tokens(), first);
  request.sampling.seed = 2;
  QVERIFY(tokens() != first);
}

/// A branch's first step draws the random numbers of its position in the parent run, not
/// those of step 0.
void tst_torch_comparison::aBranchDrawsItsParentsRandomNumbers() {
  const RunRequest request{.prompt = tokensOf({2, 7, 30, 4}),
                           .steps = 12,
                           .sampling = {.temperature = 2.0, .seed = 1},
                           .ignoreEndOfSequence = true};
  const auto session = test::goldenSession("gemma3_text");
  const Steps steps = test::stepsOf(session, request);
  constexpr std::size_t kLeft = 5;
  RunRequest branch =
      branchedRequest(request, {steps.begin(), steps.begin() + kLeft},
                      {.id = steps[kLeft]->continued, .text = steps[kLeft]->tokenText});
  branch.steps = 6;
  const Steps later = test::stepsOf(session, branch);
  QCOMPARE(later.size(), 6u);
  for (std::size_t i = 0; i < later.size(); ++i)
    QCOMPARE(later[i]->token.value, steps[kLeft + 1 + i]->token.value);
}

void tst_torch_comparison::endOfSequenceEndsTheRunUnlessIgnored() {
  // The third token that `plain` generates is the end-of-sequence token of `ending`.
  const test::TinySession plain({}, DType::F32);
  const Steps free = test::stepsOf(
      plain.session,
      {.prompt = tokensOf({1, 2, 3}), .steps = 6, .ignoreEndOfSequence = true});
  const std::string end = std::to_string(free[2]->token.value);
  std::size_t first = 0;
  while (free[first]->token != free[2]->token) ++first;
  const test::TinySession ending({.moreConfig = R"({"eos_token_id": )" + end + "}"},
                                 DType::F32);
  RunRequest request{.prompt = tokensOf({1, 2, 3}), .steps = 6};
  const Steps ended = test::stepsOf(ending.session, request);
  QCOMPARE(ended.size(), first + 1);
  QCOMPARE(ended.back()->token, free[2]->token);
  request.ignoreEndOfSequence = true;
  QCOMPARE(test::stepsOf(ending.session, request).size(), 6u);
}

void tst_torch_comparison::roundedLogitsAreExactInTheDtype() {
  const Steps steps =
      test::stepsOf(test::goldenSession("llama3_tied", DType::BF16),
                    {.prompt = tokensOf({1, 2, 3}), .steps = 2, .roundLogits = true});
  QCOMPARE(steps[0]->contextual.size(), 10u);
  for (const Choice& choice : steps[0]->contextual) {
    // bfloat16 has 8 significant bits.
    int exponent = 0;
    const double mantissa = std::frexp(choice.logit, &exponent);
    QCOMPARE(std::ldexp(mantissa, 8), std::round(std::ldexp(mantissa, 8)));
  }
}

void tst_torch_comparison::firstStepOfAOneTokenPromptHasNoPatch() {
  const Steps steps =
      test::stepsOf(test::goldenSession("gemma3_text"),
                    {.prompt = tokensOf({2}), .steps = 2, .ignoreEndOfSequence = true});
  QCOMPARE(steps[0]->patchedDistance.linf, 0.0);
  QCOMPARE(steps[0]->bareDistance->linf, 0.0);
  QCOMPARE(steps[0]->layers[0].matrices[0].norm, 0.0);
  QVERIFY(steps[1]->layers[0].matrices[0].norm > 0.0);
}

void tst_torch_comparison::impossibleRequestsAreRefused() {
  const auto session = test::goldenSession("llama2_gqa");
  const auto start = [&](RunRequest request) {
    TorchComparison(session, std::move(request));
  };
  QVERIFY_ERROR(start({}), "no tokens");
  QVERIFY_ERROR(start({.prompt = tokensOf({1, 192})}), "192", "vocabulary");
  QVERIFY_ERROR(start({.prompt = tokensOf({-3})}), "-3", "vocabulary");
  QVERIFY_ERROR(start({.prompt = tokensOf({1}), .steps = 0}), "at least 1 step");
  QVERIFY_ERROR(start({.prompt = tokensOf({1, 2, 3}), .steps = 127}), "129", "128");
  QVERIFY_ERROR(start({.prompt = tokensOf({1}), .steps = 9'000'000'000'000'000'000}),
                "128");
  QVERIFY_ERROR(start({.prompt = tokensOf({1, 2, 3}), .steps = INT64_MAX}),
                "need 9223372036854775809 positions");
  TorchComparison(session, {.prompt = tokensOf({1, 2, 3}), .steps = 126});
}

void tst_torch_comparison::overflowStopsTheRunAndNamesTheLayer() {
  // The MLP's output exceeds 65504, the largest number in float16.
  QTemporaryDir folder;
  const auto path = test::writeTinyCheckpoint(
      std::filesystem::path(folder.path().toStdString()) / "large", {});
  test::changeTensors(path, [](const std::string& name, std::vector<float>& values) {
    const bool grows = name.find("layers.1.mlp.down_proj") != std::string::npos ||
                       name.find("layers.1.mlp.up_proj") != std::string::npos;
    for (float& value : values)
      if (grows) value *= 1e4f;
  });
  SilentProgress silent;
  const RunRequest request{.prompt = tokensOf({1, 2, 3}), .steps = 2};
  QCOMPARE(
      test::stepsOf(Session::open({.folder = path, .dtype = DType::F32}, silent), request)
          .size(),
      2u);
  const auto half = Session::open({.folder = path, .dtype = DType::F16}, silent);
  QVERIFY_ERROR(test::stepsOf(half, request), "layer 1's MLP", "range of float16",
                "bfloat16 or float32");
}

void tst_torch_comparison::aResumedRunEqualsAnUninterruptedRun_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<int>("dtype");
  for (const auto& folder : std::filesystem::directory_iterator(test::data("golden"))) {
    const QString family = QString::fromStdString(folder.path().filename().string());
    for (const DType dtype : {DType::F32, DType::BF16})
      QTest::addRow("%s %s", qPrintable(family), torchName(dtype).data())
          << family << int(dtype);
  }
}

/// Ablation and noise measurement are on because `resume` must fill their KV caches too.
void tst_torch_comparison::aResumedRunEqualsAnUninterruptedRun() {
  QFETCH(QString, family);
  QFETCH(int, dtype);
  const auto session = test::goldenSession(family.toStdString(), DType(dtype));
  RunRequest request{.prompt = tokensOf({5, 17, 3, 40, 9}),
                     .steps = 7,
                     .sampling = {.temperature = 0.8, .seed = 3},
                     .ablated = true,
                     .audit = true,
                     .measureNoise = true,
                     .freeRun = true,
                     .ignoreEndOfSequence = true};
  request.absorbed.keptPrompt = {{1, 2}};
  request.patch.loop = Loop::Half;
  const Steps whole = test::stepsOf(session, request);
  for (const std::size_t taken : {1u, 4u, 7u}) {
    TorchComparison resumed(session, request);
    SilentProgress silent;
    resumed.prefill(silent);
    std::vector<TokenId> continued;
    for (std::size_t step = 0; step < taken; ++step)
      continued.push_back(whole[step]->continued);
    resumed.resume(continued, silent);
    std::size_t next = taken;
    for (; !resumed.done(); ++next)
      QVERIFY2(sameResults(*whole.at(next), *resumed.step()),
               qPrintable(QString::number(next)));
    QCOMPARE(next, whole.size());
  }
}

void tst_torch_comparison::invalidResumptionsAreRefused() {
  const auto session = test::goldenSession("gemma3_text");
  SilentProgress silent;
  TorchComparison run(session, {.prompt = tokensOf({2, 7}), .steps = 2});
  run.prefill(silent);
  QVERIFY_ERROR(run.resume({TokenId(3), TokenId(3), TokenId(3)}, silent), "2 steps",
                "no step left");
  QVERIFY_ERROR(run.resume({TokenId(100000)}, silent),
                "token id 100000 is outside the model's vocabulary");
}

EQUIPATCH_TEST(tst_torch_comparison)
#include "tst_torch_comparison.moc"
