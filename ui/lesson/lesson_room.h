// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QSize>
#include <QTimer>
#include <vector>

#include "core/lesson/lesson.h"
#include "ui/lesson/lesson_panel.h"

namespace equipatch {

/// Divides the window's height between a lesson's panel and the dock below it, so that
/// the step's text is fully visible if there is room. Repeats this when the room changes,
/// but not when the reader moves the border between panel and dock. If the window grew
/// because its parts briefly needed more room, restores the window's size.
class LessonRoom final : public QObject {
  Q_OBJECT

 public:
  /// @param window, dock, panel outlive this; the dock contains the panel.
  LessonRoom(QMainWindow& window, QDockWidget& dock, LessonPanel& panel);

  /// @param lit the parts that the step lights up
  /// @param presented on a projector: enlarges the text and divides the width, too
  void share(const std::vector<LessonPart>& lit, bool presented);
  /// Call when the panel needs another height.
  void refresh();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void shareNow();
  void shareAgain();
  void noteWindowSize();
  void shrinkWindow();
  void shareWidth();
  void shareHeight();
  int maxHeight() const;
  QDockWidget* dockBelow() const;
  int promptHeight(const QDockWidget& dock) const;
  void setLessonHeight(QDockWidget& below, int height);
  QSize roomNow() const;

  QMainWindow& m_window;
  QDockWidget& m_dock;
  LessonPanel& m_panel;
  bool m_isInputLit = false;  ///< the step lights up the model or prompt
  bool m_isPresented = false;
  QSize m_shared;  ///< `roomNow` after the last sharing
  QSize m_chosen;  ///< the window's size, as chosen by the user
  int m_tries = 0;
  QTimer m_afterLayout;  ///< fires when layouts have placed all docks
};

}  // namespace equipatch
