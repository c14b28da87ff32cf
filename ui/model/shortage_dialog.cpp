#include "ui/model/shortage_dialog.h"

#include <QMessageBox>
#include <QPushButton>
#include <utility>

#include "ui/chart/translated.h"

namespace equipatch {

void askAboutShortage(QWidget& parent, const MemoryShortage& shortage,
                      std::function<void(ShortageAnswer)> answered) {
  auto* box = new QMessageBox(QMessageBox::Warning, tr("Not enough memory"),
                              QString::fromStdString(shortage.sentence) + u'.',
                              QMessageBox::NoButton, &parent);
  box->setObjectName(QStringLiteral("shortageDialog"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  QAbstractButton* narrower = nullptr;
  std::optional<DType> fitting;
  if (!shortage.fitting.empty()) {
    fitting = shortage.fitting.front().dtype;
    const std::string name(torchName(*fitting));
    narrower = box->addButton(tr("Load in %1").arg(QString::fromStdString(name)),
                              QMessageBox::AcceptRole);
  }
  QAbstractButton* anyway = box->addButton(tr("Load anyway"), QMessageBox::AcceptRole);
  auto* cancel = box->addButton(QMessageBox::Cancel);
  box->setDefaultButton(cancel);
  box->setEscapeButton(cancel);
  QObject::connect(box, &QMessageBox::buttonClicked, &parent,
                   [=, answered = std::move(answered)](QAbstractButton* clicked) {
                     if (narrower && clicked == narrower)
                       answered({.load = true, .dtype = fitting});
                     else
                       answered({.load = clicked == anyway, .dtype = {}});
                   });
  box->open();
}

}  // namespace equipatch
