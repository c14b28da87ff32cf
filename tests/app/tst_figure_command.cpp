// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QtEndian>

#include "tests/app/command_line.h"
#include "tests/app/window_program.h"
#include "tests/support/ordinary_rights.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch::test;

namespace {

WindowResult draw(const QStringList& arguments) {
  return runWithoutDisplay(QStringList{"figure"} + arguments);
}

/// The text of all zTXt chunks. A chunk is [length][type][data][checksum]; the data of a
/// zTXt chunk are [keyword 0 0 zlib stream].
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

/// Records a comparison in the file `run`. @returns the exit code
int record(const QString& model, const QString& steps, const QString& run) {
  return runCommand({"compare", "--model", model, "--ids", "1,5,9", "--steps", steps,
                     "--out", run})
      .exitCode;
}

}  // namespace

class tst_figure_command : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void drawsARunReproduciblyInEveryFormat() {
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

  /// The images come first, at their own resolution, and then the run's panels, as in
  /// the paper's Figure 5. A run without images is refused.
  void drawsTheImagesOfARun() {
    const QString model = QString::fromStdString(data("images/gemma3_mm").string());
    const auto golden = readTensors(model + "/golden.safetensors");
    QTemporaryDir folder;
    const QString run = folder.filePath("run.eqrun");
    const CommandResult recorded = runCommand(
        {"compare", "--model", model, "--ids", idList(golden["input_ids"].integers()),
         "--image", model + "/image0.png", "--image", model + "/image1.png", "--absorb",
         "images", "--steps", "4", "--ignore-eos", "--out", run});
    QVERIFY2(recorded.exitCode == 0, recorded.err.constData());
    for (const char* ending : {"pdf", "svg", "png", "tex"}) {
      const QString out = folder.filePath(QStringLiteral("f.") + ending);
      const WindowResult drawn = draw({"--run", run, "--kind", "image", "--out", out});
      QVERIFY2(drawn.exitCode == 0, drawn.err.constData());
    }
    const QByteArray pdf = contentOf(folder.filePath("f.pdf"));
    const auto panels =
        QJsonDocument::fromJson(contentOf(folder.filePath("f.json")))["panels"].toArray();
    QCOMPARE(panels.size(), 4);
    constexpr int kWidths[] = {150, 97}, kHeights[] = {90, 200};
    for (const int image : {0, 1}) {
      QCOMPARE(panels[image]["width"].toInt(), kWidths[image]);
      QCOMPARE(panels[image]["height"].toInt(), kHeights[image]);
      QVERIFY(pdf.contains("/Width " + QByteArray::number(kWidths[image]) + "\n/Height " +
                           QByteArray::number(kHeights[image]) + "\n"));
    }
    QCOMPARE(panels[2]["curves"][0]["y"].toArray().size(), 4);
    const QString text = folder.filePath("text.eqrun");
    QCOMPARE(record(goldenFolder("gemma3_text"), "2", text), 0);
    const WindowResult none =
        draw({"--run", text, "--kind", "image", "--out", folder.filePath("none.pdf")});
    QCOMPARE(none.exitCode, 1);
    QVERIFY(none.err.contains("no image to draw"));
  }

