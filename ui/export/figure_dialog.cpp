// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFontDatabase>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QMenu>
#include <QMessageBox>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSettings>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/figure/axis_limits.h"
#include "core/text/tex_text.h"
#include "ui/chart/number_text.h"
#include "ui/chart/small_widgets.h"
#include "ui/figure/figure_file.h"
#include "ui/figure/figure_plot.h"
#include "ui/figure/paper.h"
#include "ui/window/window_geometry.h"

namespace equipatch {
namespace {

constexpr int kPreviewMargin = 12;  // pixels

const QString kFolderKey = QStringLiteral("figure/folder");
constexpr int kControlsWidth = 300;    // pixels
constexpr QSize kUsualSize(960, 720);  // fits all choices of "All panels"

QString pgfplotsText(const Figure& figure, const FigureStyle& style) {
  return QString::fromUtf8(drawnFigure(figure, style, FigureFormat::Tex).bytes);
}

}  // namespace

FigurePreview::FigurePreview(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Preview of the figure"));
  m_soon.setSingleShot(true);
  m_soon.setInterval(0);
  connect(&m_soon, &QTimer::timeout, this, &FigurePreview::draw);
}

void FigurePreview::showFigure(const Figure& figure, const FigureStyle& style) {
  m_figure = figure;
  m_style = style;
  m_sentence.clear();
  m_soon.start();
}

void FigurePreview::showText(const QString& sentence) {
  m_figure.reset();
  m_image = {};
  m_sentence = sentenceText(sentence);
  if (!m_remark.isEmpty()) Q_EMIT remarked(m_remark = QString());
  setAccessibleDescription(m_sentence);
  update();
}

void FigurePreview::resizeEvent(QResizeEvent*) {
  if (m_figure) m_soon.start();
}

void FigurePreview::draw() try {
  if (!m_figure) return;
  FigurePlot plot(*m_figure, m_style);
  if (plot.remark() != m_remark) Q_EMIT remarked(m_remark = plot.remark());
  const QSizeF paper = QSizeF(plot.size()) / Paper::kUnitsPerInch;
  const QSizeF room = QSizeF(size() - QSize(2 * kPreviewMargin, 2 * kPreviewMargin)) *
                      devicePixelRatioF();
  const double dpi =
      std::min(room.width() / paper.width(), room.height() / paper.height());
  m_image = figureImage(plot, std::max(10, int(dpi)));
  m_image.setDevicePixelRatio(devicePixelRatioF());
  setAccessibleDescription(QString::fromStdString(m_figure->title));
  Q_EMIT drawn(
      tr("%1 × %2 in").arg(numberText(paper.width()), numberText(paper.height())));
  update();
} catch (const Error& error) {
  showText(QString::fromUtf8(error.what()));
  Q_EMIT failed();
}

void FigurePreview::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::AlternateBase));
  if (m_image.isNull()) {
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(
        rect().adjusted(kPreviewMargin, kPreviewMargin, -kPreviewMargin, -kPreviewMargin),
        Qt::AlignCenter | Qt::TextWordWrap, m_sentence);
    return;
  }
  // The window has moved to another screen; until the next draw() the image is stretched.
  if (m_image.devicePixelRatio() != devicePixelRatioF()) m_soon.start();
  const QSizeF drawn = m_image.deviceIndependentSize();
  const QPointF corner((width() - drawn.width()) / 2, (height() - drawn.height()) / 2);
  painter.drawImage(corner, m_image);
}

FigureDialog::FigureDialog(QWidget* parent)
    : QDialog(parent),
      m_limits(new QLineEdit),
      m_style(new StyleForm),
      m_previews(new QTabWidget),
      m_preview(new FigurePreview),
      m_text(new QPlainTextEdit),
      m_save(new QPushButton(tr("Sa&ve as…"))),
      m_copy(new QPushButton(tr("&Copy"))),
      m_caption(new QPushButton(tr("Cop&y caption"))),
      m_size(new QLabel(this)),
      m_message(new QLabel) {
  m_message->setObjectName(QStringLiteral("figureMessage"));
  m_message->setTextFormat(Qt::PlainText);
  m_message->setWordWrap(true);
  m_limits->setObjectName(QStringLiteral("axisLimits"));
  m_limits->setPlaceholderText(tr("as the values need"));
  m_limits->setToolTip(
      tr("The range of some axes: y=1e-6:10, step=0:30\nAn axis is x, y, right or the "
         "beginning of its label (linf for L∞)."));
  connect(m_limits, &QLineEdit::textChanged, this, [this] {
    m_drawing.reset();
    draw();
  });
  setWindowTitle(tr("Export figure"));
  resizeWithinScreen(*this, kUsualSize);
}

