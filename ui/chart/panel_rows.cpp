// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/panel_rows.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

#include "core/figure/statistics.h"
#include "ui/chart/axes.h"
#include "ui/chart/series_style.h"
#include "ui/chart/text_lines.h"

namespace equipatch {
namespace {

// Offsets from the centre of a row, and heights; a row is 1 high.
constexpr double kWordsAbove = 0.26;
constexpr double kContentBelow = 0.17;
constexpr double kContentHeight = 0.36;
constexpr double kHeightBeside = 0.56;  // of the content, if the words are beside the row
// Left and right end of the words, as fractions of the axes' width.
constexpr double kLeft = 0.012, kRight = 0.988;

QColor rowColour(int style, const std::string& own, const Colours& colours) {
  return own.empty() ? numberedStyle({}, style).in(colours)
                     : QColor(QString::fromStdString(own));
}

double heightOf(PanelRows::Names names) {
  return names == PanelRows::Names::Above ? kContentHeight : kHeightBeside;
}

double placeIn(int row, PanelRows::Names names) {
  return names == PanelRows::Names::Above ? row + kContentBelow : row;
}

void labelRows(QCPAxis& axis, const QStringList& texts) {
  const auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  for (qsizetype row = 0; row < texts.size(); ++row)
    ticker->addTick(double(row), texts[row]);
  axis.setTicker(ticker);
  axis.setTicks(true);
  axis.setTickLabels(true);
  axis.setTickPen(Qt::NoPen);
  axis.setTickLength(0);
}

QStringList namesOf(const FigurePanel& panel) {
  QStringList names;
  for (const std::string& name : panel.y.names) names << QString::fromStdString(name);
  return names;
}

/// The width of the column of names beside the axes; `width` as in fitNames.
double roomBeside(const QStringList& names, const QFontMetricsF& metrics, double width) {
  constexpr double kUsual = 0.4, kMost = 0.55;
  double word = 0.0;
  for (const QString& name : names) word = std::max(word, widestWord(name, metrics));
  return std::clamp(word, kUsual * width, kMost * width);
}

/// A box that draws its median line itself. QCustomPlot clips this line to a rectangle,
/// which is empty in a PDF if the box lies along x.
class RowBox final : public QCPStatisticalBox {
 public:
  RowBox(QCPAxis* keyAxis, QCPAxis* valueAxis, const QPen& median)
      : QCPStatisticalBox(keyAxis, valueAxis), m_median(median) {
    setMedianPen(Qt::NoPen);
    m_median.setCapStyle(Qt::FlatCap);
  }

 protected:
  void drawStatisticalBox(QCPPainter* painter,
                          QCPStatisticalBoxDataContainer::const_iterator box,
                          const QCPScatterStyle& outliers) const override {
    QCPStatisticalBox::drawStatisticalBox(painter, box, outliers);
    painter->setPen(m_median);
    painter->drawLine(QLineF(coordsToPixels(box->key - width() / 2, box->median),
                             coordsToPixels(box->key + width() / 2, box->median)));
  }

