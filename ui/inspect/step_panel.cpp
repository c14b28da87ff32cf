// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/step_panel.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "core/figure/panel_sentence.h"
#include "core/record/context_effect.h"
#include "ui/chart/number_text.h"
#include "ui/chart/series_style.h"
#include "ui/chart/small_widgets.h"
#include "ui/prompt/token_display.h"

namespace equipatch {
namespace {

constexpr QSize kSwatch(20, 12);

QString alphaText(double alpha) {
  return StepPanel::tr("α %1").arg(alpha, 0, 'f', 2);
}

/// The number of pixels by which type may shrink in narrow columns.
int mostSmaller(const QFont& font) {
  constexpr int kLeastPixels = 11;
  const int size = QFontInfo(font).pixelSize();
  return std::max(0, std::min(size / 4, size - kLeastPixels));
}

/// The width of the longest column heading.
int headingWidth(const QFontMetrics& metrics, bool brief) {
  constexpr int kMargins = 12;
  const QString words = ChoiceModel::tr("contextual");
  return kMargins +
         metrics.horizontalAdvance(brief ? words : ChoiceModel::tr("%1, %").arg(words));
}

/// A pass or noise reference and its distance from the contextual pass.
struct Compared {
  QString name;
  LogitDistance distance;
};

QList<Compared> comparedOf(const StepRecord& record, const StrengthReading* part) {
  QList<Compared> passes{{StepPanel::tr("patched"), record.patchedDistance}};
  if (record.bareDistance) passes.append({StepPanel::tr("bare"), *record.bareDistance});
  if (record.ablatedDistance)
    passes.append({StepPanel::tr("ablated"), *record.ablatedDistance});
  if (record.auditDistance)
    passes.append({StepPanel::tr("audit"), *record.auditDistance});
  if (record.noise) passes.append({StepPanel::tr("noise"), *record.noise});
  if (record.rounding) passes.append({StepPanel::tr("rounding"), *record.rounding});
  if (part) passes.append({alphaText(part->strength.alpha), part->distance});
  return passes;
}

/// Passes are rows, and units are below their headings, so that the table fits a narrow
/// window.
QList<QStringList> distanceRows(const QList<Compared>& passes) {
  QList<QStringList> rows{{QString(), StepPanel::tr("L∞,\nlogits"), StepPanel::tr("TVD"),
                           StepPanel::tr("KL,\nnats")}};
  for (const Compared& pass : passes)
    rows << QStringList{pass.name, numberText(pass.distance.linf),
                        numberText(pass.distance.tvd), numberText(pass.distance.kl)};
  return rows;
}

QList<QStringList> layerRows(const LayerRecord& layer, bool closesWithScale) {
  QList<QStringList> rows;
  for (const MatrixPatchNorm& matrix : layer.matrices)
    rows << QStringList{StepPanel::tr("‖ΔW %1‖").arg(matrixLabel(matrix.matrix)),
                        numberText(matrix.norm),
                        StepPanel::tr("%1 of ‖W‖").arg(numberText(matrix.relative))};
  if (closesWithScale)
    rows << QStringList{StepPanel::tr("‖Δm‖, max |Δm|"), numberText(layer.scaleNorm),
                        numberText(layer.scaleMax)};
  if (layer.biasNorm > 0.0)
    rows << QStringList{StepPanel::tr("‖Δb‖"), numberText(layer.biasNorm)};
  if (!layer.experts.empty()) {
    QStringList experts;
    for (const std::int64_t expert : layer.experts) experts << QString::number(expert);
    rows << QStringList{StepPanel::tr("experts"), experts.join(QStringLiteral(", "))}
         << QStringList{StepPanel::tr("sum of gates"), numberText(layer.gateSum)};
  }
  rows << QStringList{StepPanel::tr("‖Δv‖ / ‖v‖"), numberText(layer.effect)}
       << QStringList{StepPanel::tr("‖z‖"), numberText(layer.zNorm)}
       << QStringList{StepPanel::tr("cos(z, z_C)"), numberText(layer.zCosine)}
       << QStringList{StepPanel::tr("hidden error"), numberText(layer.hiddenError)};
  if (layer.smallestDivisor > 0.0)
    rows << QStringList{StepPanel::tr("smallest divisor"),
                        numberText(layer.smallestDivisor)};
  if (layer.guarded > 0)
    rows << QStringList{StepPanel::tr("guarded"), QString::number(layer.guarded)};
  return rows;
}

/// Only for a step that sampled.
QString sampledPair(const StepRecord& record) {
  if (*record.sampledMatch) return StepPanel::tr("match");
  return StepPanel::tr("◆ %1, patched %2")
      .arg(visibleToken(record), visiblePatchedToken(record));
}

/// Stands before the sentence on the most likely tokens.
QString sampledVerdict(const StepRecord& record) {
  if (!record.sampledMatch) return {};
  return (*record.sampledMatch ? StepPanel::tr("✓ The sampled tokens agree.")
                               : StepPanel::tr("◆ The sampled tokens differ.")) +
         StepPanel::tr("\nThe most likely ones: ");
}

}  // namespace

StepPanel::StepPanel(const RunModel& model, Selection& selection, const Theme& theme,
                     QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_selection(selection),
      m_swatch(new QLabel(this)),
      m_run(makeLabel(QStringLiteral("stepRun"))),
      m_heading(makeLabel(QStringLiteral("panelHeading"))),
      m_sentence(makeLabel(QStringLiteral("stepSentence"))),
      m_verdict(makeLabel(QStringLiteral("verdict"))),
      m_choices(new ChoiceModel(this)),
      m_table(makeTable(theme)),
      m_distances(new NumberGrid(this)),
      m_facts(new NumberGrid(this)),
      m_layerHeading(makeLabel(QStringLiteral("panelHeading"))),
      m_layer(new NumberGrid(this)),
      m_layerNote(makeLabel(QStringLiteral("muted"))) {
  compose();
  connect(&model, &RunModel::runStarted, this, &StepPanel::showSelected);
  connect(&model, &RunModel::stepsAppended, this, &StepPanel::judgeAgain);
  connect(&selection, &Selection::stepChanged, this, &StepPanel::showSelected);
  connect(&selection, &Selection::layerChanged, this, &StepPanel::showSelected);
  connect(&selection, &Selection::followingChanged, this, &StepPanel::showSelected);
  showSelected();
}

QLabel* StepPanel::makeLabel(const QString& name) {
  auto* label = new QLabel(this);
  label->setObjectName(name);
  label->setTextFormat(Qt::PlainText);  // names of runs and tokens may look like HTML
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

QTableView* StepPanel::makeTable(const Theme& theme) {
  auto* table = new QTableView(this);
  table->setObjectName(QStringLiteral("choices"));
  table->setAccessibleName(tr("Most likely tokens of the passes"));
  table->setModel(m_choices);
  table->setItemDelegate(new ChoiceDelegate(theme, table));
  table->setShowGrid(false);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setTabKeyNavigation(false);
  const auto choose = [this](const QModelIndex& index) {
    if (const Choice* choice = m_choices->choice(index)) Q_EMIT tokenChosen(*choice);
  };
  connect(table, &QTableView::activated, this, choose);
  auto* branch = new QAction(tr("&Branch: run on from here with this token"), table);
  branch->setObjectName(QStringLiteral("branchHere"));
  connect(branch, &QAction::triggered, table,
          [table, choose] { choose(table->currentIndex()); });
  table->addAction(branch);
  table->setContextMenuPolicy(Qt::ActionsContextMenu);
  table->setFrameShape(QFrame::NoFrame);
  table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  table->horizontalHeader()->setHighlightSections(false);
  table->horizontalHeader()->setTextElideMode(Qt::ElideRight);
  table->verticalHeader()->setVisible(false);
  table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  // Qt's default minimum follows the header's font, which changes after the panel's.
  table->verticalHeader()->setMinimumSectionSize(1);
  table->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return table;
}

void StepPanel::compose() {
  auto* inside = new QWidget(this);
  inside->setObjectName(QStringLiteral("stepPanel"));
  inside->setAttribute(Qt::WA_StyledBackground);
  auto* layout = m_layout = new QVBoxLayout(inside);
  layout->setContentsMargins(6, 8, 6, 8);
  layout->setSpacing(6);
  layout->addLayout(makeRunLine());
  layout->addWidget(m_heading);
  layout->addWidget(m_sentence);
  layout->addWidget(m_verdict);
  layout->addWidget(m_table);
  m_table->installEventFilter(this);
  m_table->horizontalHeader()->installEventFilter(this);
  for (QWidget* widget :
       {static_cast<QWidget*>(m_distances), static_cast<QWidget*>(m_facts),
        static_cast<QWidget*>(m_layerHeading), static_cast<QWidget*>(m_layer),
        static_cast<QWidget*>(m_layerNote)})
    layout->addWidget(widget);
  layout->addStretch();
  QScrollArea* scroll = scrollable(inside);
  scroll->setFocusPolicy(Qt::NoFocus);  // Tab goes to the contents
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 4, 0);
  outer->addWidget(scroll);
}

QLayout* StepPanel::makeRunLine() {
  auto* line = new QHBoxLayout;
  line->setSpacing(6);
  line->addWidget(m_swatch);
  line->addWidget(m_run, 1);
  showRun({}, {});
  return line;
}

void StepPanel::showRun(const QString& name, const QIcon& swatch) {
  m_run->setText(name);
  m_run->setVisible(!name.isEmpty());
  m_swatch->setPixmap(swatch.pixmap(kSwatch));
  m_swatch->setVisible(!swatch.isNull());
}

void StepPanel::addStrength(StrengthPanel* strength) {
  m_strength = strength;
  m_layout->insertWidget(m_layout->indexOf(m_distances) + 1, strength);
  connect(strength, &StrengthPanel::shownChanged, this, &StepPanel::showPart);
  showPart();
}

/// Reserves a row for the slider's strength even without a reading: the slider is below
/// this table and must not move under the mouse.
void StepPanel::showDistances(const StepRecord& record) {
  QList<QStringList> rows = distanceRows(comparedOf(record, part()));
  if (m_strength && !part()) rows << QStringList{QString(QChar::Nbsp)};
  m_distances->setRows(rows);
}

void StepPanel::showPart() {
  const StepRecord* record = m_model.find(m_selection.step());
  const StrengthReading* reading = part();
  m_choices->setAtStrength(reading ? reading->choices : Choices{},
                           reading ? alphaText(reading->strength.alpha) : QString());
  fitColumns();
  if (record) showDistances(*record);
}

void StepPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange && m_layout) showSelected();
}

