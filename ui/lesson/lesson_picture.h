// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <memory>

#include "ui/prompt/picture_map_panel.h"
#include "ui/prompt/picture_shelf.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// The first picture of the run on display and the map of what its parts bring to a step.
/// Lessons show it in place of the charts.
class LessonPicture final : public QFrame {
  Q_OBJECT

 public:
  /// @param theme, shelf, mapper outlive the view.
  LessonPicture(const Theme& theme, PictureShelf& shelf, PictureMapper& mapper,
                QWidget* parent = nullptr);

  /// Shows the picture of the run on display, without a map if it is another run's.
  void setRun(const RunModel& model, int step);
  /// Maps the picture of the run at this step. @returns why it cannot; empty: it does
  QString map(const RunModel& model, int step, int cells);
  bool isMapping() const { return m_map && m_map->isMapping(); }
  /// Null while there is no map.
  const ImageMap* mapped() const;

 Q_SIGNALS:
  /// A map is ready, or why there is none.
  void changed();

 private:
  void setSubject(const PictureSubject& subject);
  void showImage();

  const Theme& m_theme;
  PictureShelf& m_shelf;
  PictureMapper& m_mapper;
  QLabel* m_empty;
  QWidget* m_page = nullptr;  ///< the picture and its map; null: there is none
  PictureView* m_view = nullptr;
  PictureMapPanel* m_map = nullptr;  ///< null where the picture cannot be mapped
  std::shared_ptr<const PictureFile> m_picture;
  std::shared_ptr<const RunHeader> m_run;
};

}  // namespace equipatch
