// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_settings.h"

#include <QAction>
#include <QEvent>
#include <QSettings>
#include <algorithm>

#include "ui/prompt/sample_prompts.h"
#include "ui/window/presentation.h"
#include "ui/window/window_geometry.h"

namespace equipatch {
namespace {

const QString kThemeKey = QStringLiteral("window/theme");
const QString kPromptKey = QStringLiteral("prompt/text");
const QString kPicturesKey = QStringLiteral("prompt/pictures");
const QString kAbsorbKey = QStringLiteral("prompt/absorb");
// Marks are byte ranges of kMarkedTextKey. Without this text there are no marks, and
// kAbsorbKey alone determines the absorbed part.
const QString kMarkedTextKey = QStringLiteral("prompt/markedText");
const QString kKeptBytesKey = QStringLiteral("prompt/keptBytes");
const QString kKeepsStartKey = QStringLiteral("prompt/keepsStart");
const QString kKeepsGeneratedKey = QStringLiteral("prompt/keepsGenerated");
const QString kFormKey = QStringLiteral("prompt/form");

/// Byte ranges as "0-3 7-11", ends exclusive.
QString bytesText(const std::vector<ByteSpan>& spans) {
  QStringList ranges;
  for (const ByteSpan& span : spans)
    ranges << QStringLiteral("%1-%2").arg(span.begin).arg(span.end);
  return ranges.join(u' ');
}

void saveMarks(QSettings& settings, const std::optional<TextMarks>& marks) {
  for (const QString& key :
       {kMarkedTextKey, kKeptBytesKey, kKeepsStartKey, kKeepsGeneratedKey})
    settings.remove(key);
  if (!marks) return;
  settings.setValue(kMarkedTextKey, QString::fromStdString(marks->text));
  settings.setValue(kKeptBytesKey, bytesText(marks->kept));
  settings.setValue(kKeepsStartKey, marks->keepsStart);
  settings.setValue(kKeepsGeneratedKey, marks->keepsGenerated);
}

std::optional<TextMarks> restoredMarks(const QSettings& settings) {
  TextMarks marks{.text = settings.value(kMarkedTextKey).toString().toStdString(),
                  .kept = {},
                  .keepsStart = settings.value(kKeepsStartKey).toBool(),
                  .keepsGenerated = settings.value(kKeepsGeneratedKey).toBool()};
  std::size_t next = 0;  // the first byte at which the next range may begin
  for (const QString& range :
       settings.value(kKeptBytesKey).toString().split(u' ', Qt::SkipEmptyParts)) {
    const ByteSpan span{range.section(u'-', 0, 0).toULongLong(),
                        range.section(u'-', 1).toULongLong()};
    if (span.begin < next || span.end <= span.begin || span.end > marks.text.size())
      return std::nullopt;
    marks.kept.push_back(span);
    next = span.end;
  }
  return marks.text.empty() ? std::nullopt : std::optional(marks);
}

}  // namespace

void WindowSettings::restoreTheme() {
  const int mode = QSettings().value(kThemeKey, 0).toInt();
  const bool isKnown = 0 <= mode && mode <= int(Theme::Mode::Dark);
  m_parts.theme.setMode(isKnown ? Theme::Mode(mode) : Theme::Mode::System);
}

void WindowSettings::restore() {
  const QSettings settings;
  m_parts.prompt.restore(
      {.parts =
           partsOf(settings.value(kPromptKey, samplePrompts().front().text).toString(),
                   restoredPictures()),
       .form = PromptForm(
           std::clamp(settings.value(kFormKey, 0).toInt(), 0, int(PromptForm::Ids))),
       .absorbed =
           settings.value(kAbsorbKey, QStringLiteral("all")).toString().toStdString(),
       .marks = restoredMarks(settings)});
  m_parts.model.restore();
  m_parts.docks.restore();
  m_parts.charts.restore();
}

void WindowSettings::save() const {
  m_parts.docks.save();
  m_parts.charts.save();
  saveInputs();
}

/// Images are stored as their SHA-256 and name; the shelf has copies of the files.
void WindowSettings::saveInputs() const {
  m_parts.model.save();
  QStringList pictures;
  const Pictures files = m_parts.prompt.parts().files();
  for (const auto& picture : files)
    pictures << QString::fromStdString(picture->sha256 + ' ' + picture->name);
  m_parts.shelf.keepCopies(files);
  QSettings settings;
  settings.setValue(kPicturesKey, pictures);
  settings.setValue(kPromptKey, m_parts.prompt.text());
  settings.setValue(kFormKey, int(m_parts.prompt.form()));
  settings.setValue(kAbsorbKey, QString::fromStdString(m_parts.prompt.absorbed()));
  saveMarks(settings, m_parts.prompt.state().marks);
  settings.sync();  // otherwise a killed program would lose the values
}

/// The saved images before the first one whose copy is missing. Later ones are left out,
/// because the text refers to images by their order.
Pictures WindowSettings::restoredPictures() const {
  Pictures pictures;
  for (const QString& stored : QSettings().value(kPicturesKey).toStringList()) {
    auto picture =
        m_parts.shelf.copyOf(stored.section(u' ', 1), stored.section(u' ', 0, 0));
    if (!picture) break;
    pictures.push_back(std::move(picture));
  }
  return pictures;
}

void WindowSettings::setThemeMode(Theme::Mode mode) {
  QSettings().setValue(kThemeKey, int(mode));
  m_parts.theme.setMode(mode);
}

namespace {

// Qt does not restore a state of another version.
constexpr int kVersion = 1;
const QString kGeometry = QStringLiteral("window/geometry");
const QString kState = QStringLiteral("window/state");
const QString kExtents = QStringLiteral("window/extents");
const QString kKnown = QStringLiteral("window/docks");
// Qt forgets its restored layout 150 ms after the last layout (QMainWindowLayout).
constexpr int kSettledMilliseconds = 300;
constexpr QSize kUsualWindow(1280, 800);  // `Place::extent` assumes this size

Qt::Orientation orientationOf(Qt::DockWidgetArea area) {
  const bool across = area == Qt::TopDockWidgetArea || area == Qt::BottomDockWidgetArea;
  return across ? Qt::Vertical : Qt::Horizontal;
}

/// Focuses the dock's first widget that the Tab key can reach.
void focusContent(const QDockWidget& dock) {
  QWidget* const content = dock.widget();
  for (QWidget* each = content; each; each = each->nextInFocusChain()) {
    const bool isInside = each == content || content->isAncestorOf(each);
    if (isInside && each->isEnabled() && (each->focusPolicy() & Qt::TabFocus))
      return each->setFocus(Qt::ShortcutFocusReason);
    if (each->nextInFocusChain() == content) return;
  }
}

bool isPresented(const QMainWindow& window) {
  const auto* presentation = window.findChild<Presentation*>();
  return presentation && presentation->isOn();
}

}  // namespace

DockLayout::DockLayout(QMainWindow& window) : m_window(window) {
  // The token strip spans the whole width.
  window.setCorner(Qt::TopLeftCorner, Qt::TopDockWidgetArea);
  window.setCorner(Qt::TopRightCorner, Qt::TopDockWidgetArea);
  window.setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks |
                        QMainWindow::AllowTabbedDocks);
  window.setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  resizeWithinScreen(window, kUsualWindow);
  window.installEventFilter(this);
  m_settling.setSingleShot(true);
  m_settling.setInterval(kSettledMilliseconds);
  connect(&m_settling, &QTimer::timeout, this, [this] {
    restoreExtents();
    m_saved.clear();
  });
}

