// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/backend/torch_backend.h"
#include "tests/core/backend/steps_of.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// A model that switches from short_factor to long_factor when the text has more than
/// nine tokens.
test::TinyModel switchingModel() {
  return {.family = "phi3",
          .moreConfig = R"({"original_max_position_embeddings": 9, "rope_scaling":
             {"type": "longrope", "short_factor": [1, 1.1, 1.3, 2],
              "long_factor": [1.2, 2, 3.5, 6]}})"};
}

RunRequest crossingRequest() {
  RunRequest request;
  request.prompt = test::tokensOf({5, 17, 3, 40, 9});
  request.steps = 8;
  request.ignoreEndOfSequence = true;
  return request;
}

double largestLogit(const Session& session, const std::vector<TokenId>& ids) {
  const NamedTensor logits = computeLogits(session, ids, SiteCapture::LogitsOnly).front();
  return *std::max_element(logits.values.end() - logits.shape.back(),
                           logits.values.end());
}

}  // namespace

class tst_longrope : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void stepsAcrossTheSwitchEqualOneForwardPass();
  void patchesAreExactBesideKeptTokens();
  void anAblatedTextCrossesTheSwitchLater();
  void stepsAcrossTheSwitchAreReplayed();
  void aReplayStoppedAtTheSwitchOpensEarlierSteps();
  void onePatchServesTokensAcrossTheSwitch();
};

/// The ablated text lacks the prompt's first two tokens, so it exceeds nine tokens two
/// steps later than the whole text.
void tst_longrope::anAblatedTextCrossesTheSwitchLater() {
  const test::TinySession tiny(switchingModel(), DType::F64);
  RunRequest request = crossingRequest();
  request.absorbed = {.keptPrompt = {{2, 4}}, .keepsGenerated = true};
  request.ablated = true;
  std::vector<TokenId> text = idsOf(request.prompt);
  text.erase(text.begin(), text.begin() + 2);
  for (const auto& step : test::stepsOf(tiny.session, request)) {
    QVERIFY(std::abs(step->ablated[0].logit - largestLogit(*tiny.session, text)) < 1e-5);
    text.push_back(step->continued);
  }
  QVERIFY(text.size() > 9);
}

/// The reference for each step is one forward pass over the step's whole text.
void tst_longrope::stepsAcrossTheSwitchEqualOneForwardPass() {
  const test::TinySession tiny(switchingModel(), DType::F64);
  RunRequest request = crossingRequest();
  request.measureNoise = true;
  std::vector<TokenId> text = idsOf(request.prompt);
  for (const auto& step : test::stepsOf(tiny.session, request)) {
    QVERIFY(std::abs(step->contextual[0].logit - largestLogit(*tiny.session, text)) <
            1e-5);  // computeLogits returns float32
    QVERIFY(step->patchedDistance.linf < 1e-10);
    QVERIFY(step->bareDistance->linf > 1e-3);
    QVERIFY(step->noise->linf < 1e-10);
    text.push_back(step->continued);
  }
  QCOMPARE(text.size(), std::size_t{13});
}

void tst_longrope::patchesAreExactBesideKeptTokens() {
  const test::TinySession tiny(switchingModel(), DType::F64);
  RunRequest request = crossingRequest();
  request.absorbed.keptPrompt = {{0, 1}, {3, 3}};
  for (const auto& step : test::stepsOf(tiny.session, request))
    QVERIFY(step->patchedDistance.linf < 1e-10);
}

void tst_longrope::stepsAcrossTheSwitchAreReplayed() {
  const test::TinySession tiny(switchingModel());
  const RunRequest request = crossingRequest();
  const auto steps = test::stepsOf(tiny.session, request);
  const auto replay = makeStepReplay(tiny.session);
  SilentProgress silent;
  for (const std::size_t at : {7u, 2u, 4u, 5u, 6u}) {
    ReplayedStep step{request, idsOf(request.prompt)};
    for (std::size_t i = 0; i < at; ++i) step.history.push_back(steps[i]->continued);
    replay->open(step, silent);
    QVERIFY(replay->read({}).distance == steps[at]->patchedDistance);
    QVERIFY(replay->read({}).choices == steps[at]->patched);
  }
}

/// A replay often checks whether it should stop, also between the layers while it reads
/// the context again because of the switch. Each iteration stops a new replay at another
/// check.
void tst_longrope::aReplayStoppedAtTheSwitchOpensEarlierSteps() {
  const test::TinySession tiny(switchingModel());
  const RunRequest request = crossingRequest();
  const auto steps = test::stepsOf(tiny.session, request);
  const auto at = [&](std::size_t step) {
    ReplayedStep replayed{request, idsOf(request.prompt)};
    for (std::size_t i = 0; i < step; ++i)
      replayed.history.push_back(steps[i]->continued);
    return replayed;
  };
  test::Patience all;
  makeStepReplay(tiny.session)->open(at(5), all);
  for (int checks = 0; checks < all.asked; ++checks) {
    test::Patience stopped(checks);
    const auto replay = makeStepReplay(tiny.session);
    QVERIFY_ERROR(replay->open(at(5), stopped), "stopped");
    SilentProgress silent;
    replay->open(at(4), silent);
    QVERIFY(replay->read({}).choices == steps[4]->patched);
  }
}

void tst_longrope::onePatchServesTokensAcrossTheSwitch() {
  const test::TinySession tiny(switchingModel(), DType::F64);
  SharedPatchRequest request;
  request.prompt = test::tokensOf({5, 17, 3, 40, 9, 21, 33, 2, 50, 11, 44, 27});
  request.first = 4;
  request.last = 11;
  SilentProgress silent;
  const SharedPatchRecord record = makeSharedPatch(tiny.session, request, silent);
  QCOMPARE(record.tokens.size(), std::size_t{8});
  std::vector<TokenId> text = idsOf(request.prompt);
  text.resize(4);
  for (const SharedTokenRecord& token : record.tokens) {
    text.push_back(token.x);
    QVERIFY(token.patchedDistance.linf < 1e-8);
  }
  QVERIFY(std::abs(record.tokens.back().contextual.logit -
                   largestLogit(*tiny.session, text)) < 1e-5);
}

EQUIPATCH_TEST(tst_longrope)
#include "tst_longrope.moc"
