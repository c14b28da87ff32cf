// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/page_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/chart/small_widgets.h"
#include "ui/window/window_geometry.h"

namespace equipatch {
namespace {

const QString kPageFolderKey = QStringLiteral("page/folder");

}  // namespace

PageDialog::PageDialog(std::vector<FigureRun> runs, const QStringList& names,
                       QWidget* parent)
    : QDialog(parent), m_runs(std::move(runs)), m_list(new QListWidget(this)) {
  setObjectName(QStringLiteral("pageRuns"));
  setWindowTitle(tr("Export page"));
  setAttribute(Qt::WA_DeleteOnClose);
  m_list->setAccessibleName(tr("Runs of the page"));
  m_list->setWordWrap(true);
  m_list->setSpacing(2);
  makeRoomForTickBoxes(*m_list);
  resizeWithinScreen(*this, {460, 300});
  for (const QString& name : names) {
    auto* item = new QListWidgetItem(name, m_list);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
    item->setCheckState(Qt::Checked);
  }
  auto* words = new QLabel(tr("The page shows these runs, the first one when it opens."));
  words->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  m_save = buttons->addButton(tr("Save as…"), QDialogButtonBox::AcceptRole);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(words);
  layout->addWidget(m_list, 1);
  layout->addWidget(buttons);
  connect(m_list, &QListWidget::itemChanged, this,
          [this] { m_save->setEnabled(!chosen().empty()); });
  connect(m_save, &QPushButton::clicked, this, &PageDialog::chooseFile);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void PageDialog::begin() {
  m_runs.size() > 1 ? open() : chooseFile();
}

std::vector<FigureRun> PageDialog::chosen() const {
  std::vector<FigureRun> runs;
  for (int row = 0; row < m_list->count(); ++row)
    if (m_list->item(row)->checkState() == Qt::Checked)
      runs.push_back(m_runs[std::size_t(row)]);
  return runs;
}

void PageDialog::leaveOut(const Headers& headers) {
  for (int row = 0; row < m_list->count(); ++row)
    if (std::ranges::find(headers, m_runs[std::size_t(row)].header) != headers.end())
      m_list->item(row)->setCheckState(Qt::Unchecked);
  // The runs that were ticked have been closed since: the old choice is dropped.
  if (!chosen().empty()) return;
  for (int row = 0; row < m_list->count(); ++row)
    m_list->item(row)->setCheckState(Qt::Checked);
}

PageDialog::Headers PageDialog::leftOut() const {
  Headers headers;
  for (int row = 0; row < m_list->count(); ++row)
    if (m_list->item(row)->checkState() != Qt::Checked)
      headers.push_back(m_runs[std::size_t(row)].header);
  return headers;
}

/// With a single run this dialog stays hidden, so the file dialog's parent is the window.
void PageDialog::chooseFile() {
  const QString folder = QSettings().value(kPageFolderKey, QDir::homePath()).toString();
  auto* dialog = new QFileDialog(isVisible() ? this : parentWidget(), tr("Export page"),
                                 folder, tr("Web pages (*.html)"));
  dialog->setObjectName(QStringLiteral("pageDialog"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("html"));
  const std::string name = chosen().front().file.stem().string();
  // With its suffix, because Qt adds none to a name with a dot, such as Qwen2.5-0.5B's.
  dialog->selectFile((name.empty() ? tr("run") : QString::fromStdString(name)) +
                     QStringLiteral(".html"));
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
    QSettings().setValue(kPageFolderKey, QFileInfo(path).path());
    Q_EMIT fileChosen(path);
    close();
  });
  if (!isVisible()) connect(dialog, &QDialog::rejected, this, &QObject::deleteLater);
  dialog->open();
}

}  // namespace equipatch
