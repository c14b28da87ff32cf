#pragma once

#include <QLabel>
#include <QTableView>
#include <QWidget>

#include "ui/chart/theme.h"
#include "ui/inspect/choice_model.h"
#include "ui/inspect/number_grid.h"
#include "ui/run/run_model.h"
#include "ui/run/selection.h"

namespace equipatch {

/// Everything recorded of the selected step, and of its selected layer: the three passes'
/// candidates side by side, the verdict, the plain numbers.
class StepPanel final : public QWidget {
  Q_OBJECT

 public:
  StepPanel(const RunModel& model, Selection& selection, const Theme& theme,
            QWidget* parent = nullptr);

  QString heading() const { return m_heading->text(); }
  QString verdict() const { return m_verdict->text(); }
  const NumberGrid& distances() const { return *m_distances; }
  const NumberGrid& layerNumbers() const { return *m_layer; }

 private:
  QTableView* makeTable(const Theme& theme);
  QLabel* makeLabel(const QString& name);
  void compose();
  void showSelected();
  void showStep(const StepRecord& record);
  QString verdictText(const StepRecord& record) const;
  void showLayer(const StepRecord& record);

  const RunModel& m_model;
  Selection& m_selection;
  QLabel* m_heading;
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
