// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/block_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollArea>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/figure/statistics.h"
#include "core/record/quantile.h"
#include "ui/chart/meaning.h"
#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"
#include "ui/model/model_card.h"

namespace equipatch {
namespace {

constexpr qreal kStreamX = 26.0;  // of the residual stream
constexpr qreal kBoxLeft = 62.0;
constexpr qreal kEdge = 10.0;
constexpr qreal kRadius = 8.0;  // of ⊕
constexpr qreal kApart = 7.0;   // between boxes
constexpr qreal kInset = 8.0;   // of a box's text

Method methodOf(const RunHeader* header) {
  return header ? header->request.patch.method : PatchOptions().method;
}

/// An approximation: the header says neither where norms stand nor whether the branches
/// are parallel.
BlockBoxes boxesOfRun(const RunHeader& header) {
  BlockBoxes block{.attention = {{BlockView::tr("attention with its norms")}},
                   .feedForward = {{normLabel()}}};
  for (DiagramBox& box : feedForwardBoxes(header.patchedMatrices, header.closesWithScale,
                                          header.closesWithBias))
    block.feedForward.push_back(std::move(box));
  return block;
}

}  // namespace

BlockView::BlockView(const Sources& sources, QWidget* parent)
    : QWidget(parent), m_sources(sources) {
  setObjectName(QStringLiteral("blockView"));
  setAccessibleName(tr("The block and its patch"));
  setFocusPolicy(Qt::StrongFocus);
  const auto redraw = qOverload<>(&QWidget::update);
  connect(&sources.model, &RunModel::runStarted, this, &BlockView::runStarted);
  connect(&sources.model, &RunModel::stepsAppended, this, &BlockView::stepsAppended);
  connect(&sources.selection, &Selection::stepChanged, this, redraw);
  connect(&sources.selection, &Selection::layerChanged, this, redraw);
  connect(&sources.controller, &RunController::modelChanged, this, [this] {
    updateGeometry();
    update();
  });
  connect(&sources.theme, &Theme::changed, this, redraw);
}

void BlockView::runStarted() {
  const RunHeader* header = m_sources.model.header();
  m_parts =
      header ? patchSizes(*header, PatchMeasure::Absolute) : std::vector<PatchSize>();
  m_largest.clear();
  updateGeometry();
  update();
}

void BlockView::stepsAppended(int first) {
  for (int i = first; i < m_sources.model.stepCount(); ++i)
    for (const LayerRecord& layer : m_sources.model.step(i).layers)
      for (const PatchSize& part : m_parts)
        if (const double size = part.of(layer); std::isfinite(size))
          m_largest[part.name] = std::max(m_largest[part.name], size);
  update();
}

BlockBoxes BlockView::block() const {
  const auto loaded = m_sources.controller.loaded();
  const RunHeader* header = m_sources.model.header();
  if (loaded && (!header || computesRun(*loaded, *header)))
    return blockBoxes(loaded->spec,
                      planOfMethod(loaded->plan, loaded->spec, methodOf(header)));
  return header ? boxesOfRun(*header) : BlockBoxes();
}

/// The size in the selected layer; without a selected layer, the median of all layers.
/// NaN if there is no such size.
double BlockView::sizeOf(const PatchSize& part) const {
  const StepRecord* step = m_sources.model.find(m_sources.selection.step());
  const int chosen = m_sources.selection.layer();
  std::vector<double> sizes;
  for (std::size_t layer = 0; step && layer < step->layers.size(); ++layer)
    if (chosen == Selection::kNone || chosen == int(layer))
      sizes.push_back(part.of(step->layers[layer]));
  return sortedQuantile(sortedNumbers(std::move(sizes)), 0.5);
}

void BlockView::measure(Box& box) const {
  QStringList sizes, named;
  for (const std::string& name : box.parts) {
    const auto part = std::ranges::find(m_parts, name, &PatchSize::name);
    if (part == m_parts.end()) continue;
    const double size = sizeOf(*part);
    const auto largest = m_largest.find(part->name);
    if (std::isnan(size) || largest == m_largest.end()) continue;
    sizes << numberText(size);
    named << QString::fromStdString(name) + u' ' + sizes.back();
    if (largest->second > 0.0)
      box.share = std::max(box.share, std::clamp(size / largest->second, 0.0, 1.0));
  }
  box.size = sizes.join(QStringLiteral(", "));
  box.namedSizes = named.join(QStringLiteral(", "));
}

qreal BlockView::lineHeight() const {
  return fontMetrics().height() + 10.0;
}

qreal BlockView::sumBelow() const {
  return 0.7 * lineHeight();
}

qreal BlockView::sumNormHeight() const {
  return lineHeight() + kRadius;
}

std::vector<BlockView::Box> BlockView::boxes() const {
  const BlockBoxes block = this->block();
  std::vector<Box> boxes;
  qreal top = kEdge + fontMetrics().height();
  const auto addBranch = [&](const std::vector<DiagramBox>& branch, bool hasSumNorm) {
    for (const DiagramBox& part : branch) {
      Box box{.label = part.label,
              .place = QRectF(kBoxLeft, top, width() - kBoxLeft - kEdge, lineHeight()),
              .patched = part.patched,
              .parts = part.parts,
              .size = {},
              .namedSizes = {}};
      if (part.patched) measure(box);
      boxes.push_back(box);
      top += lineHeight() + kApart;
    }
    if (hasSumNorm) {
      const qreal wide = fontMetrics().horizontalAdvance(normLabel()) + 2 * kInset;
      boxes.push_back({.label = normLabel(),
                       .place = QRectF(std::max(1.0, kStreamX - wide / 2),
                                       top - kApart + sumBelow() + kRadius + kApart, wide,
                                       lineHeight()),
                       .parts = {},
                       .size = {},
                       .namedSizes = {}});
      top += sumNormHeight();
    }
    top += 2 * lineHeight();
  };
  addBranch(block.attention, block.normAfterAttention);
  addBranch(block.feedForward, block.normAfterFeedForward);
  return boxes;
}

QString BlockView::heading() const {
  const StepRecord* step = m_sources.model.find(m_sources.selection.step());
  if (!step) return tr("The block, and what a patch changes in it");
  const int layer = m_sources.selection.layer();
  return layer == Selection::kNone
             ? tr("Step %1, median of the layers").arg(step->step.value)
             : tr("Step %1, layer %2").arg(step->step.value).arg(layer);
}

QSize BlockView::sizeHint() const {
  const BlockBoxes block = this->block();
  const auto count = qreal(block.attention.size() + block.feedForward.size());
  const qreal height =
      2 * kEdge + 2 * fontMetrics().height() + count * (lineHeight() + kApart) +
      4 * lineHeight() +
      (block.normAfterAttention + block.normAfterFeedForward) * sumNormHeight();
  return {230, int(height)};
}

void BlockView::paintBox(QPainter& painter, const Box& box) const {
  const Colours& c = m_sources.theme.colours();
  QColor tint = c.accent;
  tint.setAlphaF(c.dark ? 0.45F : 0.3F);
  painter.setPen(QPen(box.patched ? c.accent : c.border, box.patched ? 1.6 : 1.0));
  painter.setBrush(c.surface);
  painter.drawRoundedRect(box.place, 4, 4);
  if (box.share > 0.0) {
    QRectF filled = box.place.adjusted(1, 1, -1, -1);
    filled.setWidth(filled.width() * box.share);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tint);
    painter.drawRoundedRect(filled, 3, 3);
  }
  const QRectF words = box.place.adjusted(kInset, 0, -kInset, 0);
  painter.setPen(c.text);
  painter.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, box.label);
  const qreal room =
      words.width() - fontMetrics().horizontalAdvance(box.label) - 2 * kInset;
  painter.setPen(c.muted);
  painter.drawText(words, Qt::AlignRight | Qt::AlignVCenter,
                   fontMetrics().elidedText(box.size, Qt::ElideRight, int(room)));
}

