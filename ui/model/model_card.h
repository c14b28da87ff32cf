// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QTextBrowser>

#include "core/patch/patch_options.h"
#include "core/patch/planner.h"
#include "ui/model/block_diagram.h"
#include "ui/run/engine.h"

namespace equipatch {

/// The name under which the card's text refers to the block diagram.
inline constexpr QLatin1String kDiagram("block");

/// A loaded model in a few lines: architecture, size, dtype, device, where its weights
/// are, images, unread keys and tensors.
QString modelSummary(const LoadedModel& model);

/// Why a block can be patched, what this method changes and by which theorem, and what
/// the symbols mean, as rich text. @param plan of the method
QString patchCard(const PatchPlan& plan, Method method);

/// The architecture card as rich text: the block in words, the patch of this method,
/// which parameters a patch never changes and why, the memory for each dtype, unread keys
/// and tensors. Names from files are escaped.
/// @param parity result of the architecture's golden check; empty when unknown
QString modelCard(const LoadedModel& model, Method method, const QString& parity);

/// Shows the architecture card beside the window; Escape closes it.
class CardDialog final : public QDialog {
  Q_OBJECT

 public:
  explicit CardDialog(QWidget* parent);

  /// @param html from modelCard
  /// @param block its diagram is shown where the card refers to kDiagram
  void showCard(const QString& title, const QString& html, BlockBoxes block);
  QString text() const { return m_card->toPlainText(); }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void drawDiagram();

  QTextBrowser* m_card;
  BlockBoxes m_block;
};

}  // namespace equipatch
