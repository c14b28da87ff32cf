// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QWidget>
#include <memory>

#include "ui/prompt/picture_mapper.h"
#include "ui/prompt/picture_view.h"

namespace equipatch {

/// The controls for maps of what each part of an image contributes to a step. The chosen
/// quantity decides which map is made (`MapOf`).
class PictureMapPanel final : public QWidget {
  Q_OBJECT

 public:
  /// @param side the number of the image's tokens on a side
  PictureMapPanel(PictureSubject subject, int side, PictureMapper& mapper,
                  QWidget* parent = nullptr);
  ~PictureMapPanel() override;

  QPushButton& startButton() const { return *m_start; }
  QPushButton& exportButton() const { return *m_export; }
  QSpinBox& step() const { return *m_step; }
  QLabel& message() const { return *m_message; }
  QSlider& opacity() const { return *m_opacity; }

  /// Starts a map, unless one is being made.
  /// @param mostCells selects the largest number of cells on a side that does not exceed
  ///        it; if all exceed it, the smallest
  /// @param quantity the quantity to show: its index in the field Show
  /// @returns why the image cannot be mapped; else empty
  QString start(int mostCells, int quantity);
  bool isMapping() const { return m_number > 0; }
  /// The newest map of kept cells; null: none yet.
  const MappedImage* mapped() const { return m_mapped.get(); }

 Q_SIGNALS:
  /// A map is ready, was stopped or failed.
  void ended();
  void mapChanged(const equipatch::PictureMap& map, const QString& title);
  /// @param opacity of the map's cells, from 0 to 1
  void opacityChanged(double opacity);

 private:
  void makeSettings();
  void makeButtons();
  void connectMapper();
  void startOrStop();
  void showState();
  void showMap();
  void exportFigure();
  std::int64_t cells() const { return m_cells->currentData().toLongLong(); }
  ImageMapRequest request() const;
  QString costText() const;
  QString staleText() const;
  const std::shared_ptr<const MappedImage>& shown() const;

  PictureSubject m_subject;
  int m_side;                        ///< the image's tokens on a side
  QPointer<PictureMapper> m_mapper;  ///< null while the window is being destroyed
  QComboBox* m_cells;
  QSpinBox* m_step;
  QComboBox* m_quantity;
  QSlider* m_opacity;
  QLabel* m_meaning;
  QLabel* m_message;
  QProgressBar* m_progress;
  QPushButton* m_start;
  QPushButton* m_export;
  int m_number = 0;  ///< the mapper's number of the map being made; 0: none
  QString m_failure;
  std::shared_ptr<const MappedImage> m_mapped;
  std::shared_ptr<const MappedImage> m_grown;  ///< the newest map of growth
};

}  // namespace equipatch
