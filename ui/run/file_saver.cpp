// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/file_saver.h"

#include <QFileInfo>
#include <QLabel>
#include <utility>

#include "ui/chart/small_widgets.h"

namespace equipatch {

FileSaver::FileSaver(QWidget& window, QString title)
    : m_window(window), m_title(std::move(title)), m_worker(m_bridge) {
  connect(&m_bridge, &WorkerBridge::finished, this, [this] {
    end();
    m_whenSaved();
  });
  connect(&m_bridge, &WorkerBridge::cancelled, this, &FileSaver::end);
  connect(&m_bridge, &WorkerBridge::failed, this, [this](const QString& sentence) {
    end();
    Q_EMIT failed(sentence);
  });
}

QString FileSaver::obstacle() const {
  if (!m_isSaving) return {};
  return tr("%1 is still being saved; wait for its end, or cancel it, then save again.")
      .arg(m_target);
}

void FileSaver::start(std::unique_ptr<Job> job, const QString& path,
                      std::function<void()> whenSaved) {
  m_isSaving = true;
  m_target = path;
  m_whenSaved = std::move(whenSaved);
  showProgress();
  m_bridge.follow(m_worker.start(std::move(job)));
}

QLabel* FileSaver::nameLabel() const {
  constexpr int kNameWidth = 50;  // average characters
  auto* label = new QLabel;
  label->setTextFormat(Qt::PlainText);  // a file's name may look like markup
  const QFontMetrics metrics = label->fontMetrics();
  label->setText(
      tr("Saving %1")
          .arg(metrics.elidedText(QFileInfo(m_target).fileName(), Qt::ElideMiddle,
                                  kNameWidth * metrics.averageCharWidth())));
  label->setToolTip(plainToolTip(m_target));
  return label;
}

/// The dialog does not take the focus, so that no key meant for the window cancels the
/// job.
void FileSaver::showProgress() {
  constexpr int kThousandths = 1000, kPatienceMs = 500;
  m_dialog = new QProgressDialog(QString(), tr("Cancel"), 0, kThousandths, &m_window);
  m_dialog->setObjectName(QStringLiteral("saveProgress"));
  m_dialog->setWindowTitle(m_title);
  m_dialog->setAttribute(Qt::WA_ShowWithoutActivating);
  m_dialog->setLabel(nameLabel());
  m_dialog->setMinimumDuration(kPatienceMs);
  m_dialog->setAutoClose(false);
  m_dialog->setAutoReset(false);
  m_dialog->setValue(0);
  connect(m_dialog, &QProgressDialog::canceled, this, [this] {
    closeDialog();
    m_worker.stop();
  });
  connect(&m_bridge, &WorkerBridge::progressed, m_dialog,
          [bar = m_dialog.data()](double fraction) {
            bar->setValue(int(fraction * kThousandths));
          });
}

/// Disconnects the dialog first, because further progress would show it again.
void FileSaver::closeDialog() {
  if (!m_dialog) return;
  m_bridge.disconnect(m_dialog.data());
  m_dialog->deleteLater();
  m_dialog.clear();
}

void FileSaver::end() {
  m_isSaving = false;
  closeDialog();
}

}  // namespace equipatch
