// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_marking.h"

#include <QRegularExpression>
#include <QTextDocument>
#include <QToolButton>
#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/text/sentences.h"
#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"

namespace equipatch {
namespace {

constexpr std::size_t kMostIds = 4096;      // shown; more would make the line edit slow
constexpr std::size_t kMostSentences = 50;  // listed

QString idList(const std::vector<Token>& tokens) {
  QStringList ids;
  for (const Token& token : tokens) {
    if (std::size_t(ids.size()) == kMostIds) return ids.join(u' ') + QStringLiteral(" …");
    ids << QString::number(token.id.value);
  }
  return ids.join(u' ');
}

/// Empty if the text cannot be divided, or is too long to be divided at every edit.
std::vector<std::string> sentenceTexts(const std::string& text) {
  constexpr std::size_t kLongest = 100'000;  // bytes
  if (text.size() > kLongest) return {};
  try {
    std::vector<std::string> sentences;
    for (const ByteSpan& span : sentencesOf(text))
      sentences.push_back(text.substr(span.begin, span.end - span.begin));
    return sentences;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

PromptMarking::PromptMarking(const Theme& theme, PictureShelf& shelf, PromptView& edit,
                             QWidget& editor)
    : QObject(&editor), m_edit(edit), m_tokenModel(m_marks, shelf) {
  m_tokens = new PromptTokens(m_tokenModel, theme, &editor);
  m_tokens->setContextMenuPolicy(Qt::ActionsContextMenu);
  m_ids = new QLineEdit(&editor);
  m_ids->setObjectName(QStringLiteral("promptIds"));
  m_ids->setAccessibleName(tr("Token ids of the prompt"));
  m_ids->setToolTip(tr("The token ids that the model reads"));
  m_ids->setReadOnly(true);
  m_note = new QLabel(&editor);
  m_note->setObjectName(QStringLiteral("promptNote"));
  m_note->setTextFormat(Qt::PlainText);
  m_note->setWordWrap(true);
  m_note->hide();
  m_load = new QPushButton(tr("Load the model"), &editor);
  m_load->setObjectName(QStringLiteral("loadForTokens"));
  m_load->setToolTip(
      tr("Loads the chosen model, so that words can be marked before a run"));
  m_load->hide();
  connect(m_load, &QPushButton::clicked, this, &PromptMarking::modelRequested);
  m_actionRow = makeActions(editor);
  m_absorbRow = makeAbsorbRow(editor);
  m_tokens->addActions(actions());
  connect(edit.document(), &QTextDocument::undoCommandAdded, this,
          [this] { m_marks.clearRedo(); });
  connect(m_tokens, &PromptTokens::chosenChanged, this, [this] {
    enableActions();
    Q_EMIT chosenChanged();
  });
  connect(m_tokens, &PromptTokens::pictureClicked, this, &PromptMarking::toggle);
  connect(m_tokens, &PromptTokens::pictureEntered, this, &PromptMarking::openPicture);
  connect(m_tokens, &PromptTokens::pictureDoubleClicked, this, [this](int token) {
    undo();  // reverts the mark that the first click made
    openPicture(token);
  });
}

/// @param token the first of the image
void PromptMarking::openPicture(int token) {
  const auto image = std::ranges::find(m_marks.images(), token, &PositionRange::first);
  Q_EMIT pictureActivated(m_tokenModel.pictureOf(token),
                          int(image - m_marks.images().begin()));
}

/// Limits the height instead of hiding the widgets, because `showTokens` sets their
/// visibility.
void PromptMarking::setBrief(bool brief) {
  for (QWidget* part : {static_cast<QWidget*>(m_tokens), static_cast<QWidget*>(m_ids)})
    part->setMaximumHeight(brief ? 0 : QWIDGETSIZE_MAX);
}

void PromptMarking::toggle(int token) {
  rememberTextSteps();
  if (m_marks.keeps(token))
    m_marks.absorb(token, token);
  else
    m_marks.keep(token, token);
  showMarks();
}

void PromptMarking::addTo(QVBoxLayout& layout) {
  layout.addWidget(m_note);
  layout.addWidget(m_load, 0, Qt::AlignLeft);
  layout.addLayout(m_actionRow);
  layout.addWidget(m_tokens, 2);
  layout.addLayout(m_absorbRow);
  layout.addWidget(m_ids);
}

QLayout* PromptMarking::makeActions(QWidget& editor) {
  m_count = new QLabel(&editor);
  m_count->setObjectName(QStringLiteral("muted"));
  auto* row = new QHBoxLayout;
  row->setSpacing(4);
  row->addWidget(m_count, 1);
  m_keep = makeAction(editor, *row, "keepTokens");
  m_keep->setText(tr("Keep"));
  m_keep->setShortcut(Qt::CTRL | Qt::Key_M);
  m_keep->setToolTip(tr("The patched pass still sees the selected tokens (Ctrl+M)"));
  connect(m_keep, &QAction::triggered, this, &PromptMarking::keepSelected);
  m_absorb = makeAction(editor, *row, "absorbTokens");
  m_absorb->setText(tr("Absorb"));
  m_absorb->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_M);
  m_absorb->setToolTip(tr("The patch replaces the selected tokens (Ctrl+Shift+M)"));
  connect(m_absorb, &QAction::triggered, this, &PromptMarking::absorbSelected);
  m_only = makeAction(editor, *row, "absorbOnlyTokens");
  m_only->setText(tr("Absorb only these"));
  m_only->setIconText(tr("Only"));
  m_only->setShortcut(Qt::CTRL | Qt::ALT | Qt::Key_M);
  m_only->setToolTip(
      tr("The patch replaces the selected tokens and nothing else (Ctrl+Alt+M)"));
  connect(m_only, &QAction::triggered, this, &PromptMarking::absorbOnlySelected);
  return row;
}

QAction* PromptMarking::makeAction(QWidget& editor, QLayout& row, const char* name) {
  auto* action = new QAction(&editor);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  editor.addAction(action);
  auto* button = new QToolButton(&editor);
  button->setObjectName(QString::fromLatin1(name));
  button->setDefaultAction(action);
  button->setFocusPolicy(Qt::TabFocus);
  row.addWidget(button);
  return action;
}

QLayout* PromptMarking::makeAbsorbRow(QWidget& editor) {
  m_absorbBox = new AbsorbedBox(&editor);
  showChoices({});
  m_absorbBox->showPart(m_marks.text());
  const auto take = [this] { takeAbsorbedText(); };
  connect(m_absorbBox, &QComboBox::activated, this, take);
  connect(m_absorbBox->lineEdit(), &QLineEdit::returnPressed, this, take);
  connect(m_absorbBox->lineEdit(), &QLineEdit::editingFinished, this, take);
  auto* label = new QLabel(tr("Absorbed"), &editor);
  label->setBuddy(m_absorbBox);
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  row->addWidget(label);
  row->addWidget(m_absorbBox, 1);
  return row;
}

void PromptMarking::showChoices(const std::vector<std::string>& sentences) {
  QStringList names, toolTips;
  const auto add = [&](const std::string& name, const QString& toolTip = {}) {
    names << QString::fromStdString(name);
    toolTips << toolTip;
  };
  for (const std::string& name : AbsorbedMarks::presets()) add(name);
  if (!m_marks.images().empty())
    for (const std::string& name : AbsorbedMarks::imagePresets()) add(name);
  if (sentences.size() > 1)
    for (std::size_t i = 0; i < std::min(sentences.size(), kMostSentences); ++i)
      add("sentence:" + std::to_string(i + 1), plainToolTip(messageText(sentences[i])));
  m_absorbBox->setChoices(names, toolTips);
}

void PromptMarking::showTokens(std::vector<Token> tokens,
                               const std::vector<PromptImage>& images,
                               const std::string& text, const std::string& message) {
  m_ids->setText(idList(tokens));
  m_ids->setCursorPosition(0);
  const std::string lost = m_marks.setTokens(withPictureIds(std::move(tokens), images),
                                             imageTokens(images), text, message);
  m_tokenModel.tokensChanged(text, images);
  m_tokens->hideTokensWithinImages(images);
  showChoices(this->tokens().empty() ? std::vector<std::string>()
                                     : sentenceTexts(message.empty() ? text : message));
  const bool any = !this->tokens().empty();
  m_ids->setVisible(any);
  m_tokens->setVisible(any);
  showNote({});
  m_isInvalid = false;  // the note about the invalid text is gone
  if (!m_absorbBox->isTyped()) showPart();
  showKept();
  if (!lost.empty())
    showNote(
        tr("The absorbed part “%1” does not fit this prompt; it is “%2” now.")
            .arg(QString::fromStdString(lost), QString::fromStdString(absorbedText())));
}

/// Numbers the prompt's images, so that images of equal files have different numbers. An
/// image keeps its number while other images are inserted and removed.
void PromptMarking::numberPictures(const std::vector<PromptImage>& images) {
  std::vector<NumberedPicture> before = std::exchange(m_pictures, {});
  constexpr int kNew = -1;
  for (const PromptImage& image : images) {
    const auto known =
        std::ranges::find(before, image.picture, &NumberedPicture::picture);
    const bool isKnown = known != before.end();
    m_pictures.push_back({image.picture, isKnown ? known->number : kNew});
    if (isKnown) before.erase(known);  // the prompt may contain the picture twice
  }
  const auto isTaken = [this](const PictureFile& picture, int number) {
    return std::ranges::any_of(m_pictures, [&](const NumberedPicture& other) {
      return other.number == number && other.picture->sha256 == picture.sha256;
    });
  };
  for (NumberedPicture& each : m_pictures) {
    int number = 0;
    while (each.number == kNew && isTaken(*each.picture, number)) ++number;
    if (each.number == kNew) each.number = number;
  }
}

/// Replaces the ids of image tokens, which are the same for all images, by a hash of the
/// image's SHA-256 and number. With an id of its own, an image keeps its marks while
/// other images are inserted and removed.
std::vector<Token> PromptMarking::withPictureIds(std::vector<Token> tokens,
                                                 const std::vector<PromptImage>& images) {
  if (tokens.empty()) return tokens;  // images keep their numbers until tokens return
  numberPictures(images);
  for (std::size_t image = 0; image < images.size(); ++image) {
    const NumberedPicture& own = m_pictures[image];
    const std::string name = own.picture->sha256 + ' ' + std::to_string(own.number);
    const auto hash = std::int64_t(std::hash<std::string>()(name) >> 1);
    const PositionRange& place = images[image].tokens;
    for (auto at = place.first; at <= place.last; ++at)
      tokens[std::size_t(at)].id = TokenId(-1 - hash);  // negative: in no vocabulary
  }
  return tokens;
}

std::vector<bool> PromptMarking::kept() const {
  std::vector<bool> kept(tokens().size());
  for (std::size_t i = 0; i < kept.size(); ++i) kept[i] = m_marks.keeps(int(i));
  return kept;
}

QString PromptMarking::setAbsorbedText(const std::string& text) {
  m_absorbBox->showPart(text);
  const QString problem = takeAbsorbedText();
  if (!problem.isEmpty()) m_absorbBox->showPart(m_marks.text());
  // takeAbsorbedText() skips an unchanged text. Without tokens, even an unchanged text
  // must be set, because this discards the marks of the last tokens.
  else if (tokens().empty())
    m_marks.setText(text);
  return problem;
}

QString PromptMarking::takeAbsorbedText() {
  const std::string text = m_absorbBox->take();
  const bool wasInvalid = std::exchange(m_isInvalid, false);
  if (text == m_marks.text()) {
    if (wasInvalid) showNote({});
    return {};
  }
  try {
    rememberTextSteps();
    m_marks.setText(text);
    showMarks();
    return {};
  } catch (const Error& error) {
    m_isInvalid = true;
    showNote(QString::fromStdString(error.what()));
    return QString::fromStdString(error.what());
  }
}

void PromptMarking::absorbOnlySelected() {
  const QList<int> chosen = this->chosen();
  if (chosen.isEmpty()) return;
  std::vector<bool> kept(tokens().size(), true);
  for (const int token : chosen) kept[std::size_t(token)] = false;
  setAbsorbedText(equipatch::absorbedText(
      {.keptPrompt = rangesOf(kept), .keepsGenerated = true}, std::int64_t(kept.size())));
}

void PromptMarking::mark(
    void (AbsorbedMarks::*change)(const std::vector<PositionRange>&)) {
  std::vector<PositionRange> ranges;
  for (const int token : m_tokens->chosen())
    if (!ranges.empty() && ranges.back().last + 1 == token)
      ranges.back().last = token;
    else
      ranges.push_back({token, token});
  if (ranges.empty()) return;
  rememberTextSteps();
  (m_marks.*change)(ranges);
  showMarks();
}

/// Allows line breaks within long names, such as a tensor's, which would otherwise widen
/// the dock.
void PromptMarking::showNote(const QString& sentence) {
  static const QRegularExpression kJoints(QStringLiteral("(?<=\\S)([/._])(?=\\S)"));
  m_note->setText(sentenceText(sentence).replace(kJoints, QStringLiteral("\\1\u200B")));
  m_note->setVisible(!sentence.isEmpty());
  m_load->hide();
}

void PromptMarking::offerModel() {
  showNote(tr("Tokens need a model."));
  m_load->show();
}

/// Call after a change of marks. Replaces what the user is typing as the absorbed part.
void PromptMarking::showMarks() {
  showPart();
  showKept();
}

void PromptMarking::showPart() {
  m_absorbBox->showPart(m_marks.text());
  m_isInvalid = false;
}

/// Without tokens, the note stays, because it may say why there are none.
void PromptMarking::showKept() {
  m_tokenModel.marksChanged();
  if (!tokens().empty()) showNote({});
  QString count = equipatch::countText(int(tokens().size()), QStringLiteral("token"));
  if (const int keeping = m_marks.keptCount(); keeping > 0)
    count += tr(", %1 kept").arg(keeping);
  m_count->setText(count);
  enableActions();
  Q_EMIT marksChanged();
}

void PromptMarking::enableActions() {
  const QList<int> chosen = this->chosen();
  const auto isKept = [this](int token) { return m_marks.keeps(token); };
  m_keep->setEnabled(!std::ranges::all_of(chosen, isKept));
  m_absorb->setEnabled(std::ranges::any_of(chosen, isKept));
  m_only->setEnabled(!chosen.isEmpty());
}

/// Call before a change of marks.
void PromptMarking::rememberTextSteps() {
  m_marks.setTextSteps(m_edit.document()->availableUndoSteps());
  endTextStep();
}

/// Qt merges typed text into the last undo step only while the document counts as
/// modified. Text typed after this call is a new step, which undoCommandAdded reports.
void PromptMarking::endTextStep() {
  m_edit.document()->setModified(false);
}

void PromptMarking::undo() {
  const QTextDocument* document = m_edit.document();
  const std::optional<int> textSteps = m_marks.textStepsAtUndo();
  const bool marksLast = textSteps && *textSteps >= document->availableUndoSteps();
  if (!marksLast && document->isUndoAvailable()) {
    m_edit.undo();
    return endTextStep();
  }
  if (!textSteps) return;  // nothing changes, so the note stays
  m_marks.undo();
  showMarks();
}

void PromptMarking::redo() {
  const QTextDocument* document = m_edit.document();
  const std::optional<int> textSteps = m_marks.textStepsAtRedo();
  const bool marksNext = textSteps && *textSteps <= document->availableUndoSteps();
  if (!marksNext && document->isRedoAvailable()) {
    m_edit.redo();
    return endTextStep();
  }
  if (!textSteps) return;
  m_marks.redo();
  showMarks();
}

}  // namespace equipatch
