// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <array>
#include <functional>

#include "ui/lesson/lesson_recorder.h"

namespace equipatch {

/// What is edited: a draft, which can be deleted, or a saved lesson.
enum class EditedLesson { Draft, Saved };

/// Edits the texts, lit parts and expectations of a recorded lesson. A step can be
/// removed, or become a question whose solution is what the step did.
class RecordDialog final : public QDialog {
  Q_OBJECT

 public:
  /// @param place the folder in which a draft is saved, or the file of a saved lesson
  RecordDialog(Recording recording, EditedLesson kind, const QString& place,
               QWidget* parent = nullptr);

  const Recording& recording() const { return m_recording; }

 Q_SIGNALS:
  void edited();
  void saveRequested();
  void deleteRequested();

 private:
  QWidget* makeHead(EditedLesson kind, const QString& place);
  QWidget* makeSteps();
  QWidget* makeStep();
  QWidget* makeActions();
  QWidget* makeConditions();
  QWidget* makeParts();
  QWidget* makeButtons(EditedLesson kind);
  void connectFields();
  void fillSteps(int current);
  void showStep();
  void edit(const std::function<void(LessonStep&)>& change);
  void takeTitle();
  void takeText();
  void takeLit();
  void showConditions(const LessonStep& step, std::size_t row);
  void showKind(const LessonStep& step, std::size_t row);
  void takeConditions();
  void takeKind();
  void takeHint();
  void removeStep();

  Recording m_recording;
  QLineEdit* m_title;
  QPlainTextEdit* m_summary;
  QListWidget* m_steps;
  QPushButton* m_remove = nullptr;
  QLineEdit* m_stepTitle;
  QPlainTextEdit* m_text;
  QCheckBox* m_asks;
  QLabel* m_actionsHead;
  QLabel* m_actions;
  QLabel* m_hintHead;
  QLineEdit* m_hint;
  QLabel* m_expectedHead;
  QListWidget* m_expected;
  QLabel* m_note;
  QPushButton* m_save = nullptr;
  std::array<QComboBox*, 2> m_lit{};
  bool m_showing = false;  ///< the fields are being filled
};

}  // namespace equipatch
