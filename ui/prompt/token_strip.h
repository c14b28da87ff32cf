// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <algorithm>
#include <vector>

#include "ui/chart/theme.h"
#include "ui/prompt/picture_mapper.h"
#include "ui/prompt/picture_shelf.h"
#include "ui/prompt/token_display.h"
#include "ui/prompt/token_strip_geometry.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// Shows the prompt as plain text and images, then the generated tokens as chips. A red ✗
/// under a chip means that the most likely tokens of the contextual and the patched pass
/// differ; a blue ◆ means that their sampled tokens differ. Logits that are not finite
/// count as a difference. A click or an arrow key selects a step. The End key selects the
/// newest step and follows newer ones.
class TokenStrip final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  /// All parameters outlive the strip.
  TokenStrip(const RunModel& model, Selection& selection, const Theme& theme,
             PictureShelf& shelf, QWidget* parent = nullptr);

  /// The step's chip in viewport coordinates; empty if there is no such step.
  QRect chipOf(int step) const;
  QRect chipOfPrompt(int token) const { return inView(m_geometry.chip(token)); }
  int stepCount() const { return m_geometry.count() - m_before; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }
  QString toolTipAt(const QPoint& viewPosition) const;

 Q_SIGNALS:
  /// An image whose file the run contains was clicked, or chosen in the strip's menu.
  void pictureActivated(const equipatch::PictureSubject& subject);

 public Q_SLOTS:
  /// @param tokens the number of tokens at the prompt's end that were generated before
  /// the run branched off
  void setInheritedTokens(int tokens);

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  /// A sign under a chip, with the patched pass's token. At a mismatch in a run that
  /// samples, `token` holds the most likely tokens of both passes.
  struct Mark {
    enum class Kind { Mismatch, SampledDifference } kind;
    QString token;
  };
  struct Chip {
    QString token;
    std::vector<Mark> marks;
  };

  struct ShownPicture {
    PromptImage source;
    QString name;
    QImage image;  ///< null while it is being decoded, or if it cannot be shown

    const PositionRange& tokens() const { return source.tokens; }
  };

  void addCopyAction();
  void begin();
  void layOut();
  void addPrompt();
  void append(int first);
  void add(Chip chip);
  static std::vector<Mark> marksOf(const StepRecord& record);
  int markWidth(const Mark& mark) const;
  int marksWidth(const Chip& chip) const;
  void showStep(int step);
  void updateScrollRange();
  int scrollForBothSides(int index) const;
  int contentX(int viewX) const;
  QRect inView(const QRect& content) const { return content.translated(-contentX(0), 0); }
  /// The step whose chip is at `viewX`; negative if there is none.
  int stepAt(int viewX) const { return m_geometry.indexAt(contentX(viewX)) - m_before; }
  const RunRequest& request() const { return m_model.header()->request; }
  bool isKept(int index) const;
  /// The ends that the bracket under kept tokens has at this chip.
  BracketEnds keptEnds(int index) const;
  void paintKept(QPainter& painter, int index) const;
  QString promptToolTip(int token) const;
  void readPictures();
  void addPictureActions();
  void showDecoded(const QString& sha256);
  /// Null if the token belongs to no image.
  const ShownPicture* pictureAt(int index) const;
  void addPictureToken(const ShownPicture& picture, int token);
  QRect pictureRect(int index) const;
  void paintPicture(QPainter& painter, const ShownPicture& picture) const;
  QString pictureToolTip(const ShownPicture& picture) const;
  void activatePicture(const ShownPicture& picture);
  QString stepToolTip(const StepRecord& record) const;
  void paintChip(QPainter& painter, int index) const;
  void paintPromptToken(QPainter& painter, int index) const;
  void paintDivision(QPainter& painter) const;
  void paintLabel(QPainter& painter, int first, int end, const QString& text) const;
  int promptTokens() const { return std::max(0, m_before - 1 - m_inherited); }
  void paintMarks(QPainter& painter, int index) const;
  void paintSign(QPainter& painter, Mark::Kind kind, const QRectF& place) const;

  const RunModel& m_model;
  Selection& m_selection;
  const Theme& m_theme;
  PictureShelf& m_shelf;
  TokenStripGeometry m_geometry;
  std::vector<Chip> m_chips;
  std::vector<ShownPicture> m_pictures;
  QList<QAction*> m_pictureActions;
  int m_before = 0;     ///< chips before step 0: the prompt's, and one for the line
  int m_inherited = 0;  ///< tokens of the prompt generated before the run branched off
};

}  // namespace equipatch
