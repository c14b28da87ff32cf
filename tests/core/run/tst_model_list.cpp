// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/model_list.h"

#include <QTemporaryDir>

#include "core/checkpoint/model_folders.h"
#include "core/work/worker.h"
#include "tests/core/work/recording_listener.h"
#include "tests/support/changed_environment.h"
#include "tests/support/hub_cache.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;
namespace fs = std::filesystem;

namespace {

class Lists final : public ModelListSink {
 public:
  void modelsListed(std::shared_ptr<const ModelList> list) override {
    lists.push_back(std::move(list));
  }
  std::vector<std::shared_ptr<const ModelList>> lists;
};

}  // namespace

class tst_model_list : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void publishesModelsBeforeTheirChecks();
  void aSecondListingHasTheBadgesAtOnce();
  void stopsOnRequest();
  void initTestCase();
  void aRememberedFolderIsFoundByName();
  void cachedModelsAreNotListedTwice();

 private:
  QTemporaryDir m_data;
  test::FakeHubCache m_cache;
  test::ChangedEnvironment m_environment;
};

void tst_model_list::publishesModelsBeforeTheirChecks() {
  const auto sink = std::make_shared<Lists>();
  test::RecordingListener listener;
  InlineWorker worker(listener);
  const ModelPlaces places{.used = {"/gone"}, .given = {test::data("golden/llama2_gqa")}};
  worker.run(makeModelListJob(
      [&] { return places; },
      std::make_shared<ParityBook>(goldenFolders(), ParityCache({})), sink));
  QCOMPARE(sink->lists.size(), std::size_t(2));
  const auto& first = *sink->lists[0];
  const auto& last = *sink->lists[1];
  QCOMPARE(first.models.size(), std::size_t(2));
  QVERIFY(first.freeBytes.value_or(0) > 0);
  QVERIFY(first.models[0].origin == ModelOrigin::Used);
  QVERIFY(!first.models[0].entry.loadable());
  QVERIFY(first.models[1].parity.state == ParityState::Unknown);
  QVERIFY(last.models[0].parity.state == ParityState::Unknown);
  QVERIFY(last.models[1].parity.state == ParityState::Equal);
}

void tst_model_list::aSecondListingHasTheBadgesAtOnce() {
  const auto sink = std::make_shared<Lists>();
  const auto book = std::make_shared<ParityBook>(goldenFolders(), ParityCache({}));
  test::RecordingListener listener;
  InlineWorker worker(listener);
  const ModelPlaces places{.given = {test::data("golden/llama2_gqa")}};
  for (int round = 0; round < 2; ++round)
    worker.run(makeModelListJob([&] { return places; }, book, sink));
  QCOMPARE(sink->lists.size(), std::size_t(4));
  QVERIFY(sink->lists[2]->models[0].parity.state == ParityState::Equal);
}

void tst_model_list::stopsOnRequest() {
  const auto sink = std::make_shared<Lists>();
  test::RecordingListener listener;
  InlineWorker worker(listener);
  const ModelPlaces places{.given = {test::data("golden/llama2_gqa")}};
  worker.run(makeModelListJob(
      [&] {
        worker.stop();  // a job that is stopped before its start does not run at all
        return places;
      },
      std::make_shared<ParityBook>(goldenFolders(), ParityCache({})), sink));
  QVERIFY(listener.lines().contains("1 cancelled"));
  QVERIFY(sink->lists.empty());
}

void tst_model_list::initTestCase() {
  m_environment.set("XDG_DATA_HOME", m_data.path().toUtf8());
  m_environment.set("HF_HUB_CACHE", m_cache.root().string().c_str());
}

void tst_model_list::aRememberedFolderIsFoundByName() {
  QVERIFY_ERROR(modelFolder("gemma3_text"), "gemma3_text");
  const fs::path folder = test::data("golden/gemma3_text");
  rememberModel(folder);
  QCOMPARE(modelFolder("gemma3_text"), folder);
  QCOMPARE(nameOf(folder), std::string("gemma3_text"));
  QVERIFY_ERROR(modelFolder("gemma3_txt"), "names like it are gemma3_text");
  QVERIFY(forgetModel(folder));
  QVERIFY(!forgetModel(folder));
}

void tst_model_list::cachedModelsAreNotListedTwice() {
  m_cache.link(test::data("golden/llama2_gqa"), "owner--tiny", "abc");
  const fs::path folder = modelFolder("owner/tiny");
  const auto before = UsedFolders().all();
  rememberModel(folder);
  QCOMPARE(UsedFolders().all(), before);
}

EQUIPATCH_TEST(tst_model_list)
#include "tst_model_list.moc"
