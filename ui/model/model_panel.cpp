#include "ui/model/model_panel.h"

#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>

#include "ui/model/model_card.h"
#include "ui/model/recent_folders.h"

namespace equipatch {
namespace {

constexpr int kMostSteps = 1000000;
constexpr int kAsStored = -1;

QFormLayout* makeForm(QWidget* parent) {
  auto* form = new QFormLayout(parent);
  form->setContentsMargins(8, 4, 8, 4);
  form->setVerticalSpacing(4);
  form->setHorizontalSpacing(8);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  return form;
}

template <typename Enum>
Enum chosen(const QComboBox* box) {
  return Enum(box->currentData().toInt());
}

}  // namespace

ModelPanel::ModelPanel(QWidget* parent) : QWidget(parent) {
  QFormLayout* form = makeForm(this);
  addModelRows(*form);
  addMethodRows(*form);
  fillRecent();
  connect(m_folder, &QComboBox::activated, this, &ModelPanel::modelChosen);
  connect(m_folder->lineEdit(), &QLineEdit::returnPressed, this,
          &ModelPanel::modelChosen);
  connect(m_dtype, &QComboBox::activated, this, &ModelPanel::placeChanged);
  connect(m_device, &QComboBox::activated, this, &ModelPanel::placeChanged);
}

QComboBox* ModelPanel::addChoice(QFormLayout& form, const QString& label,
                                 const QString& name) {
  auto* box = new QComboBox(this);
  box->setObjectName(name);
  box->setAccessibleName(label);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(10);
  form.addRow(label, box);
  return box;
}

void ModelPanel::addModelRows(QFormLayout& form) {
  m_folder = addChoice(form, tr("Folder"), QStringLiteral("modelFolder"));
  m_folder->setEditable(true);
  m_folder->setInsertPolicy(QComboBox::NoInsert);
  m_folder->lineEdit()->setPlaceholderText(tr("Choose a model folder"));
  m_folder->setToolTip(
      tr("A folder in Hugging Face layout: config.json, *.safetensors, "
         "tokenizer.json"));
  auto* button = new QPushButton(tr("Browse…"), this);
  button->setObjectName(QStringLiteral("browse"));
  button->setAccessibleName(tr("Browse for a model folder"));
  connect(button, &QPushButton::clicked, this, &ModelPanel::browse);
  form.addRow(QString(), button);
  m_card = new QLabel(this);
  m_card->setObjectName(QStringLiteral("muted"));
  m_card->setWordWrap(true);
  m_card->setTextInteractionFlags(Qt::TextSelectableByMouse);
  form.addRow(m_card);
  m_card->hide();
  m_dtype = addChoice(form, tr("Numbers"), QStringLiteral("dtype"));
  m_dtype->addItem(tr("as stored"), kAsStored);
  for (const DType dtype : {DType::F32, DType::BF16, DType::F16, DType::F64})
    m_dtype->addItem(QString::fromLatin1(torchName(dtype).data()), int(dtype));
  m_device = addChoice(form, tr("Device"), QStringLiteral("device"));
  m_device->addItems({QStringLiteral("cpu"), QStringLiteral("cuda")});
}

void ModelPanel::addMethodRows(QFormLayout& form) {
  m_method = addChoice(form, tr("Method"), QStringLiteral("method"));
  m_method->addItem(tr("balanced"), int(Method::Balanced));
  m_method->addItem(tr("direct"), int(Method::Direct));
  m_method->setToolTip(
      tr("How the block's outer function absorbs the effect Δv:\nbalanced "
         "never divides by an activation; direct is Theorem 1."));
  m_loop = addChoice(form, tr("Loop"), QStringLiteral("loop"));
  m_loop->addItem(tr("closed"), int(Loop::Closed));
  m_loop->addItem(tr("half"), int(Loop::Half));
  m_loop->addItem(tr("open"), int(Loop::Open));
  m_loop->setToolTip(
      tr("Whose activations a layer's patch is computed from:\nclosed: the "
         "patched pass's own; open: the contextual pass's."));
  m_application = addChoice(form, tr("Applied"), QStringLiteral("application"));
  m_application->addItem(tr("factored"), int(Application::Factored));
  m_application->addItem(tr("materialised"), int(Application::Materialised));
  m_application->setToolTip(
      tr("factored: W z + u (wᵀ z)\nmaterialised: the matrix W + u wᵀ, "
         "rounded as one would store it"));
  m_steps = new QSpinBox(this);
  m_steps->setObjectName(QStringLiteral("steps"));
  m_steps->setAccessibleName(tr("Steps"));
  m_steps->setRange(1, kMostSteps);
  m_steps->setValue(64);
  form.addRow(tr("Steps"), m_steps);
  m_bare = new QCheckBox(tr("Run the bare control"), this);
  m_bare->setObjectName(QStringLiteral("bare"));
  m_bare->setChecked(true);
  m_bare->setToolTip(
      tr("The original weights without the context: shows what the patch had "
         "to supply"));
  m_noise = new QCheckBox(tr("Measure the noise floor"), this);
  m_noise->setObjectName(QStringLiteral("noise"));
  m_noise->setToolTip(
      tr("The contextual pass a second time with another order of summation"));
  form.addRow(m_bare);
  form.addRow(m_noise);
}

QString ModelPanel::folder() const {
  const QString text = m_folder->currentText().trimmed();
  return text.isEmpty() ? text : QDir::cleanPath(text);
}

void ModelPanel::setFolder(const QString& folder) {
  m_folder->setEditText(folder);
}

void ModelPanel::fillRecent() {
  const QString text = m_folder->currentText();
  m_folder->clear();
  m_folder->addItems(RecentFolders::all());
  m_folder->setEditText(text);
}

SessionRequest ModelPanel::modelRequest() const {
  SessionRequest request;
  request.folder = folder().toStdString();
  const int dtype = m_dtype->currentData().toInt();
  if (dtype != kAsStored) request.dtype = DType(dtype);
  request.device = m_device->currentText().toStdString();
  return request;
}

RunRequest ModelPanel::runRequest() const {
  RunRequest request;
  request.steps = m_steps->value();
  request.patch.method = chosen<Method>(m_method);
  request.patch.loop = chosen<Loop>(m_loop);
  request.patch.application = chosen<Application>(m_application);
  request.bare = m_bare->isChecked();
  request.measureNoise = m_noise->isChecked();
  return request;
}

void ModelPanel::showModel(const LoadedModel* model) {
  m_card->setVisible(model);
  if (!model) return;
  m_card->setText(modelCard(*model));
  RecentFolders::add(QString::fromStdString(model->folder));
  fillRecent();
}

void ModelPanel::browse() {
  auto* dialog = new QFileDialog(this, tr("Open a model folder"), folder());
  dialog->setObjectName(QStringLiteral("browseDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, this, &ModelPanel::folderChosen);
  // Not exec(): the window goes on while the dialog is open.
  dialog->open();
}

void ModelPanel::placeChanged() {
  // Without a folder there is nothing to load yet.
  if (!folder().isEmpty()) Q_EMIT modelChosen();
}

void ModelPanel::folderChosen(const QString& folder) {
  setFolder(QDir::cleanPath(folder));
  Q_EMIT modelChosen();
}

}  // namespace equipatch
