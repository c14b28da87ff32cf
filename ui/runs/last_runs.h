// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QList>
#include <QPushButton>
#include <QStringList>

#include "ui/runs/run_list.h"

namespace equipatch {

/// A button that opens the recorded runs of the last session again, with their colours
/// and ticks. It disappears when the list gets any other run. Saves the list for the next
/// session in QSettings.
class LastRuns final : public QPushButton {
  Q_OBJECT

 public:
  /// @param runs outlives this
  explicit LastRuns(RunList& runs, QWidget* parent = nullptr);

  /// While paused, saves nothing and is hidden. Pause during a lesson, because the list
  /// may then have runs that are not the user's.
  void setPaused(bool isPaused);

 Q_SIGNALS:
  void openRequested(const QStringList& files);
  /// The run of this row of the list was on display when the program was closed.
  void displayRequested(int row);

 private:
  struct Look {
    QString file;
    int colour = 0;
    QColor own;
    bool shown = true;
  };
  static QList<Look> read();
  static QString lineOf(const Look& look);

  void request();
  void runsChanged();
  void takeListed();
  void takeLooks();
  void takeDisplayed();
  void save() const;
  void offer();

  RunList& m_runs;
  QList<Look> m_last;    ///< runs of the last session that are still offered
  QStringList m_listed;  ///< files of the last session's runs that were listed again
  QList<Look> m_wanted;  ///< looks that runs get when they are listed
  QString m_displayed;   ///< file of the run on display in the last session, or empty
  QString m_toDisplay;   ///< file of the run to display when it is listed, or empty
  bool m_isPaused = false;
};

}  // namespace equipatch
