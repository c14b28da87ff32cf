// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/run_line.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QVBoxLayout>
#include <filesystem>

#include "core/base/program_files.h"
#include "core/record/context_effect.h"
#include "ui/chart/number_text.h"
#include "ui/prompt/sample_prompts.h"

namespace equipatch {
namespace {

/// Whether this bundled model computed the run.
bool ran(const RunHeader& header, Resource model) {
  const auto bundled = findResource(model);
  std::error_code missing;
  return bundled && std::filesystem::equivalent(*bundled, header.modelFolder, missing);
}

QString doubtText(Doubt doubt) {
  switch (doubt) {
    case Doubt::None:
      return {};
    case Doubt::Guesses:
      return RunLine::tr(
          "The model guesses: the probability of its first token, or the geometric mean "
          "over its first tokens, is below 50 %.");
    case Doubt::Repeats:
      return RunLine::tr("The model repeats one token again and again.");
    case Doubt::Ends:
      return RunLine::tr("The model writes nothing: its first token ends the text.");
  }
  return {};
}

}  // namespace

RunLine::RunLine(const RunModel& model, const RunController& controller, QWidget* parent)
    : QFrame(parent),
      m_model(model),
      m_controller(controller),
      m_sentence(new QLabel(this)),
      m_hint(new QLabel(this)),
      m_samples(new QToolButton(this)),
      m_settings(new QToolButton(this)) {
  setObjectName(QStringLiteral("runLine"));
  compose();
  connect(&model, &RunModel::runStarted, this, &RunLine::showRun);
  connect(&model, &RunModel::stepsAppended, this, &RunLine::showRun);
  connect(&controller, &RunController::phaseChanged, this, &RunLine::showRun);
  showRun();
}

void RunLine::compose() {
  m_sentence->setObjectName(QStringLiteral("runSentence"));
  m_sentence->setAccessibleName(tr("The run in one sentence"));
  m_sentence->setTextFormat(Qt::PlainText);
  m_sentence->setWordWrap(true);
  m_hint->setObjectName(QStringLiteral("doubtHint"));
  m_hint->setAccessibleName(tr("Hint"));
  m_hint->setWordWrap(true);
  m_samples->setObjectName(QStringLiteral("doubtSamples"));
  m_samples->setText(tr("Samples ▾"));
  m_samples->setAccessibleName(tr("Prompts that the model can answer"));
  m_samples->setPopupMode(QToolButton::InstantPopup);
  m_samples->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(m_samples);
  m_samples->setMenu(menu);
  connect(menu, &QMenu::triggered, this,
          [this](const QAction* action) { Q_EMIT sampleChosen(action->data().toInt()); });
  m_settings->setObjectName(QStringLiteral("offeredSettings"));
  m_settings->setText(tr("Use its settings"));
  m_settings->setToolTip(
      tr("Sets model, dtype, method, steps and prompt as this run had them"));
  m_settings->setFocusPolicy(Qt::TabFocus);
  m_settings->hide();
  connect(m_settings, &QToolButton::clicked, this, &RunLine::settingsRequested);
  auto* run = new QHBoxLayout;
  run->addWidget(m_sentence, 1);
  run->addStretch();  // fills the row when the sentence is hidden
  run->addWidget(m_settings, 0, Qt::AlignTop);
  auto* doubt = new QHBoxLayout;
  doubt->addWidget(m_hint, 1);
  doubt->addWidget(m_samples, 0, Qt::AlignTop);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(10, 4, 6, 4);
  layout->setSpacing(4);
  layout->addLayout(run);
  layout->addLayout(doubt);
}

void RunLine::setExplained(bool explained) {
  m_explained = explained;
  showRun();
}

void RunLine::setInheritedTokens(int tokens) {
  m_inherited = tokens;
  showRun();
}

void RunLine::offerSettings(bool offered) {
  m_offered = offered;
  showRun();
}

QString RunLine::runText() const {
  using Phase = RunController::Phase;
  const Phase phase = m_controller.phase();
  if (phase != Phase::Running && phase != Phase::Stopping)
    return messageText(agreementSentence(summarise(m_model.records()),
                                         m_model.header()->request.absorbed));
  const bool samples = m_model.sampledDifferenceCount().has_value();
  return (samples ? tr("%1 of %2 most likely tokens agree so far.")
                  : tr("%1 of %2 tokens agree so far."))
      .arg(m_model.stepCount() - m_model.mismatchCount())
      .arg(m_model.stepCount());
}

/// Empty for other models than the bundled ones: a larger model may be unsure for good
/// reasons, such as many ways to begin a story. Empty for a branch: the model continues a
/// token that the user chose, so a doubt says nothing about the prompt.
QString RunLine::hintText() const {
  if (m_controller.phase() != RunController::Phase::Idle || m_inherited > 0) return {};
  const RunHeader& header = *m_model.header();
  const Doubt doubt = doubtOf(m_model.records(), header.request, m_controller.ending());
  if (doubt == Doubt::None) return {};
  if (ran(header, Resource::BundledModel) && header.request.promptText.ends_with(' '))
    return doubtText(doubt) + u' ' +
           tr("The prompt ends with a space, but this model writes a space before each "
              "word itself; remove the space at the end. The model can answer the sample "
              "prompts.");
  if (ran(header, Resource::BundledModel))
    return doubtText(doubt) + u' ' +
           tr("The small bundled model has not learnt this kind of prompt; the "
              "comparison is valid nevertheless. The model can answer the sample "
              "prompts.");
  if (ran(header, Resource::BundledVisionModel))
    return doubtText(doubt) + u' ' +
           tr("The small bundled vision model has learnt only questions about drawn "
              "shapes and numbers; the comparison is valid nevertheless. The model can "
              "answer the samples.");
  return {};
}

void RunLine::listSamples() {
  QMenu& menu = *m_samples->menu();
  menu.clear();
  const bool sees = ran(*m_model.header(), Resource::BundledVisionModel);
  const std::vector<SamplePrompt>& prompts = samplePrompts();
  for (std::size_t at = 0; at < prompts.size(); ++at)
    if (prompts[at].bundled && prompts[at].picture.isEmpty() != sees)
      menu.addAction(prompts[at].title)->setData(int(at));
}

void RunLine::showRun() {
  const bool empty = m_model.empty();
  m_sentence->setText(empty ? QString() : runText());
  m_hint->setText(empty ? QString() : hintText());
  const bool doubts = !m_hint->text().isEmpty();
  m_hint->setVisible(doubts);
  m_samples->setVisible(doubts);
  if (doubts) listSamples();
  m_sentence->setVisible(m_explained);
  m_settings->setVisible(m_offered);
  setVisible(!empty && (m_explained || doubts || m_offered));
}

}  // namespace equipatch
