#pragma once

#include <QDialog>
#include <QLabel>
#include <QPushButton>

#include "ui/export/figure_preview.h"
#include "ui/export/style_form.h"

namespace equipatch {

/// Makes a figure's file: what is drawn and in which style on the left, how it will be
/// printed on the right. Nothing waits for it.
class FigureDialog : public QDialog {
  Q_OBJECT

 public:
  /// Tells, in the dialog, when it cannot be written.
  void save(const QString& path);
  void copy() const;

  StyleForm* styleForm() const { return m_style; }
  FigurePreview* preview() const { return m_preview; }
  QPushButton* saveButton() const { return m_save; }
  QString told() const { return m_told->text(); }

 Q_SIGNALS:
  void saved();

 protected:
  explicit FigureDialog(QWidget* parent);

  /// Puts the controls of what is drawn above those of the style, and draws.
  void compose(QWidget* content);
  /// Draws again; what cannot be drawn is said instead.
  void refresh();
  /// A sentence above the buttons, which stays until the next.
  void tell(const QString& sentence) { m_told->setText(sentence); }

 private:
  /// @throws Error{BadInput} when it cannot be drawn.
  virtual Figure figure() const = 0;
  /// Offered when saving, without its ending.
  virtual QString fileName() const = 0;

  QWidget* composeButtons();
  void chooseTarget();

  StyleForm* m_style;
  FigurePreview* m_preview;
  QPushButton* m_save;
  QPushButton* m_copy;
  QLabel* m_told;  ///< what became of the last file
};

}  // namespace equipatch