  /// The figure's values go into a JSON file beside it, which must not overwrite the
  /// lab's result.
  void drawsALabResult() {
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
    const WindowResult huge = draw({result, "--panel", "3000000000", "--out", out});
    QVERIFY2(huge.err.contains("expected a whole number from 1"), huge.err.constData());
    const WindowResult overwriting =
        draw({result, "--out", folder.filePath("categorical.pdf")});
    QCOMPARE(overwriting.exitCode, 1);
    QVERIFY2(overwriting.err.contains("categorical.json is the result to be drawn") &&
                 overwriting.err.endsWith("categorical-figure.pdf\n"),
             overwriting.err.constData());
    QVERIFY(contentOf(result) == found);
  }

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
    const WindowResult withoutFormat = draw(source + QStringList{"-"});
    QCOMPARE(withoutFormat.exitCode, 2);
    QVERIFY2(withoutFormat.err.contains("--format pdf"), withoutFormat.err);
    QCOMPARE(draw(source + QStringList{"f.pdf", "--format", "pdf"}).exitCode, 2);
    const WindowResult unused =
        draw(source + QStringList{"-", "--format", "tex", "--dpi", "72"});
    QVERIFY2(unused.err.contains("--dpi changed nothing"), unused.err);
  }

  /// Figures get published, so they must not reveal the user's folders.
  void figuresNameTheModelWithoutItsPath() {
    QTemporaryDir folder;
    const QString model = folder.filePath("xyzzyhome/tiny-gemma");
    QVERIFY(QDir().mkpath(model));
    copyGolden("gemma3_text", model);
    const QString run = folder.filePath("run.eqrun");
    QCOMPARE(record(model, "2", run), 0);
    for (const char* ending : {"pdf", "svg", "png", "tex", "json"}) {
      const QString out = folder.filePath(QStringLiteral("f.") + ending);
      if (!QFile::exists(out))  // the first figure also wrote f.json
        QCOMPARE(draw({"--run", run, "--kind", "overview", "--out", out}).exitCode, 0);
      QByteArray content = contentOf(out);
      if (out.endsWith("png")) content += textsOfPng(content);
      QVERIFY2(!content.contains("xyzzyhome"), ending);
      QVERIFY2(content.contains("tiny-gemma"), ending);
    }
  }

  void invalidArgumentsAreMisuse() {
    QCOMPARE(draw({"--out", "f.pdf"}).exitCode, 2);
    QCOMPARE(draw({"--run", "a.eqrun", "--out", "f.pdf"}).exitCode, 2);
    QCOMPARE(draw({"--kind", "accuracy", "--out", "f.pdf"}).exitCode, 2);
    QCOMPARE(draw({"--run", "a.eqrun", "--kind", "pie", "--out", "f.pdf"}).exitCode, 2);
    for (const char* width : {"wide", "nan", "0.5", "41", "inf", "0x10"})
      QCOMPARE(draw({"--run", "a.eqrun", "--kind", "accuracy", "--out", "f.pdf",
                     "--width", width})
                   .exitCode,
               2);
  }

  void runsWithoutTheRunOptionAreRefused() {
    const WindowResult drawn = draw({"story.eqrun", "--out", "f.pdf"});
    QCOMPARE(drawn.exitCode, 1);
    QVERIFY2(drawn.err.contains("--run story.eqrun"), drawn.err);
    const QTemporaryDir folder;
    const WindowResult ofFolder = draw({folder.path(), "--out", "f.pdf"});
    QCOMPARE(ofFolder.exitCode, 1);
    QVERIFY2(ofFolder.err.contains("draw its runs with --run "), ofFolder.err);
  }

  void aMissingRunIsAnError() {
    const WindowResult drawn =
        draw({"--run", "/nowhere/a.eqrun", "--kind", "accuracy", "--out", "f.pdf"});
    QCOMPARE(drawn.exitCode, 1);
    QVERIFY(drawn.err.contains("error: /nowhere/a.eqrun"));
  }

  void aFolderThatCannotBeListedIsAnError() {
    QTemporaryDir folder;
    QVERIFY(QFile::setPermissions(folder.path(), QFile::ExeOwner));
    const WindowResult drawn = withOrdinaryRights([&] {
      return draw({"--run", folder.path(), "--kind", "accuracy", "--out", "f.pdf"});
    });
    QVERIFY(QFile::setPermissions(
        folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    QCOMPARE(drawn.exitCode, 1);
    QVERIFY2(drawn.err.startsWith("error: "), drawn.err.constData());
    QVERIFY2(drawn.err.contains(folder.path().toUtf8()), drawn.err.constData());
  }

  void stepAndColoursOfTheMapAreChosen() {
    QTemporaryDir folder;
    const QString run = folder.filePath("run.eqrun");
    QCOMPARE(record(goldenFolder("gemma3_text"), "4", run), 0);
    const QString out = folder.filePath("f.svg");
    const auto drawn = [&](const QStringList& more) {
      const WindowResult result =
          draw(QStringList{"--run", run, "--kind", "overview", "--out", out} + more);
      return result.exitCode == 0 ? contentOf(out) : result.err;
    };
    const QByteArray usual = drawn({});
    QVERIFY(usual.startsWith("<?xml"));
    QCOMPARE(drawn({"--map-colours", "log", "--map-step", "0"}), usual);
    const QByteArray linear = drawn({"--map-colours", "linear"});
    QVERIFY2(linear.startsWith("<?xml") && linear != usual, linear.left(300));
    QVERIFY(drawn({"--map-step", "2"}).contains("Step 2"));
    QVERIFY(drawn({"--map-step", "4"}).contains("choose one from 0 to 3"));
    QVERIFY(drawn({"--map-colours", "grey"}).contains("expected one of log, linear"));
  }

  /// The input files do not exist: an option is refused before any file is read.
  void optionsOfOtherFigureKindsAreRefused() {
    const auto refusal = [](const QStringList& more) {
      const WindowResult drawn = draw(QStringList{"--out", "f.pdf"} + more);
      return drawn.exitCode == 2 ? drawn.err : QByteArray("accepted");
    };
    const QStringList run{"--run", "a.eqrun", "--kind"};
    const QByteArray relative = refusal(run + QStringList{"generation", "--relative"});
    QCOMPARE(relative.trimmed(),
             QByteArray("error: --relative: changes figures of the kind patch-norms or "
                        "overview, but this one is generation; leave the option out, or "
                        "choose another --kind"));
    for (const QStringList& more : {QStringList{"accuracy", "--step", "1"},
                                    {"patch-norms", "--map-colours", "log"},
                                    {"layer-error", "--map-step", "1"},
                                    {"scale-heatmap", "--group", "all"},
                                    {"generation", "--panels", "map"},
                                    {"accuracy", "--map-limit", "2"},
                                    {"accuracy", "--spaces"}})
      QVERIFY2(refusal(run + more).contains(more[1].toUtf8() + ": changes"),
               qPrintable(more.join(u' ')));
    QVERIFY(refusal({"r.json", "--step", "1"}).contains("a result of the lab"));
    QVERIFY(refusal({"r.json", "--name", "a"}).contains("a result of the lab"));
  }

  void unknownFontsAreRefused() {
    const WindowResult drawn = draw({"--run", "a.eqrun", "--kind", "accuracy", "--out",
                                     "f.pdf", "--family", "Nosuch Sans"});
    QCOMPARE(drawn.exitCode, 1);
    QVERIFY2(drawn.err.contains("none named \"Nosuch Sans\"; this machine has DejaVu"),
             drawn.err);
  }

  /// Qt must not read --name and --title as options of its own. The command needs no
  /// display, even if the environment asks for Qt's platform xcb.
  void qtDoesNotReadTheCommandsOptions() {
    QTemporaryDir folder;
    for (const char* name : {"a.eqrun", "b.eqrun"})
      QCOMPARE(record(goldenFolder("gemma3_text"), "3", folder.filePath(name)), 0);
    const QString out = folder.filePath("f.svg");
    const auto drawn = [&](const QStringList& more) {
      return runWithoutDisplay(QStringList{"figure", "--run", folder.path(), "--kind",
                                           "accuracy", "--out", out} +
                                   more,
                               QStringLiteral("xcb"));
    };
    const WindowResult titled = drawn({"--name", "Ours", "--name", "Theirs", "--title"});
    QVERIFY2(titled.exitCode == 0, titled.err.constData());
    QVERIFY(contentOf(out).contains("How close the patched pass comes"));
    const WindowResult listed = drawn({"--name", "Ours", "Theirs"});
    QVERIFY2(listed.exitCode == 0, listed.err.constData());
    const WindowResult few = drawn({"--name", "Ours"});
    QCOMPARE(few.exitCode, 1);
    QCOMPARE(few.err.trimmed(),
             QByteArray("error: expected a --name for each of the 2 runs, in the order "
                        "a.eqrun, b.eqrun; 1 was given"));
  }

  void optionsWithoutEffectInTexAreNamed() {
    QTemporaryDir folder;
    const QString run = folder.filePath("a.eqrun");
    QCOMPARE(record(goldenFolder("gemma3_text"), "3", run), 0);
    const auto wordsOf = [&](const QStringList& more) {
      const WindowResult drawn =
          draw(QStringList{"--run", run, "--kind", "accuracy"} + more);
      return drawn.exitCode == 0 ? drawn.out : drawn.err;
    };
    const QString tex = folder.filePath("f.tex"), pdf = folder.filePath("f.pdf");
    QVERIFY(wordsOf({"--out", tex, "--font", "9", "--title"})
                .contains("so --font, --title changed nothing."));
    QVERIFY(!wordsOf({"--out", tex, "--width", "3"}).contains("changed nothing"));
    QVERIFY(!wordsOf({"--out", pdf, "--font", "9"}).contains("changed nothing"));
  }

  /// A leading 0 makes no octal number: 0100 is 100 dots per inch.
  void dpiIsDecimal() {
    QTemporaryDir folder;
    const QString run = folder.filePath("a.eqrun"), out = folder.filePath("f.png");
    QCOMPARE(record(goldenFolder("gemma3_text"), "3", run), 0);
    const WindowResult drawn =
        draw({"--run", run, "--kind", "accuracy", "--out", out, "--dpi", "0100"});
    QVERIFY2(drawn.exitCode == 0 && drawn.out.contains("f.png"), drawn.err.constData());
    const QByteArray start = contentOf(out).left(20);
    QCOMPARE(start.size(), 20);
    // The width in pixels: 6.75 inches at 100 dots per inch.
    QCOMPARE(qFromBigEndian<quint32>(start.constData() + 16), 675u);
  }

  /// A single column is 3.25 inches wide, a double column 6.75 inches.
  void defaultWidthDependsOnThePanels() {
    QTemporaryDir folder;
    const QString run = folder.filePath("a.eqrun"), out = folder.filePath("f.png");
    QCOMPARE(record(goldenFolder("gemma3_text"), "3", run), 0);
    const auto pixelsAcross = [&](const QStringList& more) {
      const WindowResult drawn = draw(
          QStringList{"--run", run, "--kind", "overview", "--dpi", "100", "--out", out} +
          more);
      const QByteArray start = contentOf(out).left(20);
      return drawn.exitCode == 0 && start.size() == 20
                 ? qFromBigEndian<quint32>(start.constData() + 16)
                 : 0;
    };
    QCOMPARE(pixelsAcross({}), 675u);
    QCOMPARE(pixelsAcross({"--panels", "error"}), 325u);
    QCOMPARE(pixelsAcross({"--panels", "error", "--width", "double"}), 675u);
  }

  void anInvalidMapLimitIsReported() {
    const WindowResult drawn = draw(
        {"--run", "a.eqrun", "--kind", "overview", "--out", "f.pdf", "--map-limit", "0"});
    QVERIFY2(drawn.err.contains("--map-limit") &&
                 drawn.err.contains("expected a finite number above 0, found \"0\""),
             drawn.err.constData());
    QVERIFY(drawn.err.size() < 200);
    const QByteArray help = draw({"--help"}).out.simplified();
    QVERIFY2(help.contains("by default the run's largest (above 0)"), help);
  }

  void panelsLegendsAndGroupsAreChosen() {
    QTemporaryDir folder;
    for (const char* name : {"a.eqrun", "b.eqrun"})
      QCOMPARE(record(goldenFolder("gemma3_text"), "4", folder.filePath(name)), 0);
    const auto drawn = [&](const QStringList& more) {
      const QString out = folder.filePath("f.svg");
      const WindowResult result =
          draw(QStringList{"--run", folder.path(), "--out", out} + more);
      return result.exitCode == 0 ? contentOf(out) + contentOf(folder.filePath("f.json"))
                                  : result.err;
    };
    QVERIFY(
        drawn({"--kind", "generation", "--group", "settings"}).contains("median of 2"));
    const QByteArray some =
        drawn({"--kind", "overview", "--panels", "error,map", "--map-limit", "3",
               "--legend", "right", "--shared-legend", "--spaces"});
    QVERIFY2(some.startsWith("<?xml") && !some.contains("‖patch‖"), some.left(300));
    QVERIFY(drawn({"--kind", "overview", "--legend", "left"})
                .contains("expected one of above, below, right"));
    QVERIFY(drawn({"--kind", "overview", "--panels", "nose"}).contains("--panels"));
    QVERIFY(drawn({"--kind", "accuracy", "--no-legend"}).contains("patch-norms"));
  }

  void filesThatAreNoFiguresAreNotReplaced() {
    QTemporaryDir folder;
    QCOMPARE(record(goldenFolder("gemma3_text"), "4", folder.filePath("a.eqrun")), 0);
    for (const char* name : {"p.tex", "p.pdf", "p.svg", "p.png"}) {
      const QString out = folder.filePath(name);
      const QStringList figure{
          "--run", folder.filePath("a.eqrun"), "--kind", "accuracy", "--out", out};
      writeFile(out, "somebody's own");
      const WindowResult refused = draw(figure);
      QCOMPARE(refused.exitCode, 1);
      QVERIFY2(refused.err.contains("exists already"), refused.err);
      QCOMPARE(contentOf(out), QByteArray("somebody's own"));
      QVERIFY(QFile::remove(out));
      for (int time = 0; time < 2; ++time)  // the second figure replaces the first
        QCOMPARE(draw(figure).exitCode, 0);
    }
  }
};

EQUIPATCH_TEST(tst_figure_command)
#include "tst_figure_command.moc"
