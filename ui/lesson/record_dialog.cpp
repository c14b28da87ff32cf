// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/record_dialog.h"

#include <QDir>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/lesson/lesson_words.h"
#include "core/lesson/lesson_writer.h"

namespace equipatch {
namespace {

QString qText(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

/// The actions as the lesson's file shows them, "do prompt …", one per line.
QString actionLines(const LessonStep& step) {
  QStringList lines;
  for (const LessonAction& action : step.actions)
    lines << qText(lessonWord(kLessonVerbs, action.verb)) + u' ' +
                 qText(escapedLine(action.argument));
  return lines.join(u'\n');
}

QString introduction(EditedLesson kind, const QString& place) {
  const QString shown = QDir::toNativeSeparators(place);
  if (kind == EditedLesson::Saved)
    return RecordDialog::tr(
               "Each step on the left does something in the window; its text "
               "says what the reader sees. Save changes the file %1.")
        .arg(shown);
  return RecordDialog::tr(
             "The steps on the left are what you did; the lesson does them again. Write "
             "for each what the reader sees. “Save lesson” puts it into the folder %1, "
             "and Help ▸ Lessons plays it.")
      .arg(shown);
}

QLabel* fieldLabel(const QString& text, QWidget* field) {
  auto* label = new QLabel(text, field->parentWidget());
  label->setBuddy(field);
  return label;
}

}  // namespace

RecordDialog::RecordDialog(Recording recording, EditedLesson kind, const QString& place,
                           QWidget* parent)
    : QDialog(parent),
      m_recording(std::move(recording)),
      m_title(new QLineEdit(this)),
      m_summary(new QPlainTextEdit(this)),
      m_steps(new QListWidget(this)),
      m_stepTitle(new QLineEdit(this)),
      m_text(new QPlainTextEdit(this)),
      m_actions(new QLabel(this)),
      m_expected(new QListWidget(this)) {
  setObjectName(QStringLiteral("recordDialog"));
  setWindowTitle(kind == EditedLesson::Draft ? tr("Save the recorded lesson")
                                             : tr("Edit a lesson"));
  m_title->setText(qText(m_recording.lesson.title));
  m_summary->setPlainText(qText(m_recording.lesson.summary));
  auto* body = new QHBoxLayout;
  body->addWidget(makeSteps());
  body->addWidget(makeStep(), 1);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(makeHead(kind, place));
  layout->addLayout(body, 1);
  layout->addWidget(makeButtons(kind));
  fillSteps(0);
  showStep();
  connectFields();
  m_title->setFocus();
  m_title->selectAll();
}

QWidget* RecordDialog::makeHead(EditedLesson kind, const QString& place) {
  auto* head = new QWidget(this);
  auto* form = new QFormLayout(head);
  form->setContentsMargins(0, 0, 0, 0);
  auto* words = new QLabel(introduction(kind, place), head);
  words->setObjectName(QStringLiteral("recordWords"));
  words->setTextFormat(Qt::PlainText);
  words->setWordWrap(true);
  form->addRow(words);
  m_title->setObjectName(QStringLiteral("recordTitle"));
  m_summary->setObjectName(QStringLiteral("recordSummary"));
  m_summary->setPlaceholderText(tr("What the lesson is about, in a sentence"));
  m_summary->setFixedHeight(3 * fontMetrics().lineSpacing());
  m_summary->setTabChangesFocus(true);
  form->addRow(tr("Title"), m_title);
  form->addRow(tr("About"), m_summary);
  if (m_recording.lost.isEmpty()) return head;
  auto* lost = new QLabel(m_recording.lost.join(u'\n'), head);
  lost->setObjectName(QStringLiteral("recordLost"));
  lost->setTextFormat(Qt::PlainText);
  lost->setWordWrap(true);
  form->addRow(tr("Not recorded"), lost);
  return head;
}

QWidget* RecordDialog::makeSteps() {
  auto* column = new QWidget(this);
  m_steps->setObjectName(QStringLiteral("recordSteps"));
  m_steps->setAccessibleName(tr("Steps of the lesson"));
  m_steps->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_steps->setWordWrap(true);
  m_remove = new QPushButton(tr("Remove this step"), column);
  m_remove->setObjectName(QStringLiteral("recordRemove"));
  m_remove->setAutoDefault(false);
  column->setFixedWidth(fontMetrics().averageCharWidth() * 34);
  auto* layout = new QVBoxLayout(column);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_steps, 1);
  layout->addWidget(m_remove, 0, Qt::AlignLeft);
  connect(m_remove, &QPushButton::clicked, this, &RecordDialog::removeStep);
  return column;
}

QWidget* RecordDialog::makeStep() {
  auto* page = new QWidget(this);
  m_stepTitle->setObjectName(QStringLiteral("recordStepTitle"));
  m_text->setObjectName(QStringLiteral("recordText"));
  m_text->setPlaceholderText(
      tr("A few sentences for the reader. *Emphasis*, **bold**, lists and tables work."));
  m_text->setTabChangesFocus(true);
  m_actions->setObjectName(QStringLiteral("recordActions"));
  m_actions->setTextFormat(Qt::PlainText);
  m_actions->setWordWrap(true);
  m_expected->setObjectName(QStringLiteral("recordExpected"));
  m_expected->setToolTip(
      tr("What was true after this step. Tick what your text relies on: the lesson's "
         "file keeps it, and a test that plays the lesson fails where it is no longer "
         "true."));
  auto* columns = new QHBoxLayout;
  auto* left = new QVBoxLayout;
  left->addWidget(new QLabel(tr("The step does"), page));
  left->addWidget(m_actions, 0);
  left->addStretch(1);
  auto* right = new QVBoxLayout;
  right->addWidget(
      fieldLabel(tr("&True afterwards; tick what the text relies on"), m_expected));
  right->addWidget(m_expected, 1);
  columns->addLayout(left, 1);
  columns->addLayout(right, 1);
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_stepTitle);
  layout->addWidget(m_text, 2);
  layout->addWidget(makeParts());
  layout->addLayout(columns, 3);
  return page;
}

