// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/prompt_editor.h"

#include <QLayout>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <algorithm>
#include <utility>

#include "core/base/error.h"

namespace equipatch {
namespace {

constexpr int kDelayMilliseconds = 120;  // after the last edit

ChatSupport chatSupport(const LoadedModel* model) {
  if (!model)
    return {.reason = PromptEntry::tr("Load a model with a chat template first")};
  if (model->chat) return {.possible = true, .reason = {}};
  if (model->chatProblem.empty())
    return {.reason = PromptEntry::tr("This model comes without a chat template")};
  return {.reason = QString::fromStdString(model->chatProblem)};
}

PictureSupport pictureSupport(const LoadedModel* model) {
  if (!model) return {};
  try {
    requireVision(visionOf(*model));
    return {};
  } catch (const Error& error) {
    return {.possible = false, .reason = QString::fromUtf8(error.what())};
  }
}

bool haveSameIds(const std::vector<Token>& a, const std::vector<Token>& b) {
  return std::ranges::equal(a, b, {}, &Token::id, &Token::id);
}

/// True if `run` is `tokens` without the special tokens that the tokenizer added, as with
/// `compare --no-bos`.
bool lacksSpecials(const std::vector<Token>& run, std::vector<Token> tokens) {
  const auto isAdded = [](const Token& token) {
    return token.special && token.span.empty();
  };
  return std::erase_if(tokens, isAdded) > 0 && haveSameIds(run, tokens);
}

/// True if the run's text contains special tokens besides those of its images.
bool hasSpecialsInText(const RunRequest& run, const std::vector<ImageSpan>& images) {
  const auto isWritten = [&](const Token& token) {
    const auto holds = [&](const ImageSpan& image) {
      return image.written.begin <= token.span.begin &&
             token.span.end <= image.written.end;
    };
    return token.special && !token.span.empty() && std::ranges::none_of(images, holds);
  };
  return std::ranges::any_of(run.prompt, isWritten);
}

bool isPromptOf(const PreparedPrompt& prompt, const RunRequest& run) {
  const auto isSame = [](const PromptImage& a, const PromptImage& b) {
    return a.tokens == b.tokens && a.picture->sha256 == b.picture->sha256;
  };
  return prompt.text == run.promptText && haveSameIds(prompt.tokens, run.prompt) &&
         std::ranges::equal(prompt.images, run.images, isSame);
}

}  // namespace

PromptEditor::PromptEditor(const Theme& theme, PictureShelf& shelf, QWidget* parent)
    : QWidget(parent),
      m_shelf(shelf),
      m_entry(new PromptEntry(theme, shelf, *this)),
      m_marking(new PromptMarking(theme, shelf, m_entry->edit(), *this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 4, 8, 6);
  layout->setSpacing(4);
  m_entry->addTo(*layout);
  m_marking->addTo(*layout);
  m_delay.setSingleShot(true);
  m_delay.setInterval(kDelayMilliseconds);
  connectParts();
  setModel(nullptr);
  setFocusProxy(&m_entry->edit());
}

void PromptEditor::connectParts() {
  connect(m_entry, &PromptEntry::textChanged, this, &PromptEditor::textChanged);
  connect(m_entry, &PromptEntry::formChosen, this, &PromptEditor::changeForm);
  connect(m_entry, &PromptEntry::formChanged, this, &PromptEditor::prepare);
  connect(m_entry, &PromptEntry::pictureSampleChosen, this,
          &PromptEditor::pictureSampleChosen);
  connect(m_entry, &PromptEntry::textSampleChosen, this, &PromptEditor::textSampleChosen);
  connect(&m_delay, &QTimer::timeout, this, &PromptEditor::prepare);
  connect(m_marking, &PromptMarking::marksChanged, this, &PromptEditor::showMarks);
  connect(m_marking, &PromptMarking::chosenChanged, this,
          &PromptEditor::chooseTextOfTokens);
  connect(m_marking, &PromptMarking::modelRequested, this, &PromptEditor::modelRequested);
  connect(m_marking, &PromptMarking::pictureActivated, this,
          &PromptEditor::activatePicture);
  connect(&m_shelf, &PictureShelf::failed, m_marking, &PromptMarking::showNote);
  for (PromptView* view : {&m_entry->edit(), &m_entry->rendered()}) {
    view->setTokenModel(m_marking->tokenModel());
    view->addActions(m_marking->actions());
    connect(view, &PromptView::undoRequested, this, &PromptEditor::undo);
    connect(view, &PromptView::redoRequested, this, &PromptEditor::redo);
    connect(view, &QTextEdit::selectionChanged, this,
            [this, view] { chooseTokensOfText(*view); });
    connect(view, &PromptView::pictureActivated, this, [this, view](int index) {
      activatePicture(view->parts().pictures[std::size_t(index)].picture, index);
    });
  }
}

void PromptEditor::setModel(std::shared_ptr<const LoadedModel> model) {
  m_model = std::move(model);
  m_entry->setPictureSupport(pictureSupport(m_model.get()));
  m_entry->setChatSupport(chatSupport(m_model.get()));
}

void PromptEditor::textChanged() {
  // Highlighting emits QTextEdit::textChanged without a change of the text.
  PromptSource now = unmarkedSource();
  if (now == (m_delay.isActive() ? m_edited : m_requested)) return;
  m_edited = std::move(now);
  m_delay.start();
  Q_EMIT edited();
}

PromptSource PromptEditor::source() const {
  PromptSource source = unmarkedSource();
  source.absorb = absorbed();
  source.marks = m_marking->textMarks();
  return source;
}

QSize PromptEditor::minimumSizeHint() const {
  const QSize least = QWidget::minimumSizeHint();
  return {least.width(),
          std::max(least.height(), layout()->totalMinimumHeightForWidth(width()))};
}

void PromptEditor::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->size().width() != event->oldSize().width()) updateGeometry();
}

