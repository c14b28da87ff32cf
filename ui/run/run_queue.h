// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <deque>
#include <functional>
#include <vector>

#include "ui/run/engine.h"
#include "ui/run/run_controller.h"

namespace equipatch {

/// Starts runs one after another. The queue is cleared when a run fails or is stopped. If
/// the user loads a model in another dtype because it does not fit into memory, later
/// runs with the same model request get that dtype, too.
class RunQueue final : public QObject {
  Q_OBJECT

 public:
  /// Returns the file in which the run will be recorded.
  using Record = std::function<std::filesystem::path(const RunSettings&)>;

  /// @param controller outlives the queue.
  RunQueue(RunController& controller, Record record, QObject* parent = nullptr);

  /// Replaces the queue, and starts its first run with `RunController::startOver`.
  /// @throws as `startOver`
  void start(std::vector<RunSettings> runs);
  int left() const { return int(m_waiting.size()); }  ///< runs not started yet

 public Q_SLOTS:
  void clear();

 Q_SIGNALS:
  /// The runs use several methods, but for their model all methods make the same patch.
  /// Emitted at most once for each `start`.
  void noticed(const QString& sentence);

 private:
  void startNext();
  void followLoaded();

  RunController& m_controller;
  Record m_record;
  std::deque<RunSettings> m_waiting;
  SessionRequest m_asked;  ///< the model that the last started run requested
  /// The runs of the last `start` use several methods, and `noticed` was not emitted yet.
  bool m_triesMethods = false;
};

/// Four runs that show how the dtype affects the patch. Each copies `base`, but sets
/// dtype, method and loop, and clears `SessionRequest::computeFloat32`.
std::vector<RunSettings> precisionGrid(const RunSettings& base);

}  // namespace equipatch
