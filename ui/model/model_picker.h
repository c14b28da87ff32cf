// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QPersistentModelIndex>
#include <QStandardItemModel>
#include <memory>

#include "core/run/model_list.h"

namespace equipatch {

/// Chooses the model: a field for a name or a folder, and a list of the models on this
/// machine.
class ModelPicker final : public QComboBox {
  Q_OBJECT

 public:
  explicit ModelPicker(QWidget* parent = nullptr);

  /// A name from the list, or a folder; may be empty.
  QString model() const { return currentText().trimmed(); }
  void setModelText(const QString& text);
  /// Replaces the list, but not the field's text. The first list puts the bundled model
  /// into an empty field.
  /// @param list null: not known yet
  void showModels(std::shared_ptr<const ModelList> list);
  const ModelList* list() const { return m_list.get(); }
  /// The list's entry for the model in the field; null: none.
  const ListedModel* listed() const;

  /// Marks the model in the field as not found, until the field names another model.
  /// @param reason a sentence; empty: the model is found
  void setMissing(const QString& reason) { m_missing = {model(), reason}; }
  /// The reason given to `setMissing`; empty if the field's model is not marked or is in
  /// the list.
  QString missing() const;

  void showPopup() override;

 Q_SIGNALS:
  /// The user picked a model of the list, or pressed Return in the field.
  void modelPicked();
  void browseRequested();
  /// The user wants to take a folder that was used before off the list.
  void forgetRequested(const QString& folder);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void chosen(int row);
  void suggestBundled();
  QString usedFolderAtHand() const;
  bool filterKey(const QKeyEvent& event);

  QStandardItemModel m_items;
  /// The row to which the mouse moved last; invalid if the list was opened or a key other
  /// than Delete was pressed since.
  QPersistentModelIndex m_pointed;
  std::shared_ptr<const ModelList> m_list;
  struct {
    QString model, reason;
  } m_missing;
  QString m_text;  ///< restores the field after Qt has written "Browse…" into it
};

}  // namespace equipatch