QDockWidget* DockLayout::add(QWidget* content, const Place& place) {
  auto* dock = new QDockWidget(place.title, &m_window);
  dock->setObjectName(place.name);
  dock->setWidget(content);
  m_window.addDockWidget(place.area, dock);
  m_docks.append({dock, place, makeToggle(dock)});
  tabifyBehind(dock, place.behind);
  return dock;
}

QAction* DockLayout::makeToggle(QDockWidget* dock) {
  auto* toggle = new QAction(dock->windowTitle(), dock);
  toggle->setObjectName(dock->objectName() + QStringLiteral("Toggle"));
  toggle->setCheckable(true);
  toggle->setChecked(true);
  toggle->setShortcut(QKeySequence(QStringLiteral("Alt+%1").arg(m_docks.size() + 1)));
  connect(dock->toggleViewAction(), &QAction::toggled, toggle, &QAction::setChecked);
  connect(toggle, &QAction::triggered, dock, [this, dock, toggle] {
    const bool hides = !dock->visibleRegion().isEmpty() && !isPresented(m_window);
    dock->setVisible(!hides);
    toggle->setChecked(!hides);
    if (hides) return;
    dock->raise();
    if (!isPresented(m_window)) focusContent(*dock);
    Q_EMIT opened(dock);
  });
  return toggle;
}

