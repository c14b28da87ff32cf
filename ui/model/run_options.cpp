// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/run_options.h"

#include <QFormLayout>
#include <QRegularExpressionValidator>
#include <QSettings>
#include <algorithm>
#include <limits>

namespace equipatch {
namespace {

// Temperature, top-p and seed have the bounds of the command line's options; a spin box
// limits top-k.
constexpr double kHottest = 1000.0;
constexpr int kShownDecimals = 9;  // kLeastTopP needs them
constexpr double kLeastTopP = 1e-9;
constexpr int kMostTopK = std::numeric_limits<int>::max();
constexpr qulonglong kMostSeed = std::numeric_limits<qint64>::max();

const QString kGroup = QStringLiteral("run/");

/// Shows no trailing zeros.
class DecimalBox final : public QDoubleSpinBox {
 public:
  using QDoubleSpinBox::QDoubleSpinBox;

  QString textFromValue(double value) const override {
    return locale().toString(value, 'f', QLocale::FloatingPointShortest);
  }
};

}  // namespace

RunOptions::RunOptions(QWidget* parent) : QWidget(parent), m_form(new QFormLayout(this)) {
  m_form->setContentsMargins(0, 0, 0, 0);
  m_form->setVerticalSpacing(4);
  m_form->setHorizontalSpacing(8);
  m_bare = addCheck("bare", tr("Run the bare control"),
                    tr("Runs the original weights without the context: shows what the "
                       "patch had to supply"));
  m_bare->setChecked(true);
  m_ablated = addCheck("ablated", tr("Run the ablated pass"),
                       tr("Where a part of the context is absorbed: runs the original "
                          "weights on the text without this part, so that the kept "
                          "tokens are computed without it, too"));
  m_noise = addCheck("noise", tr("Measure the noise floor"),
                     tr("Runs the contextual pass again with another order of summation "
                        "and, in 16-bit dtypes, without rounding, and judges every step "
                        "by the larger difference"));
  m_audit = addCheck("audit", tr("Audit each patch"),
                     tr("Replays every finished patch with all sums in another order: "
                        "the difference shows how much depends on rounding"));
  addSampling();
  m_freeRun = addCheck("freeRun", tr("Continue with the patched token"),
                       tr("Where the passes choose different tokens, the text continues "
                          "with that of the patched pass instead of the contextual "
                          "pass's"));
  m_ignoreEnd = addCheck("ignoreEnd", tr("Ignore the end of the text"),
                         tr("Takes all steps, also after a token that ends the text"));
  m_keepFactors = addCheck("keepFactors", tr("Record the whole patches"),
                           tr("The run's file also contains u, w, Δm, v and z of every "
                              "step and layer: megabytes per step"));
  showSamplingRows();
}

QCheckBox* RunOptions::addCheck(const char* name, const QString& text,
                                const QString& toolTip) {
  auto* box = new QCheckBox(text, this);
  box->setObjectName(QString::fromLatin1(name));
  box->setToolTip(toolTip);
  m_form->addRow(box);
  return box;
}

void RunOptions::addSampling() {
  m_temperature = new DecimalBox(this);
  m_temperature->setObjectName(QStringLiteral("temperature"));
  m_temperature->setAccessibleName(tr("Temperature"));
  m_temperature->setRange(0.0, kHottest);
  m_temperature->setDecimals(kShownDecimals);
  m_temperature->setSingleStep(0.1);
  m_temperature->setSpecialValueText(tr("0 (most likely)"));
  m_temperature->setToolTip(
      tr("0: each pass takes its most likely token. Above: tokens are drawn by their "
         "probabilities at this temperature, with the same random numbers for both "
         "passes"));
  m_topK = new QSpinBox(this);
  m_topK->setObjectName(QStringLiteral("topK"));
  m_topK->setAccessibleName(tr("Top-k"));
  m_topK->setRange(0, kMostTopK);
  m_topK->setSpecialValueText(tr("all tokens"));
  m_topK->setToolTip(tr("Draws among the k most likely tokens only"));
  m_topP = new DecimalBox(this);
  m_topP->setObjectName(QStringLiteral("topP"));
  m_topP->setAccessibleName(tr("Top-p"));
  m_topP->setRange(kLeastTopP, 1.0);
  m_topP->setDecimals(kShownDecimals);
  m_topP->setSingleStep(0.05);
  m_topP->setValue(1.0);
  m_topP->setToolTip(tr("Draws among the fewest tokens whose probabilities add up to p"));
  m_seed = new QLineEdit(QStringLiteral("0"), this);
  m_seed->setObjectName(QStringLiteral("seed"));
  m_seed->setAccessibleName(tr("Seed"));
  m_seed->setValidator(new QRegularExpressionValidator(
      QRegularExpression(QStringLiteral("\\d{1,19}")), m_seed));
  connect(m_seed, &QLineEdit::editingFinished, this,
          [this] { m_seed->setText(QString::number(seed())); });
  m_seed->setToolTip(tr("The same seed gives the same random numbers, on every machine"));
  m_form->addRow(tr("Temperature"), m_temperature);
  m_form->addRow(tr("Top-k"), m_topK);
  m_form->addRow(tr("Top-p"), m_topP);
  m_form->addRow(tr("Seed"), m_seed);
  connect(m_temperature, &QDoubleSpinBox::valueChanged, this,
          &RunOptions::showSamplingRows);
}

void RunOptions::showSamplingRows() {
  const bool samples = m_temperature->value() > 0.0;
  for (QWidget* field : {static_cast<QWidget*>(m_topK), static_cast<QWidget*>(m_topP),
                         static_cast<QWidget*>(m_seed)})
    m_form->setRowVisible(field, samples);
}

/// What the fields hold, including hidden ones.
Sampling RunOptions::sampling() const {
  return {.temperature = m_temperature->value(),
          .topK = m_topK->value(),
          .topP = m_topP->value(),
          .seed = seed()};
}

quint64 RunOptions::seed() const {
  return std::min(m_seed->text().toULongLong(), kMostSeed);
}

void RunOptions::applyTo(RunRequest& request) const {
  request.bare = m_bare->isChecked();
  request.ablated = m_ablated->isChecked();
  request.measureNoise = m_noise->isChecked();
  request.audit = m_audit->isChecked();
  request.sampling = m_temperature->value() > 0.0 ? sampling() : Sampling{};
  request.freeRun = m_freeRun->isChecked();
  request.ignoreEndOfSequence = m_ignoreEnd->isChecked();
  request.keepFactors = m_keepFactors->isChecked();
}

void RunOptions::showSampling(const Sampling& sampling) {
  m_topK->setValue(int(std::clamp<std::int64_t>(sampling.topK, 0, kMostTopK)));
  m_topP->setValue(sampling.topP);
  m_seed->setText(QString::number(sampling.seed));
}

RunOptions::State RunOptions::state() const {
  State state{.request = {}, .sampling = sampling()};
  applyTo(state.request);
  return state;
}

void RunOptions::restore(const State& state) {
  show(state.request);
  showSampling(state.sampling);
}

void RunOptions::save() const {
  QSettings settings;
  for (const QCheckBox* box : findChildren<QCheckBox*>())
    settings.setValue(kGroup + box->objectName(), box->isChecked());
  settings.setValue(kGroup + m_temperature->objectName(), m_temperature->value());
  settings.setValue(kGroup + m_topK->objectName(), m_topK->value());
  settings.setValue(kGroup + m_topP->objectName(), m_topP->value());
  settings.setValue(kGroup + m_seed->objectName(), m_seed->text());
}

void RunOptions::restore() {
  const QSettings settings;
  const auto kept = [&](const QWidget& field, const QVariant& otherwise) {
    return settings.value(kGroup + field.objectName(), otherwise);
  };
  for (QCheckBox* box : findChildren<QCheckBox*>())
    box->setChecked(kept(*box, box->isChecked()).toBool());
  m_temperature->setValue(kept(*m_temperature, 0.0).toDouble());
  m_topK->setValue(kept(*m_topK, 0).toInt());
  m_topP->setValue(kept(*m_topP, 1.0).toDouble());
  m_seed->setText(QString::number(kept(*m_seed, 0).toULongLong()));
}

void RunOptions::show(const RunRequest& request) {
  m_bare->setChecked(request.bare);
  m_ablated->setChecked(request.ablated);
  m_noise->setChecked(request.measureNoise);
  m_audit->setChecked(request.audit);
  m_temperature->setValue(request.sampling.temperature);
  // A request without sampling says nothing about the other fields of sampling.
  if (request.samples()) showSampling(request.sampling);
  m_freeRun->setChecked(request.freeRun);
  m_ignoreEnd->setChecked(request.ignoreEndOfSequence);
  m_keepFactors->setChecked(request.keepFactors);
}

}  // namespace equipatch
