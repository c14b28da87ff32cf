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
/// show the run. A line below the charts names the most important keys. The keys of a
/// presenter remote work: PageUp and PageDown turn the pages of a lesson or move through
/// the steps, B and . blank the screen.
class Presentation final : public QObject {
  Q_OBJECT

 public:
  static constexpr double kLeastEnlargement = 1.5;
  static constexpr int kPlayMilliseconds = 1200;  ///< per step

  /// @param window, selection outlive this.
  /// @param chrome parts of the window that a presentation hides
  Presentation(QMainWindow& window, Selection& selection, QList<QWidget*> chrome);

  /// The factor by which type grows on a screen of this size: a line of text is then
  /// about a fortieth of the screen's height.
  static double enlargement(const QSize& screen);

  bool isOn() const { return m_on; }
  bool isPlaying() const { return m_player.isActive(); }
  bool isBlank() const { return m_blank->isVisible(); }
  const PointerRing& ring() const { return *m_ring; }

  /// @param turn turns the page of a lesson by 1 or −1; 0 turns no page. Returns whether
  /// a lesson is played
  void setLesson(const std::function<bool(int)>& turn) { m_turn = turn; }
  /// Sets whether F5 runs the prompt instead of playing the steps.
  void setRunsNext(bool runs);
  /// Sets whether the hints say that F5 resumes the run instead of running the prompt.
  void setPaused(bool isPaused);
  /// The window's layout; during a presentation, the layout that its end will restore.
  QByteArray layout() const { return m_on ? m_layout : m_window.saveState(); }
  /// Restores a layout, now and at the end of the presentation.
  void restoreLayout(const QByteArray& layout);

 public Q_SLOTS:
  void setOn(bool on);
  /// Stops playing, or plays on from the selected step (if it is the last, from the
  /// first). Without steps, or after setRunsNext(true), requests a run instead.
  void togglePlaying();
  void togglePrompt();
  void toggleStrength();
  void toggleBlank();

 Q_SIGNALS:
  void changed(bool on);
  /// Emitted before the type is enlarged. Hide unneeded parts: a window without room for
  /// all its parts would leave the full screen.
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
  QList<QWidget*> m_hidden;  ///< parts that reappear when the presentation ends
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
  bool m_ringReturns = false;          ///< once the screen is no longer blank
  QList<QPointer<QWidget>> m_covered;  ///< windows that the blank screen hides
};

}  // namespace equipatch
