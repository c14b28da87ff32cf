// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QRegularExpression>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

namespace {

QByteArray pageOf(const QStringList& arguments) {
  const CommandResult result = runCommand(arguments);
  return result.exitCode == 0 ? result.out : QByteArray();
}

QStringList commandNames() {
  QStringList names;
  const QString help = runCommand({"--help"}).out;
  const QString list = help.mid(help.indexOf("Subcommands:"));
  static const QRegularExpression line("^  ([a-z-]+) ",
                                       QRegularExpression::MultilineOption);
  for (const auto& match : line.globalMatch(list)) names += match.captured(1);
  return names;
}

/// The long options, such as "--steps", that the command's help lists.
QStringList optionsInHelp(const QString& command) {
  QStringList options;
  static const QRegularExpression line("^ +(?:-h, )?(--[a-z-]+)",
                                       QRegularExpression::MultilineOption);
  const QString help = runCommand({command, "--help"}).out;
  for (const auto& match : line.globalMatch(help)) options += match.captured(1);
  return options;
}

}  // namespace

/// The manual page, the completions and the help come from the same tables.
class tst_cli_pages : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void helpOptionsAreInManualAndCompletions_data();
  void helpOptionsAreInManualAndCompletions();
  void bashCompletesWords_data();
  void bashCompletesWords();
  void theManualIsAsciiAndHasItsSections();
  void invalidManualAndCompletionOptionsAreMisuse();
};

void tst_cli_pages::helpOptionsAreInManualAndCompletions_data() {
  QTest::addColumn<QString>("command");
  const QStringList names = commandNames();
  QVERIFY(names.size() >= 12);
  for (const QString& name : names) QTest::newRow(qPrintable(name)) << name;
}

void tst_cli_pages::helpOptionsAreInManualAndCompletions() {
  QFETCH(QString, command);
  const QStringList options = optionsInHelp(command);
  QVERIFY(options.contains("--help"));

  const QString manual = pageOf({"--manual"});
  const QString escapedName = QString(command).replace('-', "\\-");
  const qsizetype begin = manual.indexOf("\n.SS " + escapedName + " ");
  QVERIFY2(begin > 0, "the manual page has no section of the command");
  const qsizetype end = manual.indexOf("\n.S", begin + 1);
  const QString section = manual.mid(begin, end - begin);

  const QString zsh = pageOf({"--completion", "zsh"});
  const qsizetype branch = zsh.indexOf("\n    " + command + ")\n");
  QVERIFY(branch > 0);
  const QString specifications = zsh.mid(branch, zsh.indexOf(";;", branch) - branch);

  QTemporaryDir folder;
  const QStringList words =
      bashCompletions(pageOf({"--completion", "bash"}),
                      "equipatch-cli " + command + " --", folder.path());
  for (const QString& option : options) {
    const QString escaped = "\\fB" + QString(option).replace('-', "\\-") + "\\fR";
    QVERIFY2(section.contains(escaped), qPrintable(option));
    QVERIFY2(specifications.contains(")" + option + "[") ||
                 specifications.contains(option + "=["),
             qPrintable(option));
    QVERIFY2(words.contains(option), qPrintable(option + " of " + words.join(' ')));
  }
}

void tst_cli_pages::bashCompletesWords_data() {
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("expected");
  const auto row = [](const char* line, const char* expected) {
    QTest::newRow(line) << "equipatch-cli " + QString(line) << QString(expected);
  };
  row("comp", "compare");
  row("compare --meth", "--method");
  row("compare --method ", "balanced direct stable");
  row("compare --method st", "stable");
  row("compare --method = st", "stable");  // how bash splits --method=st
  row("compare --dtype fl", "float16 float32 float64");
  row("compare --model ", "bundled bundled-vision folder");
  row("compare --rerun ", "a.eqrun folder");
  row("compare --prompt-file ", "a.eqrun b.txt folder");
  row("compare --prompt ", "");
  row("sweep --mem ", "");
  row("diff ", "a.eqrun folder");
  row("runs ", "a.eqrun folder");
  row("lab theo", "theorem");
  row("parity ", "folder");
  row("--v", "--version");
}

void tst_cli_pages::bashCompletesWords() {
  QFETCH(QString, line);
  QFETCH(QString, expected);
  QTemporaryDir folder;
  QVERIFY(QDir(folder.path()).mkdir("folder"));
  for (const char* name : {"a.eqrun", "b.txt"}) writeFile(folder.filePath(name), "");
  const QByteArray script = pageOf({"--completion", "bash"});
  QCOMPARE(bashCompletions(script, line, folder.path()).join(' '), expected);
}

void tst_cli_pages::theManualIsAsciiAndHasItsSections() {
  const QByteArray manual = pageOf({"--manual"});
  QVERIFY(manual.size() > 5000);
  QVERIFY(std::all_of(manual.begin(), manual.end(), [](char letter) {
    return static_cast<unsigned char>(letter) < 0x80;
  }));
  // The help of export --safetensors has a Δ.
  QVERIFY(manual.contains("\\[u0394]m"));
  QVERIFY(manual.contains(".TH EQUIPATCH-CLI 1"));
  const qsizetype description = manual.indexOf(".SH DESCRIPTION");
  const qsizetype commands = manual.indexOf(".SH COMMANDS");
  QVERIFY(description > 0);
  QVERIFY(description < commands);
  QVERIFY(commands < manual.indexOf(".SH EXIT STATUS"));
}

void tst_cli_pages::invalidManualAndCompletionOptionsAreMisuse() {
  QCOMPARE(stderrProblem(runCommand({"--completion", "fish"}), 2, "--completion bash"),
           QString());
  QCOMPARE(stderrProblem(runCommand({"--completion"}), 2, "zsh"), QString());
  QCOMPARE(stderrProblem(runCommand({"--manual", "x"}), 2, "--manual x"), QString());
}

EQUIPATCH_TEST(tst_cli_pages)
#include "tst_cli_pages.moc"
