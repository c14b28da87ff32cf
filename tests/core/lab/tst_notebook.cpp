// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/notebook.h"

#include "core/work/worker.h"
#include "tests/core/work/ignoring_listener.h"
#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

struct Sink final : LabSink {
  void labUpdated(std::shared_ptr<const LabResult> grown) override {
    copies.push_back(std::move(grown));
  }
  std::vector<std::shared_ptr<const LabResult>> copies;
};

struct Listener final : test::IgnoringListener {
  void jobProgressed(Generation, double fraction, const std::string& label) override {
    reported = {fraction, label};
  }
  std::pair<double, std::string> reported;
};

/// A notebook with its dependencies.
struct Desk {
  Sink sink;
  Listener listener;
  Gate gate;
  std::stop_source stop;
  Control control{1, stop.get_token(), gate, listener};
  Notebook book{{.experiment = "one", .origin = {.seed = 7}}, control, sink};
};

}  // namespace

class tst_notebook : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void finishCopiesAFinishedResult();
  void resultIsCopiedAtMostTenTimesASecond();
  void resultIsCopiedBeforeTheEnd();
  void panelsAndScalarsReplaceThoseOfEqualName();
  void progressIsReported();
  void advanceThrowsAfterAStop();
};

void tst_notebook::finishCopiesAFinishedResult() {
  Desk desk;
  QCOMPARE(desk.book.seed(), std::uint64_t{7});
  desk.book.addNote("Something.");
  desk.book.finish();
  QCOMPARE(desk.sink.copies.size(), 1u);
  QVERIFY(desk.sink.copies[0]->finished);
  QCOMPARE(desk.sink.copies[0]->notes, std::vector<std::string>{"Something."});
}

void tst_notebook::resultIsCopiedAtMostTenTimesASecond() {
  const auto start = std::chrono::steady_clock::now();  // before the notebook starts
  Desk desk;
  for (int step = 0; step < 1000; ++step) desk.book.advance(0.5, "Working");
  const auto taken = std::chrono::steady_clock::now() - start;
  QVERIFY(desk.sink.copies.size() <= std::size_t(taken / std::chrono::milliseconds(100)));
}

void tst_notebook::resultIsCopiedBeforeTheEnd() {
  Desk desk;
  desk.book.addNote("Something.");
  QTRY_VERIFY((desk.book.advance(0.5, "Working"), !desk.sink.copies.empty()));
  QVERIFY(!desk.sink.copies[0]->finished);
  // No copy is sent in the first 0.1 s.
  QVERIFY(desk.sink.copies[0]->origin.seconds >= 0.1);
  QCOMPARE(desk.sink.copies[0]->notes.size(), 1u);
}

void tst_notebook::panelsAndScalarsReplaceThoseOfEqualName() {
  Desk desk;
  for (const double value : {1.0, 2.0}) {
    desk.book.addScalar({"loss", value, "", {}});
    desk.book.plot({.title = "Loss", .curves = {{"c", {0}, {value}, {}}}});
  }
  desk.book.addScalar({"rank", 3.0, "", {}});
  desk.book.finish();
  const LabResult& result = *desk.sink.copies.back();
  QCOMPARE(result.panels.size(), 1u);
  QCOMPARE(result.panels[0].curves[0].y, std::vector<double>{2.0});
  QCOMPARE(result.scalars.size(), 2u);
  QCOMPARE(result.scalars[0].value, 2.0);
}

void tst_notebook::progressIsReported() {
  Desk desk;
  desk.book.advance(0.25, "Training");
  QCOMPARE(desk.listener.reported, std::make_pair(0.25, std::string("Training")));
}

void tst_notebook::advanceThrowsAfterAStop() {
  Desk desk;
  desk.stop.request_stop();
  QVERIFY_ERROR(desk.book.advance(0.5, "Training"), "stopped");
}

EQUIPATCH_TEST(tst_notebook)
#include "tst_notebook.moc"
