// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/model_desk.h"

#include <QMessageBox>
#include <QPushButton>
#include <utility>

#include "core/base/error.h"
#include "core/base/program_files.h"
#include "ui/chart/number_text.h"
#include "ui/run/loaded_model.h"

namespace equipatch {
namespace {

const QString kBundledVision = QStringLiteral("bundled-vision");

/// True if exactly this request is being loaded. A second load would start over and
/// drop the runs that wait for the model.
bool isBeingLoaded(const RunController& controller, const SessionRequest& request) {
  return controller.phase() == RunController::Phase::Loading &&
         !controller.isOpeningRun() && !controller.loaded() &&
         controller.modelRequest() == request;
}

}  // namespace

void askAboutShortage(QWidget& parent, const MemoryShortage& shortage,
                      std::function<void(ShortageAnswer)> answered) {
  auto* box = new QMessageBox(QMessageBox::Warning, tr("Not enough memory"),
                              QString::fromStdString(shortage.sentence) + u'.',
                              QMessageBox::NoButton, &parent);
  box->setObjectName(QStringLiteral("shortageDialog"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  QAbstractButton* narrower = nullptr;
  std::optional<DType> fitting;
  if (!shortage.fitting.empty()) {
    fitting = shortage.fitting.front().dtype;
    const std::string name(torchName(*fitting));
    narrower = box->addButton(tr("Load in %1").arg(QString::fromStdString(name)),
                              QMessageBox::AcceptRole);
  }
  QAbstractButton* anyway = box->addButton(tr("Load anyway"), QMessageBox::AcceptRole);
  auto* cancel = box->addButton(QMessageBox::Cancel);
  box->setDefaultButton(cancel);
  box->setEscapeButton(cancel);
  // The box emits no buttonClicked when it is closed by its window frame.
  QObject::connect(box, &QDialog::finished, &parent,
                   [=, answered = std::move(answered)](int) {
                     const QAbstractButton* clicked = box->clickedButton();
                     if (narrower && clicked == narrower)
                       answered({.load = true, .dtype = fitting});
                     else
                       answered({.load = clicked == anyway, .dtype = {}});
                   });
  box->open();
}

ModelDesk::ModelDesk(Engine& engine, RunController& controller, MessageBar& messages,
                     QWidget& window)
    : m_engine(engine),
      m_controller(controller),
      m_messages(messages),
      m_window(window),
      m_library(engine),
      m_panel(*new ModelPanel(&window)) {
  connect(&m_panel, &ModelPanel::modelChosen, this, &ModelDesk::loadChosen);
  connect(&m_panel, &ModelPanel::forgetRequested, &m_library, &ModelLibrary::forget);
  connect(&m_library, &ModelLibrary::failed, &messages, &MessageBar::showMessage);
  connect(&m_library, &ModelLibrary::listed, &m_panel, &ModelPanel::showModels);
  connect(&m_library, &ModelLibrary::listed, this, &ModelDesk::listed);
  connect(&m_library, &ModelLibrary::listed, this, &ModelDesk::listRead);
  connect(&m_library, &ModelLibrary::failed, this, [this] {
    m_listed = true;
    m_waiting = nullptr;  // the message says why
  });
  connect(&controller, &RunController::modelChanged, this, &ModelDesk::modelChanged);
  connect(&controller, &RunController::memoryShortage, this,
          &ModelDesk::handleMemoryShortage);
}

void ModelDesk::whenChosen(std::function<void()> act) {
  m_messages.dismiss();
  if (!m_panel.folder().isEmpty()) {
    const QString reason = reasonNotFound();
    m_panel.showMissing(reason);
    return reason.isEmpty() ? act() : m_messages.showMessage(reason);
  }
  if (!m_listed) {
    m_waiting = std::move(act);
    return;
  }
  m_messages.showMessage(
      tr("No model is chosen, but a run needs one; choose one from the list, or a folder "
         "in Hugging Face layout with Ctrl+O."));
}

void ModelDesk::listRead() {
  m_listed = true;
  if (const auto act = std::exchange(m_waiting, nullptr)) return whenChosen(act);
  // The settings may name a model that no longer exists.
  if (m_controller.phase() == RunController::Phase::Idle)
    m_panel.showMissing(reasonNotFound());
}

/// Why the chosen model is not found; empty if it is found, or none is chosen.
QString ModelDesk::reasonNotFound() const {
  const std::string name = m_panel.folder().toStdString();
  const bool isLoaded =
      m_controller.loaded() && m_controller.modelRequest()->folder == name;
  if (name.empty() || isLoaded || m_panel.isListed()) return {};
  try {
    m_engine.requireModel(name);
    return {};
  } catch (const Error& error) {
    return messageText(error.what());
  }
}

void ModelDesk::showHub() {
  if (!m_hub) {
    m_hub = new HubDialog(&m_window);
    connect(m_hub, &HubDialog::cacheChanged, &m_library, &ModelLibrary::refresh);
    connect(m_hub, &HubDialog::loadRequested, this, [this](const QString& name) {
      m_panel.setFolder(name);
      loadChosen();
    });
  }
  m_hub->open();
}

void ModelDesk::loadChosen() {
  whenChosen([this] {
    if (isBeingLoaded(m_controller, m_panel.modelRequest())) return;
    Q_EMIT loading();
    m_controller.load(m_panel.modelRequest());
  });
}

void ModelDesk::leaveBundledVision() {
  if (m_panel.folder() != kBundledVision ||
      m_controller.phase() != RunController::Phase::Idle)
    return;
  m_panel.setFolder(QStringLiteral("bundled"));
  loadChosen();
}

void ModelDesk::loadBundledVisionModel() {
  const auto model = m_controller.loaded();
  if ((model && visionOf(*model)) || !findResource(Resource::BundledVisionModel) ||
      m_controller.phase() != RunController::Phase::Idle)
    return;
  m_panel.setFolder(kBundledVision);
  loadChosen();
}

bool ModelDesk::findsModelOf(const RunHeader& run) {
  const auto loaded = m_controller.loaded();
  if (loaded && isModelOf(*loaded, run)) return true;
  try {
    m_engine.requireModelOf(run);
    return true;
  } catch (const Error& error) {
    m_messages.showMessage(messageText(error.what()));
    return false;
  }
}

void ModelDesk::loadModelOf(const RunHeader& run) {
  if (!findsModelOf(run)) return;
  SessionRequest request = modelRequestOf(run, m_controller.loaded().get());
  request.place = m_panel.modelRequest().place;  // depends on the machine, not the run
  m_panel.showRequest(request);
  if (isBeingLoaded(m_controller, request)) return;
  Q_EMIT loading();
  m_controller.load(request);
}

void ModelDesk::handleMemoryShortage(const MemoryShortage& shortage,
                                     const SessionRequest& request) {
  askAboutShortage(m_window, shortage, [this, request](ShortageAnswer answer) {
    if (!answer.load) {
      m_controller.stop();  // drops the run that waits
      return Q_EMIT shortageDeclined();
    }
    SessionRequest changed = request;
    if (answer.dtype) {
      changed.dtype = answer.dtype;
      m_panel.setDType(*answer.dtype);
    }
    m_controller.loadAnyway(changed);
  });
}

void ModelDesk::modelChanged() {
  const std::shared_ptr<const LoadedModel> model = m_controller.loaded();
  m_panel.showModel(model);
  if (model) m_library.refresh();  // to list the model's folder as used before
}

}  // namespace equipatch
