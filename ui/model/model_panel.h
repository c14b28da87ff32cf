// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>
#include <array>
#include <memory>

#include "ui/model/model_card.h"
#include "ui/model/model_picker.h"
#include "ui/model/run_options.h"
#include "ui/run/engine.h"

class QFormLayout;

namespace equipatch {

class ElidedLabel;

/// The model and the settings of a run: all that the user chooses besides the prompt.
class ModelPanel final : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kMostSteps = 1'000'000;

  explicit ModelPanel(QWidget* parent = nullptr);

  /// A folder, or a name from the list of models; empty: none is chosen.
  QString folder() const;
  /// Whether the chosen model is in the list of models.
  bool isListed() const;
  /// @param folder or a name from the list of models
  void setFolder(const QString& folder);
  void setSteps(int steps) { m_steps->setValue(steps); }

  SessionRequest modelRequest() const;
  /// The request of a run without its prompt.
  RunRequest runRequest() const;
  /// @param model null when none is loaded
  void showModel(std::shared_ptr<const LoadedModel> model);
  void showModels(std::shared_ptr<const ModelList> list);
  /// Says that the chosen model is not found, until the user chooses another model.
  /// @param reason a sentence for the tooltip; empty: the model is found
  void showMissing(const QString& reason) {
    m_folder->setMissing(reason);
    showNeed();
  }
  void setDType(DType dtype);
  /// Sets the fields of `modelRequest`.
  void showRequest(const SessionRequest& request);
  /// Sets the fields of `runRequest`.
  void showRun(const RunRequest& request);
  /// The content of all fields, including hidden fields.
  struct State {
    QString folder;
    std::array<int, 6> choices{};  ///< the rows chosen, in the order of `choices()`
    int steps = 1;
    RunOptions::State options;
  };
  State state() const;
  void restore(const State& state);
  /// Stores the content of the fields in QSettings.
  void save() const;
  /// Restores what `save` stored, except a folder that no longer exists.
  void restore();
  QString card() const { return m_card->text(); }

 public Q_SLOTS:
  /// Opens a window-modal dialog and returns at once. Emits `modelChosen` when the user
  /// chooses a folder.
  void browse();
  /// Opens the dialog with the loaded model's architecture card.
  void showCard();

 Q_SIGNALS:
  /// The user wants to remove a folder from those used before.
  void forgetRequested(const QString& folder);
  /// The user picked a model, a dtype, a device or a place for weights, perhaps the same
  /// as before. The model should be loaded with these choices.
  void modelChosen();

 private:
  QComboBox* addChoice(QFormLayout& form, const QString& label, const QString& name);
  void addModelRows(QFormLayout& form);
  void addMethodRows(QFormLayout& form);
  void addCardRows(QFormLayout& form);
  void addPlaceRows(QFormLayout& form);
  void showNeed();  ///< of memory
  void showSummary();
  std::optional<std::int64_t> freeBytes() const;
  std::array<QComboBox*, 6> choices() const;
  bool isChosen(DType dtype, const ModelEntry& entry) const;
  void loadingChanged();
  void folderChosen(const QString& folder);

  ModelPicker* m_folder = nullptr;
  QComboBox* m_dtype = nullptr;
  QComboBox* m_device = nullptr;
  QComboBox* m_weights = nullptr;
  QComboBox* m_method = nullptr;
  QComboBox* m_loop = nullptr;
  QComboBox* m_application = nullptr;
  RunOptions* m_options = nullptr;
  QSpinBox* m_steps = nullptr;
  QLabel* m_card = nullptr;
  ElidedLabel* m_need = nullptr;
  QPushButton* m_cardButton = nullptr;
  CardDialog* m_cardDialog = nullptr;
  std::shared_ptr<const LoadedModel> m_model;
  /// Bytes of the loaded model's resident weights when the models were listed. Loading
  /// another model frees these bytes.
  std::int64_t m_heldBytes = 0;
};

}  // namespace equipatch
