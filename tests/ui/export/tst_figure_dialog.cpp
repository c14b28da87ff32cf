// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/figure_dialog.h"

#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QMimeData>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "core/base/error.h"
#include "tests/support/test_case.h"
#include "tests/ui/figure/figures.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/scratch_settings.h"

using namespace equipatch;

namespace {

class SomeDialog final : public FigureDialog {
 public:
  SomeDialog() : FigureDialog(nullptr) { compose(new QWidget); }
  void fail() {
    fails = true;
    refresh();
  }
  bool fails = false;
  std::string prompt;  ///< in the provenance, unless empty
  mutable int made = 0;

  using FigureDialog::refresh;

 private:
  Figure figure() const override {
    ++made;
    if (fails) throw badInput("there is nothing to draw");
    Figure figure = test::someFigure(FigureKind::ByToken);
    if (!prompt.empty()) figure.provenance = "{\"prompt_text\": \"" + prompt + "\"}";
    return figure;
  }
  QString fileName() const override { return QStringLiteral("some"); }
};

}  // namespace

class tst_figure_dialog : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void theFigureFillsThePreview() {
    const equipatch::test::QuietPlatform quiet;
    FigurePreview preview;
    preview.resize(600, 400);
    preview.showFigure(equipatch::test::someFigure(FigureKind::ByToken), {});
    QTRY_VERIFY(!preview.image().isNull());
    QVERIFY(preview.image().width() <= 600 && preview.image().height() <= 400);
    QVERIFY(preview.image().width() > 540 || preview.image().height() > 340);
  }

  void remarkIsEmittedOnceAndThenCleared() {
    FigurePreview preview;
    preview.resize(600, 400);
    QSignalSpy remarked(&preview, &FigurePreview::remarked);
    const Figure figure = equipatch::test::someFigure(FigureKind::ByToken);
    const FigureStyle narrow{.width = 2.5, .legendPlace = LegendPlace::Right};
    preview.showFigure(figure, narrow);
    QTRY_COMPARE(remarked.count(), 1);
    const qint64 first = preview.image().cacheKey();
    preview.showFigure(figure, narrow);
    QTRY_VERIFY(preview.image().cacheKey() != first);
    QCOMPARE(remarked.count(), 1);
    QVERIFY(remarked.last()[0].toString().contains("third of the width"));
    preview.showFigure(figure, {});
    QTRY_COMPARE(remarked.count(), 2);
    QCOMPARE(remarked.last()[0].toString(), QString());
  }

  void aMissingFigureIsReplacedByASentence() {
    FigurePreview preview;
    preview.showText(QStringLiteral("no Δm to draw"));
    QCOMPARE(preview.sentence(), QStringLiteral("No Δm to draw"));
    QVERIFY(preview.image().isNull());
  }

  void savesAndRestoresTheStyle() {
    const equipatch::test::ScratchSettings settings;
    QTemporaryDir folder;
    SomeDialog dialog;
    QSignalSpy saved(&dialog, &FigureDialog::saved);
    dialog.styleForm()->width()->setValue(5.0);
    dialog.save(folder.filePath("f.pdf"));
    QCOMPARE(saved.count(), 1);
    QVERIFY(QFile::exists(folder.filePath("f.json")));
    QCOMPARE(SomeDialog().styleForm()->style().width, 5.0);
  }

  void copiesTheFigureAsImageAndSvg() {
    const equipatch::test::ScratchSettings settings;
    SomeDialog dialog;
    FigureStyle style = dialog.styleForm()->style();
    for (const int dpi : {100, 600}) {
      style.dpi = dpi;
      dialog.styleForm()->setStyle(style);
      dialog.copy();
      const QImage copied = QGuiApplication::clipboard()->image();
      QCOMPARE(copied.width(), qRound(style.width * dpi));
      QGuiApplication::clipboard()->clear();
      copyFigure(test::someFigure(FigureKind::ByToken), style);
      QCOMPARE(QGuiApplication::clipboard()->image(), copied);
    }
    const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
    QVERIFY(copied->hasImage());
    QVERIFY(copied->data(QStringLiteral("image/svg+xml")).contains("<svg"));
  }

  void thePgfplotsFileIsShownAsText() {
    const equipatch::test::ScratchSettings settings;
    QTemporaryDir folder;
    SomeDialog dialog;
    dialog.previews()->setCurrentWidget(dialog.text());
    dialog.styleForm()->width()->setValue(5.0);
    const QString shown = dialog.text()->toPlainText();
    QVERIFY(shown.contains(QStringLiteral("\\begin{tikzpicture}")));
    dialog.save(folder.filePath("f.tex"));
    QFile file(folder.filePath("f.tex"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(shown, QString::fromUtf8(file.readAll()));
    dialog.copy();
    QCOMPARE(QGuiApplication::clipboard()->text(), shown);
    dialog.fail();
    QCOMPARE(dialog.text()->toPlainText(), QStringLiteral("There is nothing to draw"));
  }

  /// QPlainTextEdit::toPlainText would replace the prompt's line separator and no-break
  /// space.
  void thePgfplotsFileIsCopiedUnchanged() {
    const equipatch::test::ScratchSettings settings;
    QTemporaryDir folder;
    SomeDialog dialog;
    dialog.prompt = "one\xE2\x80\xA8two\xC2\xA0words";
    dialog.refresh();
    dialog.previews()->setCurrentWidget(dialog.text());
    dialog.save(folder.filePath("f.tex"));
    dialog.copy();
    QFile file(folder.filePath("f.tex"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString written = QString::fromUtf8(file.readAll());
    QVERIFY(written.contains(QString::fromStdString(dialog.prompt)));
    QCOMPARE(QGuiApplication::clipboard()->text(), written);
  }

  void aFigureThatDoesNotFitCannotBeSaved() {
    const equipatch::test::ScratchSettings settings;
    SomeDialog dialog;
    dialog.styleForm()->setStyle({.width = 3.25, .height = 1.0});
    QTRY_VERIFY(!dialog.saveButton()->isEnabled());
    QVERIFY(dialog.preview()->sentence().startsWith("The panels do not fit"));
    QVERIFY(!dialog.preview()->sentence().contains("fewer panels"));
    dialog.styleForm()->setStyle({.width = 3.25});
    QTRY_VERIFY(!dialog.preview()->image().isNull());
    QVERIFY(dialog.saveButton()->isEnabled());
  }

  /// Making a figure of a large photo takes a second.
  void theFigureIsMadeOncePerContent() {
    const equipatch::test::ScratchSettings settings;
    QTemporaryDir folder;
    SomeDialog dialog;
    QCOMPARE(dialog.made, 1);
    dialog.styleForm()->width()->setValue(5.0);
    dialog.previews()->setCurrentWidget(dialog.text());
    dialog.copy();
    dialog.save(folder.filePath("f.tex"));
    QCOMPARE(dialog.made, 1);
    const auto* message = dialog.findChild<QLabel*>("figureMessage");
    QCOMPARE(message->text(),
             "Saved " + folder.filePath("f.tex") + ", and its values in f.json");
    dialog.styleForm()->width()->setValue(6.0);
    QVERIFY(message->text().isEmpty());  // the saved file has the former width
    dialog.limits()->setText("y=1e-9:2");
    QCOMPARE(dialog.made, 1);
    QVERIFY(dialog.text()->toPlainText().contains("ymax=2"));
    dialog.limits()->setText("y=0.5");
    QVERIFY(dialog.preview()->sentence().startsWith("Expected limits"));
    QVERIFY(!dialog.saveButton()->isEnabled());
    dialog.limits()->clear();
    QVERIFY(dialog.saveButton()->isEnabled());
    dialog.refresh();
    QCOMPARE(dialog.made, 2);
  }

  void errorsReplaceThePreview() {
    const equipatch::test::ScratchSettings settings;
    SomeDialog dialog;
    QVERIFY(dialog.saveButton()->isEnabled());
    dialog.fail();
    QVERIFY(!dialog.saveButton()->isEnabled());
    QCOMPARE(dialog.preview()->sentence(), QStringLiteral("There is nothing to draw"));
  }
};

EQUIPATCH_TEST(tst_figure_dialog)
#include "tst_figure_dialog.moc"
