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

/// The first image of a run, and a map of what the image's parts contribute to a step.
class LessonPicture final : public QFrame {
  Q_OBJECT

 public:
  /// @param theme, shelf, mapper must outlive the view.
  LessonPicture(const Theme& theme, PictureShelf& shelf, PictureMapper& mapper,
                QWidget* parent = nullptr);

  /// Shows the run's image, and removes the map of another run.
  /// @param step initial step in the map's settings; ignored if the run's image is shown
  ///        already
  void setRun(const RunModel& model, int step);
  /// Starts mapping the run's image at this step. @returns why the map cannot be started;
  /// empty if it was started
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
