// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <deque>
#include <functional>

#include "ui/run/run_controller.h"

namespace equipatch {

/// Opens recorded runs one after another. What the user stops or starts meanwhile drops
/// those that wait.
class RunOpener final : public QObject {
  Q_OBJECT

 public:
  using Open = std::function<void(const QString& file)>;

  /// @param controller outlives the opener.
  /// @param open makes the controller open a file
  RunOpener(RunController& controller, Open open, QObject* parent = nullptr);

  /// Opens a file when those before it are open; one that waits or is being opened is not
  /// opened again. @returns false if the controller is busy with something else; then
  /// nothing happens
  bool add(const QString& file);

 private:
  void openNext();

  RunController& m_controller;
  Open m_open;
  std::deque<QString> m_queue;  ///< the first one is being opened
};

}  // namespace equipatch
