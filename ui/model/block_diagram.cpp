// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/block_diagram.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "core/figure/layer_panels.h"
#include "core/patch/layer_record.h"
#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

constexpr qreal kDiagramScale = 2.0;  // crisp on high-density screens
constexpr qreal kBoxGap = 14.0;       // between boxes
constexpr qreal kBoxPadding = 8.0;
constexpr qreal kSum = 9.0;      // radius of ⊕
constexpr qreal kStream = 22.0;  // y of the residual stream
constexpr qreal kBranch = 74.0;  // y of a branch

/// Lengths are pixels before the scaling by kDiagramScale.
class Pen {
 public:
  Pen(QPainter& painter, const QPalette& palette, const QFont& font)
      : m_painter(painter), m_palette(palette), m_metrics(font) {
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(font);
  }

  qreal widthOf(const DiagramBox& box) const {
    return m_metrics.horizontalAdvance(box.label) + 2 * kBoxPadding;
  }
  qreal widthOf(const std::vector<DiagramBox>& branch) const {
    qreal width = 0.0;
    for (const DiagramBox& box : branch) width += widthOf(box) + kBoxGap;
    return width + kBoxGap;
  }

  void drawLine(qreal x1, qreal y1, qreal x2, qreal y2) {
    m_painter.setPen(QPen(m_palette.color(QPalette::Text), 1.3));
    m_painter.drawLine(QLineF(x1, y1, x2, y2));
  }
  void drawText(qreal x, const QString& letters) {
    m_painter.setPen(m_palette.color(QPalette::Text));
    m_painter.drawText(QPointF(x, kStream - 7), letters);
  }
  void drawSum(qreal x) {
    m_painter.setPen(QPen(m_palette.color(QPalette::Text), 1.3));
    m_painter.setBrush(m_palette.color(QPalette::Base));
    m_painter.drawEllipse(QPointF(x, kStream), kSum, kSum);
    drawLine(x - kSum, kStream, x + kSum, kStream);
    drawLine(x, kStream - kSum, x, kStream + kSum);
  }
  void drawBox(qreal x, qreal y, const DiagramBox& box) {
    const qreal height = m_metrics.height() + kBoxPadding;
    const QRectF rect(x, y - height / 2, widthOf(box), height);
    const QColor filled = m_palette.color(QPalette::Highlight);
    m_painter.setPen(QPen(box.patched ? filled : m_palette.color(QPalette::Text)));
    m_painter.setBrush(box.patched ? filled : m_palette.color(QPalette::Base));
    m_painter.drawRoundedRect(rect, 4, 4);
    m_painter.setPen(
        m_palette.color(box.patched ? QPalette::HighlightedText : QPalette::Text));
    m_painter.drawText(rect, Qt::AlignCenter, box.label);
  }

  /// The branch leaves the stream at x = `from` and joins it in a ⊕ at x = `to`. The
  /// boxes begin to the right of x = `begin`.
  void drawBranch(const std::vector<DiagramBox>& boxes, qreal from, qreal begin, qreal to,
                  qreal y) {
    drawLine(from, kStream, from, y);
    drawLine(from, y, to, y);
    drawLine(to, y, to, kStream);
    qreal x = begin + kBoxGap;
    for (const DiagramBox& box : boxes) {
      drawBox(x, y, box);
      x += widthOf(box) + kBoxGap;
    }
    drawSum(to);
  }

 private:
  QPainter& m_painter;
  const QPalette& m_palette;
  QFontMetricsF m_metrics;
};

struct Places {
  qreal x;       ///< where the attention branch leaves the stream
  qreal v, end;  ///< where the two branches join the stream
  qreal vLabel;  ///< x of the letter v
  /// The boxes of the second branch begin to the right of it. Unless parallel, the
  /// branch leaves the stream here.
  qreal leave;
  qreal width;
  qreal lower;  ///< y of the second branch
  qreal height;
};

Places placesOf(const BlockBoxes& block, const Pen& pen) {
  const qreal norm = pen.widthOf({normLabel()}) + 2 * kBoxGap;
  Places places{.x = 26.0};
  places.v = places.x + pen.widthOf(block.attention) + kSum;
  const qreal behindV = places.v + (block.normAfterAttention ? norm : 0.0);
  places.vLabel = behindV + kSum + 8.0;
  places.leave = behindV + 30.0;
  places.end = places.leave + pen.widthOf(block.feedForward) + kSum;
  places.width = places.end + (block.normAfterFeedForward ? norm : 0.0) + 46.0;
  places.lower = block.parallel ? kBranch + 40.0 : kBranch;
  places.height = places.lower + 24.0;
  return places;
}

