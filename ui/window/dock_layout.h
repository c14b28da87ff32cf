#pragma once

#include <QDockWidget>
#include <QList>
#include <QMainWindow>

namespace equipatch {

/// The docks of a window, where they stand by default, and how that is remembered.
class DockLayout {
 public:
  /// @param window outlives this and owns the docks.
  explicit DockLayout(QMainWindow& window);

  struct Place {
    QString name;   ///< in the settings; never changes
    QString title;  ///< as the user sees it
    Qt::DockWidgetArea area;
    int extent;           ///< default width, or height at the top and bottom, pixels
    int length = 0;       ///< default height among docks that share a side, in proportion
    QString behind = {};  ///< name of the dock whose place it shares, as a tab behind it
  };
  QDockWidget* add(QWidget* content, const Place& place);
  /// Shows or hides a dock each.
  QList<QAction*> toggles() const;

  void reset();
  void save() const;
  /// The remembered layout, or the default when there is none or it does not fit.
  void restore();

 private:
  QDockWidget* find(const QString& name) const;
  void putBehind(QDockWidget* dock, const QString& name);

  struct Dock {
    QDockWidget* widget;
    Place place;
  };

  QMainWindow& m_window;
  QList<Dock> m_docks;
};

}  // namespace equipatch