QWidget* FigureDialog::composeControls(QWidget* content) {
  auto* controls = new QWidget;
  auto* left = new QVBoxLayout(controls);
  left->setContentsMargins({});
  left->addWidget(content);
  auto* axes = new QFormLayout;
  axes->addRow(tr("A&xis limits"), m_limits);
  left->addLayout(axes);
  left->addSpacing(8);
  left->addWidget(m_style);
  left->addStretch(1);
  QScrollArea* area = scrollable(controls);
  area->setFocusPolicy(Qt::NoFocus);
  area->setFixedWidth(kControlsWidth + area->verticalScrollBar()->sizeHint().width());
  return area;
}

/// The preview of a .tex file is its text, because LaTeX draws the file.
void FigureDialog::composePreviews() {
  m_previews->setObjectName(QStringLiteral("figurePreviews"));
  m_previews->setDocumentMode(true);
  m_previews->addTab(m_preview, tr("PDF, SVG, PNG"));
  m_previews->addTab(m_text, tr("pgfplots (.tex)"));
  m_size->setObjectName(QStringLiteral("figureSize"));
  m_size->setToolTip(tr("Width and height of the figure in PDF, SVG and PNG"));
  m_previews->setCornerWidget(m_size);
  connect(m_preview, &FigurePreview::drawn, m_size, &QLabel::setText);
  connect(m_preview, &FigurePreview::failed, m_size, &QLabel::clear);
  m_previews->setTabToolTip(0, tr("The picture as it is written to the file"));
  m_previews->setTabToolTip(
      1, tr("The text of the file; LaTeX draws it, in the document's font and with "
            "pgfplots' axes, so it differs from the picture"));
  m_text->setObjectName(QStringLiteral("figureText"));
  m_text->setAccessibleName(tr("Text of the pgfplots file"));
  m_text->setReadOnly(true);
  m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
  m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  connect(m_previews, &QTabWidget::currentChanged, this, &FigureDialog::draw);
}

void FigureDialog::compose(QWidget* content) {
  composePreviews();
  auto* columns = new QHBoxLayout;
  columns->addWidget(composeControls(content));
  columns->addWidget(m_previews, 1);
  auto* rows = new QVBoxLayout(this);
  rows->addLayout(columns, 1);
  rows->addWidget(m_message);
  rows->addWidget(composeButtons());
  m_style->restore();
  connect(m_style, &StyleForm::changed, this, &FigureDialog::draw);
  connect(m_preview, &FigurePreview::remarked, m_message, &QLabel::setText);
  connect(m_preview, &FigurePreview::failed, this, [this] {
    m_save->setEnabled(showsText());  // LaTeX draws the .tex file
    m_copy->setEnabled(showsText());
  });
  refresh();
}

QWidget* FigureDialog::composeButtons() {
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  buttons->addButton(m_save, QDialogButtonBox::ActionRole);
  buttons->addButton(m_copy, QDialogButtonBox::ActionRole);
  m_caption->setObjectName(QStringLiteral("copyCaption"));
  buttons->addButton(m_caption, QDialogButtonBox::ActionRole);
  m_save->setDefault(true);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(m_save, &QPushButton::clicked, this, &FigureDialog::chooseTarget);
  connect(m_copy, &QPushButton::clicked, this, &FigureDialog::copy);
  auto* forms = new QMenu(m_caption);
  const auto addForm = [&](const char* name, const QString& text, auto formOf) {
    auto* form = forms->addAction(text, this, [this, formOf] {
      QApplication::clipboard()->setText(
          QString::fromStdString(formOf(drawing().caption)));
      showMessage(tr("The caption is in the clipboard."));
    });
    form->setObjectName(QString::fromLatin1(name));
  };
  addForm("captionAsText", tr("As &text"), [](const std::string& text) { return text; });
  addForm("captionAsTex", tr("For &LaTeX"),
          [](const std::string& text) { return texText(text); });
  m_caption->setMenu(forms);
  return buttons;
}

void FigureDialog::refresh() {
  m_content.reset();
  m_drawing.reset();
  draw();
}

const Figure& FigureDialog::drawing() {
  if (m_drawing) return *m_drawing;
  if (!m_content) m_content = figure();
  Figure drawing = *m_content;
  setLimits(drawing, parseAxisLimits(m_limits->text().toStdString()));
  return m_drawing.emplace(std::move(drawing));
}

void FigureDialog::showMessage(const QString& sentence) {
  m_message->setText(sentenceText(sentence));
}

