// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QWidget>
#include <map>
#include <vector>

#include "core/figure/layer_panels.h"
#include "ui/chart/theme.h"
#include "ui/model/block_diagram.h"
#include "ui/run/run_controller.h"
#include "ui/run/run_model.h"

namespace equipatch {

/// The block of the run on display. A box that the patch changes is filled by the size of
/// the selected step's patch, as a share of the largest size in the run. The size is that
/// of the selected layer, or the median of all layers. Arrow keys select other steps and
/// layers.
class BlockView final : public QWidget {
  Q_OBJECT

 public:
  /// All outlive the view.
  struct Sources {
    const RunModel& model;
    Selection& selection;
    const RunController& controller;
    const Theme& theme;
  };
  explicit BlockView(const Sources& sources, QWidget* parent = nullptr);

  /// A box as it is drawn.
  struct Box {
    QString label;
    QRectF place;
    bool patched = false;
    std::vector<std::string> parts;  ///< of the patch, named as by patchSizes
    double share = 0.0;              ///< how much of the box is filled, 0 to 1
    QString size;                    ///< the sizes of the parts; empty: none is known
    QString namedSizes;              ///< "ΔW gate 0.12, ΔW up 0.1"
  };
  /// The boxes from top to bottom. A norm that follows a ⊕ stands on the stream, below
  /// the boxes of the branch that the ⊕ adds.
  std::vector<Box> boxes() const;
  QString heading() const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void runStarted();
  void stepsAppended(int first);
  BlockBoxes block() const;
  double sizeOf(const PatchSize& part) const;
  void measure(Box& box) const;
  void paintBox(QPainter& painter, const Box& box) const;
  /// Where a branch leaves the stream and joins it again, and the middle of its boxes.
  struct Branch {
    qreal leaves, joins, x;
  };
  void paintBranch(QPainter& painter, const Branch& branch) const;
  qreal lineHeight() const;
  /// From a branch's last box to the ⊕ where it joins the stream.
  qreal sumBelow() const;
  /// The space for a norm that follows a ⊕.
  qreal sumNormHeight() const;

  Sources m_sources;
  std::vector<PatchSize> m_parts;
  std::map<std::string, double> m_largest;  ///< each part's largest size in the run
};

/// The block and, below it, why it can be patched and what the method changes.
class BlockPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit BlockPanel(const BlockView::Sources& sources, QWidget* parent = nullptr);

  QString reasons() const { return m_reasons->text(); }

 private:
  void showReasons();

  BlockView::Sources m_sources;
  QLabel* m_heading;
  QLabel* m_scale;  ///< what a full box means
  QLabel* m_reasons;
};

}  // namespace equipatch
