#pragma once

#include <QLabel>

namespace equipatch {

/// A line of text that takes the room there is. Where that is too little it is cut in the
/// middle, since both ends tell one chart from another; the tooltip then has all of it.
class ElidedLabel final : public QLabel {
  Q_OBJECT

 public:
  explicit ElidedLabel(QWidget* parent = nullptr);

  /// What is drawn of `text` now.
  QString shown() const;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace equipatch
