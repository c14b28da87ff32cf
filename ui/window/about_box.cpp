#include "ui/window/about_box.h"

#include "ui/chart/translated.h"

namespace equipatch {

QMessageBox* showAboutBox(QWidget& window) {
  auto* box = new QMessageBox(QMessageBox::NoIcon, tr("About Equipatch"), QString(),
                              QMessageBox::Close, &window);
  box->setObjectName(QStringLiteral("aboutBox"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->setIconPixmap(window.windowIcon().pixmap(64, 64));
  box->setText(tr("<b>Equipatch %1</b>").arg(QStringLiteral(EQUIPATCH_VERSION)));
  box->setInformativeText(tr(
      "Shows, token by token and on a real checkpoint, that a prompt acts on a "
      "transformer as a small patch of its weights.<br><br>Free software under the GNU "
      "General Public License, version 3 or later."));
  box->open();
  return box;
}

}  // namespace equipatch