/// In a prompt of ids, a space replaces each image, because the ids of the image's tokens
/// follow.
PromptSource PromptEditor::unmarkedSource() const {
  const PromptParts parts = m_entry->parts();
  if (m_entry->isIds())
    return {.text = parts.written(QStringLiteral(" ")).toStdString(),
            .form = form(),
            .images = parts.files()};
  const VisionSpec* vision = m_model ? visionOf(*m_model) : nullptr;
  const bool named = vision && m_model->tokenizer;
  const QString place =
      named ? QString::fromStdString(imagePlaceholder(*vision, *m_model->tokenizer))
            : kPicturePlace;
  return {.text = parts.written(place).toStdString(),
          .form = form(),
          .images = parts.files()};
}

std::shared_ptr<const PreparedPrompt> PromptEditor::prepared() const {
  if (!m_prepared || m_prepared->source != m_requested || m_delay.isActive())
    return nullptr;
  auto marked = std::make_shared<PreparedPrompt>(*m_prepared);
  marked->source = source();
  marked->absorbed = m_marking->absorbed();
  return marked;
}

/// Prepares ids and a short text at once. A worker prepares a long text, and a chat,
/// whose template runs in another process.
void PromptEditor::prepare() {
  m_delay.stop();
  m_requested = unmarkedSource();
  const bool hasTokenizer = m_model && m_model->tokenizer;
  m_requestedFromWorker = false;
  if (m_entry->isIds()) return prepareIdsNow();
  if (m_entry->isChat()) {
    m_entry->edit().setTokens({});
    if (m_requested.text.empty()) {
      m_entry->rendered().showParts({});
      return showPrompt(nullptr);
    }
    m_prepared = nullptr;  // the old tokens stay visible until the new ones are ready
    return requestFromWorker();
  }
  if (hasTokenizer && !isQuicklyPrepared(m_requested, nullptr)) {
    showPrompt(nullptr);
    return requestFromWorker();
  }
  if (!hasTokenizer || m_requested.text.empty()) {
    showPrompt(nullptr);
    if (!m_model)
      m_marking->offerModel();
    else if (!hasTokenizer)
      m_marking->showNote(tr("This model has no tokenizer; give token ids instead."));
    return;
  }
  try {
    showPrompt(std::make_shared<const PreparedPrompt>(preparePrompt(
        m_requested, *m_model->tokenizer, nullptr, {}, visionOf(*m_model))));
  } catch (const Error& error) {  // such as images that do not fit the model
    showPrompt(nullptr);
    m_marking->showNote(QString::fromUtf8(error.what()));
  }
}