QWidget* RecordDialog::makeParts() {
  auto* row = new QWidget(this);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(new QLabel(tr("The step lights up"), row));
  for (QComboBox*& box : m_lit) {
    box = new QComboBox(row);
    box->setAccessibleName(tr("A part of the window that the step lights up"));
    box->addItem(tr("nothing"), -1);
    for (const auto& [word, part] : kLessonParts)
      box->addItem(qText(partName(part)), int(part));
    layout->addWidget(box);
    connect(box, &QComboBox::activated, this, &RecordDialog::takeStep);
  }
  m_lit[0]->setObjectName(QStringLiteral("recordLit"));
  layout->addStretch(1);
  return row;
}

QWidget* RecordDialog::makeButtons(EditedLesson kind) {
  const bool isDraft = kind == EditedLesson::Draft;
  auto* row = new QWidget(this);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  const auto add = [&](const char* name, const QString& text, const QString& tip) {
    auto* button = new QPushButton(text, row);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(tip);
    button->setAutoDefault(false);
    layout->addWidget(button);
    return button;
  };
  auto* discard =
      add("recordDelete", tr("Delete the recording"), tr("Deletes all its steps"));
  layout->addStretch(1);
  discard->setVisible(isDraft);
  auto* later =
      add("recordLater", isDraft ? tr("Keep as draft") : tr("Cancel"),
          isDraft ? tr("Closes this window; Help ▸ Lessons ▸ Edit opens the draft again")
                  : tr("Leaves the lesson as it was"));
  auto* save = add("recordSave", isDraft ? tr("Save lesson") : tr("Save"),
                   isDraft ? tr("Saves it in your folder of lessons")
                           : tr("Changes the lesson's file"));
  connect(discard, &QPushButton::clicked, this, &RecordDialog::deleteRequested);
  connect(later, &QPushButton::clicked, this, &QDialog::reject);
  connect(save, &QPushButton::clicked, this, &RecordDialog::saveRequested);
  save->setDefault(true);
  return row;
}

