// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/data_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <utility>

#include "core/base/number_format.h"
#include "ui/chart/number_text.h"
#include "ui/chart/text_lines.h"

namespace equipatch {
namespace {

const QString kDataFormKey = QStringLiteral("data/form");
const QString kDataFolderKey = QStringLiteral("data/folder");
constexpr int kDataWidth = 620;  // pixels

struct FormRow {
  RunForm form;
  const char* title;
  const char* meaning;
  const char* ending;  ///< of the suggested name
};

constexpr std::array<FormRow, 6> kFormRows{{
    {RunForm::Csv, QT_TRANSLATE_NOOP("equipatch::DataDialog", "Tables (CSV)"),
     QT_TRANSLATE_NOOP(
         "equipatch::DataDialog",
         "A folder with run.csv, steps.csv, layers.csv, choices.csv and, for models "
         "whose blocks close with a norm scale, scale_delta.csv, for pandas, R or a "
         "spreadsheet."),
     "-tables"},
    {RunForm::Latex, QT_TRANSLATE_NOOP("equipatch::DataDialog", "LaTeX table"),
     QT_TRANSLATE_NOOP("equipatch::DataDialog",
                       "One file for \\input with a row for each run: equal tokens, and "
                       "medians and largest values of what was measured."),
     "-table.tex"},
    {RunForm::Npz, QT_TRANSLATE_NOOP("equipatch::DataDialog", "NumPy arrays (npz)"),
     QT_TRANSLATE_NOOP("equipatch::DataDialog",
                       "One file that numpy.load reads: the numbers of all steps, layers "
                       "and candidates and, for models whose blocks close with a norm "
                       "scale, Δm by step, layer and channel."),
     ".npz"},
    {RunForm::Json, QT_TRANSLATE_NOOP("equipatch::DataDialog", "JSON"),
     QT_TRANSLATE_NOOP("equipatch::DataDialog",
                       "One document with settings, steps, layers and summary."),
     ".json"},
    {RunForm::Adapter,
     QT_TRANSLATE_NOOP("equipatch::DataDialog", "LoRA adapter of a step (PEFT)"),
     QT_TRANSLATE_NOOP("equipatch::DataDialog",
                       "The step's patch as a rank-1 adapter for Hugging Face PEFT, with "
                       "a script that checks it: the one token, without its context, "
                       "gives the logits that the context gave."),
     "-adapter"},
    {RunForm::Checkpoint,
     QT_TRANSLATE_NOOP("equipatch::DataDialog", "Patched checkpoint of a step"),
     QT_TRANSLATE_NOOP("equipatch::DataDialog",
                       "The whole model with the step's patch in its weights, as Hugging "
                       "Face stores it. It is loaded again and checked."),
     "-checkpoint"},
}};

QString bytesOf(std::uintmax_t bytes) {
  return QString::fromStdString(bytesText(std::int64_t(bytes)));
}

QLabel* makeNote(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

}  // namespace

DataDialog::DataDialog(Source source, RunExporter& exporter, QWidget* parent)
    : QDialog(parent),
      m_source(std::move(source)),
      m_exporter(exporter),
      m_forms(new QComboBox(this)),
      m_meaning(makeNote(this)),
      m_allTicked(new QCheckBox(this)),
      m_step(new QSpinBox(this)),
      m_target(new QLineEdit(this)),
      m_browse(new QPushButton(tr("&Browse…"), this)),
      m_size(makeNote(this)),
      m_message(makeNote(this)),
      m_load(new QPushButton(tr("&Load the model"), this)),
      m_export(new QPushButton(tr("&Export"), this)),
      m_stop(new QPushButton(tr("&Stop"), this)),
      m_progress(new QProgressBar(this)) {
  setObjectName(QStringLiteral("dataExport"));
  setWindowTitle(tr("Export data of the run"));
  compose();
  const int kept = m_forms->findData(QSettings().value(kDataFormKey).toInt());
  m_forms->setCurrentIndex(std::max(0, kept));
  connectAll();
  formPicked();
}

void DataDialog::compose() {
  for (const FormRow& row : kFormRows) m_forms->addItem(tr(row.title), int(row.form));
  m_forms->setObjectName(QStringLiteral("dataForm"));
  m_allTicked->setObjectName(QStringLiteral("dataAllTicked"));
  m_allTicked->setText(
      tr("All %1 ticked runs, one below the other").arg(m_source.ticked.size()));
  m_step->setObjectName(QStringLiteral("dataStep"));
  m_step->setRange(0, std::max(0, m_source.steps - 1));
  m_target->setObjectName(QStringLiteral("dataTarget"));
  m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_stop->setObjectName(QStringLiteral("dataStop"));
  m_progress->setTextVisible(true);
  m_progress->setRange(0, 1000);
  m_progress->hide();
  m_stop->hide();
  auto* progress = new QHBoxLayout;
  progress->addWidget(m_progress, 1);
  progress->addWidget(m_stop);
  auto* rows = new QVBoxLayout(this);
  rows->addLayout(makeForm());
  rows->addWidget(m_message);
  rows->addWidget(m_load, 0, Qt::AlignLeft);
  rows->addStretch(1);
  rows->addLayout(progress);
  rows->addWidget(makeButtons());
  resize(kDataWidth, sizeHint().height());
}

QFormLayout* DataDialog::makeForm() {
  auto* target = new QHBoxLayout;
  target->addWidget(m_target, 1);
  target->addWidget(m_browse);
  auto* form = new QFormLayout;
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->addRow(tr("Run"), makeRunLabel());
  form->addRow(tr("&Write"), m_forms);
  form->addRow(QString(), m_meaning);
  form->addRow(QString(), m_allTicked);
  form->addRow(tr("S&tep"), m_step);
  auto* into = new QLabel(tr("&Into"), this);
  into->setBuddy(m_target);
  form->addRow(into, target);
  form->addRow(QString(), m_size);
  return form;
}

QLabel* DataDialog::makeRunLabel() {
  constexpr int kPromptCharacters = 70;
  const QString prompt = startOfText(
      QString::fromStdString(shownPrompt(m_source.header->request)), kPromptCharacters);
  QLabel* label = makeNote(this);
  label->setObjectName(QStringLiteral("dataRun"));
  label->setText(tr("%1, %2, %3\n%4")
                     .arg(m_source.name,
                          QString::fromStdString(m_source.header->modelName),
                          countText(m_source.steps, tr("step")), prompt));
  return label;
}

QWidget* DataDialog::makeButtons() {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(m_export, QDialogButtonBox::ActionRole);
  m_export->setObjectName(QStringLiteral("dataExportButton"));
  m_export->setDefault(true);
  for (QPushButton* other : {m_browse, m_load, m_stop}) other->setAutoDefault(false);
  connect(buttons, &QDialogButtonBox::rejected, this, &DataDialog::reject);
  return buttons;
}

void DataDialog::connectAll() {
  connect(m_forms, &QComboBox::currentIndexChanged, this, &DataDialog::formPicked);
  connect(m_allTicked, &QCheckBox::toggled, this, &DataDialog::formChanged);
  connect(m_step, &QSpinBox::valueChanged, this, &DataDialog::formChanged);
  connect(m_target, &QLineEdit::textChanged, this, &DataDialog::showState);
  connect(m_browse, &QPushButton::clicked, this, &DataDialog::browse);
  connect(m_load, &QPushButton::clicked, this, &DataDialog::modelRequested);
  connect(m_export, &QPushButton::clicked, this, &DataDialog::start);
  connect(m_stop, &QPushButton::clicked, &m_exporter, &RunExporter::stop);
  connect(&m_exporter, &RunExporter::possibilityChanged, this, &DataDialog::showState);
  connect(&m_exporter, &RunExporter::exported, this, &DataDialog::ended);
  connect(&m_exporter, &RunExporter::failed, this, &DataDialog::ended);
  connect(&m_exporter, &RunExporter::stopped, this,
          [this] { ended(tr("Stopped; what was written so far may be incomplete.")); });
  connect(&m_exporter, &RunExporter::progressed, this,
          [this](double fraction, const QString& label) {
            m_progress->setValue(int(1000 * fraction));
            m_progress->setFormat(label);
          });
}

RunForm DataDialog::form() const {
  return RunForm(m_forms->currentData().toInt());
}

bool DataDialog::isOfAllTicked() const {
  return takesRuns(form()) && m_source.ticked.size() > 1 && m_allTicked->isChecked();
}

std::vector<NamedRunFile> DataDialog::runs() const {
  if (isOfAllTicked()) return m_source.ticked;
  if (form() == RunForm::Latex) return {{m_source.name.toStdString(), m_source.file}};
  return {};
}

/// Such as "2026-11-24_10-00-00_gemma-step-3-adapter". Begins with the name of a run that
/// the export contains: this dialog's run or, if it is left out, the first ticked run.
QString DataDialog::suggestedName() const {
  const bool isLeftOut =
      isOfAllTicked() && std::ranges::find(m_source.ticked, m_source.file,
                                           &NamedRunFile::file) == m_source.ticked.end();
  const std::filesystem::path& file =
      isLeftOut ? m_source.ticked.front().file : m_source.file;
  QString name = QFileInfo(QString::fromStdString(file.string())).completeBaseName();
  if (isOfAllTicked()) name += QStringLiteral("-and-%1").arg(m_source.ticked.size() - 1);
  if (isOfOneStep(form())) name += QStringLiteral("-step-%1").arg(m_step->value());
  for (const FormRow& row : kFormRows)
    if (row.form == form()) name += QString::fromLatin1(row.ending);
  return name;
}

/// Ticks "All … ticked runs" for LaTeX, because a paper's table compares runs.
void DataDialog::formPicked() {
  m_allTicked->setChecked(form() == RunForm::Latex);
  formChanged();
}

void DataDialog::formChanged() {
  for (const FormRow& row : kFormRows)
    if (row.form == form()) m_meaning->setText(tr(row.meaning));
  // Keeps the folder that the user chose, but not the file's name.
  const QString target = m_target->text();
  const QString folder =
      target.isEmpty() ? QSettings().value(kDataFolderKey, QDir::homePath()).toString()
                       : QFileInfo(target).absolutePath();
  m_target->setText(QDir(folder).filePath(suggestedName()));
  m_outcome.clear();
  showState();
}

void DataDialog::showState() {
  const bool isBusy = m_exporter.isBusy();
  const QString problem = m_exporter.problem(form(), *m_source.header);
  m_step->setEnabled(isOfOneStep(form()) && !isBusy);
  m_allTicked->setVisible(takesRuns(form()) && m_source.ticked.size() > 1);
  m_allTicked->setEnabled(!isBusy);
  m_load->setVisible(m_exporter.lacksModel(form(), *m_source.header));
  // Loading a model would end a run in progress.
  m_load->setEnabled(!isBusy && !m_exporter.isHeldUp());
  m_export->setEnabled(!isBusy && problem.isEmpty() && !m_target->text().isEmpty());
  for (QWidget* field : {static_cast<QWidget*>(m_forms), static_cast<QWidget*>(m_target),
                         static_cast<QWidget*>(m_browse)})
    field->setEnabled(!isBusy);
  m_progress->setVisible(isBusy && m_isOwn);
  m_stop->setVisible(isBusy && m_isOwn);
  QStringList sentences{m_outcome};
  if (!isBusy)
    sentences << problem;
  else if (!m_isOwn)
    sentences << tr("Another export is in progress; export the run after it.");
  sentences.removeAll(QString());
  m_message->setText(sentences.join(u'\n'));
  showSize();
  grow();
}

void DataDialog::grow() {
  layout()->activate();
  resize(width(), std::max(height(), layout()->heightForWidth(width())));
}

/// Shows sizes for a checkpoint only, because other forms are small.
void DataDialog::showSize() {
  const std::uintmax_t need = m_exporter.checkpointBytes();
  const bool isTold = form() == RunForm::Checkpoint && need > 0 &&
                      !m_exporter.lacksModel(form(), *m_source.header);
  m_size->setVisible(isTold);
  if (!isTold) return;
  const auto room = freeBytesAt(m_target->text().toStdString());
  if (!room) return m_size->setText(tr("about %1").arg(bytesOf(need)));
  const QString text =
      tr("about %1; %2 is free there").arg(bytesOf(need), bytesOf(*room));
  m_size->setText(need > *room ? tr("✗ ") + text : text);
}

void DataDialog::browse() {
  const QString before = m_target->text();
  if (!isFolder(form())) {
    const QString file = QFileDialog::getSaveFileName(this, tr("Export"), before);
    if (!file.isEmpty()) m_target->setText(file);
    return;
  }
  const QString folder = QFileDialog::getExistingDirectory(
      this, tr("Where to make the new folder"), QFileInfo(before).path());
  if (!folder.isEmpty()) m_target->setText(QDir(folder).filePath(suggestedName()));
}

void DataDialog::start() {
  const QString target = m_target->text();
  QSettings().setValue(kDataFormKey, int(form()));
  QSettings().setValue(kDataFolderKey, QFileInfo(target).absolutePath());
  m_outcome.clear();
  m_progress->setValue(0);
  m_isOwn = true;
  m_exporter.start({.file = m_source.file,
                    .form = form(),
                    .target = target.toStdString(),
                    .step = StepIndex(m_step->value()),
                    .runs = runs()});
}

void DataDialog::ended(const QString& sentence) {
  if (std::exchange(m_isOwn, false)) m_outcome = sentenceText(sentence);
  showState();
}

void DataDialog::reject() {
  if (m_isOwn) m_exporter.stop();
  QDialog::reject();
}

}  // namespace equipatch
