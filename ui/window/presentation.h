// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QFont>
#include <QLabel>
#include <QMainWindow>
#include <QShortcut>
#include <QTimer>
#include <functional>

#include "ui/run/run_model.h"

namespace equipatch {

/// Prepares the window for a projector: large type, full screen, and only the parts that
/// show the run. Arrow keys walk the steps, F5 plays them at teaching speed or starts the
/// first run, Esc leaves. A line below the charts names these keys.
class Presentation final : public QObject {
  Q_OBJECT

 public:
  static constexpr double kLeastEnlargement = 1.5;
  static constexpr int kPlayMilliseconds = 1200;  ///< per step

  /// @param window, selection outlive this.
  /// @param chrome parts of the window that a presentation hides
  Presentation(QMainWindow& window, Selection& selection, QList<QWidget*> chrome);

  /// How much larger type becomes on a screen of this size: a line of text is about a
  /// fortieth of the screen's height, which can be read from the back of a lecture room.
  static double enlargement(const QSize& screen);

  bool isOn() const { return m_on; }
  bool isPlaying() const { return m_player.isActive(); }

 public Q_SLOTS:
  void setOn(bool on);
  /// Plays from the selected step, or from the first one when the last is selected.
  /// Without steps, requests a run.
  void togglePlaying();

 Q_SIGNALS:
  void changed(bool on);
  void runRequested();

 private:
  void addKey(const QKeySequence& key, const std::function<void()>& action);
  void enter();
  void setFont(const QFont& font);
  void widenSides(double factor);
  /// Titles are hidden because the tabs and the contents say enough.
  void showDockTitles(bool shown);
  void leave();
  void playStep();
  void showHint();

  QMainWindow& m_window;
  Selection& m_selection;
  QList<QWidget*> m_chrome;
  QList<QShortcut*> m_keys;
  QTimer m_player;
  QLabel* m_hint;
  QByteArray m_layout;  ///< of the docks before the presentation
  Qt::WindowStates m_state;
  QFont m_font;
  bool m_on = false;
};

}  // namespace equipatch