/// The fonts of the table and its header may change after the panel's font.
bool StepPanel::eventFilter(QObject* watched, QEvent* event) {
  const bool isFitted = event->type() == QEvent::FontChange ||
                        (watched == m_table && event->type() == QEvent::Resize);
  if (isFitted) fitColumns();
  return QWidget::eventFilter(watched, event);
}

/// The height follows the panel's font and not the smaller type of narrow columns, so
/// that the strength slider below the table does not move.
void StepPanel::fitTable() {
  constexpr int kPadding = 8;  // above and below a heading, together
  const int heading = fontMetrics().height() + kPadding;
  const int row = ChoiceDelegate::rowHeight(fontMetrics());
  m_table->horizontalHeader()->setFixedHeight(heading);
  m_table->verticalHeader()->setDefaultSectionSize(row);
  m_table->setFixedHeight(heading + m_choices->rowCount() * row);
}

/// In narrow columns, type shrinks first, then headings lose their unit. If the first
/// column's heading, the longest, is still too wide, the first column becomes wider.
void StepPanel::fitColumns() {
  QHeaderView* header = m_table->horizontalHeader();
  const int column = m_table->width() / std::max(1, m_choices->columnCount());
  const auto fits = [&](int by, bool brief) {
    const QFontMetrics metrics(smallerFont(font(), by));
    return headingWidth(metrics, brief) <= column &&
           ChoiceDelegate::leastWidth(metrics) <= column;
  };
  const auto leastThatFits = [&, most = mostSmaller(font())](bool brief) {
    int by = 0;
    while (by < most && !fits(by, brief)) ++by;
    return by;
  };
  int by = leastThatFits(false);
  const bool brief = !fits(by, false);
  if (brief) by = leastThatFits(true);
  m_choices->setBrief(brief);
  const QFont fitting = smallerFont(font(), by);
  m_table->setFont(fitting);
  header->setFont(fitting);  // a header with a style sheet inherits no font
  const int widest = headingWidth(QFontMetrics(fitting), brief);
  const bool narrow = widest > column;
  header->setSectionResizeMode(0, narrow ? QHeaderView::Fixed : QHeaderView::Stretch);
  if (narrow) header->resizeSection(0, widest);
}

