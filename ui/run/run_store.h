// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace equipatch {

/// The name of a new file, to which date and time are added. Characters that some file
/// system rejects are replaced.
struct DatedName {
  QString name;
  QString suffix;  ///< ".eqrun"
};

/// Makes the folder and returns the path of a file that does not exist yet. Empty when
/// the folder cannot be made.
QString datedFile(const QString& folder, const DatedName& called);

/// The folder "runs" of the program's data, in which the window records runs. The
/// settings hold the file being recorded, so that the next start finds an interrupted
/// run.
class RunStore final {
 public:
  static constexpr qint64 kDefaultLimit = qint64(2) << 30;

  explicit RunStore(QString folder = defaultFolder(), qint64 limit = kDefaultLimit);
  static QString defaultFolder();

  /// A new file named by date and model, as `datedFile` makes it.
  QString newFile(const QString& model) const;

  /// Saves that this file is being recorded; empty: none is.
  void setCurrent(const QString& path) const;
  /// The file that was being recorded when the program last ended unexpectedly; empty
  /// when there was none or the file is gone.
  QString interrupted() const;

  qint64 bytes() const;
  qint64 limit() const { return m_limit; }
  /// The oldest files, whose deletion brings the folder within its limit.
  QStringList surplus() const;

 private:
  QString m_folder;
  qint64 m_limit;
};

}  // namespace equipatch
