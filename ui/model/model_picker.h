#pragma once

#include <QComboBox>
#include <QPersistentModelIndex>
#include <QStandardItemModel>
#include <memory>

#include "core/run/model_list.h"

namespace equipatch {

/// Where the model is chosen: a field for a name or a folder, and a list of what is on
/// this machine under it. Models that cannot be loaded are grey and say why.
class ModelPicker final : public QComboBox {
  Q_OBJECT

 public:
  explicit ModelPicker(QWidget* parent = nullptr);

  /// A name as the list has it, or a folder.
  QString model() const { return currentText().trimmed(); }
  void setModelText(const QString& text);
  /// Null: nothing is known yet. What was typed or chosen stays; while that is nothing,
  /// the first list suggests the bundled model.
  void showModels(std::shared_ptr<const ModelList> list);
  const ModelList* list() const { return m_list.get(); }
  /// The listed model that the field names; null when it is none.
  const ListedModel* listed() const;

  void showPopup() override;

 Q_SIGNALS:
  void modelPicked();
  void browseAsked();
  /// A folder used before is to be taken off the list.
  void forgetAsked(const QString& folder);
  /// The list is about to be looked at: it may be read again.
  void opened();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  /// Of the list: its Delete key, and where the mouse moves.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void chosen(int row);
  void suggestBundled();
  QString usedFolderAtHand() const;
  bool filterKey(const QKeyEvent& event);

  QStandardItemModel m_items;
  /// The row the mouse was moved to last, unless the keyboard moved since.
  QPersistentModelIndex m_pointed;
  std::shared_ptr<const ModelList> m_list;
  QString m_text;  ///< the last that named a model, for when "Browse…" is cancelled
};

}  // namespace equipatch
