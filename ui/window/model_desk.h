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
  std::optional<DType> dtype;  ///< empty: the request's dtype
};

/// Opens a message box and returns at once. `answered` is called when the box is closed;
/// without a button, the answer is not to load. If `parent` is destroyed first,
/// `answered` is not called.
void askAboutShortage(QWidget& parent, const MemoryShortage& shortage,
                      std::function<void(ShortageAnswer)> answered);

/// Chooses and loads the window's model. Asks the user about a model that may not fit
/// into memory.
class ModelDesk final : public QObject {
  Q_OBJECT

 public:
  /// All arguments outlive the desk. The window owns the panel.
  ModelDesk(Engine& engine, RunController& controller, MessageBar& messages,
            QWidget& window);

  ModelPanel& panel() const { return m_panel; }
  /// Dismisses an earlier message. Calls `act` if a model is chosen and found; otherwise
  /// shows why not. The first list of models suggests a model: if none is chosen yet,
  /// `act` waits for this list. If reading the list or forgetting a folder fails
  /// meanwhile, `act` is dropped.
  void whenChosen(std::function<void()> act);
  /// True if the run's model is loaded or in the recorded folder; if not, shows why.
  bool findsModelOf(const RunHeader& run);
  /// Loads a run's model with the run's dtype and device, and shows all three in the
  /// panel. If the model is not found, shows why instead.
  void loadModelOf(const RunHeader& run);
  void showHub();
  /// Lists the models on this machine again.
  void refresh() { m_library.refresh(); }

 public Q_SLOTS:
  /// Calls `whenChosen` with the load as `act`.
  void loadChosen();
  /// Loads the bundled vision model if it is installed, no run or load is in progress,
  /// and the loaded model cannot read images.
  void loadBundledVisionModel();
  /// Loads the bundled text model if the bundled vision model, which has not learnt to
  /// answer texts without an image, is chosen and no run or load is in progress.
  void leaveBundledVision();

 Q_SIGNALS:
  /// Emitted before a load.
  void loading();
  /// The panel shows a new list of models.
  void listed();
  /// The user declined to load a model that may not fit into memory.
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
  std::function<void()> m_waiting;  ///< the `act` that waits; may be empty
};

}  // namespace equipatch