void BlockView::paintEvent(QPaintEvent*) {
  const BlockBoxes block = this->block();
  const std::vector<Box> all = boxes();
  if (all.empty()) return;
  const Colours& c = m_sources.theme.colours();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const auto drawLetter = [&](qreal x, qreal baseline, const QString& letter) {
    painter.setPen(QPen(c.text, 1.4));
    painter.drawText(QPointF(x, baseline), letter);
  };
  painter.setPen(QPen(c.text, 1.4));
  painter.drawLine(
      QPointF(kStreamX, kEdge),
      QPointF(kStreamX, all.back().place.bottom() +
                            (block.normAfterFeedForward ? 0.9 : 1.6) * lineHeight()));
  drawLetter(kStreamX - 16, kEdge + fontMetrics().ascent(), QStringLiteral("x"));
  std::size_t next = 0;
  const auto drawBranch = [&](std::size_t count, bool hasSumNorm, const QString& sum) {
    const qreal leaves = all[block.parallel ? 0 : next].place.top() - kApart;
    const QRectF last = all[next + count - 1].place;
    const qreal joins = last.bottom() + sumBelow();
    paintBranch(painter, {leaves, joins, last.center().x()});
    next += count;
    const qreal end = hasSumNorm ? all[next++].place.bottom() : joins;
    drawLetter(kStreamX + kRadius + 5, end + fontMetrics().height(), sum);
  };
  drawBranch(block.attention.size(), block.normAfterAttention, QStringLiteral("v"));
  drawBranch(block.feedForward.size(), block.normAfterFeedForward, QStringLiteral("x′"));
  for (const Box& box : all) paintBox(painter, box);
  if (!hasFocus()) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(c.accent, 1.0));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void BlockView::paintBranch(QPainter& painter, const Branch& branch) const {
  const Colours& c = m_sources.theme.colours();
  const qreal joins = branch.joins;
  painter.setPen(QPen(c.text, 1.2));
  painter.drawPolyline(QPolygonF{{{kStreamX, branch.leaves},
                                  {branch.x, branch.leaves},
                                  {branch.x, joins},
                                  {kStreamX, joins}}});
  painter.setBrush(c.surface);
  painter.drawEllipse(QPointF(kStreamX, joins), kRadius, kRadius);
  painter.drawLine(QPointF(kStreamX - kRadius, joins),
                   QPointF(kStreamX + kRadius, joins));
  painter.drawLine(QPointF(kStreamX, joins - kRadius),
                   QPointF(kStreamX, joins + kRadius));
}

