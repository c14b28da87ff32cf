#pragma once

#include <QString>

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

}  // namespace equipatch
