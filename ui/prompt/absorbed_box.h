// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QStringList>
#include <string>

namespace equipatch {

/// The field for the absorbed part of the context, with a list of names to choose from.
class AbsorbedBox final : public QComboBox {
  Q_OBJECT

 public:
  explicit AbsorbedBox(QWidget* parent);

  /// Replaces the list. While the user types, the old list stays until `take` or
  /// `showPart` is called or the list is opened.
  /// @param toolTips one for each name
  void setChoices(const QStringList& names, const QStringList& toolTips);
  /// Replaces the field's text; the new text does not count as typed.
  void showPart(const std::string& part);
  /// Returns the field's text, which no longer counts as typed.
  std::string take();
  bool isTyped() const { return m_isTyped; }

  void showPopup() override;

 private:
  void list();

  QStringList m_names;
  QStringList m_toolTips;
  bool m_isTyped = false;
  bool m_isOld = false;  ///< the list does not show `m_names` yet
};

}  // namespace equipatch