QDockWidget* DockLayout::find(const QString& name) const {
  for (const Dock& dock : m_docks)
    if (dock.place.name == name) return dock.widget;
  return nullptr;
}

void DockLayout::tabifyBehind(QDockWidget* dock, const QString& name) {
  QDockWidget* front = find(name);
  if (!front) return;
  m_window.tabifyDockWidget(front, dock);
  front->raise();
}

QList<QAction*> DockLayout::toggles() const {
  QList<QAction*> actions;
  for (const Dock& dock : m_docks) actions << dock.toggle;
  return actions;
}

QList<QWidget*> DockLayout::hiddenInPresentation() const {
  QList<QWidget*> docks;
  for (const Dock& dock : m_docks)
    if (!dock.place.presented) docks << dock.widget;
  return docks;
}

void DockLayout::reset() {
  m_saved.clear();
  m_wanted.clear();
  for (const Dock& dock : m_docks) {
    dock.widget->setFloating(false);
    m_window.addDockWidget(dock.place.area, dock.widget);
    // Before the next dock is added: without tabs, the docks would be stacked, and would
    // make the window taller for good.
    tabifyBehind(dock.widget, dock.place.behind);
    dock.widget->show();
  }
  for (const Dock& dock : m_docks) setExtent(dock, usualExtent(dock.place));
  QList<QDockWidget*> sharing;
  QList<int> lengths;
  for (const Dock& dock : m_docks) {
    if (dock.place.length == 0) continue;
    sharing << dock.widget;
    lengths << dock.place.length;
  }
  m_window.resizeDocks(sharing, lengths, Qt::Vertical);
}

int DockLayout::usualExtent(const Place& place) const {
  if (orientationOf(place.area) == Qt::Vertical) return place.extent;
  const double share = double(m_window.width()) / kUsualWindow.width();
  return qRound(place.extent * std::clamp(share, 0.85, 1.5));
}

void DockLayout::setExtent(const Dock& dock, int extent) {
  m_window.resizeDocks({dock.widget}, {extent}, orientationOf(dock.place.area));
}

void DockLayout::save() const {
  QSettings settings;
  settings.setValue(kGeometry, m_window.saveGeometry());
  settings.setValue(kState, m_window.saveState(kVersion));
  QVariantMap extents;
  for (const Dock& dock : m_docks) {
    // A dock that is hidden behind another tab reports an outdated extent.
    const bool shown = !dock.widget->visibleRegion().isEmpty();
    if (dock.widget->isFloating() || !shown) continue;
    const bool across = orientationOf(dock.place.area) == Qt::Vertical;
    extents[dock.place.name] = across ? dock.widget->height() : dock.widget->width();
  }
  settings.setValue(kExtents, extents);
  QStringList known;
  for (const Dock& dock : m_docks) known << dock.place.name;
  settings.setValue(kKnown, known);
}

/// Adds docks that did not exist when the layout was saved, at their default places.
void DockLayout::addUnknown() {
  // Earlier versions had these docks, but did not save kKnown.
  const QStringList first = {QStringLiteral("modelDock"), QStringLiteral("promptDock"),
                             QStringLiteral("tokensDock"), QStringLiteral("stepDock"),
                             QStringLiteral("runsDock")};
  const QStringList known = QSettings().value(kKnown, first).toStringList();
  for (const Dock& dock : m_docks) {
    if (known.contains(dock.place.name)) continue;
    m_window.addDockWidget(dock.place.area, dock.widget);
    dock.widget->show();
    tabifyBehind(dock.widget, dock.place.behind);
  }
}