void StepPanel::showSelected() {
  const StepRecord* record = m_model.find(m_selection.step());
  m_choices->setStep(record);
  fitColumns();
  m_sentence->setVisible(record);
  fitTable();
  for (QWidget* widget :
       {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_distances),
        static_cast<QWidget*>(m_facts)})
    widget->setVisible(record);
  const bool layer = record && m_selection.layer() >= 0 &&
                     m_selection.layer() < int(record->layers.size());
  for (QWidget* widget :
       {static_cast<QWidget*>(m_layerHeading), static_cast<QWidget*>(m_layer),
        static_cast<QWidget*>(m_layerNote)})
    widget->setVisible(layer);
  if (record) return showStep(*record);
  m_heading->setText(tr("No step yet"));
  m_verdict->setText(
      tr("For each step of a run, this panel shows the most likely next tokens of the "
         "three passes and how far the passes are apart."));
}

/// Without a verdict if the step cannot be judged without a noise floor and the run did
/// not try to measure one.
QString StepPanel::verdictText(const StepRecord& record) const {
  const QString sign = record.match ? QStringLiteral("✓ ") : QStringLiteral("✗ ");
  const NoiseFloor& floor = m_model.noiseFloor();
  const Verdict verdict = judge(record, floor, m_model.header()->request.strength);
  const QString margin = QString::fromStdString(marginSentence(record));
  if (verdict.kind == VerdictKind::Unmeasured && !floor.overflowed) return sign + margin;
  const QString sentence = messageText(verdict.sentence);
  return sign + margin + QLatin1Char('\n') + sentence.left(1).toUpper() +
         sentence.mid(1) + QLatin1Char('.');
}

