#pragma once

#include <QFrame>
#include <QLabel>

namespace equipatch {

/// Tells a failure in the window, in one sentence that can be selected and copied, until
/// it is dismissed. Never a dialog.
class MessageBar final : public QFrame {
  Q_OBJECT

 public:
  explicit MessageBar(QWidget* parent = nullptr);

  QString text() const { return m_label->text(); }

 public Q_SLOTS:
  void tell(const QString& sentence);
  void dismiss();

 private:
  QLabel* m_label;
};

}  // namespace equipatch
