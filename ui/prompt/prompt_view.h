// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QSyntaxHighlighter>
#include <QTextCursor>
#include <QTextEdit>
#include <vector>

#include "ui/chart/theme.h"
#include "ui/prompt/picture_shelf.h"
#include "ui/prompt/prompt_parts.h"
#include "ui/prompt/token_display.h"

namespace equipatch {

/// The tokens from `first` to `last`, inclusive; none if `first` > `last`.
struct TokenRange {
  int first = 0;
  int last = -1;
};

/// Gives neighbouring tokens of a text different tints, even if tokens without text stand
/// between them.
class TokenHighlighter final : public QSyntaxHighlighter {
  Q_OBJECT

 public:
  TokenHighlighter(QTextDocument* document, const Theme& theme);

  /// @param spans in order of the text.
  void setSpans(std::vector<TextSpan> spans);
  /// Index of the token at a position of the text; −1 for none.
  int tokenAt(int position) const;
  /// The range from the first to the last token with text in [begin, end).
  TokenRange tokensIn(int begin, int end) const;

 protected:
  void highlightBlock(const QString& text) override;

 private:
  const Theme& m_theme;
  std::vector<TextSpan> m_spans;
  std::vector<bool> m_odd;  ///< for each span, whether it has the second tint
};

struct ImageTokens {
  PositionRange tokens;
  ImageSpan span;
};

/// A prompt's text with its token boundaries, images as thumbnails, and brackets under
/// kept tokens. Keys and menu entries for undo and redo only emit signals, because the
/// user's last change may be to the kept tokens, which the document's undo stack does not
/// contain. The context menu contains the widget's actions.
class PromptView final : public QTextEdit {
  Q_OBJECT

 public:
  /// @param theme, shelf outlive the view
  PromptView(const Theme& theme, PictureShelf& shelf, QWidget* parent = nullptr);

  /// Replaces the text and clears the undo stack.
  void showParts(const PromptParts& parts);
  /// Replaces the text as one undo step.
  void setParts(const PromptParts& parts);
  PromptParts parts() const;
  /// Preserves no-break spaces, which QTextEdit::toPlainText would turn into spaces.
  QString text() const;
  /// Inserts images at the place of the drop or paste that last emitted `filesOffered` or
  /// `imageOffered`, once; otherwise, inserts them at the cursor.
  void insertPictures(const Pictures& pictures);
  /// Call if the offered images cannot be read.
  void forgetOffer() { m_offered = QTextCursor(); }

  /// Tints the text's tokens and marks none of them as kept.
  /// @param images one for each image of the text, in order; empty if the images' tokens
  ///        are not known
  void setTokens(std::vector<Token> tokens, std::vector<ImageTokens> images = {});
  /// @param kept one value for each token; if the size differs, no token is shown as kept
  void setKeptTokens(const std::vector<bool>& kept);
  /// The tokens that the selection touches. The last of several tokens is left out if
  /// only whitespace at its beginning is selected.
  TokenRange selectedTokens() const;
  /// The token at a place of the viewport; −1 for none.
  int tokenAt(const QPoint& place) const;
  void selectTokens(TokenRange tokens);
  /// @param model a row for each token, with its tool tip; outlives the view
  void setTokenModel(const QAbstractItemModel& model) { m_tokenModel = &model; }

  /// @param stretches the text above each bracket: in ascending order, none empty
  void setKept(std::vector<TextSpan> stretches);
  const std::vector<TextSpan>& kept() const { return m_kept; }

 Q_SIGNALS:
  void undoRequested();
  void redoRequested();
  /// Picture files were dropped or pasted; `insertPictures` should follow.
  void filesOffered(const QStringList& paths);
  /// The same for an image without a file.
  void imageOffered(const QImage& image);
  /// An image was double-clicked. @param index its place among the text's images
  void pictureActivated(int index);

 protected:
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  QMimeData* createMimeDataFromSelection() const override;
  /// Refuses files unless all are images: the window handles other dropped files.
  bool canInsertFromMimeData(const QMimeData* source) const override;
  void insertFromMimeData(const QMimeData* source) override;

 private:
  void spaceLines();
  PromptParts partsFrom(int begin, int end) const;
  void insertParts(QTextCursor cursor, const PromptParts& parts);
  std::vector<TextSpan> spans() const;
  bool isWithinCharacter(int token) const;
  /// The rectangle of a character in the viewport, including the room below the line.
  QRectF rectOf(int position) const;
  int pictureAt(const QPoint& place) const;
  void paintBrackets(QPainter& painter, const QTextBlock& block, QPointF origin) const;
  void paintBracket(QPainter& painter, const TextSpan& span, const QTextBlock& block,
                    QPointF origin) const;

  const Theme& m_theme;
  TokenHighlighter* m_tints;
  const QAbstractItemModel* m_tokenModel = nullptr;
  std::vector<Token> m_tokens;
  std::vector<ImageTokens> m_images;
  std::vector<TextSpan> m_kept;
  QTextCursor m_offered;  ///< where to insert the offered images; null: no offer
};

/// The stretches of text that consecutive kept tokens cover. A kept token without text
/// does not end a stretch.
/// @param kept one value for each span
std::vector<TextSpan> keptStretches(const std::vector<TextSpan>& spans,
                                    const std::vector<bool>& kept);

}  // namespace equipatch
