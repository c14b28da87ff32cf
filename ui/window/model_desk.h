// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <optional>

#include "ui/model/hub_dialog.h"
#include "ui/model/model_library.h"
#include "ui/model/model_panel.h"
#include "ui/run/run_controller.h"
#include "ui/window/bars.h"

namespace equipatch {

/// The user's answer for a model that may not fit into memory.
struct ShortageAnswer {
  bool load = false;
  std::optional<DType> dtype;  ///< to load with; empty: the request's
};

/// Opens a message box and returns at once. The box offers the widest dtype that fits,
/// loading anyway, and not loading. `answered` is called when the box is closed; closing
/// it without a button means not to load. If `parent` is destroyed first, `answered` is
/// not called.
void askAboutShortage(QWidget& parent, const MemoryShortage& shortage,
                      std::function<void(ShortageAnswer)> answered);

/// Chooses and loads the window's model: the panel, the list of models on this machine,
/// and the question about a model that may not fit into memory.
class ModelDesk final : public QObject {
  Q_OBJECT

 public:
  /// All outlive the desk. The window owns the panel.
  ModelDesk(Engine& engine, RunController& controller, MessageBar& messages,
            QWidget& window);

  ModelPanel& panel() const { return m_panel; }
  /// Dismisses an earlier message. Calls `act` if a model is chosen and found; otherwise
  /// shows why not, and a loaded model stays loaded. The first list of models suggests a
  /// model: if none is chosen before that list has been read, `act` waits for the list.
  /// If reading the list or forgetting a folder fails meanwhile, `act` is dropped.
  void whenChosen(std::function<void()> act);
  /// Whether the run's model is loaded or in the recorded folder; reports if it is not.
  bool findsModelOf(const RunHeader& run);
  /// Loads a run's model with the run's dtype and device, and shows them in the panel. If
  /// the model is not found, the loaded model stays.
  void loadModelOf(const RunHeader& run);
  /// Opens the dialog about models of the Hugging Face hub, which is made once and kept.
  void showHub();
  /// Looks again for models on this machine.
  void refresh() { m_library.refresh(); }

 public Q_SLOTS:
  /// Loads the chosen model. If it is not found, the loaded model stays.
  void loadChosen();
  /// Loads the bundled vision model, unless the loaded model reads images already, a run
  /// or a load is in progress, or the vision model is not installed.
  void loadBundledVisionModel();
  /// Loads the bundled text model if the bundled vision model is chosen and nothing is in
  /// progress: the vision model has not learnt to answer texts without an image.
  void leaveBundledVision();

 Q_SIGNALS:
  /// The user's choice is about to be loaded.
  void loading();
  /// The panel shows a new list of models.
  void listed();
  /// The user does not want a model that may not fit into memory.
  void shortageDeclined();

 private:
  void handleMemoryShortage(const MemoryShortage& shortage,
                            const SessionRequest& request);
  void modelChanged();
  void listRead();
  QString reasonNotFound() const;

  Engine& m_engine;
  RunController& m_controller;
  MessageBar& m_messages;
  QWidget& m_window;
  ModelLibrary m_library;
  ModelPanel& m_panel;
  HubDialog* m_hub = nullptr;       ///< the window owns it
  bool m_listed = false;            ///< the list was read, or m_library failed
  std::function<void()> m_waiting;  ///< called when the list is read; may be empty
};

}  // namespace equipatch
