// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_card.h"

#include <QDialogButtonBox>
#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/patch/plan_words.h"
#include "ui/chart/number_text.h"
#include "ui/model/model_items.h"
#include "ui/window/window_geometry.h"

namespace equipatch {
namespace {

QString text(const std::string& utf8) {
  return QString::fromStdString(utf8);
}

QString unreadText(const std::vector<std::string>& names, const QString& label) {
  return names.empty() ? QString() : tr("\n%1: %2").arg(label, text(joined(names)));
}

QString paragraph(const QString& plain) {
  return QStringLiteral("<p>%1</p>").arg(plain.toHtmlEscaped());
}

QString heading(const QString& plain) {
  return QStringLiteral("<h4>%1</h4>").arg(plain.toHtmlEscaped());
}

QString cell(const QString& plain) {
  return QStringLiteral("<td>%1</td>").arg(plain.toHtmlEscaped());
}

QString bullets(const std::vector<std::string>& lines) {
  QString html = QStringLiteral("<ul>");
  for (const std::string& line : lines)
    html += QStringLiteral("<li>%1</li>").arg(text(line).toHtmlEscaped());
  return html + QStringLiteral("</ul>");
}

QString parameterTable(const std::vector<ParameterPlan>& parameters) {
  QString html = QStringLiteral(
      "<table width='100%' cellpadding='5' cellspacing='0' border='1' "
      "style='border-collapse: collapse; border-color: palette(mid)'><tr>");
  for (const QString& title : {tr("parameter"), tr("change"), tr("theorem")})
    html += QStringLiteral("<th align='left'>%1</th>").arg(title.toHtmlEscaped());
  html += QStringLiteral("</tr>");
  for (const ParameterPlan& parameter : parameters)
    html += QStringLiteral("<tr>") + cell(text(parameter.parameter)) +
            cell(text(parameter.change)) + cell(text(parameter.theorem)) +
            QStringLiteral("</tr>");
  return html + QStringLiteral("</table>");
}

QString symbolTable(const std::vector<ParameterPlan>& parameters) {
  QString html = QStringLiteral("<table cellpadding='2'>");
  for (const SymbolMeaning& symbol : symbolsOf(parameters))
    html += QStringLiteral("<tr>") + cell(text(symbol.symbol)) +
            cell(text(symbol.meaning)) + QStringLiteral("</tr>");
  return html + QStringLiteral("</table>");
}

QString memoryTable(const std::vector<MemoryEstimate>& needs) {
  QStringList lines;
  for (const MemoryEstimate& need : needs)
    lines << tr("%1: %2, including %3 of weights%4")
                 .arg(model_items::dtypeText(need.dtype), text(bytesText(need.total())),
                      text(bytesText(need.weights)),
                      need.mapped == need.weights ? tr(" as stored") : QString());
  std::vector<std::string> plain;
  for (const QString& line : lines) plain.push_back(line.toStdString());
  return bullets(plain);
}

QString unreadList(const QString& where, const std::vector<std::string>& names) {
  return paragraph(
      tr("%1: %2").arg(where, names.empty() ? tr("none") : text(joined(names))));
}

QString sizeText(const LoadedModel& model) {
  const ParameterCount& size = model.plan.size;
  return tr("Filled: parameters that a token's patch changes, %1 of the %2 weights. The "
            "patch itself has %3 values.")
      .arg(text(metricText(size.changed)), text(metricText(model.parameters)),
           text(metricText(size.made)));
}

/// What the model makes of an image; or why it reads none.
QString imagesText(const LoadedModel& model, const VisionSpec& vision) {
  if (!vision.problem.empty()) return u'\n' + text(vision.problem);
  return tr("\nimages: %1 tokens each, vision tower of %2 weights")
      .arg(QString::number(vision.tokens), text(metricText(model.visionParameters)));
}

}  // namespace

QString modelSummary(const LoadedModel& model) {
  QString summary =
      tr("%1\n%2 × width %3\n%4 weights, %5 on %6, %7")
          .arg(text(model.spec.architecture),
               countText(model.spec.layerCount(), QStringLiteral("layer")),
               QString::number(model.spec.width), text(metricText(model.parameters)),
               model_items::dtypeText(model.dtype), text(model.device),
               text(std::string(weightPlaceName(model.weights))));
  if (const VisionSpec* vision = visionOf(model)) summary += imagesText(model, *vision);
  if (!model.tokenizer) summary += tr("\nno tokenizer");
  summary += unreadText(model.unreadKeys, tr("unused keys of config.json"));
  return summary + unreadText(model.unreadTensors, tr("unused tensors"));
}

QString patchCard(const PatchPlan& plan, Method method) {
  const std::vector<ParameterPlan> parameters = parametersOf(plan, method);
  return heading(tr("Why")) + paragraph(text(reasonOf(plan))) +
         heading(tr("What the method %1 changes").arg(text(std::string(name(method))))) +
         parameterTable(parameters) + symbolTable(parameters);
}

QString modelCard(const LoadedModel& model, Method method, const QString& parity) {
  const ModelSpec& spec = model.spec;
  QString html = QStringLiteral("<h3>%1</h3>").arg(text(model.name).toHtmlEscaped());
  html += paragraph(
      tr("%1, %2 of width %3, %4 weights, %5 tokens in the vocabulary, %6 positions.")
          .arg(text(spec.architecture),
               countText(spec.layerCount(), QStringLiteral("layer")),
               QString::number(spec.width), text(metricText(model.parameters)),
               QString::number(spec.vocabulary), QString::number(spec.maxPositions)));
  if (const VisionSpec* vision = visionOf(model))
    html += paragraph(imagesText(model, *vision).trimmed().toHtmlEscaped());
  if (!parity.isEmpty())
    html += paragraph(tr("Golden check of this architecture: %1.").arg(parity));
  html += heading(tr("The block")) + paragraph(text(model.plan.block));
  html += QStringLiteral("<p><img src='%1'></p>").arg(kDiagram);
  html += paragraph(sizeText(model));
  html += patchCard(model.plan, method);
  html += heading(tr("Never changed")) + bullets(model.plan.untouched);
  if (!model.memory.empty())
    html += heading(tr("Memory for %1 positions").arg(model.memory.front().positions)) +
            memoryTable(model.memory);
  html += heading(tr("Unused keys and tensors"));
  html += unreadList(QStringLiteral("config.json"), model.unreadKeys);
  return html + unreadList(tr("tensors"), model.unreadTensors);
}

CardDialog::CardDialog(QWidget* parent)
    : QDialog(parent), m_card(new QTextBrowser(this)) {
  setObjectName(QStringLiteral("cardDialog"));
  resizeWithinScreen(*this, {860, 640});
  m_card->setObjectName(QStringLiteral("card"));
  m_card->setAccessibleName(tr("Architecture card"));
  m_card->setOpenLinks(false);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(m_card, 1);
  layout->addWidget(buttons);
}

void CardDialog::showCard(const QString& title, const QString& html,
                          const QImage& diagram) {
  setWindowTitle(title);
  m_card->document()->addResource(QTextDocument::ImageResource, QUrl(kDiagram), diagram);
  m_card->setHtml(html);
  show();
  raise();
  activateWindow();
}

namespace {

constexpr qreal kDiagramScale = 2.0;  // crisp on high-density screens
constexpr qreal kBoxGap = 14.0;       // between boxes
constexpr qreal kBoxPadding = 8.0;
constexpr qreal kSum = 9.0;      // radius of ⊕
constexpr qreal kStream = 22.0;  // y of the residual stream
constexpr qreal kBranch = 74.0;  // y of a branch

bool patches(const PatchPlan& plan, const char* matrix) {
  return std::ranges::find(plan.matrices, matrix) != plan.matrices.end();
}

void addInProjections(const ModelSpec& spec, const PatchPlan& plan,
                      std::vector<DiagramBox>& branch) {
  if (patches(plan, "router")) branch.push_back({tr("router"), true});
  branch.push_back({spec.mlpForm == MlpForm::Gated ? QStringLiteral("W_gate, W_up")
                                                   : QStringLiteral("W_in"),
                    true});
}

/// Draws parts of the block; lengths are pixels of the unscaled diagram.
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

