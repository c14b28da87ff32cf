// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/chart/theme.h"

namespace equipatch {

/// A numbered box for each layer: filled if the layer is patched, otherwise hollow and
/// struck out.
class LayerToggles final : public QWidget {
  Q_OBJECT

 public:
  explicit LayerToggles(const Theme& theme, QWidget* parent = nullptr);

  /// Sets the number of layers and turns all of them on, without emitting `changed`.
  void setCount(int count);
  int count() const { return static_cast<int>(m_on.size()); }
  bool isOn(int layer) const { return m_on.at(std::size_t(layer)); }
  int onCount() const;
  /// The layers that are on, ascending.
  std::vector<std::int64_t> chosen() const;
  /// Turns the layers from `first` through `last` on and the others off.
  void setRange(int first, int last);
  /// @param on for each layer; ignored unless it has count() values
  void setLayers(const std::vector<bool>& on);
  const std::vector<bool>& layers() const { return m_on; }

  QRect box(int layer) const;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void changed();

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  QSize boxSize() const;
  int perRow(int width) const;
  int layerAt(const QPoint& position) const;  ///< −1 for none
  void set(int layer, bool on);
  void drawAt(const QPoint& position);
  void moveTo(int layer);
  void paintBox(QPainter& painter, int layer) const;
  void describe();

  const Theme& m_theme;
  std::vector<bool> m_on;
  int m_current = 0;  ///< the layer that keys act on
  /// Whether the drag turns layers on; empty until the drag reaches a box.
  std::optional<bool> m_drawing;
};

}  // namespace equipatch
