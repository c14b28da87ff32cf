// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/run_queue.h"

#include <algorithm>

namespace equipatch {

RunQueue::RunQueue(RunController& controller, Record record, QObject* parent)
    : QObject(parent), m_controller(controller), m_record(std::move(record)) {
  connect(&controller, &RunController::runFinished, this, &RunQueue::startNext);
  connect(&controller, &RunController::runStopped, this, &RunQueue::clear);
  connect(&controller, &RunController::failed, this, &RunQueue::clear);
}

void RunQueue::start(std::vector<RunSettings> runs) {
  m_waiting = {std::make_move_iterator(runs.begin()),
               std::make_move_iterator(runs.end())};
  m_asked = {};
  m_triesMethods = std::ranges::any_of(m_waiting, [&](const RunSettings& run) {
    return run.run.patch.method != m_waiting.front().run.patch.method;
  });
  startNext();
}

void RunQueue::clear() {
  m_waiting.clear();
  m_triesMethods = false;  // runs outside the queue emit no notice
}

/// If the user loaded the model of the last started run in another dtype than requested,
/// waiting runs with the same request get that dtype.
void RunQueue::followLoaded() {
  const auto& loaded = m_controller.modelRequest();
  if (!loaded || loaded->folder != m_asked.folder) return;
  for (RunSettings& run : m_waiting)
    if (run.model == m_asked) run.model = *loaded;
}

void RunQueue::startNext() {
  followLoaded();
  const auto loaded = m_controller.loaded();
  // Before a run starts, the model of another run may be loaded.
  const bool isOwn =
      loaded && (m_waiting.empty() ||
                 m_controller.modelRequest()->folder == m_waiting.front().model.folder);
  const bool hasPlan = isOwn && !loaded->plan.parameters.empty();
  if (m_triesMethods && hasPlan && !loaded->plan.methodsDiffer()) {
    m_triesMethods = false;
    Q_EMIT noticed(
        tr("This model's blocks have no norm scale to patch, so all methods make the "
           "same patch; these runs differ in their rounding only."));
  }
  if (m_waiting.empty()) return clear();
  RunSettings next = std::move(m_waiting.front());
  m_waiting.pop_front();
  m_asked = next.model;
  try {
    next.record = m_record(next);
    m_controller.startOver(next);
  } catch (...) {
    clear();
    throw;
  }
}

std::vector<RunSettings> precisionGrid(const RunSettings& base) {
  struct Cell {
    DType dtype;
    Method method;
    Loop loop;
  };
  constexpr Cell kCells[] = {
      {DType::F32, Method::Balanced, Loop::Closed},
      {DType::BF16, Method::Direct, Loop::Open},
      {DType::BF16, Method::Stable, Loop::Open},
      {DType::BF16, Method::Balanced, Loop::Closed},
  };
  std::vector<RunSettings> runs;
  for (const auto& [dtype, method, loop] : kCells) {
    RunSettings run = base;
    run.model.dtype = dtype;
    run.model.computeFloat32 = false;
    run.run.patch.method = method;
    run.run.patch.loop = loop;
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace equipatch