  /// Draws a branch from the stream at x = `from` through boxes at `y`, of which the
  /// first is right of `begin`, to the ⊕ at `to`.
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
  qreal width;
  qreal lower;  ///< y of the second branch
  qreal height;
};

const DiagramBox kSumNorm{QStringLiteral("norm"), false};

Places placesOf(const BlockBoxes& block, const Pen& pen) {
  Places places{.x = 26.0};
  places.v = places.x + pen.widthOf(block.attention) + kSum;
  const qreal vNorm = block.attentionSum ? pen.widthOf(kSumNorm) + 2 * kBoxGap : 0.0;
  places.end = places.v + vNorm + 30.0 + pen.widthOf(block.feedForward) + kSum;
  const qreal endNorm = block.feedForwardSum ? pen.widthOf(kSumNorm) + 2 * kBoxGap : 0.0;
  places.width = places.end + endNorm + 46.0;
  places.lower = block.parallel ? kBranch + 40.0 : kBranch;
  places.height = places.lower + 24.0;
  return places;
}

void draw(const BlockBoxes& block, const Places& at, Pen& pen) {
  const qreal vNorm = block.attentionSum ? pen.widthOf(kSumNorm) + 2 * kBoxGap : 0.0;
  const qreal leave = at.v + vNorm + 30.0;
  pen.drawLine(4, kStream, at.width - 4, kStream);
  pen.drawText(8, QStringLiteral("x"));
  pen.drawBranch(block.attention, at.x, at.x, at.v, kBranch);
  if (block.attentionSum) pen.drawBox(at.v + kSum + kBoxGap, kStream, kSumNorm);
  pen.drawText(at.v + vNorm + kSum + 8, QStringLiteral("v"));
  pen.drawBranch(block.feedForward, block.parallel ? at.x : leave, leave, at.end,
                 at.lower);
  if (block.feedForwardSum) pen.drawBox(at.end + kSum + kBoxGap, kStream, kSumNorm);
  pen.drawText(at.width - 20, QStringLiteral("x'"));
}

}  // namespace

BlockBoxes blockBoxes(const ModelSpec& spec, const PatchPlan& plan) {
  const bool sums = spec.postNormPlace == PostNormPlace::Sum;
  const DiagramBox norm{tr("norm"), false};
  BlockBoxes block;
  block.parallel = spec.mlpInput != MlpInput::ResidMid;
  block.attentionSum = sums && spec.attentionPostNorm;
  block.feedForwardSum = sums && spec.mlpPostNorm;
  if (spec.attentionPreNorm) block.attention.push_back(norm);
  block.attention.push_back({tr("attention"), false});
  if (spec.attentionPostNorm && !sums) block.attention.push_back(norm);
  auto& branch = block.feedForward;
  if (spec.mlpPreNorm || spec.mlpInput == MlpInput::AttentionInput)
    branch.push_back(norm);
  addInProjections(spec, plan, branch);
  branch.push_back(
      {QStringLiteral("W_down"), patches(plan, "down") || patches(plan, "dense_down")});
  if (patches(plan, "dense_scale")) branch.push_back({tr("norm, scale m₁"), true});
  if (plan.closesWithScale)
    branch.push_back({tr("norm, scale m"), true});
  else if (plan.closesWithBias)
    branch.push_back({tr("bias b"), true});
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
