#pragma once

#include <QString>
#include <QStringList>

namespace equipatch {

/// What a new file of the program's own is called: told by date and time and by a name,
/// of which only what every file system takes remains.
struct DatedName {
  QString name;
  QString suffix;  ///< ".eqrun"
};

/// The path of a file that does not exist yet; makes the folder. Empty when that cannot
/// be made.
QString datedFile(const QString& folder, const DatedName& called);

/// Where the window records runs: the folder "runs" of the program's data. Remembers in
/// the settings which one is being recorded, so that the next start knows of one that was
/// interrupted.
class RunStore final {
 public:
  static constexpr qint64 kDefaultLimit = qint64(2) << 30;

  explicit RunStore(QString folder = defaultFolder(), qint64 limit = kDefaultLimit);
  static QString defaultFolder();

  /// The name of a file that does not exist yet, told by date and model, and makes the
  /// folder. Empty when that cannot be made.
  QString newFile(const QString& model) const;

  /// From now on this file is being recorded; empty: none is.
  void setCurrent(const QString& path) const;
  /// What was being recorded when the program last ended without saying so; empty when
  /// nothing was, or the file is gone.
  QString interrupted() const;

  qint64 bytes() const;
  qint64 limit() const { return m_limit; }
  /// The oldest files without which the rest is within the limit.
  QStringList surplus() const;

 private:
  QString m_folder;
  qint64 m_limit;
};

}  // namespace equipatch
