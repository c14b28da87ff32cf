// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QLabel>
#include <memory>

#include "core/lesson/lesson_words.h"
#include "ui/prompt/picture_map_panel.h"
#include "ui/prompt/picture_shelf.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// The first image of the run on display, and the map of how much its parts contribute to
/// a step. Lessons show it in place of the charts.
class LessonPicture final : public QFrame {
  Q_OBJECT

 public:
  /// @param theme, shelf, mapper outlive the view.
  LessonPicture(const Theme& theme, PictureShelf& shelf, PictureMapper& mapper,
                QWidget* parent = nullptr);

  /// Shows the image of the run on display; a map of another run is removed.
  /// @param step the step that a newly shown run is mapped at, until the user chooses
  ///        another step in the map's settings
  void setRun(const RunModel& model, int step);
  /// Starts mapping the run's image at this step. @returns why that is impossible; empty
  /// if it was started
  QString map(const RunModel& model, int step, const LessonImageMap& map);
  bool isMapping() const { return m_map && m_map->isMapping(); }
  /// Null while there is no map.
  const ImageMap* mapped() const;

 Q_SIGNALS:
  /// A map was made, stopped, or failed.
  void changed();

 private:
  void setSubject(const PictureSubject& subject);
  void showImage();

  const Theme& m_theme;
  PictureShelf& m_shelf;
  PictureMapper& m_mapper;
  QLabel* m_empty;
  QWidget* m_page = nullptr;  ///< the image and its map; null: the run has no image
  PictureView* m_view = nullptr;
  PictureMapPanel* m_map = nullptr;  ///< null if the image cannot be mapped
  std::shared_ptr<const PictureFile> m_picture;
  std::shared_ptr<const RunHeader> m_run;
};

}  // namespace equipatch
