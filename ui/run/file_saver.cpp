// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/file_saver.h"

#include <QFileInfo>
#include <utility>

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
  if (!m_dialog) return {};
  return tr("%1 is still being saved; wait for its end, or cancel it, then save again.")
      .arg(m_target);
}

void FileSaver::start(std::unique_ptr<Job> job, const QString& path,
                      std::function<void()> whenSaved) {
  m_target = path;
  m_whenSaved = std::move(whenSaved);
  showProgress();
  m_bridge.follow(m_worker.start(std::move(job)));
}

void FileSaver::showProgress() {
  constexpr int kThousandths = 1000, kPatience = 500;  // milliseconds
  m_dialog = new QProgressDialog(tr("Saving %1").arg(QFileInfo(m_target).fileName()),
                                 tr("Cancel"), 0, kThousandths, &m_window);
  m_dialog->setObjectName(QStringLiteral("saveProgress"));
  m_dialog->setWindowTitle(m_title);
  m_dialog->setMinimumDuration(kPatience);
  m_dialog->setAutoClose(false);
  m_dialog->setAutoReset(false);
  m_dialog->setValue(0);
  connect(m_dialog, &QProgressDialog::canceled, this, [this] { m_worker.stop(); });
  connect(&m_bridge, &WorkerBridge::progressed, m_dialog,
          [bar = m_dialog.data()](double fraction) {
            bar->setValue(int(fraction * kThousandths));
          });
}

void FileSaver::end() {
  if (m_dialog) m_dialog->deleteLater();
  m_dialog.clear();
}

}  // namespace equipatch