void draw(const BlockBoxes& block, const Places& at, Pen& pen) {
  const auto drawNorm = [&pen](qreal sum) {
    pen.drawBox(sum + kSum + kBoxGap, kStream, {normLabel()});
  };
  pen.drawLine(4, kStream, at.width - 4, kStream);
  pen.drawText(8, QStringLiteral("x"));
  pen.drawBranch(block.attention, at.x, at.x, at.v, kBranch);
  if (block.normAfterAttention) drawNorm(at.v);
  pen.drawText(at.vLabel, QStringLiteral("v"));
  pen.drawBranch(block.feedForward, block.parallel ? at.x : at.leave, at.leave, at.end,
                 at.lower);
  if (block.normAfterFeedForward) drawNorm(at.end);
  pen.drawText(at.width - 20, QStringLiteral("x′"));
}

}  // namespace

QString normLabel() {
  return tr("norm");
}

std::vector<DiagramBox> feedForwardBoxes(const std::vector<std::string>& matrices,
                                         bool closesWithScale, bool closesWithBias) {
  const auto has = [&](const std::string& matrix) {
    return std::ranges::find(matrices, matrix) != matrices.end();
  };
  const auto boxOf = [&](const QString& label,
                         const std::vector<std::string>& candidates) {
    DiagramBox box{label};
    for (const std::string& matrix : candidates)
      if (has(matrix)) box.parts.push_back(patchPartName(matrix));
    box.patched = !box.parts.empty();
    return box;
  };
  std::vector<DiagramBox> boxes;
  if (has("router")) boxes.push_back(boxOf(tr("router"), {"router", "shared_router"}));
  boxes.push_back(
      has("in")
          ? boxOf(QStringLiteral("W_in"), {"in", "dense_in", "shared_in"})
          : boxOf(QStringLiteral("W_gate, W_up"),
                  {"gate", "up", "dense_gate", "dense_up", "shared_gate", "shared_up"}));
  boxes.push_back(boxOf(QStringLiteral("W_down"), {"down", "dense_down", "shared_down"}));
  if (has(kDenseScale)) boxes.push_back(boxOf(tr("norm, scale m₁"), {kDenseScale}));
  if (closesWithScale)
    boxes.push_back({tr("norm, scale m"), true, {"Δm scale"}});
  else if (closesWithBias)
    boxes.push_back({tr("bias b"), true, {"Δb bias"}});
  return boxes;
}

BlockBoxes blockBoxes(const ModelSpec& spec, const PatchPlan& plan) {
  const bool sums = spec.postNormPlace == PostNormPlace::Sum;
  const DiagramBox norm{normLabel()};
  BlockBoxes block;
  block.parallel = spec.mlpInput != MlpInput::ResidMid;
  block.normAfterAttention = sums && spec.attentionPostNorm;
  block.normAfterFeedForward = sums && spec.mlpPostNorm;
  if (spec.attentionPreNorm) block.attention.push_back(norm);
  block.attention.push_back({tr("attention")});
  if (spec.attentionPostNorm && !sums) block.attention.push_back(norm);
  if (spec.mlpPreNorm || spec.mlpInput == MlpInput::AttentionInput)
    block.feedForward.push_back(norm);
  for (DiagramBox& box :
       feedForwardBoxes(plan.matrices, plan.closesWithScale, plan.closesWithBias))
    block.feedForward.push_back(std::move(box));
  return block;
}

QImage blockDiagram(const BlockBoxes& block, const QPalette& palette, const QFont& font) {
  QImage measure(1, 1, QImage::Format_ARGB32_Premultiplied);
  QPainter sizing(&measure);
  const Places places = placesOf(block, Pen(sizing, palette, font));
  sizing.end();
  QImage image((QSizeF(places.width, places.height) * kDiagramScale).toSize(),
               QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(kDiagramScale);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  Pen pen(painter, palette, font);
  draw(block, places, pen);
  return image;
}

}  // namespace equipatch
