// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QListWidget>
#include <QPushButton>
#include <memory>
#include <vector>

#include "core/figure/run_figures.h"

namespace equipatch {

/// Asks which runs an exported page shows, and for the page's file. Deletes itself when
/// it is closed.
class PageDialog final : public QDialog {
  Q_OBJECT

 public:
  /// @param runs at least one; the first is on display when the page opens
  /// @param names of the runs, in the order of `runs`
  PageDialog(std::vector<FigureRun> runs, const QStringList& names,
             QWidget* parent = nullptr);

  /// Shows the runs; for a single run, asks for the file at once.
  void begin();
  QListWidget* list() const { return m_list; }
  QPushButton* saveButton() const { return m_save; }
  std::vector<FigureRun> chosen() const;
  using Headers = std::vector<std::shared_ptr<const RunHeader>>;
  /// Unticks the runs with these headers or, if none would stay ticked, ticks all runs.
  void leaveOut(const Headers& headers);
  Headers leftOut() const;

 Q_SIGNALS:
  void fileChosen(const QString& path);

 private:
  void chooseFile();

  std::vector<FigureRun> m_runs;
  QListWidget* m_list;
  QPushButton* m_save;
};

}  // namespace equipatch
