#include "ui/chart/error_chart.h"

#include <array>
#include <cmath>

#include "core/record/verdict.h"
#include "ui/chart/axes.h"
#include "ui/chart/number_text.h"

namespace equipatch {
namespace {

constexpr double kRoomForLabel = 0.1;  // of the axis, above the line it stands on

SeriesStyle errorStyle() {
  SeriesStyle style;
  style.name = QStringLiteral("hidden error");
  style.colour = [](const Colours& c) { return c.patched; };
  style.shape = QCPScatterStyle::ssDisc;
  return style;
}

SeriesStyle noiseStyle() {
  SeriesStyle style;
  style.name = QStringLiteral("noise floor or ε");
  style.colour = [](const Colours& c) { return c.noise; };
  style.line = SeriesStyle::Line::Dash;
  return style;
}

}  // namespace

ErrorChart::ErrorChart(const RunModel& model, Selection& selection, const Theme& theme,
                       QWidget* parent)
    : LayerChart(tr("Hidden error by layer"), model, selection, theme, parent),
      m_error(addSeries(errorStyle())),
      m_noise(addSeries(noiseStyle())),
      m_label(new QCPItemText(&plot())) {
  setAxisLabels(tr("layer"), tr("‖x′ − x‖ / ‖x‖"));
  makeLogarithmic(plot().yAxis);
  m_label->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
  m_label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
  connect(&selection, &Selection::stepChanged, this, &ErrorChart::showStep);
  connect(&model, &RunModel::begun, this, [this] { setHasData(false); });
  connect(this, &ChartView::restyled, this,
          [this] { m_label->setColor(this->theme().colours().noise); });
  m_label->setColor(theme.colours().noise);
  setDescription([this](double key, double) { return describe(key); });
  setFit([this] { fit(); });
}

void ErrorChart::showStep() {
  const StepRecord* step = record();
  setTitle(step ? tr("Hidden error by layer, step %1").arg(step->step.value)
                : tr("Hidden error by layer"),
           tr("Hidden error by layer"));
  if (!step) return;
  m_error->data()->clear();
  for (std::size_t layer = 0; layer < step->layers.size(); ++layer)
    m_error->addData(double(layer), logValue(step->layers[layer].hiddenError));
  showFloor(*step);
  setHasData(true);
  refresh();
}

void ErrorChart::showFloor(const StepRecord& step) {
  const RunHeader& header = *model().header();
  m_noise->data()->clear();
  const NoiseFloor floor = floorOf(step);
  const bool measured = floor.measured;
  for (std::size_t layer = 0; layer < floor.layers.size(); ++layer)
    m_noise->addData(double(layer), logValue(floor.layers[layer]));
  m_label->setVisible(!measured);
  if (measured) return;
  const double epsilon = machineEpsilon(header.dtype);
  const std::string_view dtype = torchName(header.dtype);
  m_noise->addData(-0.5, epsilon);
  for (int layer = 0; layer < int(header.layers); ++layer)
    m_noise->addData(layer, epsilon);
  m_noise->addData(double(header.layers) - 0.5, epsilon);
  m_label->setText(tr("ε of %1 = %2")
                       .arg(QString::fromUtf8(dtype.data(), qsizetype(dtype.size())),
                            numberText(epsilon)));
  m_label->position->setCoords(0.99, epsilon);
}

void ErrorChart::fit() {
  const std::array<const QCPGraph*, 2> graphs = {m_error, m_noise};
  QCPRange errors = logRange(graphs);
  if (m_label->visible())
    errors.upper *= std::pow(errors.upper / errors.lower, kRoomForLabel);
  plot().yAxis->setRange(errors);
  setKeyRange();
}

QString ErrorChart::describe(double key) const {
  const LayerRecord* layer = layerAt(key);
  if (!layer) return {};
  QString text = tr("layer %1\nhidden error %2")
                     .arg(std::lround(key))
                     .arg(numberText(layer->hiddenError));
  const auto index = std::size_t(std::lround(key));
  const NoiseFloor floor = floorOf(*record());
  if (index < floor.layers.size())
    text += tr("\nnoise %1").arg(numberText(floor.layers[index]));
  return text;
}

}  // namespace equipatch