void StepPanel::showStep(const StepRecord& record) {
  const QString step =
      m_selection.isFollowing() ? tr("Step %1, newest: %2") : tr("Step %1: %2");
  m_heading->setText(step.arg(record.step.value).arg(visibleToken(record)));
  showJudgement(record);
  showDistances(record);
  QList<QStringList> facts{{tr("margin, logits"), numberText(record.margin)},
                           {tr("position of x"), QString::number(record.position.value)},
                           {tr("time, ms"), numberText(record.milliseconds)}};
  if (record.sampledMatch)
    facts << QStringList{tr("sampled tokens"), sampledPair(record)};
  m_facts->setRows(facts);
  if (m_layer->isVisibleTo(this)) showLayer(record);
}

void StepPanel::showJudgement(const StepRecord& record) {
  // While the panel follows a run, nobody has time to read a comparison of steps.
  const auto at = std::size_t(m_selection.step());
  const AbsorbedSet& absorbed = m_model.header()->request.absorbed;
  m_sentence->setText(QString::fromStdString(
      m_selection.isFollowing() ? stepSentence(record, absorbed)
                                : stepSentence(m_model.records(), at, absorbed)));
  m_verdict->setText(sampledVerdict(record) + verdictText(record));
}

/// The sentence and the verdict compare the step with all steps of the run, so a new step
/// may change both.
void StepPanel::judgeAgain() {
  const StepRecord* record = m_model.find(m_selection.step());
  if (record && !m_selection.isFollowing()) showJudgement(*record);
}

void StepPanel::showLayer(const StepRecord& record) {
  const LayerRecord& layer = record.layers[std::size_t(m_selection.layer())];
  m_layerHeading->setText(tr("Layer %1").arg(m_selection.layer()));
  m_layer->setRows(layerRows(layer, m_model.header()->closesWithScale));
  m_layerNote->setText(QString::fromStdString(layer.note));
  m_layerNote->setVisible(!layer.note.empty());
}

}  // namespace equipatch
