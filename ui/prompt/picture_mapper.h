// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "ui/run/run_controller.h"

namespace equipatch {

/// An image of a prompt, as the window shows it.
struct PictureSubject {
  PromptImage image;  ///< its tokens may be unknown: then the last is before the first
  /// The run that has the image, or whose prompt is being written; its prompt is empty
  /// where it is not known.
  RunRequest run = {};
  /// Of the recorded run; null for the prompt that is being written.
  std::shared_ptr<const RunHeader> recorded = nullptr;
  std::int64_t step = 0;  ///< to begin with
};

/// Computes maps of images on the window's worker, one at a time, which runs and
/// experiments use too. Lives on the window's thread.
class PictureMapper final : public QObject {
  Q_OBJECT

 public:
  /// All parameters outlive the mapper. Make it before any job starts.
  PictureMapper(Engine& engine, SharedWorker& worker, const RunController& runs,
                QObject* parent = nullptr);

  /// Why the image cannot be mapped now; empty: it can be.
  QString problem(const PictureSubject& subject) const;
  /// Stops the current map. @returns the number of this map in the signals
  int map(const ImageMapRequest& request);
  void stop(int number);

 Q_SIGNALS:
  void progressed(int number, double fraction, const QString& label);
  void mapped(int number, std::shared_ptr<const equipatch::MappedImage> result);
  /// After `mapped`, or without it when the map failed or was stopped.
  /// @param sentence empty unless it failed
  void ended(int number, const QString& sentence);
  /// The answer of `problem` may have changed.
  void possibilityChanged();

 private:
  class Sink;

  void end(const QString& sentence);

  Engine& m_engine;
  SharedWorker& m_worker;
  WorkerBridge& m_bridge;
  const RunController& m_runs;
  int m_number = 0;
  bool m_busy = false;
};

}  // namespace equipatch
