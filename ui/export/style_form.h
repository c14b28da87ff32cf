// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QSpinBox>
#include <QWidget>

#include "ui/figure/figure_file.h"

namespace equipatch {

/// The style that StyleForm::save() last stored, or the default style. The default font
/// replaces a font that is no longer installed.
FigureStyle savedStyle();

/// The controls of a figure's style. save() stores the style in QSettings, from which
/// restore() reads it.
class StyleForm final : public QWidget {
  Q_OBJECT

 public:
  explicit StyleForm(QWidget* parent = nullptr);

  FigureStyle style() const;
  void setStyle(const FigureStyle& style);
  void save() const;
  void restore();
  /// For pgfplots, only the size's controls are enabled: LaTeX decides the rest.
  void setPgfplots(bool pgfplots);
  void setHasLegend(bool hasLegend);
  /// Chooses the preset for one column or for two. Keeps a size that the user has
  /// chosen, and any size that is neither of these presets.
  void suggestColumns(int columns);

  QComboBox* sizes() const { return m_sizes; }
  QDoubleSpinBox* width() const { return m_width; }
  QDoubleSpinBox* height() const { return m_height; }
  QDoubleSpinBox* fontSize() const { return m_font; }
  QCheckBox* letters() const { return m_letters; }
  QComboBox* fonts() const { return m_fonts; }
  QComboBox* legendPlaces() const { return m_places; }
  QCheckBox* sharedLegend() const { return m_shared; }

 Q_SIGNALS:
  void changed();

 private:
  void addFonts();
  void addPlaces();
  void chooseSize(int index);
  void sizeEdited();
  QString pgfplotsReason() const;
  void enableLegend();

  bool m_isPgfplots = false;
  bool m_hasLegend = true;
  QComboBox* m_sizes;
  bool m_isSizeChosen = false;  ///< by the user
  QDoubleSpinBox* m_width;
  QDoubleSpinBox* m_height;
  QComboBox* m_fonts;
  QDoubleSpinBox* m_font;
  QSpinBox* m_dpi;
  QComboBox* m_places;
  QCheckBox* m_legend;
  QCheckBox* m_shared;
  QCheckBox* m_letters;
  QCheckBox* m_title;
};

}  // namespace equipatch
