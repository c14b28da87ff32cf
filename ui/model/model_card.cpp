// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_card.h"

#include <QDialogButtonBox>
#include <QEvent>
#include <QStringList>
#include <QUrl>
#include <QVBoxLayout>
#include <utility>

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

QString bullets(const QStringList& lines) {
  QString html = QStringLiteral("<ul>");
  for (const QString& line : lines)
    html += QStringLiteral("<li>%1</li>").arg(line.toHtmlEscaped());
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

QString memoryList(const std::vector<MemoryEstimate>& needs) {
  QStringList lines;
  for (const MemoryEstimate& need : needs)
    lines << tr("%1: %2, including %3 of weights%4")
                 .arg(model_items::dtypeText(need.dtype), text(bytesText(need.total())),
                      text(bytesText(need.weights)),
                      need.mapped == need.weights ? tr(" as stored") : QString());
  return bullets(lines);
}

QString unreadList(const QString& where, const std::vector<std::string>& names) {
  return paragraph(
      tr("%1: %2").arg(where, names.empty() ? tr("none") : text(joined(names))));
}

/// @param size of the method's patch
QString sizeText(const LoadedModel& model, const ParameterCount& size) {
  return tr("Filled: what a token's patch changes, %1 of the %2 parameters. The patch "
            "itself has %3 values.")
      .arg(text(metricText(size.changed)), text(metricText(model.parameters)),
           text(metricText(size.factors)));
}

QString imagesText(const LoadedModel& model, const VisionSpec& vision) {
  if (!vision.problem.empty()) return text(vision.problem);
  return tr("images: %1 tokens each, vision tower of %2 parameters")
      .arg(QString::number(vision.tokens), text(metricText(model.visionParameters)));
}

}  // namespace

QString modelSummary(const LoadedModel& model) {
  QString summary =
      tr("%1\n%2 × width %3, %4 parameters\nloaded as %5 on %6, %7")
          .arg(text(model.spec.architecture),
               countText(model.spec.layerCount(), QStringLiteral("layer")),
               QString::number(model.spec.width), text(metricText(model.parameters)),
               model_items::dtypeText(model.dtype), text(model.device),
               text(std::string(weightPlaceName(model.weights))));
  if (const VisionSpec* vision = visionOf(model))
    summary += u'\n' + imagesText(model, *vision);
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
  const PatchPlan plan = planOfMethod(model.plan, spec, method);
  QString html = QStringLiteral("<h3>%1</h3>").arg(text(model.name).toHtmlEscaped());
  html += paragraph(
      tr("%1, %2 of width %3, %4 parameters, %5 tokens in the vocabulary, %6 positions.")
          .arg(text(spec.architecture),
               countText(spec.layerCount(), QStringLiteral("layer")),
               QString::number(spec.width), text(metricText(model.parameters)),
               QString::number(spec.vocabulary), QString::number(spec.maxPositions)));
  if (const VisionSpec* vision = visionOf(model))
    html += paragraph(imagesText(model, *vision));
  if (!parity.isEmpty())
    html += paragraph(tr("Golden check of this architecture: %1.").arg(parity));
  html += heading(tr("The block")) + paragraph(text(plan.block));
  html += QStringLiteral("<p><img src='%1'></p>").arg(kDiagram);
  html += paragraph(sizeText(model, plan.size));
  html += patchCard(plan, method);
  QStringList untouched;
  for (const std::string& reason : plan.untouched) untouched << text(reason);
  html += heading(tr("Never changed")) + bullets(untouched);
  if (!model.memory.empty())
    html += heading(tr("Memory for %1 positions").arg(model.memory.front().positions)) +
            memoryList(model.memory);
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

void CardDialog::showCard(const QString& title, const QString& html, BlockBoxes block) {
  setWindowTitle(title);
  m_block = std::move(block);
  drawDiagram();
  m_card->setHtml(html);
  show();
  raise();
  activateWindow();
}

void CardDialog::drawDiagram() {
  m_card->document()->addResource(QTextDocument::ImageResource, QUrl(kDiagram),
                                  blockDiagram(m_block, palette(), font()));
}

/// Does not call showCard(), which would scroll the card and raise the dialog.
void CardDialog::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() != QEvent::PaletteChange || !isVisible()) return;
  drawDiagram();
  m_card->viewport()->update();
}

}  // namespace equipatch
