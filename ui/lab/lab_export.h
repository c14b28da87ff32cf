// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <memory>

#include "core/record/lab_result.h"
#include "ui/export/figure_dialog.h"

namespace equipatch {

/// Exports figures of an experiment: all its panels or one. The experiment continues
/// meanwhile.
class LabExport final : public FigureDialog {
  Q_OBJECT

 public:
  /// @param result with at least one panel
  explicit LabExport(std::shared_ptr<const LabResult> result, QWidget* parent = nullptr);

  /// "All", then each panel.
  QComboBox* panels() const { return m_panels; }

 private:
  Figure figure() const override;
  QString fileName() const override;
  void suggestWidth();

  std::shared_ptr<const LabResult> m_result;
  QComboBox* m_panels;
};

}  // namespace equipatch
