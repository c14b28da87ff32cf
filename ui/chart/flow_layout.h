#pragma once

#include <QLayout>
#include <QList>
#include <QRect>

namespace equipatch {

/// Puts items beside one another and goes on in the next row when the width is used up.
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

  /// Where items of these sizes go in rows of `width`, from (0, 0).
  static QList<QRect> arrange(const QList<QSize>& sizes, int width, int gap);

 private:
  QList<QLayoutItem*> shown() const;
  QList<QRect> places(int width) const;

  QList<QLayoutItem*> m_items;
};

}  // namespace equipatch
