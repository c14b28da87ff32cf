// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/app/window_program.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_window_program : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void helpAndVersionNeedNoDisplay_data();
  void helpAndVersionNeedNoDisplay();
  void optionsOfQtNeedADisplay();
  void manualAndCompletionsNeedNoDisplay_data();
  void manualAndCompletionsNeedNoDisplay();
  void bashCompletesWords_data();
  void bashCompletesWords();
  void wrongArgumentsAreMisuse_data();
  void wrongArgumentsAreMisuse();
  void aMissingDisplayIsNamed();
  void aSweepsFolderIsReplacedByItsRuns();
};

void tst_window_program::helpAndVersionNeedNoDisplay_data() {
  QTest::addColumn<QString>("argument");
  QTest::addColumn<QString>("expected");
  QTest::newRow("help") << "--help"
                        << "MODEL";
  QTest::newRow("short help") << "-h"
                              << "MODEL";
  QTest::newRow("all help") << "--help-all"
                            << "MODEL";
  QTest::newRow("version") << "--version"
                           << "Equipatch " EQUIPATCH_VERSION "\n";
}

void tst_window_program::helpAndVersionNeedNoDisplay() {
  QFETCH(QString, argument);
  QFETCH(QString, expected);
  const WindowResult result = runWithoutDisplay({argument});
  QVERIFY2(result.exitCode == 0, result.err.constData());
  QVERIFY(result.out.contains(expected.toUtf8()));
}

/// The letters v and h in Qt's options must not be read as -v and -h, which need no
/// display.
void tst_window_program::optionsOfQtNeedADisplay() {
  for (const char* option : {"-reverse", "-stylesheet=none"}) {
    const WindowResult result = runWithoutDisplay({QString::fromLatin1(option)});
    QVERIFY2(result.err.contains("needs a display"), result.err.constData());
  }
}

void tst_window_program::manualAndCompletionsNeedNoDisplay_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QByteArrayList>("parts");
  QTest::newRow("manual") << QStringList{"--manual"}
                          << QByteArrayList{"\\fB\\-\\-steps\\fR \\fIN\\fR",
                                            "\\fB\\-\\-kind\\fR", "\\fIAXIS=RANGE\\fR",
                                            ".SH KEYS",
                                            "[\\fIMODEL|RUN.eqrun|SWEEP\\fR ...]"};
  QTest::newRow("bash") << QStringList{"--completion", "bash"}
                        << QByteArrayList{"'figure --kind') echo 'generation ", "--steps",
                                          "':files.eqrun'"};
  QTest::newRow("zsh") << QStringList{"--completion", "zsh"}
                       << QByteArrayList{"--prompt=[", "--kind=[", "'(:)*--run=[",
                                         "*) _files -g \"*.eqrun\" ;;"};
}

void tst_window_program::manualAndCompletionsNeedNoDisplay() {
  QFETCH(QStringList, arguments);
  QFETCH(QByteArrayList, parts);
  const WindowResult result = runWithoutDisplay(arguments);
  QVERIFY2(result.exitCode == 0, result.err.constData());
  for (const QByteArray& part : parts)
    QVERIFY2(result.out.contains(part), (part + " is not in " + result.out).constData());
}

void tst_window_program::bashCompletesWords_data() {
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* line, const char* expected) {
    QTest::newRow(line) << QString(line) << QString(expected);
  };
  row("equipatch ", "a.eqrun figure folder");
  row("equipatch fi", "figure");
  row("equipatch fo", "folder");
  row("equipatch --st", "--steps");
  row("equipatch --prompt figure --st", "--steps");
  row("equipatch --prompt = figure --st", "--steps");  // how bash splits --prompt=figure
  row("equipatch figure --kind gen", "generation");
  row("equipatch --model bun", "bundled bundled-vision");
}

void tst_window_program::bashCompletesWords() {
  QFETCH(QString, line);
  QFETCH(QString, expected);
  QTemporaryDir folder;
  QVERIFY(QDir(folder.path()).mkdir("folder"));
  for (const char* name : {"a.eqrun", "b.txt"}) writeFile(folder.filePath(name), "");
  const QByteArray script = runWithoutDisplay({"--completion", "bash"}).out;
  QCOMPARE(bashCompletions(script, line, folder.path()).join(' '), expected);
}

