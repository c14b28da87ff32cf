// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_dialog.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTextTable>
#include <QVBoxLayout>

#include "ui/chart/number_text.h"
#include "ui/window/window_geometry.h"

namespace equipatch {
namespace {

QString firstSteps() {
  return tr(
      "<h3>A comparison</h3>"
      "<ol><li>Choose a model. One comes with the program; <i>Browse…</i> takes any "
      "folder in Hugging Face layout.</li>"
      "<li>Type a prompt, or take one of the samples.</li>"
      "<li>Press <b>Run</b> (F5).</li></ol>"
      "<p>Every token is computed twice: by the <b>contextual pass</b>, which has the "
      "model's weights and the whole context, and by the <b>patched pass</b>, which "
      "has no context but patched weights. Where their most likely tokens differ, a red "
      "<b>✗</b> stands under the token, with the patched pass's token. In a run that "
      "samples, at a temperature above 0, a blue <b>◆</b> stands where the sampled "
      "tokens "
      "differ.</p>"
      "<h3>The charts</h3>"
      "<ul><li><b>Logit difference by step</b>: how far the two passes are apart. The "
      "bare pass, without context and without patch, shows how much the context "
      "matters. Below half of the margin a difference cannot change the token.</li>"
      "<li><b>Patch size by layer</b>: how large the change of each layer's weights "
      "is, beside the weights themselves.</li>"
      "<li><b>Patch map</b>: how the scales of each layer's closing norm change (Δm), "
      "by channel; or, by step, how large the change of each patched tensor is.</li>"
      "<li><b>Hidden error by layer</b>: how far apart the passes are after each "
      "layer. The noise floor, where it was measured, is the difference that rounding "
      "alone causes.</li></ul>"
      "<h3>Then</h3>"
      "<ul><li>Click a token: charts and the tab <i>Step</i> show its step.</li>"
      "<li>Select words of the prompt and keep them (Ctrl+M): only the rest turns "
      "into weights.</li>"
      "<li>Move the slider <i>Strength</i>: the same step with a part of its patch.</li>"
      "<li>Press <i>Each sentence</i> in the tab <i>Runs</i>: which sentence of the "
      "prompt the answer needs.</li>"
      "<li>Double-click a candidate: the text continues from there.</li>"
      "<li>Try bfloat16 with the method <i>direct</i> in the <i>open</i> loop, "
      "Theorem 1 as the first paper prints it, and watch the ✗ appear.</li>"
      "<li>Export figures, tables or a page for any browser (File menu).</li></ul>"
      "<h3>To teach</h3>"
      "<ul><li>Lessons explain the window step by step; <i>Record as lesson</i> makes "
      "one from what you do (Help menu).</li>"
      "<li>F11 shows the window in large type, for a projector.</li></ul>");
}

QString resourceText(const QString& name) {
  QFile file(QStringLiteral(":/controls/") + name);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString bibTex() {
  return resourceText(QStringLiteral("citations.bib"))
      .replace(QStringLiteral("VERSION"), QStringLiteral(EQUIPATCH_VERSION));
}

QString papers() {
  const auto paper = [](const char* authors, const char* title, const char* number) {
    return QStringLiteral("<li>%1:<br><i>%2</i>.<br>arXiv %3, DOI 10.48550/arXiv.%3</li>")
        .arg(QString::fromLatin1(authors), QString::fromLatin1(title),
             QString::fromLatin1(number));
  };
  return HelpDialog::tr(
             "<p>Results of Equipatch rest on the theorems of two papers. "
             "Please cite them, and the program with its version, because "
             "numbers may change between versions.</p>") +
         QStringLiteral("<ul>") +
         paper("Goldwaser, Munn, Gonzalvo, Dherin (2025)",
               "Equivalence of Context and Parameter Updates in Modern Transformer "
               "Blocks",
               "2511.17864") +
         paper("Dherin, Munn, Mazzawi, Wunder, Gonzalvo (2025)",
               "Learning without training: The implicit dynamics of in-context learning",
               "2507.16003") +
         QStringLiteral("</ul><pre style=\"white-space: pre-wrap\">") +
         bibTex().toHtmlEscaped() + QStringLiteral("</pre>");
}

QString keyRow(const QString& key, const QString& what) {
  return QStringLiteral("<tr><td width=170><b>%1</b></td><td>%2</td></tr>")
      .arg(key.toHtmlEscaped(), what.toHtmlEscaped());
}

QString keyTable(const QString& title, const QString& rows) {
  return QStringLiteral("<h3>%1</h3><table cellpadding=4>%2</table>")
      .arg(title.toHtmlEscaped(), rows);
}

QString keysOf(const QMenu& menu) {
  QString rows;
  for (const QAction* action : menu.actions()) {
    QStringList keys;
    for (const QKeySequence& key : action->shortcuts())
      keys << key.toString(QKeySequence::NativeText);
    QString text = action->text();
    if (!keys.isEmpty())
      rows += keyRow(keys.join(QStringLiteral(", ")), text.remove(u'&'));
  }
  return rows;
}

QString keysOfMenus(const QMenuBar& menus) {
  QString text;
  for (const QAction* action : menus.actions()) {
    const QString rows = action->menu() ? keysOf(*action->menu()) : QString();
    QString title = action->text();
    if (!rows.isEmpty()) text += keyTable(title.remove(u'&'), rows);
  }
  return text;
}

QString keysOfOtherViews() {
  return keyTable(tr("Presentation"),
                  keyRow(tr("← →, ↑ ↓"), tr("Another step, another layer")) +
                      keyRow(tr("Home, End"), tr("First step, newest step")) +
                      keyRow(tr("Page Down, Page Up"),
                             tr("Next page of a lesson, or step, and back")) +
                      keyRow(tr("F5, Shift+F5"),
                             tr("Run a changed prompt, or play the steps, and stop")) +
                      keyRow(tr("P, S"), tr("The prompt, the strength, and back")) +
                      keyRow(tr("1–5"),
                             tr("One chart alone, 5: runs compared; and all again")) +
                      keyRow(tr("Alt+4 … 7"), tr("Step, Runs, Block, Texts")) +
                      keyRow(tr("B, ."), tr("Blank the screen, and light it up")) +
                      keyRow(tr("R"), tr("The ring around the pointer, and none")) +
                      keyRow(tr("Esc"), tr("Leave a field, then the presentation"))) +
         keyTable(tr("Lab"),
                  keyRow(tr("F5, F6, F8"), tr("Start or resume, pause, stop")) +
                      keyRow(tr("Ctrl+E"), tr("Export the figure")) +
                      keyRow(tr("Ctrl+W, Esc"), tr("Close the window")));
}

/// Keys that work in one part of the window only.
QString keysOfParts() {
  return keyTable(tr("Every field, button and row"),
                  keyRow(tr("Shift+F1"), tr("Its tooltip, without the mouse"))) +
         keyTable(tr("List of models"),
                  keyRow(tr("Delete"), tr("Remove a folder used before from the list"))) +
         keyTable(tr("Lesson"),
                  keyRow(tr("Alt+← →"), tr("The page before, the next one")) +
                      keyRow(tr("Alt+I, Alt+M"), tr("Hint, Show me"))) +
         keyTable(tr("Prompt"),
                  keyRow(tr("Ctrl+M"), tr("Keep the selected words")) +
                      keyRow(tr("Ctrl+Shift+M"), tr("Absorb them again")) +
                      keyRow(tr("Ctrl+Alt+M"), tr("Absorb them and nothing else"))) +
         keyTable(tr("Tokens"),
                  keyRow(tr("← →"), tr("One step back, one forward")) +
                      keyRow(tr("Page Up, Page Down"),
                             tr("One page of steps back, one forward")) +
                      keyRow(tr("Home, End"), tr("First step, newest step")) +
                      keyRow(tr("Ctrl+C"), tr("Copy the generated text"))) +
         keyTable(
             tr("Charts"),
             keyRow(
                 tr("← →, ↑ ↓"),
                 tr("Another step, another layer; in charts by layer, another layer")) +
                 keyRow(tr("Home, End"), tr("First and last")) +
                 keyRow(tr("Page Up, Page Down"), tr("Ten back, ten forward")) +
                 keyRow(tr("+ −, wheel"), tr("Zoom")) +
                 keyRow(tr("Shift+← →, drag"), tr("Move the visible range")) +
                 keyRow(tr("0, double click"), tr("Show everything")) +
                 keyRow(tr("Enter"), tr("The chart alone, and all again")) +
                 keyRow(tr("T"), tr("The numbers as a table, and back")) +
                 keyRow(tr("Menu key, right click"), tr("Copy, export, lock the axes"))) +
         keyTable(tr("Layers under Patch strength"),
                  keyRow(tr("← → ↑ ↓, Home, End"), tr("Another layer")) +
                      keyRow(tr("Space"), tr("Patch the layer, or not")) +
                      keyRow(tr("Ctrl+A"), tr("Patch all"))) +
         keyTable(tr("Block"),
                  keyRow(tr("← →, ↑ ↓"), tr("Another step, another layer"))) +
         keyTable(tr("Texts"), keyRow(tr("← →"), tr("Another step"))) +
         keyTable(tr("An image"),
                  keyRow(tr("Enter"), tr("Show the prompt's selected image large")) +
                      keyRow(tr("← → ↑ ↓"), tr("Another token's square"))) +
         keyTable(tr("Earlier runs"),
                  keyRow(tr("Ctrl+F"), tr("Search")) +
                      keyRow(tr("Delete"), tr("Move the runs to the trash"))) +
         keyTable(tr("Runs"), keyRow(tr("Enter"), tr("Show the run")) +
                                  keyRow(tr("F2"), tr("Rename the run")) +
                                  keyRow(tr("Space"), tr("Tick the run, or not")) +
                                  keyRow(tr("Delete"), tr("Close the run")));
}

/// Replaces the heavy frames of Markdown's tables by room in the cells.
void lighten(QTextDocument& document) {
  constexpr double kCellPadding = 4.0;
  for (QTextFrame* frame : document.rootFrame()->childFrames()) {
    auto* table = qobject_cast<QTextTable*>(frame);
    if (!table) continue;
    QTextTableFormat format = table->format();
    format.setBorder(0.0);
    format.setCellPadding(kCellPadding);
    format.setCellSpacing(0.0);
    table->setFormat(format);
  }
}

/// The glossary, with the section "In one sentence" moved before the definitions.
QString glossaryText() {
  const QString text = resourceText(QStringLiteral("glossary.md"));
  const qsizetype sentences = text.indexOf(QStringLiteral("## In one sentence"));
  const qsizetype definitions = text.indexOf(u'\n');  // after the title
  return text.mid(sentences) + QStringLiteral("\n## Definitions\n") +
         text.mid(definitions, sentences - definitions);
}

}  // namespace

HelpDialog::HelpDialog(const QMenuBar& menus, QWidget* parent)
    : QDialog(parent), m_pages(new QTabWidget) {
  setWindowTitle(tr("Help – Equipatch"));
  resizeWithinScreen(*this, {720, 640});
  addPage(tr("&First steps"))->setHtml(firstSteps());
  QTextBrowser* words = addPage(tr("&Words"));
  words->setMarkdown(glossaryText());
  lighten(*words->document());
  m_keys = addPage(tr("&Keys"));
  showKeys(menus);
  const int cite = m_pages->count();
  addPage(tr("&Cite"))->setHtml(papers());
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto* copy = buttons->addButton(tr("Copy &BibTeX"), QDialogButtonBox::ActionRole);
  copy->setObjectName(QStringLiteral("copyBibTeX"));
  copy->setVisible(false);
  connect(copy, &QPushButton::clicked, this,
          [] { QGuiApplication::clipboard()->setText(bibTex()); });
  connect(m_pages, &QTabWidget::currentChanged, copy,
          [copy, cite](int page) { copy->setVisible(page == cite); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(m_pages);
  layout->addWidget(buttons);
}

void HelpDialog::showKeys(const QMenuBar& menus) {
  m_keys->setHtml(keysOfMenus(menus) + keysOfParts() + keysOfOtherViews());
}

QTextBrowser* HelpDialog::addPage(const QString& title) {
  auto* page = new QTextBrowser;
  page->setObjectName(QStringLiteral("helpPage"));
  page->setFrameShape(QFrame::NoFrame);
  page->setAccessibleName(QString(title).remove(u'&'));
  page->document()->setDocumentMargin(12.0);
  page->setOpenLinks(false);
  m_pages->addTab(page, title);
  return page;
}

void showHelp(QMainWindow& window, HelpPage page) {
  auto* help = window.findChild<HelpDialog*>();
  if (help)
    help->showKeys(*window.menuBar());
  else
    help = new HelpDialog(*window.menuBar(), &window);
  help->pages()->setCurrentIndex(int(page));
  help->show();
  help->raise();
  help->activateWindow();
}

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
  for (QLabel* label : box->findChildren<QLabel*>()) label->setTextFormat(Qt::RichText);
  box->open();
  return box;
}

}  // namespace equipatch
