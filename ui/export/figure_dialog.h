// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QString>
#include <QTabWidget>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "core/figure/figure.h"
#include "ui/export/style_form.h"
#include "ui/figure/figure_file.h"

namespace equipatch {

/// A figure as it will be printed, scaled to the widget, or a sentence instead.
class FigurePreview final : public QWidget {
  Q_OBJECT

 public:
  explicit FigurePreview(QWidget* parent = nullptr);

  /// Draws when control returns to the event loop, once for several changes.
  void showFigure(const Figure& figure, const FigureStyle& style);
  /// @param sentence an error's; shown with its first letter capitalised
  void showText(const QString& sentence);
  QString sentence() const { return m_sentence; }
  /// The remark of FigurePlot when the figure was last drawn.
  const QString& remark() const { return m_remark; }
  /// Null while nothing is drawn.
  const QImage& image() const { return m_image; }

  QSize sizeHint() const override { return {560, 420}; }
  QSize minimumSizeHint() const override { return {280, 210}; }

 Q_SIGNALS:
  /// The remark has changed; empty: there is none.
  void remarked(const QString& sentence);
  /// The figure was drawn; its size in inches, such as "6.75 × 4.1 in".
  void drawn(const QString& size);
  /// The figure cannot be drawn in this style; the sentence says why.
  void failed();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void draw();

  std::optional<Figure> m_figure;
  FigureStyle m_style;
  QString m_sentence, m_remark;
  QImage m_image;
  QTimer m_soon;
};

/// Writes a figure to a file. The controls of content and style are on the left. The
/// preview on the right shows the picture or the text of the pgfplots file. Subclasses
/// choose the content. The dialog is not modal.
class FigureDialog : public QDialog {
  Q_OBJECT

 public:
  /// Writes the file and, beside it, the figure's values. Does not ask before it replaces
  /// files; shows an error in the dialog.
  void save(const QString& path);
  /// Copies what the preview shows: the picture, or the text for pgfplots.
  void copy();

  StyleForm* styleForm() const { return m_style; }
  FigurePreview* preview() const { return m_preview; }
  QTabWidget* previews() const { return m_previews; }  ///< the picture, then the text
  QPlainTextEdit* text() const { return m_text; }      ///< of the pgfplots file
  QPushButton* saveButton() const { return m_save; }
  /// Limits of axes, as `parseAxisLimits` reads them.
  QLineEdit* limits() const { return m_limits; }

 Q_SIGNALS:
  void saved();

 protected:
  explicit FigureDialog(QWidget* parent);

  /// Puts the controls of the content above those of the style, and draws.
  void compose(QWidget* content);
  /// Makes the figure again, because its content has changed, and draws it; the preview
  /// shows the sentence of an error.
  void refresh();
  /// Shows a sentence above the buttons until the next one, or until the figure is drawn
  /// again.
  void showMessage(const QString& sentence);

 private:
  /// @throws Error{BadInput} when there is no such figure.
  virtual Figure figure() const = 0;
  /// The file name that saving suggests, without its suffix.
  virtual QString fileName() const = 0;

  QWidget* composeControls(QWidget* content);
  void composePreviews();
  QWidget* composeButtons();
  /// The figure of the last refresh, with the axis limits that the user entered.
  /// @throws Error{BadInput} as figure(), parseAxisLimits() and setLimits()
  const Figure& drawing();
  void draw();
  bool showsText() const { return m_previews->currentWidget() == m_text; }
  void chooseTarget();
  bool mayReplace(const std::filesystem::path& path, const QString& confirmed);

  std::optional<Figure> m_content;  ///< kept, because making it may decode images
  std::optional<Figure> m_drawing;  ///< m_content with the axes' limits
  QLineEdit* m_limits;
  StyleForm* m_style;
  QTabWidget* m_previews;
  FigurePreview* m_preview;
  QPlainTextEdit* m_text;
  QPushButton* m_save;
  QPushButton* m_copy;
  QPushButton* m_caption;
  QLabel* m_size;     ///< of the picture; hidden beside the text for pgfplots
  QLabel* m_message;  ///< the newest message, or the remark of the layout
};

/// Exports one figure as it is, such as a chart of the window.
class ChartDialog final : public FigureDialog {
  Q_OBJECT

 public:
  explicit ChartDialog(Figure figure, QWidget* parent = nullptr);

 private:
  Figure figure() const override { return m_figure; }
  QString fileName() const override;

  Figure m_figure;
};

}  // namespace equipatch
