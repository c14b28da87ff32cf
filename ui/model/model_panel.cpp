// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_panel.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QSettings>
#include <algorithm>
#include <filesystem>
#include <ranges>
#include <system_error>

#include "core/base/number_format.h"
#include "ui/chart/meaning.h"
#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"
#include "ui/model/block_diagram.h"
#include "ui/model/model_card.h"
#include "ui/model/model_items.h"

namespace equipatch {
namespace {

constexpr int kAsStored = -1;
constexpr int kWhereItFits = -1;
const QString kModelKey = QStringLiteral("model/chosen");
const QString kChoiceGroup = QStringLiteral("run/");
const QString kStepsKey = QStringLiteral("run/steps");
const QString kBrowsedKey = QStringLiteral("model/browsed");  // parent of the last choice

QFormLayout* makeForm(QWidget* parent) {
  auto* form = new QFormLayout(parent);
  form->setContentsMargins(8, 4, 8, 4);
  form->setVerticalSpacing(4);
  form->setHorizontalSpacing(8);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  return form;
}

/// Sets the tooltips of the choices (their meanings) and of the box (`what` and the
/// current choice's meaning).
void explain(QComboBox& box, const QString& what) {
  for (int i = 0; i < box.count(); ++i)
    box.setItemData(i, meaningOf(box.itemText(i)), Qt::ToolTipRole);
  const auto show = [&box, what] {
    box.setToolTip(ModelPanel::tr("%1\n%2: %3")
                       .arg(what, box.currentText(), meaningOf(box.currentText())));
  };
  QObject::connect(&box, &QComboBox::currentTextChanged, &box, show);
  show();
}

template <typename Enum>
Enum chosen(const QComboBox* box) {
  return Enum(box->currentData().toInt());
}

/// The result of the architecture's golden check; empty when unknown.
QString parityOf(const ModelList* list, const std::string& architecture) {
  if (!list) return {};
  // The architecture's first model may lack the result: only loadable models are checked.
  auto checked = list->models | std::views::filter([](const ListedModel& model) {
                   return model.parity.state != ParityState::Unknown;
                 });
  const auto same = std::ranges::find(
      checked, architecture,
      [](const ListedModel& model) { return model.entry.architecture; });
  return same == checked.end() ? QString() : messageText(same->parity.text);
}

}  // namespace

ModelPanel::ModelPanel(QWidget* parent) : QWidget(parent) {
  QFormLayout* form = makeForm(this);
  // Settings that change from run to run come first, so that they need no scrolling.
  addModelRows(*form);
  addMethodRows(*form);
  addCardRows(*form);
  addPlaceRows(*form);
  form->addRow(m_options = new RunOptions(this));
  connect(m_folder, &ModelPicker::modelPicked, this, &ModelPanel::modelChosen);
  connect(m_folder, &ModelPicker::browseRequested, this, &ModelPanel::browse);
  connect(m_folder, &ModelPicker::forgetRequested, this, &ModelPanel::forgetRequested);
  connect(m_folder, &QComboBox::editTextChanged, this, &ModelPanel::showNeed);
  connect(m_folder, &QComboBox::editTextChanged, this, &ModelPanel::showSummary);
  connect(m_dtype, &QComboBox::currentIndexChanged, this, &ModelPanel::showNeed);
  connect(m_dtype, &QComboBox::currentIndexChanged, this, &ModelPanel::showSummary);
  connect(m_dtype, &QComboBox::activated, this, &ModelPanel::loadingChanged);
  connect(m_device, &QComboBox::activated, this, &ModelPanel::loadingChanged);
  connect(m_weights, &QComboBox::currentIndexChanged, this, &ModelPanel::showNeed);
  connect(m_weights, &QComboBox::activated, this, &ModelPanel::loadingChanged);
}

QComboBox* ModelPanel::addChoice(QFormLayout& form, const QString& label,
                                 const QString& name) {
  auto* box = new ChoiceBox(this);
  box->setObjectName(name);
  box->setAccessibleName(label);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(10);
  form.addRow(label, box);
  return box;
}

void ModelPanel::addModelRows(QFormLayout& form) {
  m_folder = new ModelPicker(this);
  m_folder->setObjectName(QStringLiteral("modelFolder"));
  m_folder->setAccessibleName(tr("Model"));
  form.addRow(tr("Model"), m_folder);
  m_dtype = addChoice(form, tr("Dtype"), QStringLiteral("dtype"));
  m_dtype->addItem(tr("as stored"), kAsStored);
  for (const DType dtype : {DType::F32, DType::BF16, DType::F16, DType::F64})
    m_dtype->addItem(QString::fromLatin1(torchName(dtype).data()), int(dtype));
  m_need = new ElidedLabel(this);
  m_need->setObjectName(QStringLiteral("need"));
  form.addRow(QString(), m_need);
  m_need->hide();
}

void ModelPanel::addCardRows(QFormLayout& form) {
  m_card = new QLabel(this);
  m_card->setObjectName(QStringLiteral("muted"));
  m_card->setTextFormat(Qt::PlainText);
  m_card->setWordWrap(true);
  m_card->setTextInteractionFlags(Qt::TextSelectableByMouse);
  form.addRow(m_card);
  m_card->hide();
  m_cardButton = new QPushButton(tr("What is patched, and why…"), this);
  m_cardButton->setObjectName(QStringLiteral("showCard"));
  m_cardButton->setAccessibleName(tr("Architecture card: what is patched, and why"));
  connect(m_cardButton, &QPushButton::clicked, this, &ModelPanel::showCard);
  form.addRow(m_cardButton);
  m_cardButton->hide();
}

void ModelPanel::addMethodRows(QFormLayout& form) {
  m_method = addChoice(form, tr("Method"), QStringLiteral("method"));
  m_method->addItem(tr("balanced"), int(Method::Balanced));
  m_method->addItem(tr("direct"), int(Method::Direct));
  m_method->addItem(tr("stable"), int(Method::Stable));
  explain(*m_method, tr("How the last part of the block absorbs the context's effect."));
  m_loop = addChoice(form, tr("Loop"), QStringLiteral("loop"));
  m_loop->addItem(tr("closed"), int(Loop::Closed));
  m_loop->addItem(tr("half"), int(Loop::Half));
  m_loop->addItem(tr("open"), int(Loop::Open));
  explain(*m_loop, tr("The activations from which a layer's patch is computed."));
  m_application = addChoice(form, tr("Applied"), QStringLiteral("application"));
  m_application->addItem(tr("factored"), int(Application::Factored));
  m_application->addItem(tr("materialised"), int(Application::Materialised));
  explain(*m_application, tr("How the patch is used."));
  m_steps = new QSpinBox(this);
  m_steps->setObjectName(QStringLiteral("steps"));
  m_steps->setAccessibleName(tr("Steps"));
  m_steps->setRange(1, kMostSteps);
  m_steps->setValue(64);
  form.addRow(tr("Steps"), m_steps);
}

void ModelPanel::addPlaceRows(QFormLayout& form) {
  m_weights = addChoice(form, tr("Weights"), QStringLiteral("weights"));
  m_weights->addItem(tr("automatic"), kWhereItFits);
  m_weights->addItem(tr("resident"), int(WeightPlace::Resident));
  m_weights->addItem(tr("mapped"), int(WeightPlace::Mapped));
  m_weights->setToolTip(tr(
      "Where the weights are kept while the model is loaded:\nresident: in memory, the "
      "fastest; mapped: in their files,\nfor models larger than the memory; automatic: "
      "resident where\neverything fits. Results are the same."));
  m_device = addChoice(form, tr("Device"), QStringLiteral("device"));
  m_device->addItems({QStringLiteral("cpu"), QStringLiteral("cuda")});
}

QString ModelPanel::folder() const {
  const QString text = m_folder->model();
  return text.isEmpty() ? text : QDir::cleanPath(text);
}

bool ModelPanel::isListed() const {
  return m_folder->listed() != nullptr;
}

void ModelPanel::setFolder(const QString& folder) {
  m_folder->setModelText(folder);
}

void ModelPanel::setDType(DType dtype) {
  m_dtype->setCurrentIndex(m_dtype->findData(int(dtype)));
}

void ModelPanel::showRequest(const SessionRequest& request) {
  const QString wanted = QString::fromStdString(request.folder.string());
  const ListedModel* listed = m_folder->listed();
  // Keep the listed model's name if its folder is the requested one.
  if (!listed || listed->entry.folder != request.folder) setFolder(wanted);
  // "as stored" stays if it is the requested dtype.
  listed = m_folder->listed();
  const bool isStored =
      request.dtype && listed && isChosen(*request.dtype, listed->entry);
  if (!isStored || m_dtype->currentData().toInt() != kAsStored)
    m_dtype->setCurrentIndex(
        m_dtype->findData(request.dtype ? int(*request.dtype) : kAsStored));
  const QString device = QString::fromStdString(request.device);
  // The command line may have used a device that is not listed, such as a second GPU.
  if (m_device->findText(device) < 0) m_device->addItem(device);
  m_device->setCurrentText(device);
  m_weights->setCurrentIndex(
      m_weights->findData(request.place ? int(*request.place) : kWhereItFits));
}

void ModelPanel::showRun(const RunRequest& request) {
  m_method->setCurrentIndex(m_method->findData(int(request.patch.method)));
  m_loop->setCurrentIndex(m_loop->findData(int(request.patch.loop)));
  m_application->setCurrentIndex(m_application->findData(int(request.patch.application)));
  m_options->show(request);
  m_steps->setValue(int(std::clamp<std::int64_t>(request.steps, 1, kMostSteps)));
}

std::array<QComboBox*, 6> ModelPanel::choices() const {
  return {m_dtype, m_device, m_weights, m_method, m_loop, m_application};
}

ModelPanel::State ModelPanel::state() const {
  State state{
      .folder = folder(), .steps = m_steps->value(), .options = m_options->state()};
  std::ranges::transform(choices(), state.choices.begin(), &QComboBox::currentIndex);
  return state;
}

void ModelPanel::restore(const State& state) {
  setFolder(state.folder);
  for (std::size_t i = 0; i < state.choices.size(); ++i)
    choices()[i]->setCurrentIndex(state.choices[i]);
  m_steps->setValue(state.steps);
  m_options->restore(state.options);
}

void ModelPanel::save() const {
  QSettings settings;
  settings.setValue(kModelKey, folder());
  for (const QComboBox* box : choices())
    settings.setValue(kChoiceGroup + box->objectName(), box->currentText());
  settings.setValue(kStepsKey, m_steps->value());
  m_options->save();
}

void ModelPanel::restore() {
  const QSettings settings;
  const QString model = settings.value(kModelKey).toString();
  if (!QDir::isAbsolutePath(model) || QDir(model).exists()) setFolder(model);
  for (QComboBox* box : choices()) {
    const QVariant kept = settings.value(kChoiceGroup + box->objectName());
    if (const int row = box->findText(kept.toString()); row >= 0)
      box->setCurrentIndex(row);
  }
  m_steps->setValue(settings.value(kStepsKey, m_steps->value()).toInt());
  m_options->restore();
}

void ModelPanel::showModels(std::shared_ptr<const ModelList> list) {
  m_heldBytes = 0;
  if (m_model && m_model->weights == WeightPlace::Resident)
    for (const MemoryEstimate& estimate : m_model->memory)
      if (estimate.dtype == m_model->dtype) m_heldBytes = estimate.weights;
  m_folder->showModels(std::move(list));
  showNeed();
  showSummary();
}

/// Memory for the next model: the free bytes plus those of the loaded model's weights,
/// which are released first.
std::optional<std::int64_t> ModelPanel::freeBytes() const {
  const ModelList* list = m_folder->list();
  if (!list || !list->freeBytes) return std::nullopt;
  return *list->freeBytes + m_heldBytes;
}

void ModelPanel::showNeed() {
  const QString missing = m_folder->missing();
  if (!missing.isEmpty()) {
    m_need->setBrief(tr("✗ not found"));
    m_need->setText(tr("✗ not found; choose another model"));
    m_need->setToolTip(sentenceText(missing));
    return m_need->show();
  }
  const ListedModel* listed = m_folder->listed();
  const auto free = freeBytes();
  const MemoryEstimate* need = nullptr;
  if (listed)
    for (const MemoryEstimate& candidate : listed->entry.needs)
      if (isChosen(candidate.dtype, listed->entry)) need = &candidate;
  m_need->setVisible(need != nullptr);
  if (!need) return;
  const bool tooMuch = free && need->total() > *free;
  QString text = QString::fromStdString(bytesText(need->total()));
  m_need->setBrief(text);
  text = free ? tr("%1 of %2 free").arg(text, QString::fromStdString(bytesText(*free)))
              : tr("%1 of memory").arg(text);
  const int chosen = m_weights->currentData().toInt();
  const WeightPlace place =
      chosen == kWhereItFits ? need->placeWithin(free) : WeightPlace(chosen);
  if (free && place == WeightPlace::Mapped) text += tr(", weights mapped");
  m_need->setText(tooMuch ? tr("✗ ") + text : text);
  m_need->setToolTip(model_items::memoryText(listed->entry.needs, free));
}

bool ModelPanel::isChosen(DType dtype, const ModelEntry& entry) const {
  const int chosen = m_dtype->currentData().toInt();
  return chosen == kAsStored ? entry.dtype && *entry.dtype == dtype
                             : DType(chosen) == dtype;
}

SessionRequest ModelPanel::modelRequest() const {
  SessionRequest request;
  request.folder = folder().toStdString();
  const int dtype = m_dtype->currentData().toInt();
  if (dtype != kAsStored) request.dtype = DType(dtype);
  request.device = m_device->currentText().toStdString();
  const int place = m_weights->currentData().toInt();
  if (place != kWhereItFits) request.place = WeightPlace(place);
  return request;
}

RunRequest ModelPanel::runRequest() const {
  RunRequest request;
  request.steps = m_steps->value();
  request.patch.method = chosen<Method>(m_method);
  request.patch.loop = chosen<Loop>(m_loop);
  request.patch.application = chosen<Application>(m_application);
  m_options->applyTo(request);
  return request;
}

void ModelPanel::showModel(std::shared_ptr<const LoadedModel> model) {
  m_model = std::move(model);
  m_card->setVisible(m_model != nullptr);
  m_cardButton->setVisible(m_model != nullptr);
  showSummary();
  showNeed();
}

void ModelPanel::showSummary() {
  if (!m_model) return;
  const ListedModel* listed = m_folder->listed();
  const std::filesystem::path chosen =
      listed ? listed->entry.folder : std::filesystem::path(folder().toStdString());
  std::error_code missing;
  const bool isLoaded = folder().isEmpty() || chosen == m_model->folder ||
                        std::filesystem::equivalent(chosen, m_model->folder, missing);
  QString summary = modelSummary(*m_model);
  const bool isKnown =
      m_dtype->currentData().toInt() != kAsStored || (listed && listed->entry.dtype);
  if (isLoaded && listed && isKnown && !isChosen(m_model->dtype, listed->entry))
    summary += tr("\nThe next run loads it in the dtype chosen above.");
  m_card->setText(isLoaded ? summary : tr("Loaded: %1").arg(summary));
}

void ModelPanel::showCard() {
  if (!m_model) return;
  // The card describes the loaded model; the field may name another model.
  const QString parity = parityOf(m_folder->list(), m_model->spec.architecture);
  if (!m_cardDialog) m_cardDialog = new CardDialog(this);
  const auto method = chosen<Method>(m_method);
  const PatchPlan plan = planOfMethod(m_model->plan, m_model->spec, method);
  m_cardDialog->showCard(
      tr("%1: what is patched, and why").arg(QString::fromStdString(m_model->name)),
      modelCard(*m_model, method, parity), blockBoxes(m_model->spec, plan));
}

void ModelPanel::browse() {
  const QString before = QSettings().value(kBrowsedKey, QDir::homePath()).toString();
  // Begin in the chosen folder's parent: a model's folder contains no other models.
  const QFileInfo chosen(folder());
  auto* dialog = new QFileDialog(this, tr("Open a model folder"),
                                 chosen.isAbsolute() ? chosen.path() : before);
  if (chosen.isAbsolute()) dialog->selectFile(chosen.fileName());
  dialog->setObjectName(QStringLiteral("browseDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this, &ModelPanel::folderChosen);
  // Not exec(), which would return only after the dialog is closed.
  dialog->open();
}

void ModelPanel::loadingChanged() {
  if (!folder().isEmpty()) Q_EMIT modelChosen();
}

void ModelPanel::folderChosen(const QString& folder) {
  setFolder(QDir::cleanPath(folder));
  QSettings().setValue(kBrowsedKey, QFileInfo(QDir::cleanPath(folder)).path());
  Q_EMIT modelChosen();
}

}  // namespace equipatch
