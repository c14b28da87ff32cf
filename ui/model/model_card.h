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

/// The URL of the block diagram in a card's HTML.
inline constexpr QLatin1String kDiagram("block");

/// A loaded model in a few lines of plain text.
QString modelSummary(const LoadedModel& model);

/// Rich text: why a block can be patched, and what this method changes by which theorem.
/// @param plan of the method
QString patchCard(const PatchPlan& plan, Method method);

/// The architecture card as rich text. Names from files are escaped.
/// @param parity result of the architecture's golden check; empty when unknown
QString modelCard(const LoadedModel& model, Method method, const QString& parity);

/// Shows the architecture card. Not modal.
class CardDialog final : public QDialog {
  Q_OBJECT

 public:
  explicit CardDialog(QWidget* parent);

  /// @param html from modelCard
  /// @param block drawn where `html` refers to kDiagram
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
