// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QByteArray>
#include <QFont>
#include <QLabel>
#include <QMainWindow>
#include <QPointer>
#include <QShortcut>
#include <QTimer>
#include <functional>
#include <utility>
#include <vector>

#include "ui/run/run_model.h"
#include "ui/window/pointer_ring.h"

namespace equipatch {

/// Prepares the window for a projector: large type, full screen, and only the parts that
/// show the run. Arrow keys move through the steps, F5 plays them at teaching speed or
/// starts a run, Esc leaves. The keys of a presenter remote work: PageUp and PageDown
/// turn the pages of a lesson or move through the steps, B and . blank the screen. P
/// shows the prompt, S the strength. A line below the charts names the keys; a ring
/// follows the pointer.
class Presentation final : public QObject {
  Q_OBJECT

 public:
  static constexpr double kLeastEnlargement = 1.5;
  static constexpr int kPlayMilliseconds = 1200;  ///< per step

  /// @param window, selection outlive this.
  /// @param chrome parts of the window that a presentation hides
  Presentation(QMainWindow& window, Selection& selection, QList<QWidget*> chrome);

  /// The factor that enlarges type on a screen of this size. A line of text is then about
  /// a fortieth of the screen's height, readable from the back of a lecture room.
  static double enlargement(const QSize& screen);

  bool isOn() const { return m_on; }
  bool isPlaying() const { return m_player.isActive(); }
  bool isBlank() const { return m_blank->isVisible(); }
  const PointerRing& ring() const { return *m_ring; }

  /// @param turn turns the page of a lesson by 1 or −1; 0 turns no page. Returns whether
  /// a lesson is played
  void setLesson(const std::function<bool(int)>& turn) { m_turn = turn; }
  /// Sets whether F5 runs the prompt instead of playing the steps: it should if the
  /// prompt differs from the run's, or during a lesson.
  void setRunsNext(bool runs);
  /// Sets whether a run is paused. The hints then say that F5 resumes the run where it
  /// would otherwise run the prompt.
  void setPaused(bool isPaused);
  /// The window's layout; during a presentation, the layout that its end will restore.
  QByteArray layout() const { return m_on ? m_layout : m_window.saveState(); }
  /// Restores a layout of the window; the end of a presentation restores it again.
  void restoreLayout(const QByteArray& layout);

 public Q_SLOTS:
  void setOn(bool on);
  /// Stops playing, or plays from the selected step, or from the first one when the last
  /// is selected. Without steps, or after setRunsNext(true), requests a run instead.
  void togglePlaying();
  void togglePrompt();
  void toggleStrength();
  void toggleBlank();

 Q_SIGNALS:
  void changed(bool on);
  /// Emitted before the type is enlarged. Hide what is not needed: a window that has no
  /// room for all of its parts would leave the full screen.
  void entering();
  void runRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  enum class WhileBlank { LightsUp, Acts };

  void addKeys();
  void addKey(const QKeySequence& key, const std::function<void()>& action,
              WhileBlank blank = WhileBlank::LightsUp,
              Qt::ShortcutContext context = Qt::WindowShortcut);
  void setBlank(bool blank);
  void addButton(const char* name, const QString& text, void (Presentation::*act)());
  bool isEditing() const;
  void escape();
  void turnPage(int by);
  void moveStep(int by);
  void hideChrome();
  void toggleChart(int chart);
  void showLowerCharts(bool shown);
  void takeKeys();
  void returnKeys();
  void enter();
  void setFont(const QFont& font);
  void widenButtons();
  void widenSides(double factor);
  /// Titles are hidden because the tabs and the contents say enough.
  void showDockTitles(bool shown);
  void leave();
  void restoreAgain();
  void playStep();
  QString runHint() const;
  QStringList hints() const;
  void showHint();

  QMainWindow& m_window;
  Selection& m_selection;
  QList<QWidget*> m_chrome;
  QList<QWidget*> m_hidden;  ///< were visible before the presentation
  QList<QWidget*> m_behind;  ///< docks hidden for the prompt, the front one last
  QList<QShortcut*> m_keys;
  /// Actions from which the presentation took keys, each with all its former keys.
  std::vector<std::pair<QPointer<QAction>, QList<QKeySequence>>> m_taken;
  QTimer m_player;
  QTimer m_leaving;  ///< runs until the window has its former size
  QLabel* m_hint;
  QWidget* m_blank;  ///< black, over the whole window
  PointerRing* m_ring;
  std::function<bool(int)> m_turn;
  QPointer<QWidget> m_focused;  ///< before the presentation
  QByteArray m_layout;          ///< before the presentation
  Qt::WindowStates m_state;
  QFont m_font;
  bool m_on = false;
  bool m_runsNext = false;
  bool m_isPaused = false;
  bool m_ringReturns = false;          ///< when the screen is no longer blank
  QList<QPointer<QWidget>> m_covered;  ///< windows that the blank screen hides
};

}  // namespace equipatch
