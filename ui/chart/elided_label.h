#pragma once

#include <QLabel>

namespace equipatch {

/// A line of text that takes the room there is. Where that is too little a briefer one
/// stands for it, or it is cut in the middle, since both ends tell one chart from
/// another; the tooltip then has all of it.
class ElidedLabel final : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  /// For where the text does not fit; empty: there is none.
  void setBrief(const QString& brief);
  /// What is drawn of `text` now.
  QString shown() const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QString m_brief;
};

}  // namespace equipatch
