// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/picture_map_panel.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <array>
#include <utility>

#include "ui/chart/number_text.h"
#include "ui/lab/lab_window.h"

namespace equipatch {
namespace {

struct Quantity {
  const char* name;
  const char* meaning;
  double (*of)(const ImageReading&);  ///< null: ImageGrowth has the values
};

constexpr const char* kBareMeaning = QT_TRANSLATE_NOOP(
    "PictureMapPanel",
    "How far the bare pass is from the contextual one when only this cell is kept. "
    "Smaller: the cell tells more of what the step needs.");

// The first entry is the default. It is not the TVD, because every cell's TVD is close
// to 1 if the model is sure of its token.
constexpr std::array<Quantity, 4> kQuantities{
    {{QT_TRANSLATE_NOOP("PictureMapPanel", "L∞ of the bare pass"), kBareMeaning,
      [](const ImageReading& reading) { return reading.bareLinf; }},
     {QT_TRANSLATE_NOOP("PictureMapPanel", "TVD of the bare pass"), kBareMeaning,
      [](const ImageReading& reading) { return reading.bareTvd; }},
     {QT_TRANSLATE_NOOP("PictureMapPanel", "‖ΔW‖"),
      QT_TRANSLATE_NOOP("PictureMapPanel",
                        "How large the patch still is when only this cell is kept. "
                        "Smaller: the cell tells more of what the step needs."),
      [](const ImageReading& reading) { return reading.patchNorm; }},
     {QT_TRANSLATE_NOOP("PictureMapPanel", "‖change of ΔW‖, growing"),
      QT_TRANSLATE_NOOP("PictureMapPanel",
                        "How much each token of the image changes the patch when the "
                        "context grows by it, row by row from the top left."),
      nullptr}}};

PictureMap mapOf(const MappedImage& mapped, const Quantity& quantity) {
  if (!quantity.of)
    return {.side = int(mapped.growth.side), .values = mapped.growth.overLayers()};
  PictureMap map{.side = int(mapped.map.cells),
                 .values = {},
                 .reference = quantity.of(mapped.map.nothing)};
  for (const ImageReading& reading : mapped.map.parts)
    map.values.push_back(quantity.of(reading));
  return map;
}

}  // namespace

PictureMapPanel::PictureMapPanel(PictureSubject subject, int side, PictureMapper& mapper,
                                 QWidget* parent)
    : QWidget(parent),
      m_subject(std::move(subject)),
      m_side(side),
      m_mapper(&mapper),
      m_cells(new QComboBox(this)),
      m_step(new QSpinBox(this)),
      m_quantity(new QComboBox(this)),
      m_opacity(new QSlider(Qt::Horizontal, this)),
      m_meaning(new QLabel(this)),
      m_message(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_start(new QPushButton(this)),
      m_export(new QPushButton(tr("Export…"), this)) {
  for (const std::int64_t cells : mapDivisions(side))
    m_cells->addItem(tr("%1 × %1").arg(cells), QVariant::fromValue(qlonglong(cells)));
  m_cells->setCurrentIndex(
      m_cells->findData(QVariant::fromValue(qlonglong(usualDivision(side)))));
  makeSettings();
  makeButtons();
  connectMapper();
  showState();
}

PictureMapPanel::~PictureMapPanel() {
  if (m_mapper) m_mapper->stop(m_number);
}

void PictureMapPanel::makeSettings() {
  auto* title = new QLabel(tr("What each part contributes to a step"), this);
  title->setObjectName(QStringLiteral("panelHeading"));
  title->setWordWrap(true);
  m_step->setRange(0, 1'000'000);
  m_step->setValue(int(m_subject.step));
  m_step->setToolTip(tr("The generated token, counted from 0"));
  for (const Quantity& quantity : kQuantities) m_quantity->addItem(tr(quantity.name));
  m_quantity->setObjectName(QStringLiteral("mapQuantity"));
  m_meaning->setWordWrap(true);
  m_meaning->setObjectName(QStringLiteral("mapMeaning"));
  m_message->setWordWrap(true);
  m_message->setObjectName(QStringLiteral("muted"));
  auto* form = new QFormLayout;
  form->addRow(tr("Cells"), m_cells);
  form->addRow(tr("Step"), m_step);
  form->addRow(tr("Show"), m_quantity);
  form->addRow(tr("Opacity"), m_opacity);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(title);
  column->addLayout(form);
  column->addWidget(m_meaning);
  column->addWidget(m_message);
  m_opacity->setRange(0, 100);
  m_opacity->setPageStep(25);
  m_opacity->setValue(int(100 * kOverPicture));
  m_opacity->setToolTip(
      tr("How much the map covers the image. The cell under the pointer shows the image "
         "alone."));
  connect(m_opacity, &QSlider::valueChanged, this,
          [this](int percent) { Q_EMIT opacityChanged(percent / 100.0); });
  connect(m_cells, &QComboBox::currentIndexChanged, this, &PictureMapPanel::showState);
  connect(m_step, &QSpinBox::valueChanged, this, &PictureMapPanel::showState);
  connect(m_quantity, &QComboBox::currentIndexChanged, this, &PictureMapPanel::showMap);
}

void PictureMapPanel::makeButtons() {
  m_progress->setRange(0, 1000);
  m_progress->setTextVisible(false);
  m_start->setObjectName(QStringLiteral("mapPicture"));
  m_start->setAutoDefault(false);
  m_export->setAutoDefault(false);
  auto* row = new QHBoxLayout;
  row->addWidget(m_start);
  row->addWidget(m_export);
  static_cast<QVBoxLayout*>(layout())->addWidget(m_progress);
  static_cast<QVBoxLayout*>(layout())->addLayout(row);
  connect(m_start, &QPushButton::clicked, this, &PictureMapPanel::startOrStop);
  connect(m_export, &QPushButton::clicked, this, &PictureMapPanel::exportFigure);
}

void PictureMapPanel::connectMapper() {
  connect(m_mapper, &PictureMapper::possibilityChanged, this,
          &PictureMapPanel::showState);
  connect(m_mapper, &PictureMapper::progressed, this,
          [this](int number, double fraction) {
            if (number == m_number) m_progress->setValue(int(1000.0 * fraction));
          });
  connect(m_mapper, &PictureMapper::mapped, this,
          [this](int number, const std::shared_ptr<const MappedImage>& mapped) {
            if (number != m_number) return;
            (mapped->of == MapOf::Growth ? m_grown : m_mapped) = mapped;
            showMap();
          });
  connect(m_mapper, &PictureMapper::ended, this,
          [this](int number, const QString& sentence) {
            if (number != m_number) return;
            m_number = 0;
            m_failure = sentenceText(sentence);
            showState();
            Q_EMIT ended();
          });
}

QString PictureMapPanel::start(int mostCells, int quantity) {
  if (isMapping()) return {};
  int best = 0;  // the entries are in ascending order
  for (int i = 0; i < m_cells->count(); ++i)
    if (m_cells->itemData(i).toInt() <= mostCells) best = i;
  m_cells->setCurrentIndex(best);
  m_quantity->setCurrentIndex(quantity);
  const QString problem = m_mapper->problem(m_subject);
  if (problem.isEmpty()) startOrStop();
  return problem;
}

void PictureMapPanel::startOrStop() {
  if (m_number > 0) return m_mapper->stop(m_number);
  m_failure.clear();
  m_progress->setValue(0);
  m_number = m_mapper->map(request());
  showState();
}

ImageMapRequest PictureMapPanel::request() const {
  ImageMapRequest request{.run = m_subject.run,
                          .step = m_step->value(),
                          .cells = cells(),
                          .of = kQuantities[std::size_t(m_quantity->currentIndex())].of
                                    ? MapOf::KeptCells
                                    : MapOf::Growth};
  request.run.ignoreEndOfSequence = true;
  const auto& images = request.run.images;
  while (request.image < images.size() && !(images[request.image] == m_subject.image))
    ++request.image;
  return request;
}

QString PictureMapPanel::costText() const {
  const ImageMapRequest request = this->request();
  const MapCost cost = costOf(request, m_side);
  const auto tokens = request.run.prompt.size();
  if (cost.passes == 0)
    return tr("Reads the prompt's %1 tokens %2 times.").arg(tokens).arg(cost.readings);
  return tr("Reads the prompt's %1 tokens %2, then computes %3 passes of one token.")
      .arg(tokens)
      .arg(cost.readings == 1 ? tr("once") : tr("twice"))
      .arg(cost.passes);
}

/// The newest map that has the chosen quantity; null: none yet.
const std::shared_ptr<const MappedImage>& PictureMapPanel::shown() const {
  return kQuantities[std::size_t(m_quantity->currentIndex())].of ? m_mapped : m_grown;
}

QString PictureMapPanel::staleText() const {
  const auto& mapped = shown();
  if (!mapped || mapped->step == m_step->value()) return {};
  return tr("The map shows step %1.").arg(mapped->step) + u' ';
}

void PictureMapPanel::showState() {
  const QString problem = m_mapper->problem(m_subject);
  const bool busy = m_number > 0;
  m_start->setText(busy ? tr("Stop") : tr("Map"));
  m_start->setEnabled(busy || problem.isEmpty());
  m_export->setEnabled(shown() != nullptr);
  m_opacity->setEnabled(shown() != nullptr);
  m_progress->setVisible(busy);
  const Quantity& quantity = kQuantities[std::size_t(m_quantity->currentIndex())];
  m_cells->setEnabled(quantity.of != nullptr);
  m_meaning->setText(tr(quantity.meaning));
  const QString obstacle = problem.isEmpty() ? m_failure : problem;
  m_message->setText(staleText() + (busy || obstacle.isEmpty() ? costText() : obstacle));
}

void PictureMapPanel::showMap() {
  showState();
  const Quantity& quantity = kQuantities[std::size_t(m_quantity->currentIndex())];
  const auto& mapped = shown();
  if (mapped && m_mapper) m_mapper->noteShown(*mapped, m_quantity->currentIndex());
  Q_EMIT mapChanged(mapped ? mapOf(*mapped, quantity) : PictureMap(), tr(quantity.name));
}

void PictureMapPanel::exportFigure() {
  const auto& mapped = shown();
  auto* dialog =
      new LabExport(std::shared_ptr<const LabResult>(mapped, &mapped->figures), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

}  // namespace equipatch
