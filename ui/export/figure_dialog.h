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

/// Shows a figure as it will be printed, scaled to the widget, or a sentence.
class FigurePreview final : public QWidget {
  Q_OBJECT

 public:
  explicit FigurePreview(QWidget* parent = nullptr);

  /// Draws later, from the event loop, once for several calls.
  void showFigure(const Figure& figure, const FigureStyle& style);
  /// @param sentence an error's; shown with its first letter capitalised
  void showText(const QString& sentence);
  QString sentence() const { return m_sentence; }
  /// FigurePlot::remark of the last drawing.
  const QString& remark() const { return m_remark; }
  /// Null while nothing is drawn.
  const QImage& image() const { return m_image; }

  QSize sizeHint() const override { return {560, 420}; }
  QSize minimumSizeHint() const override { return {280, 210}; }

 Q_SIGNALS:
  /// The remark has changed; empty: there is none.
  void remarked(const QString& sentence);
  /// @param size such as "6.75 × 4.1 in"
  void drawn(const QString& size);
  /// The figure cannot be drawn in this style; sentence() says why.
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

/// Previews, saves and copies a figure, as a picture or as the text of a pgfplots file.
/// Subclasses choose the figure's content. Not modal.
class FigureDialog : public QDialog {
  Q_OBJECT

 public:
  /// Writes the file and, beside it, the figure's values. Replaces files without asking;
  /// shows errors in the dialog.
  void save(const QString& path);
  /// Copies what the preview shows.
  void copy();

  StyleForm* styleForm() const { return m_style; }
  FigurePreview* preview() const { return m_preview; }
  QTabWidget* previews() const { return m_previews; }  ///< the picture, then the text
  QPlainTextEdit* text() const { return m_text; }      ///< of the pgfplots file
  QPushButton* saveButton() const { return m_save; }
  /// Limits of axes, in the syntax of `parseAxisLimits`.
  QLineEdit* limits() const { return m_limits; }

 Q_SIGNALS:
  void saved();

 protected:
  explicit FigureDialog(QWidget* parent);

  /// Completes and draws the dialog, with `content` above the style's controls. Call it
  /// at the end of the subclass's constructor, because it calls figure().
  void compose(QWidget* content);
  /// Calls figure() again, and draws the result or shows the error.
  void refresh();
  /// Shows a sentence above the buttons until the next message or drawing.
  void showMessage(const QString& sentence);

 private:
  /// @throws Error{BadInput} when the user's choices give no figure
  virtual Figure figure() const = 0;
  /// The suggested file name, without its suffix.
  virtual QString fileName() const = 0;

  QWidget* composeControls(QWidget* content);
  void composePreviews();
  QWidget* composeButtons();
  /// The figure with the axis limits that the user entered.
  /// @throws Error{BadInput} as figure(), parseAxisLimits() and setLimits()
  const Figure& drawing();
  void draw();
  bool showsText() const { return m_previews->currentWidget() == m_text; }
  void chooseTarget();
  bool mayReplace(const std::filesystem::path& path, const QString& confirmed);

  std::optional<Figure> m_content;  ///< cached: making it may decode images
  std::optional<Figure> m_drawing;  ///< m_content with axis limits
  QLineEdit* m_limits;
  StyleForm* m_style;
  QTabWidget* m_previews;
  FigurePreview* m_preview;
  QPlainTextEdit* m_text;
  QPushButton* m_save;
  QPushButton* m_copy;
  QPushButton* m_caption;
  QLabel* m_size;     ///< of the picture
  QLabel* m_message;  ///< the newest message, or the remark of the layout
};

/// Exports a given figure, such as a chart of the window.
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