 private:
  QPen m_median;
};

QColor tinted(QColor colour) {
  colour.setAlphaF(0.3F);
  return colour;
}

}  // namespace

void PanelRows::draw(const FigurePanel& panel, const Look& look) {
  clear();
  m_place = look.names;
  for (std::size_t i = 0; i < panel.boxes.size(); ++i) {
    const FigureBox& box = panel.boxes[i];
    addBox(box, int(i), look);
    if (box.smallest() == 0.0) addZero(box, int(i), look);
    addWords(box.name, equalText(box.equal), int(i), look);
  }
  for (std::size_t i = 0; i < panel.bars.size(); ++i) {
    const FigureBar& bar = panel.bars[i];
    addBar(bar, int(i), look);
    addWords(bar.name, shareText(bar.share), int(i), look);
  }
  if (m_place != Names::Above) showBeside();
}

void PanelRows::clear() {
  for (QCPStatisticalBox* box : std::as_const(m_boxes)) plot().removePlottable(box);
  for (QCPBars* bars : std::as_const(m_bars)) plot().removePlottable(bars);
  for (QCPGraph* zeros : std::as_const(m_zeros)) plot().removeGraph(zeros);
  for (QCPItemText* text : m_names + m_shares) plot().removeItem(text);
  m_boxes.clear();
  m_bars.clear();
  m_zeros.clear();
  m_names.clear();
  m_shares.clear();
  m_wholeNames.clear();
  m_shownNames.clear();
  m_shownShares.clear();
}

void PanelRows::addBox(const FigureBox& box, int row, const Look& look) {
  if (std::isnan(box.median)) return;  // no values
  const double zero = zeroOn(*x());
  const auto place = [&](double value) {
    return value == 0.0 ? zero : placeOn(*x(), value);
  };
  const QColor colour = rowColour(box.style, box.colour, look.colours);
  // The box lies along x, so its key axis is y.
  auto* drawn = new RowBox(y(), x(), QPen(look.colours.text, 1.5 * look.line));
  const QPen line(colour, look.line);
  drawn->setPen(line);
  drawn->setBrush(tinted(colour));
  drawn->setWhiskerPen(line);
  drawn->setWhiskerBarPen(line);
  drawn->setWidth(heightOf(look.names));
  drawn->setWhiskerWidth(heightOf(look.names) / 2);
  drawn->setOutlierStyle(
      QCPScatterStyle(QCPScatterStyle::ssDisc, Qt::NoPen, QBrush(colour), look.dot));
  QVector<double> outliers;
  for (const double outlier : box.outliers)
    if (outlier != 0.0) outliers << place(outlier);
  drawn->addData(placeIn(row, look.names), place(box.low), place(box.lowerQuartile),
                 place(box.median), place(box.upperQuartile), place(box.high), outliers);
  m_boxes << drawn;
}

void PanelRows::addZero(const FigureBox& box, int row, const Look& look) {
  QCPGraph* zeros = plot().addGraph(y(), x());
  zeros->setLineStyle(QCPGraph::lsNone);
  zeros->setScatterStyle(
      QCPScatterStyle(QCPScatterStyle::ssCircle,
                      QPen(rowColour(box.style, box.colour, look.colours), look.line),
                      QBrush(look.colours.surface), 1.5 * look.dot));
  zeros->addData(placeIn(row, look.names), zeroOn(*x()));
  m_zeros << zeros;
}

void PanelRows::addBar(const FigureBar& bar, int row, const Look& look) {
  auto* drawn = new QCPBars(y(), x());  // lies along x
  drawn->setPen(Qt::NoPen);
  drawn->setBrush(rowColour(bar.style, bar.colour, look.colours));
  drawn->setWidth(heightOf(look.names));
  drawn->addData(placeIn(row, look.names), bar.share.percent());
  m_bars << drawn;
}

void PanelRows::addWords(const std::string& name, const std::string& share, int row,
                         const Look& look) {
  // A bar in the row of a box keeps the box's name and replaces its share.
  if (row < m_wholeNames.size()) {
    m_shownShares[row] = QString::fromStdString(share);
    return;
  }
  m_wholeNames << QString::fromStdString(name);
  m_shownNames << m_wholeNames.back();
  m_shownShares << QString::fromStdString(share);
  if (m_place != Names::Above) return;
  m_names << addText(m_wholeNames.back(), Qt::AlignLeft, row, look);
  m_shares << addText(m_shownShares.back(), Qt::AlignRight, row, look);
}

void PanelRows::showBeside() {
  if (m_place == Names::Beside) labelRows(*y(), m_shownNames);
  if (m_shownShares.join(QString()).isEmpty()) return;
  QCPAxis& right = *m_rect.axis(QCPAxis::atRight);
  right.setVisible(true);
  right.setBasePen(Qt::NoPen);
  right.setRange(y()->range());
  right.setRangeReversed(true);
  labelRows(right, m_shownShares);
}

QCPItemText* PanelRows::addText(const QString& text, Qt::Alignment side, int row,
                                const Look& look) {
  auto* item = new QCPItemText(&plot());
  for (QCPItemPosition* position : item->positions()) {
    position->setAxisRect(&m_rect);
    position->setAxes(x(), y());
  }
  item->setClipAxisRect(&m_rect);
  item->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
  item->position->setTypeY(QCPItemPosition::ptPlotCoords);
  item->position->setCoords(side == Qt::AlignLeft ? kLeft : kRight, row - kWordsAbove);
  item->setPositionAlignment(side | Qt::AlignVCenter);
  item->setText(text);
  item->setFont(look.font);
  item->setColor(look.colours.text);
  return item;
}

void PanelRows::fitNames(double width) {
  if (m_place != Names::Above) {
    const QFontMetricsF metrics(y()->tickLabelFont());
    const double room = roomBeside(m_wholeNames, metrics, width);
    for (qsizetype i = 0; i < m_wholeNames.size(); ++i)
      m_shownNames[i] = textLines(m_wholeNames[i], metrics, room).join(u'\n');
    return showBeside();
  }
  if (m_names.isEmpty()) return;
  const QFontMetricsF metrics(m_names.first()->font());
  QList<double> rooms;
  for (const QCPItemText* share : std::as_const(m_shares))
    rooms << (kRight - kLeft) * width -
                 metrics.horizontalAdvance(share->text() + QStringLiteral("  "));
  m_shownNames = elidedApart(m_wholeNames, metrics, rooms);
  for (qsizetype i = 0; i < m_names.size(); ++i) m_names[i]->setText(m_shownNames[i]);
}

int PanelRows::linesBeside(const FigurePanel& panel, const QFont& font, double width) {
  const QStringList names = namesOf(panel);
  const QFontMetricsF metrics(font);
  const double room = roomBeside(names, metrics, width);
  qsizetype most = 1;
  for (const QString& name : names)
    most = std::max(most, textLines(name, metrics, room).size());
  return int(most);
}

}  // namespace equipatch
