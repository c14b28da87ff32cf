#pragma once

#include <QList>
#include <QToolButton>
#include <QWidget>

#include "ui/chart/series_style.h"

namespace equipatch {

/// The names of a chart's series with their swatches; each is a switch that shows or
/// hides its series, by mouse or keyboard.
class Legend : public QWidget {
  Q_OBJECT

 public:
  explicit Legend(QWidget* parent = nullptr);

  /// @returns the entry's index.
  int add(const SeriesStyle& style, const Colours& colours);
  void clear();
  int count() const { return static_cast<int>(m_entries.size()); }
  QString name(int index) const { return m_entries.at(index).button->text(); }
  bool isOn(int index) const { return m_entries.at(index).button->isChecked(); }
  void restyle(const Colours& colours);

 Q_SIGNALS:
  void toggled(int index, bool on);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QSize swatchSize() const;
  struct Entry {
    QToolButton* button;
    SeriesStyle style;
  };
  QList<Entry> m_entries;
};

}  // namespace equipatch
