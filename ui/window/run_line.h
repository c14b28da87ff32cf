// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QToolButton>

#include "ui/chart/small_widgets.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// Shows the run on display in one sentence. If a bundled model seems unable to answer
/// the prompt, a hint says so and a button offers prompts that the model can answer.
class RunLine final : public QFrame {
  Q_OBJECT

 public:
  /// @param model, controller outlive the line.
  RunLine(const RunModel& model, const RunController& controller,
          QWidget* parent = nullptr);

  /// Shows or hides the sentence, but not the hint or the offered settings.
  void setExplained(bool explained);
  /// Sets how many tokens at the prompt's end came by branching: an earlier run generated
  /// them, or the user chose them.
  void setInheritedTokens(int tokens);
  /// Sets whether the line offers to use the settings of the run on display.
  void offerSettings(bool offered);
  QString sentence() const { return m_sentence->text(); }
  QString hint() const { return m_hint->text(); }

 Q_SIGNALS:
  /// @param sample index into samplePrompts()
  void sampleChosen(int sample);
  void settingsRequested();

 private:
  void compose();
  void showRun();
  QString runText() const;
  QString hintText() const;
  void listSamples();

  const RunModel& m_model;
  const RunController& m_controller;
  QLabel* m_sentence;
  QLabel* m_hint;
  QToolButton* m_samples;
  QToolButton* m_settings;
  bool m_explained = true;
  bool m_offered = false;
  int m_inherited = 0;
};

}  // namespace equipatch
