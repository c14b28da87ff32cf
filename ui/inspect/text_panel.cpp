// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/text_panel.h"

#include <QKeyEvent>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "core/record/context_effect.h"

namespace equipatch {
namespace {

constexpr std::int64_t kBareSteps = 40;
constexpr int kGatherMilliseconds = 60;
// The least time between updates, as a multiple of the last update's duration: updates of
// long texts are slow.
constexpr int kRest = 4;
constexpr qint64 kMostRestMilliseconds = 500;

QString textHeading(const QString& words) {
  return QStringLiteral("<p style='margin:10px 0 2px 0'><b>%1</b></p>")
      .arg(words.toHtmlEscaped());
}

QString textParagraph(const QString& html) {
  return QStringLiteral("<p style='margin:0; white-space:pre-wrap'>%1</p>").arg(html);
}

/// In a run that samples, compares the sampled tokens.
bool tokensDiffer(const StepRecord& step) {
  return step.sampledMatch ? !*step.sampledMatch : !step.match;
}

QString busyText(RunController::Phase phase) {
  switch (phase) {
    case RunController::Phase::Loading:
      return TextPanel::tr("Wait for the load first");
    case RunController::Phase::Stopping:
      return TextPanel::tr("Wait for the stop first");
    default:
      return TextPanel::tr("Pause the run first");
  }
}

}  // namespace

TextPanel::TextPanel(const Sources& sources, QWidget* parent)
    : QWidget(parent),
      m_sources(sources),
      m_browser(new QTextBrowser(this)),
      m_write(new QPushButton(tr("Let the bare model write"), this)),
      m_load(new QPushButton(tr("Load its model"), this)) {
  setObjectName(QStringLiteral("textPanel"));
  m_browser->setObjectName(QStringLiteral("passTexts"));
  m_browser->setAccessibleName(tr("Texts of the passes"));
  m_browser->setOpenLinks(false);
  // Without LinksAccessibleByKeyboard, because Tab would stop at every token.
  m_browser->setTextInteractionFlags(Qt::TextSelectableByMouse |
                                     Qt::LinksAccessibleByMouse);
  m_browser->installEventFilter(this);
  m_browser->setFrameShape(QFrame::NoFrame);
  m_write->setObjectName(QStringLiteral("bareWrites"));
  m_load->setObjectName(QStringLiteral("loadForTexts"));
  m_load->setToolTip(tr("Loads the run's own model, so that it can write"));
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(6, 6, 6, 6);
  layout->addWidget(m_browser, 1);
  layout->addWidget(m_write, 0, Qt::AlignLeft);
  layout->addWidget(m_load, 0, Qt::AlignLeft);
  m_soon.setSingleShot(true);
  m_shown.start();
  connectAll();
  showState();
}

void TextPanel::connectAll() {
  connect(&m_soon, &QTimer::timeout, this, &TextPanel::showTexts);
  connect(&m_sources.model, &RunModel::runStarted, this, [this] {
    m_sources.bare.stop();
    m_bareText.clear();
    m_problem.clear();
    showState();
  });
  connect(&m_sources.model, &RunModel::stepsAppended, this, &TextPanel::showState);
  connect(&m_sources.selection, &Selection::stepChanged, this, &TextPanel::showSoon);
  connect(&m_sources.theme, &Theme::changed, this, &TextPanel::showSoon);
  connect(&m_sources.controller, &RunController::phaseChanged, this,
          &TextPanel::showState);
  connect(&m_sources.controller, &RunController::modelChanged, this,
          &TextPanel::showState);
  connect(&m_sources.bare, &BareText::written, this, [this](const QString& text) {
    m_bareText = text;
    showSoon();
  });
  connect(&m_sources.bare, &BareText::failed, this, [this](const QString& sentence) {
    m_problem = sentence;
    showSoon();
  });
  connect(m_write, &QPushButton::clicked, this, &TextPanel::requestBare);
  connect(m_load, &QPushButton::clicked, this, &TextPanel::modelRequested);
  connect(m_browser, &QTextBrowser::anchorClicked, this, [this](const QUrl& step) {
    m_sources.selection.selectStep(step.toString().toInt());
  });
}

void TextPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  showTexts();
}

bool TextPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched != m_browser || event->type() != QEvent::KeyPress)
    return QWidget::eventFilter(watched, event);
  const auto& key = *static_cast<const QKeyEvent*>(event);
  const bool back = key.key() == Qt::Key_Left, on = key.key() == Qt::Key_Right;
  if ((!back && !on) || key.modifiers() & ~Qt::KeypadModifier) return false;
  m_sources.selection.moveStep(on ? 1 : -1);
  return true;
}

/// Does not restart a running timer: every step of a fast run would postpone the update.
void TextPanel::showSoon() {
  if (m_soon.isActive()) return;
  const qint64 rest = m_restMilliseconds - m_shown.elapsed();
  m_soon.start(int(std::max<qint64>(kGatherMilliseconds, rest)));
}

