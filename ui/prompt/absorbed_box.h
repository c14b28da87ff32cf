// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QStringList>
#include <string>

namespace equipatch {

/// The field for the absorbed part of the context, with a list of names to choose from.
/// New choices wait while the user types; `take` and `showPart` end the typing.
class AbsorbedBox final : public QComboBox {
  Q_OBJECT

 public:
  explicit AbsorbedBox(QWidget* parent);

  /// Replaces the list: at once if nothing is being typed, otherwise when the typing ends
  /// or the list is opened.
  /// @param toolTips one for each name
  void setChoices(const QStringList& names, const QStringList& toolTips);
  /// Shows a part in place of what was typed.
  void showPart(const std::string& part);
  /// Returns the field's text, which then no longer counts as being typed.
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
