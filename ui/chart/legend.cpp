#include "ui/chart/legend.h"

#include <QEvent>

#include "ui/chart/flow_layout.h"

namespace equipatch {

Legend::Legend(QWidget* parent) : QWidget(parent) {
  new FlowLayout(this);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
}

int Legend::add(const SeriesStyle& style, const Colours& colours) {
  auto* button = new QToolButton(this);
  button->setObjectName(QStringLiteral("legendEntry"));
  button->setText(style.name);
  button->setAccessibleName(tr("Show %1").arg(style.name));
  button->setToolTip(tr("Show or hide %1").arg(style.name));
  button->setIcon(swatchOf(style, colours));
  button->setIconSize(swatchSize());
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setAutoRaise(true);
  button->setCheckable(true);
  button->setChecked(true);
  layout()->addWidget(button);
  const int index = count();
  connect(button, &QToolButton::toggled, this,
          [this, index](bool on) { Q_EMIT toggled(index, on); });
  m_entries.append({button, style});
  return index;
}

/// Grows with the type.
QSize Legend::swatchSize() const {
  constexpr double kWidth = 1.25, kHeight = 0.75;  // of a line of text
  return (QSizeF(kWidth, kHeight) * fontMetrics().height()).toSize();
}

void Legend::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  for (const Entry& entry : m_entries) entry.button->setIconSize(swatchSize());
}

void Legend::clear() {
  for (const Entry& entry : m_entries) delete entry.button;
  m_entries.clear();
}

void Legend::restyle(const Colours& colours) {
  for (const Entry& entry : m_entries)
    entry.button->setIcon(swatchOf(entry.style, colours));
}

}  // namespace equipatch
