// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/number_text.h"
#include "ui/prompt/token_strip.h"

namespace equipatch {
namespace {

/// A line on whether the sampled tokens differ; empty where none were sampled.
QString sampledText(const StepRecord& record) {
  if (!record.sampledMatch) return {};
  if (*record.sampledMatch) return TokenStrip::tr("\nsampled tokens: match");
  return TokenStrip::tr("\n◆ sampled tokens differ: contextual %1, patched %2")
      .arg(visibleToken(record), visiblePatchedToken(record));
}

QString choiceText(const char* pass, const Choices& choices) {
  if (choices.empty()) return {};
  const Choice& best = choices.front();
  return QStringLiteral("\n%1: %2  %3")
      .arg(QString::fromLatin1(pass), visibleToken(best), percentText(best.probability));
}

}  // namespace

QString TokenStrip::toolTipAt(const QPoint& viewPosition) const {
  const int index = m_geometry.indexAt(contentX(viewPosition.x()));
  if (const ShownPicture* picture = pictureAt(index)) return pictureToolTip(*picture);
  if (index >= 0 && index < m_before - 1) return promptToolTip(index);
  const StepRecord* record = m_model.find(index - m_before);
  return record ? stepToolTip(*record) : QString();
}

QString TokenStrip::promptToolTip(int token) const {
  return (token < promptTokens() ? tr("prompt, token %1: %2\n%3")
                                 : tr("generated before the branch, token %1: %2\n%3"))
      .arg(token)
      .arg(m_chips[std::size_t(token)].token,
           isKept(token) ? tr("kept: the patched pass still sees it")
                         : tr("absorbed: the patch replaces it"));
}

QString TokenStrip::stepToolTip(const StepRecord& record) const {
  return tr("step %1: %2")
             .arg(record.step.value)
             .arg(record.match ? tr("most likely tokens match")
                               : tr("✗ mismatch of the most likely tokens")) +
         sampledText(record) +
         (request().absorbed.keepsGenerated ? tr("\nkept: later steps still see it")
                                            : QString()) +
         choiceText("contextual", record.contextual) +
         choiceText("patched", record.patched) + choiceText("bare", record.bare) +
         choiceText("ablated", record.ablated);
}

}  // namespace equipatch
