#pragma once

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QSpinBox>
#include <QWidget>

#include "ui/run/engine.h"

class QFormLayout;

namespace equipatch {

/// Which model, and how it is patched: everything a run is asked for besides its prompt.
class ModelPanel final : public QWidget {
  Q_OBJECT

 public:
  explicit ModelPanel(QWidget* parent = nullptr);

  QString folder() const;
  void setFolder(const QString& folder);
  void setSteps(int steps) { m_steps->setValue(steps); }

  SessionRequest modelRequest() const;
  /// All but the prompt.
  RunRequest runRequest() const;
  /// Null when none is loaded.
  void showModel(const LoadedModel* model);
  QString card() const { return m_card->text(); }

 public Q_SLOTS:
  /// Opens a dialog beside the window; `modelChosen` follows when a folder is chosen.
  void browse();

 Q_SIGNALS:
  /// The user picked another folder, dtype or device: the model must be loaded (again).
  void modelChosen();

 private:
  QComboBox* addChoice(QFormLayout& form, const QString& label, const QString& name);
  void addModelRows(QFormLayout& form);
  void addMethodRows(QFormLayout& form);
  void fillRecent();
  void placeChanged();
  void folderChosen(const QString& folder);

  QComboBox* m_folder = nullptr;
  QComboBox* m_dtype = nullptr;
  QComboBox* m_device = nullptr;
  QComboBox* m_method = nullptr;
  QComboBox* m_loop = nullptr;
  QComboBox* m_application = nullptr;
  QCheckBox* m_bare = nullptr;
  QCheckBox* m_noise = nullptr;
  QSpinBox* m_steps = nullptr;
  QLabel* m_card = nullptr;
};

}  // namespace equipatch
