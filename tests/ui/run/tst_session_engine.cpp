#include <utility>
#include <vector>

#include "core/work/inline_worker.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "ui/run/run_inbox.h"
#include "ui/run/session_engine.h"

using namespace equipatch;

class tst_session_engine : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void loadsAndDescribesAModel();
  void runsOnTheLoadedModel();
  void tellsWhyAFolderCannotBeLoaded();
};

namespace {

struct Listener final : WorkerListener {
  QStringList failures;
  void jobStarted(Generation, const std::string&) override {}
  void jobProgressed(Generation, double, const std::string&) override {}
  void jobPaused(Generation) override {}
  void jobResumed(Generation) override {}
  void jobFinished(Generation) override {}
  void jobCancelled(Generation) override {}
  void jobFailed(Generation, const Error& error) override {
    failures << QString::fromUtf8(error.what());
  }
};

struct Engines {
  Listener listener;
  InlineWorker worker{listener};
  SessionEngine engine;
  std::shared_ptr<RunInbox> inbox = std::make_shared<RunInbox>();

  std::shared_ptr<const LoadedModel> load(const std::filesystem::path& folder) {
    SessionRequest request;
    request.folder = folder;
    worker.run(engine.makeLoadJob(request, inbox->makeModelSink()));
    auto items = inbox->take();
    return items.empty() ? nullptr : std::get<0>(items.front());
  }
};

}  // namespace

void tst_session_engine::loadsAndDescribesAModel() {
  Engines e;
  const auto model = e.load(test::data("golden/gemma3_text"));
  QVERIFY2(model, qPrintable(e.listener.failures.join(u' ')));
  QCOMPARE(model->name, std::string("gemma3_text"));
  QVERIFY(model->spec.layerCount() > 0);
  QVERIFY(model->parameters > 0);
  QVERIFY(!model->tokenizer);
  QVERIFY(model->session);
}

void tst_session_engine::runsOnTheLoadedModel() {
  Engines e;
  const auto model = e.load(test::data("golden/gemma3_text"));
  QVERIFY(model);
  RunRequest request;
  for (int id = 3; id < 9; ++id) request.prompt.push_back({TokenId(id), {}, {}, false});
  request.steps = 3;
  request.ignoreEndOfSequence = true;
  e.worker.run(e.engine.makeRunJob(*model, request, e.inbox->makeRunSink()));
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

void tst_session_engine::tellsWhyAFolderCannotBeLoaded() {
  Engines e;
  QVERIFY(!e.load("/nowhere/at-all"));
  QCOMPARE(e.listener.failures.size(), 1);
  QVERIFY(e.listener.failures[0].contains(QStringLiteral("/nowhere/at-all")));
}

EQUIPATCH_TEST(tst_session_engine)
#include "tst_session_engine.moc"
