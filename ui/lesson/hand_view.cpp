// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/hand_view.h"

#include <QVBoxLayout>

#include "core/base/number_format.h"

namespace equipatch {
namespace {

constexpr int kDecimals = 4;
/// Weights and their changes have one more decimal, so that the shown factors give the
/// shown products, up to rounding in the last decimal.
constexpr int kWeightDecimals = 5;

/// With a true minus sign.
QString decimal(double value, int decimals = kDecimals) {
  return QString::fromStdString(fixedText(value, decimals)).replace(u'-', u'−');
}

QString htmlRow(const QStringList& cells, const QString& tag) {
  const QString name = QStringLiteral("align='left'");
  const QString number = QStringLiteral("align='right' style='padding-left: 6px'");
  QString row;
  for (qsizetype i = 0; i < cells.size(); ++i)
    row += QStringLiteral("<%1 %2>%3</%1>").arg(tag, i == 0 ? name : number, cells[i]);
  return QStringLiteral("<tr>%1</tr>").arg(row);
}

QString sumsRow(const QString& name, const HandTable::Sums& sums, const QString& tag) {
  return htmlRow({name,
                  {},
                  {},
                  decimal(sums.before),
                  {},
                  decimal(sums.added),
                  decimal(sums.patched),
                  {},
                  decimal(sums.contextual)},
                 tag);
}

QString htmlTable(const HandTable& table) {
  QString rows =
      htmlRow({QObject::tr("channel"), QStringLiteral("z"), QStringLiteral("W"),
               QStringLiteral("W·z"), QStringLiteral("ΔW"), QStringLiteral("ΔW·z"),
               QStringLiteral("(W+ΔW)·z"), QStringLiteral("z<sub>C</sub>"),
               QStringLiteral("W·z<sub>C</sub>")},
              QStringLiteral("th"));
  for (const HandTable::Channel& each : table.channels)
    rows += htmlRow({QString::number(each.index), decimal(each.z),
                     decimal(each.weight, kWeightDecimals), decimal(each.weight * each.z),
                     decimal(each.change, kWeightDecimals), decimal(each.change * each.z),
                     decimal((each.weight + each.change) * each.z),
                     decimal(each.zContext), decimal(each.weight * each.zContext)},
                    QStringLiteral("td"));
  rows += sumsRow(QObject::tr("%1 others").arg(table.otherCount), table.others,
                  QStringLiteral("td"));
  rows += sumsRow(QObject::tr("sum"), table.all, QStringLiteral("th"));
  return QStringLiteral("<table cellspacing='0' cellpadding='2' width='100%'>%1</table>")
      .arg(rows);
}

}  // namespace

HandView::HandView(QWidget* parent)
    : QFrame(parent), m_heading(new QLabel(this)), m_table(new QLabel(this)) {
  setObjectName(QStringLiteral("handView"));
  m_heading->setObjectName(QStringLiteral("panelHeading"));
  m_heading->setWordWrap(true);
  m_table->setObjectName(QStringLiteral("handTable"));
  m_table->setAccessibleName(tr("A row of the patch, multiplied out"));
  m_table->setTextFormat(Qt::RichText);
  m_table->setAlignment(Qt::AlignTop);
  m_table->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 5, 10, 5);
  layout->setSpacing(2);
  layout->addWidget(m_heading);
  layout->addWidget(m_table, 1);
}

void HandView::show(const std::optional<HandTable>& table, int step) {
  m_table->setVisible(table.has_value());
  if (!table)
    return m_heading->setText(tr(
        "There is nothing to multiply out: this needs a selected step whose run kept "
        "its patch, and the run's model in memory. Some layers have no such patch, and "
        "some models store their weights in a form that this table does not read."));
  m_heading->setText(tr("Step %1, layer %2, row %3 of %4: u = %5, ‖z‖² = %6")
                         .arg(step)
                         .arg(table->layer)
                         .arg(table->row)
                         .arg(QString::fromStdString(table->matrix),
                              decimal(table->difference), decimal(table->zSquared)));
  m_table->setText(htmlTable(*table));
  fill();
}

void HandView::setFilling(bool filling) {
  m_isFilling = filling;
  // The size hint of large type must not prevent the view from shrinking.
  const auto policy = filling ? QSizePolicy::Ignored : QSizePolicy::Preferred;
  m_table->setSizePolicy(policy, policy);
  if (!filling) return setTypeSize(1.0);
  fill();
}

void HandView::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  fill();
}

void HandView::setTypeSize(double factor) {
  QFont type;
  if (factor != 1.0) type.setPointSizeF(font().pointSizeF() * factor);
  m_heading->setFont(type);
  m_table->setFont(type);
}

bool HandView::fits() const {
  const QMargins margins = layout()->contentsMargins();
  const QSize room = contentsRect().marginsRemoved(margins).size();
  const QSize table = m_table->sizeHint();
  return table.width() <= room.width() &&
         table.height() + layout()->spacing() + m_heading->heightForWidth(room.width()) <=
             room.height();
}

void HandView::fill() {
  if (!m_isFilling) return;
  constexpr double kMostGrowth = 2.5, kLeastGrowth = 0.6, kGrowthStep = 0.1;
  for (double factor = kMostGrowth; factor > kLeastGrowth; factor -= kGrowthStep) {
    setTypeSize(factor);
    if (fits()) return;
  }
}

}  // namespace equipatch
