#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QWidget>
#include <memory>

#include "ui/model/model_card.h"
#include "ui/model/model_picker.h"
#include "ui/run/engine.h"

class QFormLayout;

namespace equipatch {

/// Which model, and how it is patched: everything a run is asked for besides its prompt.
class ModelPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit ModelPanel(QWidget* parent = nullptr);

  /// A folder, or a name of the list.
  QString folder() const;
  void setFolder(const QString& folder);
  void setSteps(int steps) { m_steps->setValue(steps); }

  SessionRequest modelRequest() const;
  /// All but the prompt.
  RunRequest runRequest() const;
  /// Null when none is loaded.
  void showModel(std::shared_ptr<const LoadedModel> model);
  /// What is on this machine.
  void showModels(std::shared_ptr<const ModelList> list);
  void setDType(DType dtype);
  /// As a run's model was loaded.
  void showRequest(const SessionRequest& request);
  /// As a run was asked for.
  void showRun(const RunRequest& request);
  QString card() const { return m_card->text(); }

 public Q_SLOTS:
  /// Opens a dialog beside the window; `modelChosen` follows when a folder is chosen.
  void browse();
  /// The architecture card of the loaded model, in a window of its own.
  void showCard();

 Q_SIGNALS:
  /// A folder used before is to be taken off the list.
  void forgetAsked(const QString& folder);
  /// The list of models is being opened: it may be read again.
  void listOpened();
  /// The user picked another folder, dtype or device: the model must be loaded (again).
  void modelChosen();

 private:
  QComboBox* addChoice(QFormLayout& form, const QString& label, const QString& name);
  void addModelRows(QFormLayout& form);
  void addMethodRows(QFormLayout& form);
  void addCardRows(QFormLayout& form);
  void showNeed();
  bool isChosen(DType dtype, const ModelEntry& entry) const;
  void placeChanged();
  void folderChosen(const QString& folder);

  ModelPicker* m_folder = nullptr;
  QComboBox* m_dtype = nullptr;
  QComboBox* m_device = nullptr;
  QComboBox* m_method = nullptr;
  QComboBox* m_loop = nullptr;
  QComboBox* m_application = nullptr;
  QCheckBox* m_bare = nullptr;
  QCheckBox* m_noise = nullptr;
  QSpinBox* m_steps = nullptr;
  QLabel* m_card = nullptr;
  QLabel* m_need = nullptr;
  QPushButton* m_cardButton = nullptr;
  CardDialog* m_cardDialog = nullptr;
  std::shared_ptr<const LoadedModel> m_model;
};

}  // namespace equipatch
