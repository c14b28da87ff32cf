// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/absorbed_box.h"

#include <QLineEdit>
#include <limits>

namespace equipatch {

AbsorbedBox::AbsorbedBox(QWidget* parent) : QComboBox(parent) {
  setObjectName(QStringLiteral("absorb"));
  setAccessibleName(tr("Absorbed part of the context"));
  setToolTip(
      tr("The part of the context that is removed and replaced by the patch:\n"
         "all; prompt (generated tokens are kept); none; keep-bos; words:some words of "
         "the prompt; sentence:2 (its second sentence); or positions such as "
         "0-12,20,generated; with images also images, image:2 (the second) and text"));
  setEditable(true);
  // Qt's default limit would cut the positions of a long prompt.
  lineEdit()->setMaxLength(std::numeric_limits<int>::max());
  setInsertPolicy(QComboBox::NoInsert);
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(8);
  // QLineEdit::isModified is no substitute: QComboBox's completion resets it.
  connect(lineEdit(), &QLineEdit::textEdited, this, [this] { m_isTyped = true; });
}

/// Waits while the user types: `list` would discard the text that an input method is
/// composing in the field.
void AbsorbedBox::setChoices(const QStringList& names, const QStringList& toolTips) {
  m_names = names;
  m_toolTips = toolTips;
  m_isOld = true;
  if (!m_isTyped) list();
}

void AbsorbedBox::list() {
  m_isOld = false;
  const QString part = currentText();
  clear();
  addItems(m_names);
  for (int row = 0; row < int(m_toolTips.size()); ++row)
    setItemData(row, m_toolTips[row], Qt::ToolTipRole);
  setEditText(part);
}

void AbsorbedBox::showPart(const std::string& part) {
  m_isTyped = false;
  if (m_isOld) list();
  setEditText(QString::fromStdString(part));
}

std::string AbsorbedBox::take() {
  m_isTyped = false;
  if (m_isOld) list();
  return currentText().toStdString();
}

void AbsorbedBox::showPopup() {
  if (m_isOld) list();
  QComboBox::showPopup();
}

}  // namespace equipatch
