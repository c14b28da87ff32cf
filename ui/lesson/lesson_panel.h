// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QWidget>
#include <initializer_list>

#include "ui/lesson/lesson_player.h"

namespace equipatch {

/// A lesson's text, question and buttons. The buttons have the same places in every step.
class LessonPanel final : public QWidget {
  Q_OBJECT

 public:
  /// @param player must outlive every use of the panel except its destructor.
  explicit LessonPanel(LessonPlayer& player, QWidget* parent = nullptr);

  /// Sets the title of the lesson that the last page offers; empty: none. Call before the
  /// first page.
  void setFollowing(const QString& title);
  /// Sets the page, counted from 0, at which the first page offers to continue; 0: no
  /// offer. Call before the first page.
  void setLeftAt(int page);
  /// The height that shows the step's whole text at the panel's current width.
  int wantedHeight() const;
  /// Enlarges the step's text, at most `most` times, as far as a panel of the height
  /// `room` shows the whole text.
  void enlargeText(double most, int room);

 Q_SIGNALS:
  void endRequested();
  /// The line of state below the text needs more height than is reserved for it.
  void stateHeightChanged();
  void followRequested();
  /// An arrow key asks to move the selection by this many steps of the run and layers.
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