void tst_window_program::wrongArgumentsAreMisuse_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("line");
  const auto row = [](const char* name, const QStringList& arguments, const char* line) {
    QTest::newRow(name) << arguments << QString(line);
  };
  row("misspelt option", {"--promt", "x", "-platform", "offscreen"},
      "equipatch has no option \"--promt\"; did you mean --prompt?");
  row("unknown option", {"--frobnicate", "-platform", "offscreen"},
      "equipatch has no option \"--frobnicate\"; \"equipatch --help\" lists its options");
  row("command of the other program", {"compare", "--model", "x"},
      "compare is a command of equipatch-cli; run \"equipatch-cli compare\"");
  row("empty path", {""},
      "a path is empty; expected a model's folder or name, or recorded runs");
  row("empty path after an option", {"--run", "", "-platform", "offscreen"},
      "a path is empty; expected a model's folder or name, or recorded runs");
  row("steps", {"--steps", "0", "-platform", "offscreen"},
      "--steps needs a whole number from 1 to 1000000, but \"0\" was given");
  row("steps in words", {"--steps", "none", "-platform", "offscreen"},
      "--steps needs a whole number from 1 to 1000000, but \"none\" was given");
  row("too many steps", {"--steps", "3000000000", "-platform", "offscreen"},
      "--steps needs a whole number from 1 to 1000000, but \"3000000000\" was given");
  row("two models", {"a", "b", "-platform", "offscreen"},
      "the window opens one model or several recorded runs, but 2 paths were given and "
      "\"a\" is not a file; give recorded runs only, or one model");
  row("no such run", {"nosuch.eqrun", "-platform", "offscreen"},
      "there is no file \"nosuch.eqrun\"; give the path of a recorded run");
  row("two models, one by option", {"--model", "a", "b", "-platform", "offscreen"},
      "the window opens one model or several recorded runs, but 2 paths were given and "
      "\"a\" is not a file; give recorded runs only, or one model");
  row("empty model", {"--model", "", "-platform", "offscreen"},
      "--model is empty; expected a model's folder or name");
  row("--run with a file", {"/etc/passwd", "--run", "-platform", "offscreen"},
      "--run computes with a model, but \"/etc/passwd\" is a file; leave out --run to "
      "open a recorded run");
  row("option of figure", {"figure", "--rnu", "x"},
      "equipatch figure has no option \"--rnu\"; did you mean --run?");
  row("empty run", {"figure", "--run", "", "--kind", "overview", "--out", "x.pdf"},
      "--run: the name is empty; give the name of a file or folder");
  row("empty figure", {"figure", "--run", "x", "--kind", "overview", "--out", ""},
      "--out: the name is empty; give the name of a file or folder");
  row("height", {"figure", "x.json", "--out", "x.pdf", "--height", "900"},
      "--height: expected a number from 1 to 40, found \"900\"");
}

void tst_window_program::wrongArgumentsAreMisuse() {
  QFETCH(QStringList, arguments);
  QFETCH(QString, line);
  const WindowResult result = runWithoutDisplay(arguments);
  QCOMPARE(QString::fromUtf8(result.err), "error: " + line + "\n");
  QCOMPARE(result.exitCode, 2);
}

/// Without a display, Qt itself would abort.
void tst_window_program::aMissingDisplayIsNamed() {
  const WindowResult result = runWithoutDisplay({});
  QVERIFY2(result.err.startsWith("error: the window needs a display"),
           result.err.constData());
  QCOMPARE(result.err.count('\n'), 1);
  QCOMPARE(result.exitCode, 1);
  QCOMPARE(runWithoutDisplay({QStringLiteral("--version")}).exitCode, 0);
  // With -display, Qt itself looks for the display.
  const WindowResult given = runWithoutDisplay({"-display", ":4999"});
  QVERIFY2(!given.err.startsWith("error: the window needs a display"),
           given.err.constData());
}

void tst_window_program::aSweepsFolderIsReplacedByItsRuns() {
  const QTemporaryDir folder;
  for (const char* name : {"sweep.json", "b.eqrun", "a.eqrun"}) {
    QFile file(folder.filePath(QString::fromLatin1(name)));
    QVERIFY(file.open(QIODevice::WriteOnly));
  }
  const WindowResult result =
      runWithoutDisplay({folder.path(), QStringLiteral("--run")}, "offscreen");
  QVERIFY2(result.err.contains("--run computes with a model") &&
               result.err.contains("/a.eqrun"),
           result.err.constData());
  const QStringList two{folder.path(), QStringLiteral("nosuch")};
  QVERIFY(runWithoutDisplay(two, "offscreen").err.contains("but 2 paths were given"));
  for (const char* name : {"a.eqrun", "b.eqrun"})
    QVERIFY(QFile::remove(folder.filePath(QString::fromLatin1(name))));
  const WindowResult none = runWithoutDisplay({folder.path()}, "offscreen");
  QVERIFY2(none.err.contains("has no runs yet"), none.err.constData());
  QCOMPARE(none.exitCode, 2);
}

EQUIPATCH_TEST(tst_window_program)
#include "tst_window_program.moc"
