#pragma once

#include <QCoreApplication>

namespace equipatch {

/// Translates words of free functions; in a QObject its own tr hides this one.
inline QString tr(const char* text) {
  return QCoreApplication::translate("Equipatch", text);
}

}  // namespace equipatch
