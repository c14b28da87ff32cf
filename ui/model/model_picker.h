// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QPersistentModelIndex>
#include <QStandardItemModel>
#include <memory>

#include "core/run/model_list.h"

namespace equipatch {

/// Chooses the model: a field for a name or a folder, and a list of the models on this
/// machine. Models that cannot be loaded are disabled; their tool tips say why.
class ModelPicker final : public QComboBox {
  Q_OBJECT

 public:
  explicit ModelPicker(QWidget* parent = nullptr);

  /// A name from the list, or a folder.
  QString model() const { return currentText().trimmed(); }
  void setModelText(const QString& text);
  /// Replaces the list; null: not known yet. The field's text stays. If it is empty, the
  /// first list suggests the bundled model.
  void showModels(std::shared_ptr<const ModelList> list);
  const ModelList* list() const { return m_list.get(); }
  /// The listed model that the field names; null when the list has no such model.
  const ListedModel* listed() const;

  /// Marks the model in the field as not found, until the field names another model.
  /// @param reason a sentence; empty: the model is found
  void setMissing(const QString& reason) { m_missing = {model(), reason}; }
  /// The reason that `setMissing` got; empty if the model is not marked or is listed.
  QString missing() const;

  void showPopup() override;

 Q_SIGNALS:
  /// The user picked a model of the list, or pressed Return in the field, which may be
  /// empty.
  void modelPicked();
  void browseRequested();
  /// The user removes a folder used before from the list.
  void forgetRequested(const QString& folder);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  /// Watches the list's Delete key and mouse moves.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void chosen(int row);
  void suggestBundled();
  QString usedFolderAtHand() const;
  bool filterKey(const QKeyEvent& event);

  QStandardItemModel m_items;
  /// The row under the mouse. Any key except Delete makes it invalid, and so does opening
  /// the list, until the mouse moves.
  QPersistentModelIndex m_pointed;
  std::shared_ptr<const ModelList> m_list;
  struct {
    QString model, reason;
  } m_missing;
  QString m_text;  ///< the field's text before Qt writes a chosen "Browse…" into it
};

}  // namespace equipatch
