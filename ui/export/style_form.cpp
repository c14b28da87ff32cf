// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/style_form.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QSettings>
#include <QSignalBlocker>
#include <algorithm>
#include <array>

#include "ui/figure/paper.h"

namespace equipatch {
namespace {

struct Preset {
  const char* name;
  double width;
  double height;
};

constexpr std::array kPresets = {
    Preset{QT_TRANSLATE_NOOP("equipatch::StyleForm", "Single column"), kSingleColumn,
           0.0},
    Preset{QT_TRANSLATE_NOOP("equipatch::StyleForm", "Double column"), kDoubleColumn,
           0.0},
    Preset{QT_TRANSLATE_NOOP("equipatch::StyleForm", "Slide 16:9"), kSlideWidth,
           kSlideHeight}};
// Indices of the combo box; the presets come first.
constexpr int kSingle = 0;
constexpr int kDouble = 1;
constexpr int kCustomSize = int(kPresets.size());

QDoubleSpinBox* spinBox(double least, double most, const QString& unit) {
  auto* box = new QDoubleSpinBox;
  box->setRange(least, most);
  box->setSuffix(unit);
  box->setKeyboardTracking(false);
  return box;
}

/// True if the fonts for figures include this one; Qt silently replaces other fonts.
bool isOffered(const QString& family) {
  return std::ranges::any_of(figureFonts(), [&](const FigureFont& font) {
    return family == QLatin1String(font.family);
  });
}

QString key(const char* name) {
  return QStringLiteral("figure/") + QLatin1String(name);
}

}  // namespace

StyleForm::StyleForm(QWidget* parent)
    : QWidget(parent),
      m_sizes(new QComboBox),
      m_width(spinBox(kMinSize, kMaxSize, tr(" in"))),
      m_height(spinBox(0.0, kMaxSize, tr(" in"))),
      m_fonts(new QComboBox),
      m_font(spinBox(kMinFontSize, kMaxFontSize, tr(" pt"))),
      m_dpi(new QSpinBox),
      m_places(new QComboBox),
      m_legend(new QCheckBox(tr("&Legend"))),
      m_shared(new QCheckBox(tr("One legend for all panels"))),
      m_letters(new QCheckBox(tr("Panel l&etters (a), (b), …"))),
      m_title(new QCheckBox(tr("T&itle"))) {
  for (const Preset& preset : kPresets) m_sizes->addItem(tr(preset.name));
  m_sizes->addItem(tr("Custom size"));
  m_height->setSpecialValueText(tr("as needed"));
  m_height->setSingleStep(0.25);
  m_width->setSingleStep(0.25);
  m_font->setDecimals(1);
  m_font->setSingleStep(0.5);
  m_dpi->setRange(36, 2400);
  m_dpi->setSuffix(tr(" dpi"));
  addFonts();
  addPlaces();
  auto* legend = new QHBoxLayout;
  legend->addWidget(m_legend);
  legend->addWidget(m_places, 1);
  auto* form = new QFormLayout(this);
  form->setContentsMargins({});
  form->addRow(tr("Si&ze"), m_sizes);
  form->addRow(tr("&Width"), m_width);
  form->addRow(tr("&Height"), m_height);
  form->addRow(tr("Fon&t"), m_fonts);
  form->addRow(tr("F&ont size"), m_font);
  form->addRow(tr("P&NG"), m_dpi);
  form->addRow(legend);
  for (QCheckBox* box : {m_shared, m_letters, m_title}) form->addRow(box);
  setStyle({});
  connect(m_sizes, &QComboBox::activated, this, &StyleForm::chooseSize);
  connect(m_sizes, &QComboBox::activated, this, [this] { m_isSizeChosen = true; });
  for (QDoubleSpinBox* box : {m_width, m_height})
    connect(box, &QDoubleSpinBox::valueChanged, this, [this] {
      if (!signalsBlocked()) m_isSizeChosen = true;  // not by setStyle, chooseSize
      sizeEdited();
    });
  connect(m_font, &QDoubleSpinBox::valueChanged, this, &StyleForm::changed);
  connect(m_dpi, &QSpinBox::valueChanged, this, &StyleForm::changed);
  for (QCheckBox* box : {m_legend, m_shared, m_letters, m_title})
    connect(box, &QCheckBox::toggled, this, &StyleForm::changed);
  for (QComboBox* box : {m_fonts, m_places})
    connect(box, &QComboBox::currentIndexChanged, this, &StyleForm::changed);
  connect(m_legend, &QCheckBox::toggled, this, &StyleForm::enableLegend);
}

void StyleForm::addFonts() {
  m_fonts->setAccessibleName(tr("Font"));
  for (const FigureFont& font : figureFonts())
    m_fonts->addItem(tr(font.title), QString::fromLatin1(font.family));
  m_fonts->setToolTip(tr(
      "The font is embedded in PDF. In pgfplots (.tex) texts take the document's font."));
}

void StyleForm::addPlaces() {
  m_places->setAccessibleName(tr("Place of the legend"));
  m_places->addItem(tr("above"), int(LegendPlace::Above));
  m_places->addItem(tr("below"), int(LegendPlace::Below));
  m_places->addItem(tr("right"), int(LegendPlace::Right));
}

FigureStyle StyleForm::style() const {
  FigureStyle style;
  style.width = m_width->value();
  style.height = m_height->value();
  style.fontSize = m_font->value();
  style.dpi = m_dpi->value();
  style.family = m_fonts->currentData().toString();
  style.legend = m_legend->isChecked();
  style.legendPlace = LegendPlace(m_places->currentData().toInt());
  style.sharedLegend = m_shared->isChecked();
  style.letters = m_letters->isChecked();
  style.title = m_title->isChecked();
  return style;
}

void StyleForm::setStyle(const FigureStyle& style) {
  {
    const QSignalBlocker quiet(this);
    m_width->setValue(style.width);
    m_height->setValue(style.height);
    m_font->setValue(style.fontSize);
    m_dpi->setValue(style.dpi);
    m_fonts->setCurrentIndex(std::max(0, m_fonts->findData(style.family)));
    m_legend->setChecked(style.legend);
    m_places->setCurrentIndex(m_places->findData(int(style.legendPlace)));
    m_shared->setChecked(style.sharedLegend);
    m_letters->setChecked(style.letters);
    m_title->setChecked(style.title);
  }
  sizeEdited();
}

void StyleForm::setPgfplots(bool pgfplots) {
  m_isPgfplots = pgfplots;
  for (QWidget* field :
       std::initializer_list<QWidget*>{m_fonts, m_font, m_dpi, m_letters, m_title}) {
    field->setEnabled(!pgfplots);
    if (field != m_fonts) field->setToolTip(pgfplotsReason());  // m_fonts has its own
  }
  enableLegend();
}

void StyleForm::setHasLegend(bool hasLegend) {
  m_hasLegend = hasLegend;
  enableLegend();
}

/// Why fields are disabled; empty in other formats than pgfplots.
QString StyleForm::pgfplotsReason() const {
  return m_isPgfplots ? tr("A pgfplots file leaves this to the LaTeX document.")
                      : QString();
}

void StyleForm::enableLegend() {
  m_legend->setEnabled(m_hasLegend && !m_isPgfplots);
  m_legend->setToolTip(!m_hasLegend ? tr("The runs' names are beside their rows or maps.")
                       : m_isPgfplots
                           ? tr("A pgfplots file has its legends above the panels.")
                           : QString());
  for (QWidget* field : std::initializer_list<QWidget*>{m_places, m_shared})
    field->setEnabled(m_legend->isEnabled() && m_legend->isChecked());
}

void StyleForm::suggestColumns(int columns) {
  const int now = m_sizes->currentIndex();
  if (m_isSizeChosen) return;
  if (now == kSingle || now == kDouble) chooseSize(columns == 1 ? kSingle : kDouble);
}

void StyleForm::chooseSize(int index) {
  if (index >= kCustomSize) return;
  {
    const QSignalBlocker quiet(this);
    m_width->setValue(kPresets[std::size_t(index)].width);
    m_height->setValue(kPresets[std::size_t(index)].height);
  }
  sizeEdited();
}

void StyleForm::sizeEdited() {
  int size = kCustomSize;
  for (int i = 0; i < kCustomSize; ++i)
    if (m_width->value() == kPresets[std::size_t(i)].width &&
        m_height->value() == kPresets[std::size_t(i)].height)
      size = i;
  m_sizes->setCurrentIndex(size);
  Q_EMIT changed();
}

void StyleForm::save() const {
  QSettings settings;
  const FigureStyle now = style();
  settings.setValue(key("width"), now.width);
  settings.setValue(key("height"), now.height);
  settings.setValue(key("font"), now.fontSize);
  settings.setValue(key("dpi"), now.dpi);
  settings.setValue(key("family"), now.family);
  settings.setValue(key("legend"), now.legend);
  settings.setValue(key("legendPlace"), int(now.legendPlace));
  settings.setValue(key("sharedLegend"), now.sharedLegend);
  settings.setValue(key("letters"), now.letters);
  settings.setValue(key("title"), now.title);
}

FigureStyle savedStyle() {
  const QSettings settings;
  FigureStyle style;
  style.width = settings.value(key("width"), style.width).toDouble();
  style.height = settings.value(key("height"), style.height).toDouble();
  style.fontSize = settings.value(key("font"), style.fontSize).toDouble();
  style.dpi = settings.value(key("dpi"), style.dpi).toInt();
  if (const QString family = settings.value(key("family")).toString(); isOffered(family))
    style.family = family;
  style.legend = settings.value(key("legend"), style.legend).toBool();
  style.legendPlace = LegendPlace(std::clamp(
      settings.value(key("legendPlace"), 0).toInt(), 0, int(LegendPlace::Right)));
  style.sharedLegend = settings.value(key("sharedLegend"), false).toBool();
  style.letters = settings.value(key("letters"), style.letters).toBool();
  style.title = settings.value(key("title"), style.title).toBool();
  return style;
}

void StyleForm::restore() {
  setStyle(savedStyle());
}

}  // namespace equipatch
