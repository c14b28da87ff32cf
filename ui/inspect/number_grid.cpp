// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/number_grid.h"

#include <QGridLayout>
#include <algorithm>

namespace equipatch {

NumberGrid::NumberGrid(QWidget* parent)
    : QWidget(parent), m_layout(new QGridLayout(this)) {
  m_layout->setContentsMargins(0, 0, 0, 0);
  m_layout->setHorizontalSpacing(10);
  m_layout->setVerticalSpacing(2);
}

QLabel* NumberGrid::label(int row, int column) {
  if (QLayoutItem* item = m_layout->itemAtPosition(row, column))
    return static_cast<QLabel*>(item->widget());
  auto* made = new QLabel(this);
  made->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  made->setFocusPolicy(Qt::ClickFocus);
  if (column == 0) made->setObjectName(QStringLiteral("muted"));
  made->setAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  m_layout->addWidget(made, row, column);
  return made;
}

void NumberGrid::setRows(const QList<QStringList>& rows) {
  m_rows = int(rows.size());
  for (int row = 0; row < std::max(m_rows, m_layout->rowCount()); ++row) {
    const QStringList texts = rows.value(row);
    for (int column = 0; column < std::max(int(texts.size()), m_layout->columnCount());
         ++column) {
      if (column >= texts.size() && !m_layout->itemAtPosition(row, column)) continue;
      QLabel* cell = label(row, column);
      cell->setText(texts.value(column));
      cell->setVisible(column < texts.size());
    }
  }
}

QString NumberGrid::text(int row, int column) const {
  QLayoutItem* item = m_layout->itemAtPosition(row, column);
  return item ? static_cast<QLabel*>(item->widget())->text() : QString();
}

}  // namespace equipatch
