// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_export.h"

#include <QFormLayout>
#include <utility>

#include "core/figure/lab_figure.h"

namespace equipatch {

LabExport::LabExport(std::shared_ptr<const LabResult> result, QWidget* parent)
    : FigureDialog(parent), m_result(std::move(result)), m_panels(new QComboBox) {
  m_panels->addItem(tr("All"));
  for (const LabPanel& panel : m_result->panels)
    m_panels->addItem(QString::fromStdString(panel.title));
  m_panels->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  auto* content = new QWidget;
  auto* form = new QFormLayout(content);
  form->setContentsMargins({});
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->addRow(tr("&Figure"), m_panels);
  compose(content);
  connect(m_panels, &QComboBox::currentIndexChanged, this, [this] {
    suggestWidth();
    refresh();
  });
  suggestWidth();
}

/// All panels together are laid out in two columns.
void LabExport::suggestWidth() {
  const bool beside = m_panels->currentIndex() == 0 && m_result->panels.size() > 1;
  styleForm()->suggestColumns(beside ? 2 : 1);
}

Figure LabExport::figure() const {
  const int panel = m_panels->currentIndex();
  return panel == 0 ? labFigure(*m_result) : labFigure(*m_result, panel);
}

QString LabExport::fileName() const {
  return QString::fromStdString(m_result->experiment) + QStringLiteral("-figure");
}

}  // namespace equipatch
