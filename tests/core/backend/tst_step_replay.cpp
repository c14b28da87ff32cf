// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include <algorithm>
#include <cmath>

#include "tests/core/run/tiny_session.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

RunRequest someRequest() {
  RunRequest request;
  request.prompt = test::tokensOf({5, 17, 3, 40, 9});
  request.steps = 6;
  request.ignoreEndOfSequence = true;
  return request;
}

/// A finished run.
struct Recorded {
  Recorded(const std::shared_ptr<const Session>& session, const RunRequest& request) {
    TorchComparison comparison(session, request);
    SilentProgress silent;
    comparison.prefill(silent);
    while (!comparison.done()) steps.push_back(comparison.step());
    run = comparison.header().request;
  }

  ReplayedStep at(std::size_t step) const {
    ReplayedStep replayed{run, {}};
    for (const Token& token : run.prompt) replayed.history.push_back(token.id);
    for (std::size_t i = 0; i < step; ++i)
      replayed.history.push_back(steps[i]->continued);
    return replayed;
  }

  RunRequest run;
  std::vector<std::shared_ptr<const StepRecord>> steps;
};

}  // namespace

class tst_step_replay : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void wholePatchesGiveTheRecordedStep_data();
  void wholePatchesGiveTheRecordedStep();
  void replayEqualsARunAtTheSameStrength();
  void strengthZeroGivesTheBarePass();
  void probabilitiesAreThoseOfRoundedLogits();
  void aStoppedReplayKeepsThePrompt_data();
  void aStoppedReplayKeepsThePrompt();
  void aStoppedReadingCanBeRepeated();
  void invalidHistoriesAreRefused();
  void aRunTooLongForTheMemoryIsReplayedStepByStep();
};

void tst_step_replay::wholePatchesGiveTheRecordedStep_data() {
  QTest::addColumn<QString>("family");
  QTest::addColumn<QString>("dtype");
  for (const char* family :
       {"llama", "gemma3_text", "gpt2", "mixtral", "gemma4_mixture", "qwen3_5_moe_text"})
    for (const char* dtype : {"float32", "bfloat16"})
      QTest::addRow("%s %s", family, dtype) << family << dtype;
}

/// Steps may be replayed in any order.
void tst_step_replay::wholePatchesGiveTheRecordedStep() {
  QFETCH(QString, family);
  QFETCH(QString, dtype);
  const test::TinySession tiny({.family = family.toStdString()},
                               *dtypeFromTorchName(dtype.toStdString()));
  RunRequest request = someRequest();
  request.absorbed.keptPrompt = {{0, 1}};
  const Recorded recorded(tiny.session, request);
  const auto replay = makeStepReplay(tiny.session);
  SilentProgress silent;
  for (const std::size_t step : {3u, 4u, 0u, 5u, 5u}) {
    replay->open(recorded.at(step), silent);
    const StrengthReading reading = replay->read({});
    const StepRecord& then = *recorded.steps[step];
    QVERIFY(reading.distance == then.patchedDistance);
    QVERIFY(reading.choices == then.patched);
    QCOMPARE(reading.match, then.match);
  }
}

void tst_step_replay::replayEqualsARunAtTheSameStrength() {
  const test::TinySession tiny({.family = "gemma3_text"});
  const Recorded whole(tiny.session, someRequest());
  const auto replay = makeStepReplay(tiny.session);
  SilentProgress silent;
  for (const PatchStrength& strength :
       {PatchStrength{.alpha = 0.5}, PatchStrength{.alpha = 1.0, .layers = {0, 2}},
        PatchStrength{.alpha = 1.5, .layers = {1}}}) {
    RunRequest request = someRequest();
    request.strength = strength;
    const Recorded part(tiny.session, request);
    replay->open(whole.at(2), silent);
    const StrengthReading reading = replay->read(strength);
    QVERIFY(reading.strength == strength);
    QVERIFY(reading.distance == part.steps[2]->patchedDistance);
    QVERIFY(reading.choices == part.steps[2]->patched);
    QVERIFY(reading.distance.linf > 1e-3);  // a part of the patch is missing or too large
  }
}

void tst_step_replay::strengthZeroGivesTheBarePass() {
  const test::TinyModel model{.family = "llama"};
  const test::TinySession tiny(model, DType::F64);
  RunRequest request = someRequest();
  request.topChoices = model.vocabulary;  // so that `bare` lists every token
  const Recorded recorded(tiny.session, request);
  const auto replay = makeStepReplay(tiny.session);
  SilentProgress silent;
  replay->open(recorded.at(1), silent);
  const StrengthReading none = replay->read({.alpha = 0.0});
  const StepRecord& then = *recorded.steps[1];
  QVERIFY(std::abs(none.distance.linf - then.bareDistance->linf) < 1e-12);
  const auto bare = std::ranges::find(then.bare, then.contextual.front().id, &Choice::id);
  QVERIFY(bare != then.bare.end());
  QVERIFY(std::abs(bare->probability - none.probability) < 1e-12);
  const StrengthReading all = replay->read({});
  QVERIFY(std::abs(all.probability - then.contextual.front().probability) < 1e-9);
}

