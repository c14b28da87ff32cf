// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lesson/record_dialog.h"

#include <QDir>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/lesson/lesson_gap.h"
#include "core/lesson/lesson_words.h"
#include "core/lesson/lesson_writer.h"
#include "ui/chart/small_widgets.h"

namespace equipatch {
namespace {

QString qText(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

const std::vector<LessonAction>& actionsOf(const LessonStep& step) {
  return step.question ? step.question->solution : step.actions;
}

bool isAmong(const std::vector<LessonCondition>& conditions,
             const LessonCondition& condition) {
  return std::ranges::find(conditions, condition) != conditions.end();
}

/// One line per action, as in the lesson's file but without "do".
QString actionLines(const std::vector<LessonAction>& actions) {
  QStringList lines;
  for (const LessonAction& action : actions) lines << qText(actionText(action));
  return lines.join(u'\n');
}

/// A page in the list: "2  What it says (no text yet)".
QString rowText(int row, const LessonStep& step) {
  const bool isEmpty = qText(step.text).trimmed().isEmpty();
  return QStringLiteral("%1  %2").arg(row + 1).arg(qText(step.title)) +
         (isEmpty ? RecordDialog::tr(" (no text yet)") : QString());
}

QString introduction(EditedLesson kind, const QString& place) {
  const QString shown = QDir::toNativeSeparators(place);
  if (kind == EditedLesson::Saved)
    return RecordDialog::tr(
               "Each page on the left does something in the window; its text "
               "says what the reader sees. Save changes the file %1.")
        .arg(shown);
  return RecordDialog::tr(
             "The pages on the left are what you did; the lesson does them again. Write "
             "for each what the reader sees. “Save lesson” puts it into the folder %1, "
             "and Help ▸ Lessons plays it.")
      .arg(shown);
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
      m_asks(new QCheckBox(tr("Ask the &reader to do this"), this)),
      m_actionsHead(new QLabel(this)),
      m_actions(new QLabel(this)),
      m_hintHead(new QLabel(tr("&Hint"), this)),
      m_hint(new QLineEdit(this)),
      m_expectedHead(new QLabel(this)),
      m_expected(new QListWidget(this)),
      m_note(new QLabel(this)) {
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
  m_steps->setAccessibleName(tr("Pages of the lesson"));
  m_steps->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_steps->setWordWrap(true);
  column->setFixedWidth(fontMetrics().averageCharWidth() * 34);
  auto* layout = new QVBoxLayout(column);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_steps, 1);
  m_remove = addButton(*layout, "recordRemove", tr("Remove this page"), {});
  layout->setAlignment(m_remove, Qt::AlignLeft);
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
  auto* columns = new QHBoxLayout;
  columns->addWidget(makeActions(), 1);
  columns->addWidget(makeConditions(), 1);
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_stepTitle);
  layout->addWidget(m_text, 2);
  layout->addWidget(makeParts());
  layout->addLayout(columns, 3);
  return page;
}

QWidget* RecordDialog::makeActions() {
  auto* column = new QWidget(this);
  m_asks->setObjectName(QStringLiteral("recordAsk"));
  m_actions->setObjectName(QStringLiteral("recordActions"));
  m_actions->setTextFormat(Qt::PlainText);
  m_actions->setWordWrap(true);
  m_hint->setObjectName(QStringLiteral("recordHint"));
  m_hint->setPlaceholderText(tr("A sentence for readers who do not know how"));
  m_hintHead->setBuddy(m_hint);
  auto* layout = new QVBoxLayout(column);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_asks);
  layout->addWidget(m_hintHead);
  layout->addWidget(m_hint);
  layout->addWidget(m_actionsHead);
  layout->addWidget(m_actions);
  layout->addStretch(1);
  return column;
}

QWidget* RecordDialog::makeConditions() {
  auto* column = new QWidget(this);
  m_expected->setObjectName(QStringLiteral("recordExpected"));
  m_expected->setWordWrap(true);
  makeRoomForTickBoxes(*m_expected);
  m_expectedHead->setBuddy(m_expected);
  m_note->setObjectName(QStringLiteral("recordNote"));
  for (QLabel* label : {m_expectedHead, m_note}) label->setWordWrap(true);
  auto* layout = new QVBoxLayout(column);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_expectedHead);
  layout->addWidget(m_expected, 1);
  layout->addWidget(m_note);
  return column;
}

