// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <algorithm>
#include <utility>
#include <vector>

#include "core/work/worker.h"

#include "tests/core/work/ignoring_listener.h"
#include "tests/support/changed_environment.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "ui/run/run_controller.h"
#include "ui/run/session_engine.h"

using namespace equipatch;

class tst_session_engine : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    m_environment.set("XDG_DATA_HOME", m_data.path().toUtf8());
    m_environment.set("HF_HUB_CACHE", m_data.filePath(QStringLiteral("hub")).toUtf8());
  }
  void loadsAndDescribesAModel();
  void runsOnTheLoadedModel();
  void recordsARunAndOpensIt();
  void loadJobsAreNamedAfterTheirModel();
  void reportsWhyAFolderCannotBeLoaded();
  void aLoadedModelIsListedUntilForgotten();

 private:
  QTemporaryDir m_data;
  test::ChangedEnvironment m_environment;
};

namespace {

struct Listener final : test::IgnoringListener {
  QStringList failures;
  void jobFailed(Generation, const Error& error) override {
    failures << QString::fromUtf8(error.what());
  }
};

struct EngineSetup {
  Listener listener;
  InlineWorker worker{listener};
  SessionEngine engine;
  std::shared_ptr<RunInbox> inbox = std::make_shared<RunInbox>();

  std::shared_ptr<const LoadedModel> load(const std::filesystem::path& folder) {
    SessionRequest request;
    request.folder = folder;
    worker.run(engine.makeLoadJob(request, MemoryCheck::Ask, inbox->makeModelSink()));
    auto items = inbox->take();
    return items.empty() ? nullptr : std::get<0>(items.front());
  }
};

}  // namespace

void tst_session_engine::loadsAndDescribesAModel() {
  EngineSetup e;
  const auto model = e.load(test::data("golden/gemma3_text"));
  QVERIFY2(model, qPrintable(e.listener.failures.join(u' ')));
  QCOMPARE(model->name, std::string("gemma3_text"));
  QVERIFY(model->spec.layerCount() > 0);
  QVERIFY(model->parameters > 0);
  QVERIFY(!model->tokenizer);
  QVERIFY(model->session);
  QCOMPARE(model->origin.configSha256.size(), std::size_t(64));
  QCOMPARE(model->origin.tensorFiles.size(), std::size_t(1));
  QVERIFY(!model->plan.parameters.empty());
  QCOMPARE(model->memory.size(), kRunDTypes.size());
  QVERIFY(!model->chat);
}

void tst_session_engine::runsOnTheLoadedModel() {
  EngineSetup e;
  const auto model = e.load(test::data("golden/gemma3_text"));
  QVERIFY(model);
  RunRequest request;
  for (int id = 3; id < 9; ++id) request.prompt.push_back({TokenId(id), {}, {}, false});
  request.steps = 3;
  request.ignoreEndOfSequence = true;
  e.worker.run(e.engine.makeRunJob(*model, request, {}, e.inbox->makeRunSink()));
  QVERIFY2(e.listener.failures.isEmpty(), qPrintable(e.listener.failures.join(u' ')));
  const auto items = e.inbox->take();
  QCOMPARE(items.size(), std::size_t(4));
  const auto header = std::get<1>(items[0]);
  QCOMPARE(header->layers, model->spec.layerCount());
  QVERIFY(header->closesWithScale);
  const auto last = std::get<2>(items[3]);
  QCOMPARE(last->step.value, 2);
  QCOMPARE(std::int64_t(last->layers.size()), header->layers);
}

void tst_session_engine::recordsARunAndOpensIt() {
  const std::filesystem::path file =
      m_data.filePath(QStringLiteral("run.eqrun")).toStdString();
  EngineSetup e;
  const auto model = e.load(test::data("golden/gemma3_text"));
  QVERIFY(model);
  RunRequest request;
  request.prompt = {{.id = TokenId(3)}, {.id = TokenId(4)}};
  request.steps = 2;
  request.ignoreEndOfSequence = true;
  e.worker.run(e.engine.makeRunJob(*model, request, file, e.inbox->makeRunSink()));
  const auto taken = e.inbox->take();
  e.worker.run(e.engine.makeOpenRunJob(file, e.inbox->makeRunSink()));
  const auto opened = e.inbox->take();
  QVERIFY2(e.listener.failures.isEmpty(), qPrintable(e.listener.failures.join(u' ')));
  QCOMPARE(opened.size(), std::size_t(4));
  QVERIFY(*std::get<1>(opened[0]) == *std::get<1>(taken[0]));
  QCOMPARE(std::get<RunEnding>(opened[1]), RunEnding::Complete);
  for (std::size_t item : {1u, 2u})
    QVERIFY(*std::get<2>(opened[item + 1]) == *std::get<2>(taken[item]));
}

/// If memory runs out during a load, the error message begins with this name.
void tst_session_engine::loadJobsAreNamedAfterTheirModel() {
  EngineSetup e;
  const auto named = [&e](const char* folder) {
    return e.engine
        .makeLoadJob({.folder = folder}, MemoryCheck::Ask, e.inbox->makeModelSink())
        ->name();
  };
  QCOMPARE(named("/hub/models--google--gemma/snapshots/0123abc"),
           std::string("Load google/gemma"));
  QCOMPARE(named("/models/tiny"), std::string("Load tiny"));
  QCOMPARE(named("tiny"), std::string("Load tiny"));
}

void tst_session_engine::reportsWhyAFolderCannotBeLoaded() {
  EngineSetup e;
  QVERIFY(!e.load("/nowhere/at-all"));
  QCOMPARE(e.listener.failures.size(), 1);
  QVERIFY(e.listener.failures[0].contains(QStringLiteral("/nowhere/at-all")));
}

void tst_session_engine::aLoadedModelIsListedUntilForgotten() {
  class Lists final : public ModelListSink {
   public:
    void modelsListed(std::shared_ptr<const ModelList> listed) override { list = listed; }
    std::shared_ptr<const ModelList> list;
  };
  EngineSetup e;
  const auto folder = test::data("golden/llama3_tied");
  QVERIFY(e.load(folder));
  const auto sink = std::make_shared<Lists>();
  e.worker.run(e.engine.makeListJob(sink, {}));
  QVERIFY(sink->list);
  const auto& models = sink->list->models;
  const auto listed = std::ranges::find_if(
      models, [&](const auto& model) { return model.entry.folder == folder; });
  QVERIFY(listed != models.end());
  QVERIFY(listed->parity.state == ParityState::Equal);
  QVERIFY(e.load("llama3_tied"));  // by its name
  e.worker.run(e.engine.makeListJob(sink, {folder}));
  QVERIFY(std::ranges::none_of(sink->list->models, [&](const auto& model) {
    return model.entry.folder == folder;
  }));
}

EQUIPATCH_TEST(tst_session_engine)
#include "tst_session_engine.moc"
