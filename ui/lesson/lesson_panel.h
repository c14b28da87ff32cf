// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QWidget>
#include <initializer_list>

#include "ui/lesson/lesson_player.h"

namespace equipatch {

/// A lesson's text, its question and its buttons. The buttons are above the text, at the
/// same places in every step.
class LessonPanel final : public QWidget {
  Q_OBJECT

 public:
  /// @param player is used until it is deleted, which may be just before the panel
  explicit LessonPanel(LessonPlayer& player, QWidget* parent = nullptr);

  /// Names the lesson that the last step offers; empty: none. Call it
  /// before the first step.
  void setFollowing(const QString& title);
  /// The first page offers to continue with this step, at which the reader left; 0: it
  /// offers nothing. Call it before the first step.
  void setLeftAt(int step);
  /// The height at which the step's whole text is seen. Needs the present width.
  int wantedHeight() const;
  /// Enlarges the step's text up to `most` times, as long as all of it is seen in a panel
  /// of the height `room`.
  void enlargeText(double most, int room);

 Q_SIGNALS:
  void endRequested();
  /// The text below the lesson needs more lines than are kept for it.
  void stateHeightChanged();
  void followRequested();
  /// An arrow key was pressed while the panel or one of its buttons had the focus: moves
  /// as in a chart.
  void keyMoved(int steps, int layers);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void compose();
  QLayout* makeRow(std::initializer_list<QPushButton*> buttons,
                   std::initializer_list<int> shares);
  QPushButton* makeButton(const char* name, const QString& text, const QKeySequence& key);
  static void nameButton(QPushButton* button, const QString& text,
                         const QKeySequence& key);
  void setTextSize(double factor);
  void showStep();
  void showText();
  void showFollow();
  void showQuestion();
  QString helpText(const std::string& hint) const;
  void keepFocus(const QWidget* focused);

  LessonPlayer& m_player;
  QLabel* m_place;
  QLabel* m_title;
  QTextBrowser* m_text;
  QLabel* m_state;
  QPushButton *m_hint, *m_solve;
  QPushButton *m_back, *m_next, *m_try, *m_end, *m_follow;
  QString m_following;
  int m_leftAt = 0;  ///< a step; 0: none
  int m_shown = -1;  ///< the step whose text is shown
  bool m_hinted = false;
};

}  // namespace equipatch