void FigureDialog::draw() {
  bool drawn = true;
  m_message->setText(m_preview->remark());  // replaces "Saved …"
  m_style->setPgfplots(showsText());
  m_size->setVisible(!showsText());
  try {
    m_preview->showFigure(drawing(), m_style->style());
    if (showsText()) m_text->setPlainText(pgfplotsText(drawing(), m_style->style()));
  } catch (const Error& error) {
    m_preview->showText(QString::fromUtf8(error.what()));
    m_text->setPlainText(m_preview->sentence());
    m_size->clear();
    drawn = false;
  }
  m_copy->setToolTip(showsText() ? tr("The text of the file")
                                 : tr("As a picture and as SVG"));
  m_save->setEnabled(drawn);
  m_copy->setEnabled(drawn);
  const QString caption = drawn ? QString::fromStdString(drawing().caption) : QString();
  m_caption->setEnabled(!caption.isEmpty());
  // Qt wraps a tooltip only if it is rich text.
  m_caption->setToolTip(QStringLiteral("<qt>%1</qt>").arg(caption.toHtmlEscaped()));
}

void FigureDialog::save(const QString& path) {
  try {
    writeFigure(drawing(), m_style->style(), path.toStdString());
  } catch (const Error& error) {
    return showMessage(QString::fromUtf8(error.what()));
  }
  const std::string values = numbersFileOf(path.toStdString()).filename().string();
  QString message =
      tr("Saved %1, and its values in %2").arg(path, QString::fromStdString(values));
  if (!showsText() && path.endsWith(QStringLiteral(".tex"), Qt::CaseInsensitive))
    message +=
        tr(". The LaTeX document chooses the figure's font; the legends are above the "
           "panels, and title and panel letters are left out.");
  showMessage(message);
  QSettings().setValue(kFolderKey, QFileInfo(path).absolutePath());
  m_style->save();
  Q_EMIT saved();
}

void FigureDialog::chooseTarget() {
  const QString folder = QSettings().value(kFolderKey, QDir::homePath()).toString();
  const QString filters = tr("PDF (*.pdf);;SVG (*.svg);;PNG (*.png);;pgfplots (*.tex)");
  QString chosen =
      filters.section(QStringLiteral(";;"), showsText() ? -1 : 0, showsText() ? -1 : 0);
  const QString suffix = showsText() ? QStringLiteral(".tex") : QStringLiteral(".pdf");
  const QString typed = QFileDialog::getSaveFileName(
      this, tr("Save figure"), QDir(folder).filePath(fileName() + suffix), filters,
      &chosen);
  if (typed.isEmpty()) return;
  const qsizetype dot = chosen.lastIndexOf(u'.');
  const std::filesystem::path path = figureFileFor(
      typed.toStdString(), chosen.mid(dot, chosen.size() - dot - 1).toStdString());
  if (mayReplace(path, typed)) save(QString::fromStdString(path.string()));
}

/// Asks the user before files are replaced about which the file dialog did not ask.
/// @param confirmed the file dialog's result. If it is the existing file `path`, the user
///        has agreed to replace the figure and is not asked about its values' file.
bool FigureDialog::mayReplace(const std::filesystem::path& path,
                              const QString& confirmed) {
  QStringList names;
  for (const std::filesystem::path& file : filesReplacedBy(path)) {
    if (file == confirmed.toStdString() && file == path) return true;
    if (file != confirmed.toStdString())
      names << QString::fromStdString(file.filename().string());
  }
  if (names.isEmpty()) return true;
  const QString question =
      tr("Saving this figure replaces %1.").arg(names.join(tr(" and ")));
  return QMessageBox::question(this, tr("Save figure"), question,
                               QMessageBox::Save | QMessageBox::Cancel) ==
         QMessageBox::Save;
}

ChartDialog::ChartDialog(Figure figure, QWidget* parent)
    : FigureDialog(parent), m_figure(std::move(figure)) {
  setObjectName(QStringLiteral("chartExport"));
  auto* title = new QLabel(QString::fromStdString(m_figure.title));
  title->setTextFormat(Qt::PlainText);
  title->setWordWrap(true);
  compose(title);
}

/// Such as "patch-size-by-layer-step-3".
QString ChartDialog::fileName() const {
  QString name = QString::fromStdString(m_figure.title).toLower();
  static const QRegularExpression kOther(QStringLiteral("[^\\w]+"),
                                         QRegularExpression::UseUnicodePropertiesOption);
  return name.replace(kOther, QStringLiteral("-"));
}

void FigureDialog::copy() try {
  const FigureStyle style = m_style->style();
  if (!showsText()) return copyFigure(drawing(), style);
  // m_text->toPlainText() would turn a prompt's U+2028 into a line break and so end the
  // TeX comment.
  QApplication::clipboard()->setText(pgfplotsText(drawing(), style));
} catch (const Error& error) {
  showMessage(QString::fromUtf8(error.what()));
}

}  // namespace equipatch