void tst_step_replay::probabilitiesAreThoseOfRoundedLogits() {
  const test::TinySession tiny({.family = "llama"}, DType::BF16);
  RunRequest request = someRequest();
  request.roundLogits = true;
  const Recorded recorded(tiny.session, request);
  const auto replay = makeStepReplay(tiny.session);
  SilentProgress silent;
  for (std::size_t step = 0; step < recorded.steps.size(); ++step) {
    replay->open(recorded.at(step), silent);
    const StrengthReading reading = replay->read({});
    const TokenId best = recorded.steps[step]->contextual.front().id;
    const auto choice = std::ranges::find(reading.choices, best, &Choice::id);
    QVERIFY(choice != reading.choices.end());
    QCOMPARE(reading.probability, choice->probability);
  }
}

void tst_step_replay::aStoppedReplayKeepsThePrompt_data() {
  QTest::addColumn<QString>("family");
  QTest::newRow("keys and values") << "llama";
  QTest::newRow("recurrent layers") << "qwen3_5_moe_text";
}

/// A stop may come between any two layers, while the replay reads a token of the context
/// or computes the step.
void tst_step_replay::aStoppedReplayKeepsThePrompt() {
  QFETCH(QString, family);
  const test::TinySession tiny({.family = family.toStdString()});
  const Recorded recorded(tiny.session, someRequest());
  SilentProgress silent;
  test::Patience all, step;
  const auto counted = makeStepReplay(tiny.session);
  counted->open(recorded.at(1), silent);
  counted->open(recorded.at(4), all);
  const auto next = makeStepReplay(tiny.session);
  next->open(recorded.at(3), silent);
  next->open(recorded.at(4), step);  // reads no further token of the context
  QVERIFY(step.asked > 1);
  for (int questions = 0; questions < all.asked; ++questions) {
    const auto replay = makeStepReplay(tiny.session);
    replay->open(recorded.at(1), silent);
    test::Patience impatient(questions), patient;
    QVERIFY_THROWS_EXCEPTION(Error, replay->open(recorded.at(4), impatient));
    replay->open(recorded.at(4), patient);
    QVERIFY(replay->read({}).distance == recorded.steps[4]->patchedDistance);
    QCOMPARE(std::ranges::count(patient.labels, "Reading the prompt"), 0);
  }
}

void tst_step_replay::aStoppedReadingCanBeRepeated() {
  const test::TinySession tiny({});
  const Recorded recorded(tiny.session, someRequest());
  const auto replay = makeStepReplay(tiny.session);
  SilentProgress silent;
  replay->open(recorded.at(4), silent);
  const PatchStrength half{.alpha = 0.5};
  test::Patience patient;
  const StrengthReading whole = replay->read(half, patient);
  QVERIFY(patient.asked > tiny.session->spec().layerCount());
  for (int questions = 0; questions < patient.asked; ++questions) {
    test::Patience impatient(questions);
    QVERIFY_ERROR(replay->read(half, impatient), "stopped on request");
    QVERIFY(replay->read(half).distance == whole.distance);
  }
}

void tst_step_replay::invalidHistoriesAreRefused() {
  const test::TinySession tiny({.family = "llama"});
  const auto replay = makeStepReplay(tiny.session);
  SilentProgress silent;
  const ReplayedStep truncated{someRequest(), {TokenId(5)}};
  QVERIFY_ERROR(replay->open(truncated, silent), "1 tokens up to this step",
                "prompt of 5");
  const ReplayedStep unknownTokens{someRequest(),
                                   std::vector<TokenId>(5, TokenId(1'000'000))};
  QVERIFY_THROWS_EXCEPTION(Error, replay->open(unknownTokens, silent));
  const ReplayedStep tooLong{someRequest(), std::vector<TokenId>(129, TokenId(5))};
  QVERIFY_ERROR(replay->open(tooLong, silent), "129 tokens", "128 positions");
}

/// A run file may state any number of steps.
void tst_step_replay::aRunTooLongForTheMemoryIsReplayedStepByStep() {
  const std::int64_t most = std::int64_t{1} << 31;  // keys and values of 800 GB
  const test::TinySession tiny({.family = "llama", .maxPositions = most});
  Recorded recorded(tiny.session, someRequest());
  recorded.run.steps = most;
  const auto replay = makeStepReplay(tiny.session);
  SilentProgress silent;
  for (const std::size_t step : {2, 4}) {
    replay->open(recorded.at(step), silent);
    QVERIFY(replay->read({}).distance == recorded.steps[step]->patchedDistance);
  }
}

EQUIPATCH_TEST(tst_step_replay)
#include "tst_step_replay.moc"