bool BlockView::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<const QHelpEvent*>(event);
  QString text;
  for (const Box& box : boxes()) {
    if (!box.place.contains(help->pos()) || box.parts.empty()) continue;
    text = meaningOf(QString::fromStdString(box.parts.front()));
    if (!box.namedSizes.isEmpty()) text += u'\n' + box.namedSizes;
    text += tr("\nFilled: its size as a share of its largest in the run.");
  }
  QToolTip::showText(help->globalPos(), text, this);
  return true;
}

void BlockView::keyPressEvent(QKeyEvent* event) {
  Selection& selection = m_sources.selection;
  switch (event->key()) {
    case Qt::Key_Left:
      return selection.moveStep(-1);
    case Qt::Key_Right:
      return selection.moveStep(1);
    case Qt::Key_Up:
      return selection.moveLayer(1);
    case Qt::Key_Down:
      return selection.moveLayer(-1);
    default:
      QWidget::keyPressEvent(event);
  }
}

BlockPanel::BlockPanel(const BlockView::Sources& sources, QWidget* parent)
    : QWidget(parent),
      m_sources(sources),
      m_heading(new QLabel(this)),
      m_scale(new QLabel(tr("A box is full where its part of the patch is at its largest "
                            "in this run; boxes cannot be compared with each other."),
                         this)),
      m_reasons(new QLabel(this)) {
  setObjectName(QStringLiteral("blockPanel"));
  m_heading->setObjectName(QStringLiteral("panelHeading"));
  m_heading->setTextFormat(Qt::PlainText);
  m_scale->setObjectName(QStringLiteral("muted"));
  m_scale->setWordWrap(true);
  m_reasons->setObjectName(QStringLiteral("blockReasons"));
  m_reasons->setWordWrap(true);
  m_reasons->setTextFormat(Qt::RichText);
  m_reasons->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* inside = new QWidget(this);
  auto* view = new BlockView(sources, inside);
  auto* parts = new QVBoxLayout(inside);
  parts->setContentsMargins(10, 8, 10, 8);
  parts->addWidget(m_heading);
  parts->addWidget(view);
  parts->addWidget(m_scale);
  parts->addWidget(m_reasons);
  parts->addStretch(1);
  QScrollArea* area = scrollable(inside);
  area->setFocusPolicy(Qt::NoFocus);
  // The table of reasons may be wider than the dock.
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(area);
  const auto name = [this, view] { m_heading->setText(view->heading()); };
  connect(&sources.selection, &Selection::stepChanged, this, name);
  connect(&sources.selection, &Selection::layerChanged, this, name);
  connect(&sources.model, &RunModel::runStarted, this, [this, name] {
    name();
    showReasons();
  });
  connect(&sources.controller, &RunController::modelChanged, this,
          &BlockPanel::showReasons);
  name();
  showReasons();
}

void BlockPanel::showReasons() {
  const auto loaded = m_sources.controller.loaded();
  const RunHeader* header = m_sources.model.header();
  m_scale->setVisible(header);
  if (loaded && (!header || computesRun(*loaded, *header)))
    return m_reasons->setText(patchCard(
        planOfMethod(loaded->plan, loaded->spec, methodOf(header)), methodOf(header)));
  m_reasons->setText(header ? tr("Load the run's own model to read what its method "
                                 "changes, and why.")
                            : tr("Load a model to see its block."));
}

}  // namespace equipatch
