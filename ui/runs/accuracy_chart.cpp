// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/accuracy_chart.h"

#include <QSettings>
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/figure/figure_kind.h"
#include "core/figure/run_figures.h"
#include "ui/chart/meaning.h"

namespace equipatch {
namespace {

const QString kComparedKey = QStringLiteral("runs/compared");

/// Settings of earlier versions can say "bare: largest KL".
int quantityNamed(const QString& name, const ChoiceBox& box) {
  const int found = box.findText(name);
  if (found >= 0) return found;
  return name.startsWith(QStringLiteral("bare")) ? AccuracyChart::BareKl
                                                 : AccuracyChart::Patched;
}

ControlPass passOf(int quantity) {
  return quantity == AccuracyChart::AblatedKl ? ControlPass::Ablated : ControlPass::Bare;
}

}  // namespace

AccuracyChart::AccuracyChart(const RunList& runs, const Theme& theme, QWidget* parent)
    : ChartView(tr("Runs compared"), theme, parent),
      m_runs(runs),
      m_quantity(new ChoiceBox(this)) {
  setObjectName(QStringLiteral("accuracyChart"));
  m_quantity->addItems({tr("patched: L∞"), tr("bare: KL"), tr("ablated: KL")});
  m_quantity->setObjectName(QStringLiteral("comparedQuantity"));
  m_quantity->setAccessibleName(tr("Quantity by which runs are compared"));
  m_quantity->setToolTip(
      tr("patched: how near the patch comes. %1\n"
         "bare: what the patch has to make up for. ablated: what the absorbed "
         "part is worth. bare and ablated sort the runs by their largest KL. "
         "%2\n%3")
          .arg(meaningOf(QStringLiteral("L∞")), meaningOf(QStringLiteral("KL")),
               meaningOf(QStringLiteral("ablated"))));
  addControl(m_quantity);
  setSentence(
      tr("A box is the middle half of a run's steps, its line their median; "
         "whiskers reach from 5 % to 95 % of them, dots are the others."));
  setExplained(true);
  m_quantity->setCurrentIndex(
      quantityNamed(QSettings().value(kComparedKey).toString(), *m_quantity));
  connect(m_quantity, &QComboBox::textActivated, this,
          [](const QString& chosen) { QSettings().setValue(kComparedKey, chosen); });
  connect(m_quantity, &QComboBox::currentIndexChanged, this, &AccuracyChart::refill);
  connect(&runs, &RunList::changed, this, &AccuracyChart::refill);
  connect(&runs, &RunList::grew, this, &AccuracyChart::refill);
  connect(this, &ChartView::clicked, this, [this](double, double place) { pick(place); });
  connect(this, &ChartView::rowPicked, this, &AccuracyChart::pick);
  refill();
}

void AccuracyChart::rankByEffect() {
  m_quantity->setCurrentIndex(AblatedKl);
}

Figure AccuracyChart::figure() const {
  Figure figure = ChartView::figure();
  const bool ofControl = m_quantity->currentIndex() != Patched;
  figure.kind = name(ofControl ? FigureKind::Effect : FigureKind::Accuracy);
  if (ofControl) figure.title += tr(", by the largest KL of a step").toStdString();
  return figure;
}

void AccuracyChart::pick(double place) {
  const auto row = std::lround(place);
  if (row >= 0 && row < std::ssize(m_rows)) Q_EMIT runPicked(m_rows[std::size_t(row)]);
}

void AccuracyChart::refill() {
  const bool ofControl = m_quantity->currentIndex() != Patched;
  const ControlPass pass = passOf(m_quantity->currentIndex());
  m_rows = m_runs.shownRows();
  std::vector<FigureBox> boxes;
  for (const int row : m_rows) {
    const ListedRun& run = m_runs.at(row);
    FigureBox box = !ofControl                  ? run.linf
                    : pass == ControlPass::Bare ? run.bareEffect
                                                : run.ablatedEffect;
    box.name = run.name.toStdString();
    box.style = run.colour;
    box.colour = run.ownColour();
    boxes.push_back(std::move(box));
  }
  if (ofControl) {
    const std::vector<int> rows = std::exchange(m_rows, {});
    std::vector<FigureBox> ranked;
    for (const std::size_t box : effectOrder(boxes)) {
      ranked.push_back(boxes[box]);
      m_rows.push_back(rows[box]);
    }
    boxes = std::move(ranked);
  }
  const bool hasRuns = !m_runs.shownRows().empty();
  setEmptyText(hasRuns ? tr("No ticked run has this pass: %1")
                             .arg(meaningOf(QString::fromUtf8(name(pass))))
                       : tr("Ticked runs are compared here."));
  setDataVisible(!boxes.empty());
  m_quantity->setVisible(hasRuns);  // also without boxes, to choose another quantity
  setPanel(ofControl ? effectPanel(std::move(boxes), pass)
                     : distancePanel(std::move(boxes)));
  refresh();
}

}  // namespace equipatch
