#include "ui/export/figure_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QMimeData>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/error.h"
#include "ui/figure/figure_file.h"

namespace equipatch {
namespace {

const QString kFolderKey = QStringLiteral("figure/folder");
constexpr int kControlsWidth = 300;
constexpr QSize kUsualSize(960, 640);
constexpr int kMostCopiedDpi = 300;

}  // namespace

FigureDialog::FigureDialog(QWidget* parent)
    : QDialog(parent),
      m_style(new StyleForm),
      m_preview(new FigurePreview),
      m_save(new QPushButton(tr("Save &as…"))),
      m_copy(new QPushButton(tr("&Copy"))),
      m_told(new QLabel) {
  m_told->setTextFormat(Qt::PlainText);
  m_told->setWordWrap(true);
  setWindowTitle(tr("Export figure"));
  resize(kUsualSize);
}

void FigureDialog::compose(QWidget* content) {
  auto* controls = new QWidget;
  controls->setFixedWidth(kControlsWidth);
  auto* left = new QVBoxLayout(controls);
  left->setContentsMargins({});
  left->addWidget(content);
  left->addSpacing(8);
  left->addWidget(m_style);
  left->addStretch(1);
  auto* columns = new QHBoxLayout;
  columns->addWidget(controls);
  columns->addWidget(m_preview, 1);
  auto* rows = new QVBoxLayout(this);
  rows->addLayout(columns, 1);
  rows->addWidget(m_told);
  rows->addWidget(composeButtons());
  m_style->restore();
  connect(m_style, &StyleForm::changed, this, &FigureDialog::refresh);
  refresh();
}

QWidget* FigureDialog::composeButtons() {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  buttons->addButton(m_save, QDialogButtonBox::ActionRole);
  buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
  m_save->setDefault(true);
  m_copy->setToolTip(tr("As a picture and as SVG"));
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_save, &QPushButton::clicked, this, &FigureDialog::chooseTarget);
  connect(m_copy, &QPushButton::clicked, this, &FigureDialog::copy);
  return buttons;
}

void FigureDialog::refresh() {
  bool drawn = true;
  try {
    m_preview->show(figure(), m_style->style());
  } catch (const Error& error) {
    m_preview->say(QString::fromUtf8(error.what()));
    drawn = false;
  }
  m_save->setEnabled(drawn);
  m_copy->setEnabled(drawn);
}

void FigureDialog::save(const QString& path) {
  try {
    writeFigure(figure(), m_style->style(), path.toStdString());
  } catch (const Error& error) {
    return tell(QString::fromUtf8(error.what()));
  }
  tell(tr("Saved %1").arg(path));
  QSettings().setValue(kFolderKey, QFileInfo(path).absolutePath());
  m_style->save();
  Q_EMIT saved();
}

void FigureDialog::chooseTarget() {
  const QString folder = QSettings().value(kFolderKey).toString();
  const QString filters = tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png);;pgfplots (*.tex)");
  QString chosen;
  QString path = QFileDialog::getSaveFileName(
      this, tr("Save figure"), QDir(folder).filePath(fileName() + QStringLiteral(".pdf")),
      filters, &chosen);
  if (path.isEmpty()) return;
  if (!figureFormatOf(path.toStdString())) {
    const qsizetype dot = chosen.lastIndexOf(u'.');
    path += chosen.mid(dot, chosen.size() - dot - 1);
  }
  save(path);
}

void FigureDialog::copy() const {
  const FigureStyle style = m_style->style();
  auto* mime = new QMimeData;
  mime->setImageData(figureImage(figure(), style, std::min(style.dpi, kMostCopiedDpi)));
  mime->setData(QStringLiteral("image/svg+xml"),
                figureBytes(figure(), style, FigureFormat::Svg));
  QApplication::clipboard()->setMimeData(mime);
}

}  // namespace equipatch
