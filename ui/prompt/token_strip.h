#pragma once

#include <QAbstractScrollArea>
#include <vector>

#include "ui/chart/theme.h"
#include "ui/prompt/token_strip_geometry.h"
#include "ui/run/run_model.h"
#include "ui/run/selection.h"

namespace equipatch {

/// The generated tokens as a row of chips, with a red ✗ and the patched pass's choice
/// under each mismatch. Click or arrow keys select the step; End follows the newest.
/// Paints only what is visible.
class TokenStrip final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  TokenStrip(const RunModel& model, Selection& selection, const Theme& theme,
             QWidget* parent = nullptr);

  const TokenStripGeometry& geometryOfChips() const { return m_geometry; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }
  QString toolTipAt(const QPoint& viewPosition) const;

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
  struct Chip {
    QString token;
    QString other;  ///< the patched pass's choice, empty at a match
  };

  void begin();
  void append(int first);
  void showStep(int step);
  void updateScrollRange();
  int contentX(int viewX) const;
  void paintChip(QPainter& painter, int index) const;
  void paintMismatch(QPainter& painter, int index) const;

  const RunModel& m_model;
  Selection& m_selection;
  const Theme& m_theme;
  TokenStripGeometry m_geometry;
  std::vector<Chip> m_chips;
};

}  // namespace equipatch
