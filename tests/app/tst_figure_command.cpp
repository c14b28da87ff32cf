#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QtEndian>

#include "tests/app/command_line.h"
#include "tests/app/window_program.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

namespace {

WindowResult draw(const QStringList& arguments) {
  return runWithoutDisplay(QStringList{"figure"} + arguments);
}

QByteArray contentOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Its zTXt chunks, unpacked: [length][type][keyword 0 0 zlib's bytes][checksum].
QByteArray textsOfPng(const QByteArray& png) {
  constexpr qsizetype kSignature = 8, kHeader = 8, kChecksum = 4;
  QByteArray texts;
  for (qsizetype at = kSignature; at + kHeader <= png.size();) {
    const auto length = qFromBigEndian<quint32>(png.constData() + at);
    const QByteArray data = png.mid(at + kHeader, length);
    if (png.mid(at + 4, 4) == "zTXt")
      texts += qUncompress(QByteArray(4, '\0') + data.mid(data.indexOf('\0') + 2));
    at += kHeader + length + kChecksum;
  }
  return texts;
}

/// Compares a model with its patched self. @returns the exit code
int record(const QString& model, const QString& steps, const QString& run) {
  return runCommand({"compare", "--model", model, "--ids", "1,5,9", "--steps", steps,
                     "--out", run})
      .exitCode;
}

}  // namespace

class tst_figure_command : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// From a real model's run to every format, and the numbers beside.
  void aRunBecomesEveryFile() {
    QTemporaryDir folder;
    const QString run = folder.filePath("run.eqrun");
    QCOMPARE(record(goldenFolder("gemma3_text"), "4", run), 0);
    for (const char* ending : {"pdf", "svg", "png", "tex"}) {
      const QString out = folder.filePath(QStringLiteral("f.") + ending);
      const WindowResult drawn = draw({"--run", run, "--kind", "overview", "--out", out});
      QVERIFY2(drawn.exitCode == 0, drawn.err.constData());
      QVERIFY(contentOf(out).size() > 500);
      const QByteArray first = contentOf(out);
      QCOMPARE(draw({"--run", run, "--kind", "overview", "--out", out}).exitCode, 0);
      QVERIFY(first == contentOf(out));
    }
    const auto numbers = QJsonDocument::fromJson(contentOf(folder.filePath("f.json")));
    QCOMPARE(numbers["panels"][0]["curves"][0]["y"].toArray().size(), 4);
  }

  /// An experiment's result, too; its numbers are not written over it.
  void anExperimentBecomesAFigure() {
    QTemporaryDir folder;
    QCOMPARE(runCommand({"lab", "categorical", "--out", folder.path()}).exitCode, 0);
    const QString result = folder.filePath("categorical.json");
    const QByteArray found = contentOf(result);
    const QString out = folder.filePath("figure.svg");
    const WindowResult drawn = draw({result, "--out", out});
    QVERIFY2(drawn.exitCode == 0, drawn.err.constData());
    QVERIFY(contentOf(out).contains("Predicted next token"));
    QCOMPARE(draw({result, "--panel", "1", "--out", out}).exitCode, 0);
    QVERIFY(!contentOf(out).contains("Predicted next token"));
    QCOMPARE(draw({result, "--panel", "99", "--out", out}).exitCode, 1);
    const WindowResult over = draw({result, "--out", folder.filePath("categorical.pdf")});
    QCOMPARE(over.exitCode, 1);
    QVERIFY(over.err.contains("choose another name"));
    QVERIFY(contentOf(result) == found);
  }

  /// The same bytes as into a file, and nothing else.
  void aDashIsStandardOutput() {
    QTemporaryDir folder;
    const QString run = folder.filePath("run.eqrun");
    QCOMPARE(record(goldenFolder("gemma3_text"), "2", run), 0);
    const QStringList source{"--run", run, "--kind", "generation", "--out"};
    for (const char* format : {"pdf", "svg", "png", "tex"}) {
      const QString out = folder.filePath(QStringLiteral("f.") + format);
      QCOMPARE(draw(source + QStringList{out}).exitCode, 0);
      const WindowResult drawn = draw(source + QStringList{"-", "--format", format});
      QVERIFY2(drawn.exitCode == 0, drawn.err.constData());
      QVERIFY2(drawn.out.size() > 500 && drawn.out == contentOf(out), format);
    }
    QVERIFY(!QFile::exists("-"));
    const WindowResult unsaid = draw(source + QStringList{"-"});
    QCOMPARE(unsaid.exitCode, 2);
    QVERIFY2(unsaid.err.contains("--format pdf"), unsaid.err);
    QCOMPARE(draw(source + QStringList{"f.pdf", "--format", "pdf"}).exitCode, 2);
  }

  /// Figures go to print: they name the model, not where it lay.
  void noFigureTellsTheModelsFolder() {
    QTemporaryDir folder;
    const QString model = folder.filePath("xyzzyhome/tiny-gemma");
    QVERIFY(QDir().mkpath(model));
    copyGolden("gemma3_text", model);
    const QString run = folder.filePath("run.eqrun");
    QCOMPARE(record(model, "2", run), 0);
    for (const char* ending : {"pdf", "svg", "png", "tex", "json"}) {
      const QString out = folder.filePath(QStringLiteral("f.") + ending);
      if (!QFile::exists(out))  // the numbers stand beside the first figure
        QCOMPARE(draw({"--run", run, "--kind", "overview", "--out", out}).exitCode, 0);
      QByteArray told = contentOf(out);
      if (out.endsWith("png")) told += textsOfPng(told);
      QVERIFY2(!told.contains("xyzzyhome"), ending);
      QVERIFY2(told.contains("tiny-gemma"), ending);
    }
  }

  void wrongWordsAreUsage() {
    QCOMPARE(draw({"--out", "f.pdf"}).exitCode, 2);
    QCOMPARE(draw({"--run", "a.eqrun", "--out", "f.pdf"}).exitCode, 2);
    QCOMPARE(draw({"--kind", "accuracy", "--out", "f.pdf"}).exitCode, 2);
    QCOMPARE(draw({"--run", "a.eqrun", "--kind", "pie", "--out", "f.pdf"}).exitCode, 2);
    QCOMPARE(draw({"--run", "a.eqrun", "--kind", "accuracy", "--out", "f.pdf", "--width",
                   "wide"})
                 .exitCode,
             2);
  }

  void aRunIsNoResult() {
    const WindowResult drawn = draw({"story.eqrun", "--out", "f.pdf"});
    QCOMPARE(drawn.exitCode, 1);
    QVERIFY2(drawn.err.contains("--run story.eqrun"), drawn.err);
  }

  void whatIsNotThereIsAnError() {
    const WindowResult drawn =
        draw({"--run", "/nowhere/a.eqrun", "--kind", "accuracy", "--out", "f.pdf"});
    QCOMPARE(drawn.exitCode, 1);
    QVERIFY(drawn.err.contains("error: /nowhere/a.eqrun"));
  }
};

EQUIPATCH_TEST(tst_figure_command)
#include "tst_figure_command.moc"
