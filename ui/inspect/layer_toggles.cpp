// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/layer_toggles.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

namespace equipatch {
namespace {

constexpr int kToggleGap = 3;

}  // namespace

LayerToggles::LayerToggles(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme) {
  setObjectName(QStringLiteral("layerToggles"));
  setAccessibleName(tr("Patched layers"));
  setFocusPolicy(Qt::StrongFocus);
  QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void LayerToggles::setCount(int count) {
  m_on.assign(std::size_t(count), true);
  m_current = 0;
  describe();
  updateGeometry();
  update();
}

int LayerToggles::onCount() const {
  return int(std::count(m_on.begin(), m_on.end(), true));
}

std::vector<std::int64_t> LayerToggles::chosen() const {
  std::vector<std::int64_t> layers;
  for (int layer = 0; layer < count(); ++layer)
    if (isOn(layer)) layers.push_back(layer);
  return layers;
}

void LayerToggles::setRange(int first, int last) {
  std::vector<bool> wanted(m_on.size());
  for (int layer = 0; layer < count(); ++layer)
    wanted[std::size_t(layer)] = layer >= first && layer <= last;
  setLayers(wanted);
}

void LayerToggles::setLayers(const std::vector<bool>& on) {
  if (on.size() != m_on.size() || on == m_on) return;
  m_on = on;
  describe();
  update();
  Q_EMIT changed();
}

void LayerToggles::set(int layer, bool on) {
  if (layer < 0 || layer >= count()) return;
  std::vector<bool> wanted = m_on;
  wanted[std::size_t(layer)] = on;
  setLayers(wanted);
}

void LayerToggles::moveTo(int layer) {
  m_current = std::clamp(layer, 0, std::max(0, count() - 1));
  describe();
  update();
}

void LayerToggles::describe() {
  if (count() == 0) return setAccessibleDescription({});
  setAccessibleDescription(tr("Layer %1 is %2; %3 of %4 layers are patched")
                               .arg(m_current)
                               .arg(isOn(m_current) ? tr("patched") : tr("not patched"))
                               .arg(onCount())
                               .arg(count()));
}

QSize LayerToggles::boxSize() const {
  const QString widest = count() > 100 ? QStringLiteral("000") : QStringLiteral("00");
  return {fontMetrics().horizontalAdvance(widest) + 6, fontMetrics().height() + 2};
}

int LayerToggles::perRow(int width) const {
  return std::max(1, (width + kToggleGap) / (boxSize().width() + kToggleGap));
}

QRect LayerToggles::box(int layer) const {
  const int across = perRow(width());
  const QSize size = boxSize();
  return {QPoint((layer % across) * (size.width() + kToggleGap),
                 (layer / across) * (size.height() + kToggleGap)),
          size};
}

int LayerToggles::layerAt(const QPoint& position) const {
  for (int layer = 0; layer < count(); ++layer)
    if (box(layer).contains(position)) return layer;
  return -1;
}

int LayerToggles::heightForWidth(int width) const {
  const int across = perRow(width);
  const int rows = std::max(1, (count() + across - 1) / across);
  return rows * (boxSize().height() + kToggleGap) - kToggleGap;
}

QSize LayerToggles::sizeHint() const {
  constexpr int kUsualWidth = 290;
  return {kUsualWidth, heightForWidth(kUsualWidth)};
}

QSize LayerToggles::minimumSizeHint() const {
  return {4 * (boxSize().width() + kToggleGap), boxSize().height()};
}

void LayerToggles::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  for (int layer = 0; layer < count(); ++layer) paintBox(painter, layer);
}

void LayerToggles::paintBox(QPainter& painter, int layer) const {
  const Colours& c = m_theme.colours();
  const QRectF rect = QRectF(box(layer)).adjusted(0.5, 0.5, -0.5, -0.5);
  const bool on = isOn(layer);
  const QColor fill = isEnabled() ? c.accent : c.border;
  painter.setPen(QPen(on ? fill : c.muted, 1.0));
  painter.setBrush(on ? QBrush(fill) : QBrush(Qt::NoBrush));
  painter.drawRoundedRect(rect, 3, 3);
  if (!on) painter.drawLine(rect.bottomLeft(), rect.topRight());
  painter.setPen(on ? c.accentText : c.muted);
  painter.drawText(rect, Qt::AlignCenter, QString::number(layer));
  if (layer != m_current || !hasFocus()) return;
  painter.setPen(QPen(c.text, 2.0));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(rect, 3, 3);
}

void LayerToggles::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  m_drawing.reset();
  drawAt(event->pos());
}

void LayerToggles::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) drawAt(event->pos());
}

void LayerToggles::drawAt(const QPoint& position) {
  const int layer = layerAt(position);
  if (layer < 0) return;
  if (!m_drawing) {
    m_drawing = !isOn(layer);
    moveTo(layer);
  }
  set(layer, *m_drawing);
}

void LayerToggles::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::SelectAll)) return setRange(0, count() - 1);
  switch (event->key()) {
    case Qt::Key_Left:
      return moveTo(m_current - 1);
    case Qt::Key_Right:
      return moveTo(m_current + 1);
    case Qt::Key_Up:
      return moveTo(m_current - perRow(width()));
    case Qt::Key_Down:
      return moveTo(m_current + perRow(width()));
    case Qt::Key_Home:
      return moveTo(0);
    case Qt::Key_End:
      return moveTo(count() - 1);
    case Qt::Key_Space:
      return count() > 0 ? set(m_current, !isOn(m_current)) : void();
    default:
      QWidget::keyPressEvent(event);
  }
}

void LayerToggles::contextMenuEvent(QContextMenuEvent* event) {
  const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
  const int layer = byMouse ? layerAt(event->pos()) : m_current;
  if (layer < 0 || layer >= count()) return;
  const int last = count() - 1;
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](const QString& text, int from, int to) {
    connect(menu->addAction(text), &QAction::triggered, this,
            [this, from, to] { setRange(from, to); });
  };
  add(tr("Only layer %1").arg(layer), layer, layer);
  add(tr("Layers 0 to %1").arg(layer), 0, layer);
  add(tr("Layers %1 to %2").arg(layer).arg(last), layer, last);
  menu->addSeparator();
  add(tr("All layers"), 0, last);
  add(tr("No layer"), -1, -1);
  menu->popup(byMouse ? event->globalPos() : mapToGlobal(box(layer).bottomLeft()));
}

bool LayerToggles::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int layer = layerAt(help->pos());
  const QString state = layer < 0     ? QString()
                        : isOn(layer) ? tr("Layer %1 is patched").arg(layer) + u'\n'
                                      : tr("Layer %1 is not patched").arg(layer) + u'\n';
  QToolTip::showText(help->globalPos(), state + toolTip(), this);
  return true;
}

}  // namespace equipatch
