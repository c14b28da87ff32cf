// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <QList>
#include <QRect>
#include <QScrollArea>
#include <QToolButton>
#include <QWidget>
#include <optional>

#include "ui/chart/series_style.h"

namespace equipatch {

/// Lays items out in rows that wrap at the layout's width.
class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(QWidget* parent = nullptr);
  ~FlowLayout() override;

  void addItem(QLayoutItem* item) override { m_items.append(item); }
  int count() const override { return static_cast<int>(m_items.size()); }
  QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override { return minimumSize(); }
  QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

  /// The places of items of these sizes; the first row begins at (0, 0).
  static QList<QRect> arrange(const QList<QSize>& sizes, int width, int gap);

 private:
  QList<QLayoutItem*> shown() const;
  QList<QRect> places(int width) const;

  QList<QLayoutItem*> m_items;
};

/// The names and swatches of a chart's series. Each entry is a switch that shows or hides
/// its series. Tab reaches one entry; arrow keys move to the others. Names wider than the
/// legend are elided; they stay different if possible.
class Legend : public QWidget {
  Q_OBJECT

 public:
  explicit Legend(QWidget* parent = nullptr);

  /// @returns the entry's index.
  int add(const SeriesStyle& style, const Colours& colours);
  /// Appends the remark, an entry that explains a mark and is not a switch. An existing
  /// remark stays, whatever the style. Without a style, removes the remark.
  void setRemark(const std::optional<SeriesStyle>& style, const Colours& colours);
  /// The text of the remark as drawn; empty: no remark.
  QString remark() const { return m_remark ? m_remark->text() : QString(); }
  void clear();
  int count() const { return static_cast<int>(m_entries.size()); }
  QString name(int index) const { return m_entries.at(index).style.name; }
  bool isOn(int index) const { return m_entries.at(index).button->isChecked(); }
  void setOn(int index, bool on) { m_entries.at(index).button->setChecked(on); }
  void restyle(const Colours& colours);
  /// The entry that Tab reaches; null if the legend is empty.
  QWidget* tabStop() const;

 Q_SIGNALS:
  void toggled(int index, bool on);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();
  void moveFocusTo(int index);
  QSize swatchSize() const;
  struct Entry {
    QToolButton* button;
    SeriesStyle style;
  };
  QToolButton* makeButton(const SeriesStyle& style, const Colours& colours);

  QList<Entry> m_entries;
  QToolButton* m_remark = nullptr;
  SeriesStyle m_remarkStyle;
};

/// Scrolls a legend that is higher than its share of the chart.
class LegendArea final : public QScrollArea {
  Q_OBJECT

 public:
  /// @param legend owned by the area
  LegendArea(Legend* legend, QWidget* parent);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  /// Limits the area's height to a share of the chart's height, or to one row if that
  /// share is less.
  void setChartHeight(int height);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void limitHeight();

  Legend* m_legend;
  int m_chartHeight = 0;
};

}  // namespace equipatch
