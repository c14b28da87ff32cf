#include "ui/chart/axes.h"

namespace equipatch {

void styleAxis(QCPAxis& axis, const Colours& colours, const QFont& font) {
  constexpr double kSmaller = 0.88;
  QFont small = font;
  small.setPointSizeF(font.pointSizeF() * kSmaller);
  axis.setBasePen(QPen(colours.border));
  axis.setTickPen(QPen(colours.border));
  axis.setSubTickPen(QPen(colours.border));
  axis.setTickLabelColor(colours.muted);
  axis.setLabelColor(colours.muted);
  axis.setTickLabelFont(small);
  axis.setLabelFont(small);
  axis.setLabelPadding(4);
  axis.grid()->setPen(QPen(colours.raised, 1));
  axis.grid()->setSubGridVisible(false);
  axis.grid()->setZeroLinePen(Qt::NoPen);
}

}  // namespace equipatch
