// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QStringList>
#include <string>

namespace equipatch {

/// The field for the absorbed part of the context, with a list of names to choose from.
/// What the user is typing stays until it is taken, or another part is shown.
class AbsorbedBox final : public QComboBox {
  Q_OBJECT

 public:
  explicit AbsorbedBox(QWidget* parent);

  /// Replaces the list, as soon as nothing is being typed or the list is opened.
  /// @param toolTips one for each name
  void setChoices(const QStringList& names, const QStringList& toolTips);
  /// Shows a part in place of what was typed.
  void showPart(const std::string& part);
  /// What is in the field; it does not count as being typed any more.
  std::string take();
  bool isTyped() const { return m_isTyped; }

  void showPopup() override;

 private:
  void list();

  QStringList m_names;
  QStringList m_toolTips;
  bool m_isTyped = false;
  bool m_isOld = false;  ///< the list lacks the choices that were set last
};

}  // namespace equipatch