void PromptEditor::prepareIdsNow() {
  if (m_requested.text.empty()) return showPrompt(nullptr);
  if (!m_model && !m_requested.images.empty()) {
    showPrompt(nullptr);
    return m_marking->offerModel();
  }
  const KnownTokens known = m_model ? knownTokensOf(*m_model) : KnownTokens();
  try {
    showPrompt(std::make_shared<const PreparedPrompt>(prepareIds(m_requested, known)));
  } catch (const Error& error) {
    showPrompt(nullptr);
    m_marking->showNote(QString::fromUtf8(error.what()));
  }
}

/// From text to ids: replaces a prepared text by the ids of its tokens. From ids to text:
/// brings the old text back if the ids are unchanged, and decodes them otherwise. Ids
/// that cannot be decoded stay.
void PromptEditor::changeForm(PromptForm form) {
  const bool toIds = form == PromptForm::Ids;
  if (toIds == m_entry->isIds()) return;
  if (!toIds) {
    const auto replaced = std::exchange(m_replaced, std::nullopt);
    if (replaced && replaced->second == parts()) return setParts(replaced->first);
    if (const auto decoded = decodedIds()) setParts(*decoded);
    return;
  }
  prepareNow();
  const auto prompt = prepared();
  if (!prompt) return;
  m_replaced = {parts(), idPartsOf(prompt->tokens, prompt->images)};
  setParts(m_replaced->second);
}

/// The text and images that the editor's ids stand for; nullopt if the ids cannot be
/// decoded.
std::optional<PromptParts> PromptEditor::decodedIds() const try {
  if (!m_model || !m_model->tokenizer) return {};
  const PromptSource source = unmarkedSource();
  const PreparedPrompt ids = prepareIds(source, knownTokensOf(*m_model));
  return partsOf(textAroundImages(ids.tokens, ids.images, *m_model->tokenizer),
                 source.images);
} catch (const Error&) {
  return {};
}

void PromptEditor::requestFromWorker() {
  m_requestedFromWorker = true;
  Q_EMIT preparationRequested(m_model, m_requested);
}

void PromptEditor::prepareNow() {
  if (m_delay.isActive()) prepare();
}

void PromptEditor::showPrepared(std::shared_ptr<const PreparedPrompt> prompt) {
  if (!m_requestedFromWorker || prompt->source != m_requested) return;
  if (m_entry->isChat())
    m_entry->rendered().showParts(
        partsOf(prompt->text, imageSpans(prompt->text, prompt->tokens, prompt->images),
                prompt->images));
  showPrompt(std::move(prompt));
}

void PromptEditor::showProblem(const QString& sentence) {
  if (!m_requestedFromWorker) return;
  if (m_entry->isChat()) m_entry->rendered().showParts({});
  showPrompt(nullptr);
  m_marking->showNote(sentence);
}

void PromptEditor::showRun(const RunRequest& request) {
  prepareNow();
  const auto shown = prepared();
  if (shown && isPromptOf(*shown, request))
    setAbsorbed(absorbedText(request.absorbed, std::int64_t(request.prompt.size())));
  else if (!request.prompt.empty() && !showText(request))
    showIds(request);
}

