#include "ui/chart/small_widgets.h"

#include <QScrollArea>

namespace equipatch {

QScrollArea* scrollable(QWidget* content) {
  auto* area = new QScrollArea;
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area->setWidget(content);
  return area;
}

}  // namespace equipatch
