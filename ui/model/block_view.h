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

/// The block of the run on display, or of the loaded model if there is no run. The filled
/// share of a box is the size of its part of the patch in the selected step and layer,
/// divided by this part's largest size in the run. If a box has several parts, the
/// largest share counts.
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

  struct Box {
    QString label;
    QRectF place;
    bool patched = false;
    std::vector<std::string> parts;  ///< of the patch; each a PatchSize::name
    double share = 0.0;              ///< how much of the box is filled, 0 to 1
    QString size;                    ///< the sizes of the parts; empty: none is known
    QString namedSizes;              ///< "ΔW gate 0.12, ΔW up 0.1"
  };
  /// From top to bottom. A norm that follows a ⊕ comes after the boxes of the branch.
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
  /// `leaves` and `joins` are the y of two points on the stream, `x` is the middle of the
  /// boxes.
  struct Branch {
    qreal leaves, joins, x;
  };
  void paintBranch(QPainter& painter, const Branch& branch) const;
  qreal lineHeight() const;
  /// The distance from a branch's last box to its ⊕.
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
