#pragma once

#include <QCoreApplication>

namespace equipatch {

/// The words of functions that belong to no QObject; a class's own tr hides it.
inline QString tr(const char* text) {
  return QCoreApplication::translate("Equipatch", text);
}

}  // namespace equipatch
