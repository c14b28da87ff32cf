// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "ui/run/run_controller.h"

namespace equipatch {

/// An image of a recorded run or of the prompt that is being written.
struct PictureSubject {
  PromptImage image;  ///< unknown tokens: `tokens.last` < `tokens.first`
  /// The recorded run, or a run with default settings on the prompt that is being
  /// written. `run.prompt` is empty if the tokens are unknown.
  RunRequest run = {};
  /// The recorded run's header; null for the prompt that is being written.
  std::shared_ptr<const RunHeader> recorded = nullptr;
  std::int64_t step = 0;  ///< the step that the dialog selects first
};

/// Computes maps of images, one at a time, on the SharedWorker. Lives on the window's
/// thread.
class PictureMapper final : public QObject {
  Q_OBJECT

 public:
  /// All parameters outlive the mapper. Make the mapper before any job starts.
  PictureMapper(Engine& engine, SharedWorker& worker, const RunController& runs,
                QObject* parent = nullptr);

  /// Why the image cannot be mapped now; else empty.
  QString problem(const PictureSubject& subject) const;
  /// Stops the worker's current job and starts a map. Requires that `problem` is empty.
  /// @returns the number that the signals give for this map
  int map(const ImageMapRequest& request);
  void stop(int number);
  /// Emits `shown`. Call when a quantity of a map is displayed.
  /// @param quantity index in the panel's field Show
  void noteShown(const MappedImage& map, int quantity) { Q_EMIT shown(map, quantity); }

 Q_SIGNALS:
  void shown(const equipatch::MappedImage& map, int quantity);
  void progressed(int number, double fraction);
  void mapped(int number, std::shared_ptr<const equipatch::MappedImage> result);
  /// Follows `mapped`, or comes alone if the map failed or was stopped.
  /// @param sentence empty unless the map failed
  void ended(int number, const QString& sentence);
  /// What `problem` returns may have changed.
  void possibilityChanged();

 private:
  class Sink;
  using Results = Inbox<std::shared_ptr<const MappedImage>>;

  void end(const QString& sentence);

  Engine& m_engine;
  SharedWorker& m_worker;
  WorkerBridge& m_bridge;
  const RunController& m_runs;
  std::shared_ptr<Results> m_results = std::make_shared<Results>();
  int m_number = 0;
  bool m_busy = false;
};

}  // namespace equipatch
