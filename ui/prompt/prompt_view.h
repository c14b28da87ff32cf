#pragma once

#include <QTextEdit>
#include <vector>

#include "ui/chart/theme.h"
#include "ui/prompt/token_spans.h"

namespace equipatch {

/// A prompt's text with brackets under what of it is kept, in room between the lines.
/// Undo and redo are asked for, not done: marks take part in them. Its actions stand in
/// its context menu.
class PromptView final : public QTextEdit {
  Q_OBJECT

 public:
  explicit PromptView(const Theme& theme, QWidget* parent = nullptr);

  /// Nothing that was there comes back by undo.
  void showText(const QString& text);
  /// @param stretches of the text, in its order, each not empty.
  void setKept(std::vector<TextSpan> stretches);
  const std::vector<TextSpan>& kept() const { return m_kept; }

 Q_SIGNALS:
  void undoAsked();
  void redoAsked();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  /// Files are the window's to open.
  bool canInsertFromMimeData(const QMimeData* source) const override;
  void insertFromMimeData(const QMimeData* source) override;

 private:
  void paintBrackets(QPainter& painter, const QTextBlock& block, QPointF origin) const;
  void paintBracket(QPainter& painter, const TextSpan& span, const QTextBlock& block,
                    QPointF origin) const;

  const Theme& m_theme;
  std::vector<TextSpan> m_kept;
};

/// The stretches that consecutive kept tokens cover; those without text have none.
/// @param kept as many as spans
std::vector<TextSpan> keptStretches(const std::vector<TextSpan>& spans,
                                    const std::vector<bool>& kept);

}  // namespace equipatch
