#pragma once

#include <QMessageBox>

namespace equipatch {

/// Opens the box that says what this is, beside the window: the caller goes on at once,
/// and the box deletes itself when it is closed.
QMessageBox* showAboutBox(QWidget& window);

}  // namespace equipatch