void DockLayout::restore() {
  const QSettings settings;
  restoreWithinScreen(m_window, settings.value(kGeometry).toByteArray());
  if (!m_window.restoreState(settings.value(kState).toByteArray(), kVersion))
    return reset();
  m_saved = settings.value(kExtents).toMap();
  for (const Dock& dock : m_docks) {
    const Qt::DockWidgetArea area = m_window.dockWidgetArea(dock.widget);
    // `save` chose width or height by the default side; this side needs the other value.
    if (orientationOf(area) != orientationOf(dock.place.area))
      m_saved.remove(dock.place.name);
    if (const int extent = m_saved.value(dock.place.name).toInt(); extent > 0)
      want(area, extent);
  }
  addUnknown();
}

/// Qt restores the docks' sizes before the window has its final size, and then
/// distributes the difference among the docks. Therefore this filter restores the extents
/// again when the window is shown. If the window manager maximises the window after that,
/// Qt sets the docks to its restored sizes again; m_settling then restores the extents.
bool DockLayout::eventFilter(QObject* watched, QEvent* event) {
  if (!m_window.isVisible()) return QObject::eventFilter(watched, event);
  if (m_saved.isEmpty()) {
    if (event->type() == QEvent::MouseButtonPress) m_pressed = shownWidths();
    if (event->type() == QEvent::MouseButtonRelease) wantMoved();
    if (event->type() == QEvent::Resize)
      QMetaObject::invokeMethod(this, &DockLayout::growToWanted, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
  }
  switch (event->type()) {
    case QEvent::Show:
      QMetaObject::invokeMethod(this, &DockLayout::restoreExtents, Qt::QueuedConnection);
      [[fallthrough]];
    case QEvent::Resize:
    case QEvent::LayoutRequest:
      m_settling.start();
      break;
    case QEvent::MouseButtonPress:  // the user may be about to move a border
      m_saved.clear();
      m_pressed = shownWidths();
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

void DockLayout::want(Qt::DockWidgetArea area, int extent) {
  if (orientationOf(area) == Qt::Horizontal) m_wanted[area] = extent;
}

QMap<QString, int> DockLayout::shownWidths() const {
  QMap<QString, int> widths;
  for (const Dock& dock : m_docks)
    if (!dock.widget->isFloating() && !dock.widget->visibleRegion().isEmpty())
      widths[dock.place.name] = dock.widget->width();
  return widths;
}

/// Stores the dock widths that the user has changed since the mouse button was pressed.
/// Compares widths, because not every click moves a border: the window also receives the
/// clicks that its widgets ignore.
void DockLayout::wantMoved() {
  if (isPresented(m_window)) return;  // a presentation has its own layout
  const QMap<QString, int> now = shownWidths();
  for (const Dock& dock : m_docks) {
    const int width = now.value(dock.place.name);
    if (width > 0 && width != m_pressed.value(dock.place.name, width))
      want(m_window.dockWidgetArea(dock.widget), width);
  }
}

/// Widens docks on their default side, left or right, when the window has grown: Qt makes
/// them narrower when the window shrinks.
void DockLayout::growToWanted() {
  for (const Dock& dock : m_docks) {
    const Qt::DockWidgetArea area = m_window.dockWidgetArea(dock.widget);
    const bool shown =
        !dock.widget->isFloating() && !dock.widget->visibleRegion().isEmpty();
    if (!shown || orientationOf(area) == Qt::Vertical) continue;
    const int wanted = m_wanted.value(area, usualExtent(dock.place));
    if (area == dock.place.area && dock.widget->width() < wanted) setExtent(dock, wanted);
  }
}

void DockLayout::restoreExtents() {
  for (const Dock& dock : m_docks) {
    const int extent = m_saved.value(dock.place.name).toInt();
    if (extent > 0 && dock.widget->isVisible()) setExtent(dock, extent);
  }
}

}  // namespace equipatch
