// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QLabel>
#include <QTableView>
#include <QWidget>

#include "ui/chart/theme.h"
#include "ui/inspect/step_tables.h"
#include "ui/inspect/strength_panel.h"
#include "ui/run/run_model.h"

class QLayout;
class QVBoxLayout;

namespace equipatch {

/// Shows what the run recorded for the selected step and layer.
class StepPanel final : public QWidget {
  Q_OBJECT

 public:
  StepPanel(const RunModel& model, Selection& selection, const Theme& theme,
            QWidget* parent = nullptr);

  /// Shows the step's run; hides an empty name and a null swatch.
  void showRun(const QString& name, const QIcon& swatch);
  /// Adds the strength slider; the panel's tables show the pass at its strength.
  void addStrength(StrengthPanel* strength);

  QString heading() const { return m_heading->text(); }
  QString verdict() const { return m_verdict->text(); }
  QString sentence() const { return m_sentence->text(); }
  const NumberGrid& distances() const { return *m_distances; }
  const NumberGrid& layerNumbers() const { return *m_layer; }

 Q_SIGNALS:
  /// The user asks for a new run that continues from the selected step with this token.
  void tokenChosen(const Choice& choice);

 protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QTableView* makeTable(const Theme& theme);
  QLabel* makeLabel(const QString& name);
  QLayout* makeRunLine();
  void compose();
  void showSelected();
  void fitTable();
  void fitColumns();
  void showStep(const StepRecord& record);
  void showJudgement(const StepRecord& record);
  void judgeAgain();
  QString verdictText(const StepRecord& record) const;
  void showLayer(const StepRecord& record);
  void showPart();
  void showDistances(const StepRecord& record);
  const StrengthReading* part() const {
    return m_strength ? m_strength->shown() : nullptr;
  }

  const RunModel& m_model;
  Selection& m_selection;
  QVBoxLayout* m_layout = nullptr;
  StrengthPanel* m_strength = nullptr;
  QLabel* m_swatch;
  QLabel* m_run;
  QLabel* m_heading;
  QLabel* m_sentence;  ///< describes the step in words
  QLabel* m_verdict;
  ChoiceModel* m_choices;
  QTableView* m_table;
  NumberGrid* m_distances;
  NumberGrid* m_facts;
  QLabel* m_layerHeading;
  NumberGrid* m_layer;
  QLabel* m_layerNote;
};

}  // namespace equipatch
