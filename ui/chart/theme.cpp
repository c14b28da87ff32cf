// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/theme.h"

#include <QGuiApplication>

// Resources of a static library need Q_INIT_RESOURCE outside any namespace.
static void initControls() {
  Q_INIT_RESOURCE(controls);
}

namespace equipatch {
namespace {

Colours lightColours() {
  Colours c;
  c.window = 0xf3f5f8;
  c.surface = 0xffffff;
  c.raised = 0xe9edf2;
  c.border = 0xd3d9e1;
  c.text = 0x1b2330;
  c.muted = 0x5b6776;
  c.accent = 0x0067b1;
  c.accentText = 0xffffff;
  c.mismatch = 0xc8102e;
  c.patched = 0x0072b2;
  c.distribution = 0x008f68;
  c.bare = 0xd68000;
  c.margin = 0x7a8594;
  c.noise = 0xb35c92;
  c.kept = 0x7a3db8;
  c.tokenA = 0xdcebf7;
  c.tokenB = 0xfbeed2;
  c.series = {0x0072b2, 0xd68000, 0x008f68, 0xb35c92, 0x2f3640, 0x8a6d1d};
  return c;
}

Colours darkColours() {
  Colours c;
  c.dark = true;
  c.window = 0x15181e;
  c.surface = 0x1c2028;
  c.raised = 0x282e39;
  c.border = 0x394150;
  c.text = 0xe5e9f0;
  c.muted = 0x9ba6b6;
  c.accent = 0x5cb3f2;
  c.accentText = 0x0d1a26;
  c.mismatch = 0xff6b70;
  c.patched = 0x5cb8ef;
  c.distribution = 0x35c99b;
  c.bare = 0xf2b134;
  c.margin = 0x8f9bac;
  c.noise = 0xdf9cc6;
  c.kept = 0xc39bf5;
  c.tokenA = 0x21405a;
  c.tokenB = 0x4a3d1c;
  c.series = {0x5cb8ef, 0xf2b134, 0x35c99b, 0xdf9cc6, 0xdde3ec, 0xc9b26b};
  return c;
}

}  // namespace

Theme::Theme(QObject* parent)
    : QObject(parent),
      m_systemIsDark(QGuiApplication::palette().color(QPalette::Window).lightness() <
                     128) {
  initControls();
}

const Colours& Theme::colours() const {
  static const Colours light = lightColours();
  static const Colours dark = darkColours();
  const bool isDark = m_mode == Mode::Dark || (m_mode == Mode::System && m_systemIsDark);
  return isDark ? dark : light;
}

void Theme::setMode(Mode mode) {
  if (mode == m_mode) return;
  m_mode = mode;
  Q_EMIT changed();
}

QPalette Theme::palette() const {
  const Colours& c = colours();
  QPalette p;
  p.setColor(QPalette::Window, c.window);
  p.setColor(QPalette::WindowText, c.text);
  p.setColor(QPalette::Base, c.surface);
  p.setColor(QPalette::AlternateBase, c.raised);
  p.setColor(QPalette::Text, c.text);
  p.setColor(QPalette::PlaceholderText, c.muted);
  p.setColor(QPalette::Button, c.raised);
  p.setColor(QPalette::ButtonText, c.text);
  p.setColor(QPalette::BrightText, c.mismatch);
  p.setColor(QPalette::Light, c.surface);
  p.setColor(QPalette::Midlight, c.raised);
  p.setColor(QPalette::Mid, c.border);
  p.setColor(QPalette::Dark, c.border.darker(130));
  p.setColor(QPalette::Highlight, c.accent);
  p.setColor(QPalette::HighlightedText, c.accentText);
  p.setColor(QPalette::Link, c.accent);
  p.setColor(QPalette::ToolTipBase, c.surface);
  p.setColor(QPalette::ToolTipText, c.text);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    p.setColor(QPalette::Disabled, role,
               c.dark ? c.muted.darker(140) : c.muted.lighter(150));
  p.setColor(QPalette::Disabled, QPalette::Base, c.window);  // of fields
  // Fusion draws disabled sliders, selections and progress bars in these colours.
  p.setColor(QPalette::Disabled, QPalette::Highlight, c.border);
  p.setColor(QPalette::Disabled, QPalette::HighlightedText, c.muted);
  p.setColor(QPalette::Disabled, QPalette::Button, c.window);
  return p;
}

QString Theme::styleSheet() const {
  const Colours& c = colours();
  return QStringLiteral(
             "QMainWindow::separator { background: %1; width: 5px; height: 5px; }"
             "QSplitter::handle { background: %1; }"
             "QDockWidget { color: %3; font-weight: 600; }"
             "QDockWidget::title { background: %1; padding: 5px 8px; text-align: left; }"
             "QDockWidget::close-button { subcontrol-position: right center; right: 5px; "
             "}"
             "QDockWidget::float-button { subcontrol-position: right center; right: "
             "22px; }"
             "#samplePrompts::menu-indicator, #doubtSamples::menu-indicator { image: "
             "none; width: 0; }"
             "#chart, #accuracyChart, #tokenStrip, #stepPanel { background: %2; border: "
             "1px solid %4;"
             "  border-radius: 4px; }"
             "#chart:focus, #tokenStrip:focus, #accuracyChart:focus { border-color: %6; }"
             "QToolButton:focus { border: 1px solid %6; border-radius: 3px; }"
             "#passTexts, #labFigureArea, #labFindingArea, #helpPage {"
             "  border: 1px solid transparent; }"
             "QTableView:focus, QTreeView:focus, QListWidget:focus, QTextEdit:focus, "
             "QPlainTextEdit:focus, #labFigureArea:focus, #labFindingArea:focus, "
             "#passTexts:focus, #helpPage:focus { border: 1px solid %6; }"
             "QSlider:focus { border: 1px solid %6; border-radius: 3px; }"
             "#chartTitle, #panelHeading { font-weight: 600; }"
             "#chartNote, #chartSentence, #lessonState, #muted, #need, #stepRun { color: "
             "%5; }"
             "#chartEmpty, #hubCacheEmpty { color: %5; }"
             "#legendEntry, #legendRemark { border: none; padding: 0 3px; color: %3; }"
             "#legendEntry:!checked { color: %5; }"
             "#legendEntry:focus { border: 1px solid %6; border-radius: 3px; }"
             "#messageBar { background: %2; border: 1px solid %7; border-left: 4px solid "
             "%7;"
             "  border-radius: 4px; }"
             "#messageBar[notice=true] { border: 1px solid %4; border-left: 4px solid "
             "%6; }"
             "#runLine, #lessonOffer, #recordBar, #handView { background: %2; border: "
             "1px solid %4; "
             "border-radius: 4px; }"
             "#transport { background: %1; border: none; border-top: 1px solid %4;"
             "  spacing: 4px; padding: 3px 6px; }"
             "#prompt, #renderedChat, #promptTokens { border: 1px solid %4;"
             "  border-radius: 4px; }"
             "#promptTokens { padding: 2px; }"
             "#prompt:focus, #renderedChat:focus, #promptTokens:focus {"
             "  border-color: %6; }"
             "QCheckBox::indicator, QAbstractItemView::indicator { width: 13px; height: "
             "13px; border: 1px solid %5;"
             "  border-radius: 3px; background: %2; }"
             "QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {"
             "  background: %6; border-color: %6;"
             "  image: url(:/controls/check-%8.svg); }"
             "QCheckBox::indicator:disabled { border-color: %4; background: %1; }"
             "QCheckBox::indicator:checked:disabled { border-color: %4; background: %4; }"
             "QCheckBox::indicator:focus { border: 2px solid %6; }"
             "QRadioButton { margin-right: 6px; }"
             "QRadioButton::indicator { width: 13px; height: 13px; border: 1px solid %5;"
             "  border-radius: 7px; background: %2; }"
             "QRadioButton::indicator:checked { border: 4px solid %6; width: 7px;"
             "  height: 7px; background: %9; }"
             "QRadioButton::indicator:focus { border-color: %3; }"
             "QRadioButton:disabled { color: %5; }"
             "#promptIds { background: %1; border: 1px solid %4; border-radius: 4px;"
             "  color: %5; }"
             "QAbstractScrollArea::corner { background: transparent; border: none; }"
             "QScrollBar:horizontal { height: 9px; background: transparent; margin: 0; }"
             "QScrollBar:vertical { width: 9px; background: transparent; margin: 0; }"
             "QScrollBar::handle { background: %4; border-radius: 4px; min-width: 30px;"
             "  min-height: 30px; }"
             "QScrollBar::handle:hover { background: %5; }"
             "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
             "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
             "QHeaderView::section { background: %2; color: %5; border: none;"
             "  border-bottom: 1px solid %4; padding: 2px 4px; }"
             // At the right, the arrow of the sorted column would cover a heading's end.
             "#runs QHeaderView::section { padding-left: 14px; }"
             "#runs QHeaderView::up-arrow, #runs QHeaderView::down-arrow { width: 9px;"
             "  height: 9px; subcontrol-position: center left; left: 3px; }"
             "QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }"
             "QToolTip { background: %2; color: %3; border: 1px solid %4; padding: 3px; "
             "}")
      .arg(c.window.name(), c.surface.name(), c.text.name(), c.border.name(),
           c.muted.name(), c.accent.name(), c.mismatch.name(),
           c.dark ? QStringLiteral("dark") : QStringLiteral("light"),
           c.accentText.name());
}

}  // namespace equipatch
