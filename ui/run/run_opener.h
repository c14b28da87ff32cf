// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <deque>
#include <functional>

#include "ui/run/run_controller.h"

namespace equipatch {

/// Opens recorded runs one after another. Drops the waiting files if the user stops the
/// reading or starts something else.
class RunOpener final : public QObject {
  Q_OBJECT

 public:
  using Open = std::function<void(const QString& file)>;

  /// @param controller outlives the opener.
  /// @param open makes `controller` open a file
  RunOpener(RunController& controller, Open open, QObject* parent = nullptr);

  /// Queues the file, unless the queue has it already. @returns false, and does nothing,
  /// if the controller is busy with something other than the files in the queue
  bool add(const QString& file);

 private:
  void openNext();

  RunController& m_controller;
  Open m_open;
  std::deque<QString> m_queue;  ///< the first one is being opened
};

}  // namespace equipatch