QWidget* RecordDialog::makeParts() {
  auto* row = new QWidget(this);
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(new QLabel(tr("The page lights up"), row));
  for (QComboBox*& box : m_lit) {
    box = new QComboBox(row);
    box->setAccessibleName(tr("A part of the window that the page lights up"));
    box->addItem(tr("nothing"), -1);
    for (const auto& [word, part] : kLessonParts)
      box->addItem(qText(partName(part)), int(part));
    layout->addWidget(box);
    connect(box, &QComboBox::activated, this, &RecordDialog::takeLit);
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
  auto* discard = addButton(*layout, "recordDelete", tr("Delete the recording"),
                            tr("Deletes all its pages"));
  layout->addStretch(1);
  discard->setVisible(isDraft);
  auto* later = addButton(
      *layout, "recordLater", isDraft ? tr("Keep as draft") : tr("Cancel"),
      isDraft ? tr("Closes this window; Help ▸ Lessons ▸ Edit opens the draft again")
              : tr("Leaves the lesson as it was"));
  m_save = addButton(*layout, "recordSave", isDraft ? tr("Save lesson") : tr("Save"),
                     isDraft ? tr("Saves it in your folder of lessons")
                             : tr("Changes the lesson's file"));
  connect(discard, &QPushButton::clicked, this, &RecordDialog::deleteRequested);
  connect(later, &QPushButton::clicked, this, &QDialog::reject);
  connect(m_save, &QPushButton::clicked, this, &RecordDialog::saveRequested);
  m_save->setDefault(true);
  return row;
}

void RecordDialog::connectFields() {
  connect(m_title, &QLineEdit::textEdited, this, [this](const QString& title) {
    m_recording.lesson.title = title.simplified().toStdString();
    Q_EMIT edited();
  });
  connect(m_summary, &QPlainTextEdit::textChanged, this, [this] {
    m_recording.lesson.summary = lessonMarkdown(m_summary->toPlainText().toStdString());
    Q_EMIT edited();
  });
  connect(m_stepTitle, &QLineEdit::textEdited, this, &RecordDialog::takeTitle);
  connect(m_text, &QPlainTextEdit::textChanged, this, &RecordDialog::takeText);
  connect(m_asks, &QCheckBox::clicked, this, &RecordDialog::takeKind);
  connect(m_hint, &QLineEdit::textEdited, this, &RecordDialog::takeHint);
  connect(m_expected, &QListWidget::itemChanged, this, &RecordDialog::takeConditions);
  connect(m_steps, &QListWidget::currentRowChanged, this, &RecordDialog::showStep);
}

void RecordDialog::fillSteps(int current) {
  const QScopedValueRollback showing(m_showing, true);
  m_steps->clear();
  const auto& steps = m_recording.lesson.steps;
  for (std::size_t i = 0; i < steps.size(); ++i)
    m_steps->addItem(rowText(int(i), steps[i]));
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
  m_actions->setText(actionLines(actionsOf(step)));
  for (std::size_t i = 0; i < m_lit.size(); ++i)
    m_lit[i]->setCurrentIndex(i < step.lit.size() ? m_lit[i]->findData(int(step.lit[i]))
                                                  : 0);
  showConditions(step, std::size_t(row));
  showKind(step, std::size_t(row));
}

void RecordDialog::showConditions(const LessonStep& step, std::size_t row) {
  m_expected->clear();
  const auto& ticked = step.question ? step.question->conditions : step.expected;
  for (const LessonCondition& condition : m_recording.possible[row]) {
    auto* item = new QListWidgetItem(qText(conditionWords(condition)), m_expected);
    item->setToolTip(plainToolTip(
        tr("In the lesson's file: %1").arg(qText(conditionText(condition)))));
    item->setCheckState(isAmong(ticked, condition) ? Qt::Checked : Qt::Unchecked);
  }
}

/// Labels the fields for a question or a statement, and says why a question cannot work.
void RecordDialog::showKind(const LessonStep& step, std::size_t row) {
  const auto& question = step.question;
  // A question with actions beside its solution was written by hand; it stays a question.
  const bool canChange = question ? step.actions.empty() : row > 0;
  m_asks->setChecked(question.has_value());
  m_asks->setEnabled(canChange && !actionsOf(step).empty());
  m_asks->setToolTip(
      row == 0 ? tr("A question needs a page before it, which sets up the window.")
               : tr("The page waits until the reader has done it: until all that is "
                    "ticked is true."));
  m_hint->setText(question ? qText(question->hint) : QString());
  m_hint->setVisible(question.has_value());
  m_hintHead->setVisible(question.has_value());
  m_actionsHead->setText(question ? tr("“Show me” does, in the file’s words")
                                  : tr("The page does, in the file’s words"));
  m_expectedHead->setText(question
                              ? tr("&True after the solution; tick what answers it")
                              : tr("&True afterwards; tick what the text relies on"));
  m_expected->setToolTip(
      question ? tr("The question is answered when all that is ticked is true.")
               : tr("What was true after this page. Tick what your text relies on: the "
                    "lesson's file keeps it, and a test that plays the lesson fails "
                    "where it is no longer true."));
  const bool isOpen = question && question->conditions.empty();
  const bool isTrueBefore =
      question && !isOpen && row > 0 &&
      std::ranges::all_of(question->conditions, [&](const LessonCondition& condition) {
        return isAmong(m_recording.possible[row - 1], condition);
      });
  m_note->setVisible(isOpen || isTrueBefore || (question && row == 0));
  m_note->setText(isOpen     ? tr("Tick at least one; what is ticked is the answer.")
                  : row == 0 ? tr("No page before this question sets up the window.")
                             : tr("All that is ticked is true before this page, too: the "
                                  "question would be answered at once."));
  m_save->setEnabled(
      std::ranges::none_of(m_recording.lesson.steps, [](const LessonStep& each) {
        return each.question && each.question->conditions.empty();
      }));
}

/// Does nothing while the program, not the user, fills the fields.
void RecordDialog::edit(const std::function<void(LessonStep&)>& change) {
  const int row = m_steps->currentRow();
  if (m_showing || row < 0) return;
  LessonStep& step = m_recording.lesson.steps[std::size_t(row)];
  change(step);
  m_steps->currentItem()->setText(rowText(row, step));
  Q_EMIT edited();
}

void RecordDialog::takeTitle() {
  edit([this](LessonStep& step) {
    step.title = m_stepTitle->text().simplified().toStdString();
  });
}

/// A text that the user has not edited stays as it is: toPlainText() would replace its
/// no-break spaces.
void RecordDialog::takeText() {
  edit([this](LessonStep& step) {
    step.text = lessonMarkdown(m_text->toPlainText().toStdString());
  });
}

void RecordDialog::takeLit() {
  edit([this](LessonStep& step) {
    step.lit.clear();
    for (const QComboBox* box : m_lit)
      if (box->currentData().toInt() >= 0)
        step.lit.push_back(LessonPart(box->currentData().toInt()));
  });
}

void RecordDialog::takeConditions() {
  edit([this](LessonStep& step) {
    const auto row = std::size_t(m_steps->currentRow());
    auto& conditions = step.question ? step.question->conditions : step.expected;
    conditions.clear();
    for (int i = 0; i < m_expected->count(); ++i)
      if (m_expected->item(i)->checkState() == Qt::Checked)
        conditions.push_back(m_recording.possible[row][std::size_t(i)]);
    showKind(step, row);
  });
}

void RecordDialog::takeKind() {
  edit([this](LessonStep& step) {
    m_asks->isChecked() ? makeQuestion(step) : makeStatement(step);
    showStep();
  });
}

void RecordDialog::takeHint() {
  edit([this](LessonStep& step) {
    if (step.question) step.question->hint = m_hint->text().simplified().toStdString();
  });
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