void RecordDialog::connectFields() {
  const auto takeHead = [this] {
    m_recording.lesson.title = m_title->text().simplified().toStdString();
    m_recording.lesson.summary = lessonMarkdown(m_summary->toPlainText().toStdString());
    Q_EMIT edited();
  };
  connect(m_title, &QLineEdit::textEdited, this, takeHead);
  connect(m_summary, &QPlainTextEdit::textChanged, this, takeHead);
  connect(m_stepTitle, &QLineEdit::textEdited, this, &RecordDialog::takeStep);
  connect(m_text, &QPlainTextEdit::textChanged, this, &RecordDialog::takeStep);
  connect(m_expected, &QListWidget::itemChanged, this, &RecordDialog::takeExpectations);
  connect(m_steps, &QListWidget::currentRowChanged, this, &RecordDialog::showStep);
}

void RecordDialog::fillSteps(int current) {
  const QScopedValueRollback showing(m_showing, true);
  m_steps->clear();
  const auto& steps = m_recording.lesson.steps;
  for (std::size_t i = 0; i < steps.size(); ++i)
    m_steps->addItem(QStringLiteral("%1  %2").arg(i + 1).arg(qText(steps[i].title)));
  m_steps->setCurrentRow(std::clamp(current, 0, std::max(0, m_steps->count() - 1)));
  m_remove->setEnabled(steps.size() > 1);
}

void RecordDialog::showStep() {
  const int row = m_steps->currentRow();
  if (row < 0) return;
  const QScopedValueRollback showing(m_showing, true);
  const LessonStep& step = m_recording.lesson.steps[std::size_t(row)];
  m_stepTitle->setText(qText(step.title));
  m_text->setPlainText(qText(step.text));
  m_actions->setText(actionLines(step));
  for (std::size_t i = 0; i < m_lit.size(); ++i)
    m_lit[i]->setCurrentIndex(i < step.lit.size() ? m_lit[i]->findData(int(step.lit[i]))
                                                  : 0);
  m_expected->clear();
  for (const LessonCondition& condition : m_recording.possible[std::size_t(row)]) {
    auto* item = new QListWidgetItem(qText(conditionText(condition)), m_expected);
    item->setToolTip(qText(quantityWords(condition.quantity)));
    const bool isOwn = std::ranges::find(step.expected, condition) != step.expected.end();
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(isOwn ? Qt::Checked : Qt::Unchecked);
  }
}

void RecordDialog::takeStep() {
  const int row = m_steps->currentRow();
  if (m_showing || row < 0) return;
  LessonStep& step = m_recording.lesson.steps[std::size_t(row)];
  step.title = m_stepTitle->text().simplified().toStdString();
  step.text = lessonMarkdown(m_text->toPlainText().toStdString());
  step.lit.clear();
  for (const QComboBox* box : m_lit)
    if (box->currentData().toInt() >= 0)
      step.lit.push_back(LessonPart(box->currentData().toInt()));
  m_steps->item(row)->setText(
      QStringLiteral("%1  %2").arg(row + 1).arg(qText(step.title)));
  Q_EMIT edited();
}

void RecordDialog::takeExpectations() {
  const int row = m_steps->currentRow();
  if (m_showing || row < 0) return;
  const auto& possible = m_recording.possible[std::size_t(row)];
  auto& expected = m_recording.lesson.steps[std::size_t(row)].expected;
  expected.clear();
  for (int i = 0; i < m_expected->count(); ++i)
    if (m_expected->item(i)->checkState() == Qt::Checked)
      expected.push_back(possible[std::size_t(i)]);
  Q_EMIT edited();
}

void RecordDialog::removeStep() {
  const int row = m_steps->currentRow();
  if (row < 0 || m_recording.lesson.steps.size() < 2) return;
  m_recording.removeStep(std::size_t(row));
  fillSteps(row);
  showStep();
  Q_EMIT edited();
}

}  // namespace equipatch
