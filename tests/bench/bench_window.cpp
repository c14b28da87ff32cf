// SPDX-License-Identifier: GPL-3.0-or-later
// Measures how long the window's thread is busy without a break while runs arrive at full
// speed: a key press may wait that long. Also measures the time to draw all charts for a
// newly selected step.
//
//   QT_QPA_PLATFORM=offscreen bench_window

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <vector>

#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/window/main_window.h"

using namespace equipatch;

namespace {

constexpr int kSteps = 1000;
constexpr double kShortest = 0.5;  // milliseconds; ignores times without drawing

/// Times in milliseconds from each wake-up of the event loop to its next sleep.
class BusyTimes {
 public:
  BusyTimes() {
    const auto* loop = QAbstractEventDispatcher::instance();
    QObject::connect(loop, &QAbstractEventDispatcher::awake, loop, [this] {
      if (!m_busy) m_watch.start();
      m_busy = true;
    });
    QObject::connect(loop, &QAbstractEventDispatcher::aboutToBlock, loop, [this] {
      if (m_busy) add(double(m_watch.nsecsElapsed()) / 1e6);
      m_busy = false;
    });
  }

  void forget() { m_times.clear(); }

  void report(const char* what) {
    if (m_times.empty()) return void(std::printf("%-34s nothing was measured\n", what));
    std::ranges::sort(m_times);
    const auto at = [this](double share) {
      return m_times[std::size_t(share * double(m_times.size() - 1))];
    };
    std::printf(
        "%-34s %5zu stretches, median %5.1f ms, 95 %% %5.1f ms, longest %5.1f ms\n", what,
        m_times.size(), at(0.5), at(0.95), at(1.0));
    m_times.clear();
  }

 private:
  void add(double milliseconds) {
    if (milliseconds >= kShortest) m_times.push_back(milliseconds);
  }

  QElapsedTimer m_watch;
  std::vector<double> m_times;
  bool m_busy = false;
};

void run(MainWindow& window) {
  QEventLoop loop;
  QObject::connect(&window.controller(), &RunController::runFinished, &loop,
                   &QEventLoop::quit);
  window.run();
  loop.exec();
}

void selectSteps(MainWindow& window, const char* what) {
  constexpr int kSelected = 200;
  QElapsedTimer watch;
  watch.start();
  for (int step = 0; step < kSelected; ++step) {
    window.selection().selectStep(step * (kSteps / kSelected));
    QCoreApplication::processEvents();
  }
  std::printf("%-34s %5.1f ms each\n", what,
              double(watch.nsecsElapsed()) / 1e6 / kSelected);
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_NO_GLIB", "1");  // GLib's loop does not signal its wake-up
  const QApplication application(argc, argv);
  const test::QuietPlatform quiet;
  const test::ScratchSettings settings;
  test::SyntheticEngine engine;
  engine.shape = {.layers = 26, .width = 1152, .noise = true, .mismatchEvery = 40};
  MainWindow window(engine);
  window.setFolder(QStringLiteral("/models/synthetic"));
  window.setSteps(kSteps);
  window.resize(1920, 1080);
  window.show();
  BusyTimes busy;
  run(window);
  busy.report("a run of 1,000 steps arrives");
  for (int more = 0; more < 4; ++more) run(window);
  busy.report("four more runs, overlaid");
  selectSteps(window, "selecting a step, all charts drawn");
  window.command("present")->trigger();
  QCoreApplication::processEvents();
  selectSteps(window, "the same, presented");
  busy.forget();
  run(window);
  busy.report("presented, a sixth run arrives");
  return 0;
}