/// Shows the run's text.
/// @returns false if the editor cannot hold the text unchanged, or if the run's model
///          might not tokenize it to the run's tokens
bool PromptEditor::showText(const RunRequest& request) {
  const std::vector<Token>& prompt = request.prompt;
  const auto spans = imageSpans(request.promptText, prompt, request.images);
  if (request.promptText.empty() || spans.size() != request.images.size()) return false;
  const PromptParts written = partsOf(request.promptText, spans, request.images);
  setForm(PromptForm::Text);
  setParts(written);
  // QTextEdit changes some characters, such as carriage returns to line feeds.
  if (parts() != written) return false;
  prepare();
  // Different tokens alone do not require ids: the loaded model may not be the run's.
  const bool isExact = m_prepared && haveSameIds(prompt, m_prepared->tokens);
  if (!isExact && (request.specials != SpecialTokens::Add || request.branch.tokens > 0 ||
                   hasSpecialsInText(request, spans) ||
                   (m_prepared && lacksSpecials(prompt, m_prepared->tokens))))
    return false;
  // The absorbed part refers to positions of the recorded tokens. These tokens stay
  // visible and can be marked until a model has tokenized the text.
  showTokens(prompt, request.images, request.promptText, request.promptText);
  setAbsorbed(absorbedText(request.absorbed, std::int64_t(prompt.size())));
  if (m_prepared) showPrompt(m_prepared);
  return true;
}

/// Shows the run's ids. The user can switch from these to the run's text.
void PromptEditor::showIds(const RunRequest& request) {
  const auto spans = imageSpans(request.promptText, request.prompt, request.images);
  const PromptParts ids = idPartsOf(request.prompt, request.images);
  m_replaced.reset();
  if (!request.promptText.empty())
    m_replaced = {partsOf(request.promptText, spans, request.images), ids};
  setForm(PromptForm::Ids);
  setParts(ids);
  prepareNow();
  setAbsorbed(absorbedText(request.absorbed, std::int64_t(request.prompt.size())));
}

/// Removes the old prompt's tokens first, because `AbsorbedMarks` keeps an absorbed part
/// for the next tokens only while it has no tokens.
void PromptEditor::restore(const State& state) {
  showPrompt(nullptr);
  setForm(state.form);
  setParts(state.parts);
  showPrompt(nullptr);  // setForm may have shown the old tokens again
  setAbsorbed(state.absorbed);
  m_marking->setTextMarks(state.marks);
  prepare();
}

void PromptEditor::showPrompt(std::shared_ptr<const PreparedPrompt> prompt) {
  m_prepared = std::move(prompt);
  if (!m_prepared) return showTokens({}, {}, {}, {});
  const bool areIds = m_prepared->source.form == PromptForm::Ids;
  showTokens(m_prepared->tokens, m_prepared->images, m_prepared->text,
             areIds ? std::string() : m_prepared->source.text);
}

void PromptEditor::showTokens(std::vector<Token> tokens,
                              const std::vector<PromptImage>& images,
                              const std::string& text, const std::string& message) {
  const std::vector<ImageSpan> spans = imageSpans(text, tokens, images);
  std::vector<ImageTokens> places;
  if (spans.size() == images.size())
    for (std::size_t i = 0; i < spans.size(); ++i)
      places.push_back({images[i].tokens, spans[i]});
  m_entry->view().setTokens(tokens, std::move(places));
  m_marking->showTokens(std::move(tokens), images, text, message);
  chooseTokensOfText(m_entry->view());  // the text may already be selected
}

void PromptEditor::showMarks() {
  m_entry->view().setKeptTokens(m_marking->kept());
  chooseTextOfTokens();
}

/// @param index the image's place among the prompt's images
void PromptEditor::activatePicture(const std::shared_ptr<const PictureFile>& picture,
                                   int index) {
  PictureSubject subject{.image = {picture, {0, -1}}};
  if (const auto prompt = prepared()) {
    subject.run = requestFor(*prompt, {});
    const auto place = std::size_t(index);
    if (place < prompt->images.size() && prompt->images[place].picture == picture)
      subject.image = prompt->images[place];
  }
  Q_EMIT pictureActivated(subject);
}

void PromptEditor::chooseTokensOfText(const PromptView& view) {
  if (m_choosing || &view != &m_entry->view()) return;
  const QScopedValueRollback choosing(m_choosing, true);
  m_marking->choose(view.selectedTokens());
}

void PromptEditor::chooseTextOfTokens() {
  const QList<int> chosen = m_marking->chosen();
  if (m_choosing || chosen.isEmpty() || !m_marking->hasFocus()) return;
  const QScopedValueRollback choosing(m_choosing, true);
  m_entry->view().selectTokens({chosen.first(), chosen.last()});
}

}  // namespace equipatch
