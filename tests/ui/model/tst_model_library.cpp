// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_library.h"

#include "tests/support/test_case.h"
#include "tests/ui/support/models.h"
#include "tests/ui/support/synthetic_engine.h"

using namespace equipatch;

class tst_model_library : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void listsInTheWindowsThread();
  void onlyTheNewestListIsReported();
  void aRefreshStillForgetsTheRequestedFolders();
  void failuresToForgetAreReported();
  void libraryCanBeDestroyedWhileListing();
};

void tst_model_library::listsInTheWindowsThread() {
  test::SyntheticEngine engine;
  engine.models = test::someModels();
  ModelLibrary library(engine);
  std::shared_ptr<const ModelList> list;
  QThread* thread = nullptr;
  connect(&library, &ModelLibrary::listed, this, [&](auto listed) {
    list = listed;
    thread = QThread::currentThread();
  });
  library.refresh();
  QVERIFY(!list);  // the call does not wait
  QTRY_VERIFY(list);
  QCOMPARE(list->models.size(), std::size_t(3));
  QCOMPARE(thread, QCoreApplication::instance()->thread());
}

/// Lists of earlier jobs that were ready before they could be stopped are dropped.
void tst_model_library::onlyTheNewestListIsReported() {
  test::SyntheticEngine engine;
  engine.models = test::someModels();
  ModelLibrary library(engine);
  std::vector<std::int64_t> rounds;  // told apart by the free memory
  connect(&library, &ModelLibrary::listed, this,
          [&](auto list) { rounds.push_back(list->freeBytes.value()); });
  for (int round = 0; round < 20; ++round) {
    engine.models.freeBytes = round;
    library.refresh();
  }
  QTRY_VERIFY(!rounds.empty());
  QCOMPARE(rounds, std::vector<std::int64_t>{19});
  QCOMPARE(engine.lists(), 20);
}

void tst_model_library::aRefreshStillForgetsTheRequestedFolders() {
  test::SyntheticEngine engine;
  ModelLibrary library(engine);
  int lists = 0;
  connect(&library, &ModelLibrary::listed, this, [&] { ++lists; });
  library.forget(QStringLiteral("/models/old"));
  library.forget(QStringLiteral("/models/older"));
  library.refresh();  // may stop the others before they begin
  QCOMPARE(engine.lastForgotten(), (Folders{"/models/old", "/models/older"}));
  QTRY_COMPARE(lists, 1);
  library.refresh();
  QVERIFY(engine.lastForgotten().empty());
  QTRY_COMPARE(lists, 2);
}

void tst_model_library::failuresToForgetAreReported() {
  test::SyntheticEngine engine;
  engine.forgetFailure = "The list of used folders cannot be written.";
  ModelLibrary library(engine);
  int lists = 0;
  QString problem;
  connect(&library, &ModelLibrary::listed, this, [&] { ++lists; });
  connect(&library, &ModelLibrary::failed, this,
          [&](const QString& sentence) { problem = sentence; });
  library.forget(QStringLiteral("/models/old"));
  QTRY_COMPARE(problem, QStringLiteral("The list of used folders cannot be written."));
  QTRY_COMPARE(lists, 1);
}

void tst_model_library::libraryCanBeDestroyedWhileListing() {
  test::SyntheticEngine engine;
  for (int round = 0; round < 20; ++round) {
    ModelLibrary library(engine);
    library.refresh();
  }
  QCoreApplication::processEvents();
}

EQUIPATCH_TEST(tst_model_library)
#include "tst_model_library.moc"
