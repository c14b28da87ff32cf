// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <QToolButton>

#include "ui/chart/small_widgets.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// The run on display in one sentence, above the charts. Where a bundled model was asked
/// for something that it has not learnt, a hint says so and offers prompts that it can
/// answer.
class RunLine final : public QFrame {
  Q_OBJECT

 public:
  /// @param model, controller outlive the line.
  RunLine(const RunModel& model, const RunController& controller,
          QWidget* parent = nullptr);

  /// Sets whether the sentence is shown; hint and offer do not depend on it.
  void setExplained(bool explained);
  /// Sets how many tokens at the prompt's end came by branching: earlier runs generated
  /// them, or the user chose them.
  void setInheritedTokens(int tokens);
  /// Sets whether the line offers to use the settings of the run on display.
  void offerSettings(bool offered);
  QString sentence() const { return m_sentence->text(); }
  /// Empty if there is no hint.
  QString hint() const { return m_hint->text(); }

 Q_SIGNALS:
  /// @param sample its place in `samplePrompts`
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
  int m_inherited = 0;  ///< tokens at the prompt's end that came by branching
};

}  // namespace equipatch