void TextPanel::showState() {
  using Phase = RunController::Phase;
  const Phase phase = m_sources.controller.phase();
  const bool idle = phase == Phase::Idle || phase == Phase::Paused;
  const auto loaded = m_sources.controller.loaded();
  const RunHeader* run = m_sources.model.header();
  const bool own = run && loaded && computesRun(*loaded, *run);
  if (!idle || !own) m_sources.bare.stop();
  m_write->setEnabled(idle && own && !m_sources.model.empty());
  m_load->setVisible(run && !own && !m_sources.model.empty());
  m_load->setEnabled(idle);
  m_write->setToolTip(
      !run || m_sources.model.empty() ? tr("Needs a run with a step")
      : !own  ? tr("Needs the run's own model, which is not loaded")
      : !idle ? busyText(phase)
              : tr("A short text by the same model without the absorbed part and without "
                   "the patch"));
  showSoon();
}

void TextPanel::requestBare() {
  m_bareText.clear();
  m_problem.clear();
  m_sources.bare.request(*m_sources.controller.loaded(),
                         bareRequest(m_sources.model.header()->request, kBareSteps));
  showSoon();
}

/// Makes one link of tokens that share a character.
QString TextPanel::tokensOf(const PassText& pass, bool patched) const {
  const Colours& c = m_sources.theme.colours();
  QString html;
  for (std::size_t first = 0; first < pass.begins.size();) {
    const std::size_t next = endOfCharacter(pass, first);
    bool selected = false, differs = false;
    for (std::size_t step = first; step < next; ++step) {
      selected = selected || int(step) == m_sources.selection.step();
      differs = differs || (patched && tokensDiffer(m_sources.model.step(int(step))));
    }
    const std::size_t end =
        next < pass.begins.size() ? pass.begins[next] : pass.text.size();
    const std::string bytes =
        pass.text.substr(pass.begins[first], end - pass.begins[first]);
    const QColor ink = selected ? c.accentText : differs ? c.mismatch : c.text;
    html += QStringLiteral("<a href='%1' style='color:%2;%3 text-decoration:%4'>%5</a>")
                .arg(first)
                .arg(ink.name(),
                     selected ? QStringLiteral("background:%1;").arg(c.accent.name())
                              : QString(),
                     differs ? QStringLiteral("underline") : QStringLiteral("none"),
                     QString::fromStdString(bytes).toHtmlEscaped());
    first = next;
  }
  return html;
}

QString TextPanel::bareParagraph() const {
  const QString muted = QStringLiteral("<span style='color:%1'>%2</span>");
  const QString ink = m_sources.theme.colours().muted.name();
  if (!m_problem.isEmpty()) return muted.arg(ink, m_problem.toHtmlEscaped());
  const bool whole = m_sources.model.header()->request.absorbed.whole();
  if (!m_bareText.isEmpty() && whole) return m_bareText.toHtmlEscaped();
  if (!m_bareText.isEmpty())
    return m_bareText.toHtmlEscaped() + QStringLiteral("<br>") +
           muted.arg(ink, tr("This text is from a separate run, which computes the kept "
                             "tokens without the absorbed part. The first sentence "
                             "counts the bare pass instead: its kept tokens were "
                             "computed with the absorbed part and may hold some of "
                             "it."));
  const QString offer =
      whole ? tr("The button below lets the same model write on its own, from the "
                 "prompt's last token on.")
            : tr("The button below lets the same model write on its own, from the kept "
                 "tokens on.");
  return muted.arg(ink, offer);
}

void TextPanel::showTexts() {
  if (!isVisible()) return;
  QElapsedTimer taken;
  taken.start();
  const int place = m_browser->verticalScrollBar()->value();
  const RunModel& model = m_sources.model;
  if (model.empty()) {
    m_browser->setHtml(textParagraph(
        tr("The texts of a run appear here: with the context, patched without it, and "
           "without either.")));
    return;
  }
  const AbsorbedSet& absorbed = model.header()->request.absorbed;
  const QString lacks =
      absorbed.whole() ? tr("Without the context") : tr("Without the absorbed part");
  m_browser->setHtml(
      textParagraph(QString::fromStdString(runSentence(model.records(), absorbed))
                        .toHtmlEscaped()) +
      textHeading(tr("With the context")) +
      textParagraph(tokensOf(contextualText(model.records()), false)) +
      textHeading(tr("%1, patched").arg(lacks)) +
      textParagraph(tokensOf(patchedText(model.records()), true)) +
      textHeading(absorbed.whole() ? tr("Without either")
                                   : tr("From the kept part alone")) +
      textParagraph(bareParagraph()));
  m_browser->verticalScrollBar()->setValue(place);
  m_restMilliseconds = std::min(kRest * taken.elapsed(), kMostRestMilliseconds);
  m_shown.start();
}

}  // namespace equipatch
