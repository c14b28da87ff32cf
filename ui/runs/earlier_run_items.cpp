// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/earlier_run_items.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "core/base/strings.h"
#include "core/figure/run_names.h"
#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"
#include "ui/chart/text_lines.h"

namespace equipatch {
namespace {

constexpr int kSortRole = Qt::UserRole + 1;

QString endingText(RunEnding ending) {
  switch (ending) {
    case RunEnding::Complete:
      return {};
    case RunEnding::Stopped:
      return QCoreApplication::translate("EarlierRuns", ", stopped");
    case RunEnding::Interrupted:
      return QCoreApplication::translate("EarlierRuns", ", interrupted");
  }
  return {};
}

QString tipOf(const CatalogueRun& run) {
  QStringList lines{nameOf(run), QString::fromStdString(listedSettings(run)),
                    QString::fromStdString(run.file.string())};
  lines.removeDuplicates();
  if (!run.problem.empty()) {
    lines << QString::fromStdString(run.problem);
  } else {
    lines << startOfText(QString::fromStdString(run.header->request.promptText), 400)
          << QString::fromStdString(run.labels.notes);
  }
  lines.removeAll(QString());
  return plainToolTip(lines.join(u'\n'));
}

/// Maps L∞ to heights in the outline: 0 is the bottom, 1 the top.
class LogScale {
 public:
  explicit LogScale(const std::vector<double>& values) {
    std::vector<double> logs;
    for (const double value : values)
      if (std::isfinite(value)) logs.push_back(logOf(value));
    if (logs.empty()) return;
    m_low = std::ranges::min(logs);
    m_range = std::max(std::ranges::max(logs) - m_low, m_range);
  }
  double height(double value) const { return (logOf(value) - m_low) / m_range; }

 private:
  static double logOf(double value) { return std::log10(std::max(value, 1e-12)); }

  double m_low = 0.0;
  double m_range = 1.0;  ///< at least a decade
};

}  // namespace

QString nameOf(const CatalogueRun& run) {
  return QString::fromStdString(run.header ? listedName(run)
                                           : run.file.filename().string());
}

QString rowTextOf(const CatalogueRun& run) {
  if (!run.header || run.labels.name.empty()) return nameOf(run);
  return nameOf(run) + QStringLiteral(" · ") +
         QString::fromStdString(listedSettings(run));
}

QDateTime startOf(const CatalogueRun& run) {
  if (!run.header) return {};
  return QDateTime::fromString(QString::fromStdString(run.header->provenance.startTime),
                               Qt::ISODate)
      .toLocalTime();
}

bool EarlierRunItem::operator<(const QTreeWidgetItem& other) const {
  const int column = treeWidget() ? treeWidget()->sortColumn() : 0;
  const QVariant a = data(column, kSortRole);
  const QVariant b = other.data(column, kSortRole);
  if (a.isValid() && b.isValid() && a.metaType() == b.metaType())
    return QVariant::compare(a, b) == QPartialOrdering::Less;
  return text(column).localeAwareCompare(other.text(column)) < 0;
}

void sortByStart(EarlierRunItem& group, int column, const CatalogueRun& run) {
  const QDateTime start = startOf(run);
  group.setData(column, kSortRole,
                start.isValid() ? start : QDateTime::fromMSecsSinceEpoch(0));
}

void fillRunItem(QTreeWidgetItem& item, const CatalogueRun& run, const Colours& colours,
                 qreal devicePixelRatio) {
  using Item = EarlierRunItem;
  const auto set = [&item](int column, const QString& text, const QVariant& sortBy = {}) {
    item.setText(column, text);
    if (sortBy.isValid()) item.setData(column, kSortRole, sortBy);
  };
  item.setData(0, Qt::UserRole, QString::fromStdString(run.file.string()));
  set(Item::Run, rowTextOf(run));
  for (const int column : {int(Item::Run), int(Item::Prompt)})
    item.setToolTip(column, tipOf(run));
  if (!run.header) {
    set(Item::Prompt, QString::fromStdString(run.problem));
    item.setForeground(Item::Prompt, colours.muted);
    return;
  }
  item.setIcon(Item::Run,
               outlinePicture(run.linfOutline, colours, kOutlineSize, devicePixelRatio));
  set(Item::Model, QString::fromStdString(run.header->modelName));
  set(Item::Prompt, QString::fromStdString(run.header->request.promptText).simplified());
  set(Item::Steps, QString::number(run.steps) + endingText(run.ending),
      qlonglong(run.steps));
  const double steps = double(std::max<std::int64_t>(run.steps, 1));
  set(Item::Equal,
      QCoreApplication::translate("EarlierRuns", "%1 of %2")
          .arg(run.matches)
          .arg(run.steps),
      double(run.matches) / steps);
  constexpr double kNone = -1.0;  // before all numbers, because NaN has no order
  set(Item::Linf, run.steps > 0 ? numberText(run.linfMedian) : QStringLiteral("–"),
      run.steps > 0 && !std::isnan(run.linfMedian) ? run.linfMedian : kNone);
  set(Item::Started, QLocale().toString(startOf(run), QLocale::ShortFormat),
      startOf(run));
  set(Item::Tags, QString::fromStdString(joined(run.labels.tags)));
  for (const int column : {int(Item::Steps), int(Item::Equal), int(Item::Linf)})
    item.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
}

QPixmap outlinePicture(const std::vector<double>& linf, const Colours& colours,
                       const QSize& size, qreal devicePixelRatio) {
  QPixmap picture(size * devicePixelRatio);
  picture.setDevicePixelRatio(devicePixelRatio);
  picture.fill(colours.surface);  // even if the row is selected
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  constexpr double kMargin = 2.0;
  const QRectF place =
      QRectF({}, QSizeF(size)).adjusted(kMargin, kMargin, -kMargin, -kMargin);
  const double apart = linf.size() > 1 ? place.width() / double(linf.size() - 1) : 0.0;
  const LogScale scale(linf);
  QPainterPath line;
  bool isPenDown = false;
  for (std::size_t i = 0; i < linf.size(); ++i) {
    const double x = place.left() + apart * double(i);
    const bool isNumber = std::isfinite(linf[i]);
    if (!isNumber) {
      painter.setPen(colours.mismatch);
      painter.drawLine(QPointF(x, place.top()), QPointF(x, place.bottom()));
    } else {
      const QPointF point(x, place.bottom() - place.height() * scale.height(linf[i]));
      // A stub, because a value without a neighbour would draw no line.
      if (!isPenDown) line.moveTo(point - QPointF(1.0, 0.0));
      line.lineTo(point);
    }
    isPenDown = isNumber;
  }
  painter.setPen(QPen(colours.patched, 1.2));
  painter.drawPath(line);
  return picture;
}

}  // namespace equipatch
