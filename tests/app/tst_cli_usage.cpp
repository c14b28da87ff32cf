// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/usage/misuse.h"
#include "core/base/strings.h"
#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_cli_usage : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void wrongUsageIsExplained_data();
  void wrongUsageIsExplained();
  void theTableOfCommandsIsComplete();
  void emptyNamesAreRefused_data();
  void emptyNamesAreRefused();
  void helpIsNarrowWithoutCli11Notation_data();
  void helpIsNarrowWithoutCli11Notation();
  void helpShowsAnOptionsValues();
  void helpAndVersionSucceed_data();
  void helpAndVersionSucceed();
  void missingModelIsAFailureNotMisuse_data();
  void missingModelIsAFailureNotMisuse();
};

void tst_cli_usage::wrongUsageIsExplained_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const char* arguments, const char* part) {
    QTest::newRow(name) << QString(arguments).split(' ', Qt::SkipEmptyParts)
                        << QString(part);
  };
  row("nothing", "", "a command is needed; \"equipatch-cli --help\" shows");
  row("none of a group", "export --run x", "one of --csv, --latex, --json, ");
  row("unknown command", "comprae --model x", "no command \"comprae\"; expected one of");
  row("misspelt command", "comprae --model x", "; did you mean compare?");
  row("command of the other program", "figure --run x", "\"equipatch figure\" draws");
  row("unknown option", "inspect --model x --frobnicate",
      "equipatch-cli inspect has no option \"--frobnicate\"; \"equipatch-cli inspect "
      "--help\"");
  row("unknown option with a value", "compare --model x --foo 5",
      "compare has no option \"--foo\"");
  row("misspelt option", "compare --model x --stps 5", "did you mean --steps?");
  row("misspelt option with =", "compare --model x --setps=5", "did you mean --steps?");
  row("misspelt option instead of a required one", "inspect --modle x",
      "did you mean --model?");
  row("misspelt option of a group", "export --run x --cvs y", "did you mean --csv?");
  row("one argument too many", "diff a b c", "unexpected argument \"c\"");
  row("too many after --", "diff -- a b c", "unexpected argument \"c\"");
  row("run files as arguments", "export a.eqrun b.eqrun --csv x",
      "unexpected argument \"a.eqrun\"; run files follow --run: --run A.eqrun B.eqrun");
  row("too few after --", "tokenize -- foo", "--model");
  row("two of a group", "export --run x --csv a --json b", "only one of --csv");
  row("positions backwards", "compare --model x --ids 1 --exact-for 9-5",
      "--exact-for: the positions 9-5 run backwards; write 5-9");
  row("layers backwards", "compare --model x --ids 1 --strength 2 --layers 0,3-1",
      "--layers: the layers 3-1 run backwards; write 1-3");
  row("no model", "inspect", "for example --model bundled");
  row("no ids", "decode --model x", "--ids");
  row("empty id", "decode --model x --ids 1,,2", "--ids");
  row("trailing comma", "decode --model x --ids 1,2,", "--ids");
  row("negative id", "decode --model x --ids=-1", "--ids");
  row("huge id", "decode --model x --ids 99999999999999999999", "--ids");
  row("ids in words", "logits --model x --out y --ids one", "--ids");
  row("no out", "logits --model x --ids 1",
      "--out is required; \"equipatch-cli logits --help\" shows");
  row("dtype", "logits --model x --ids 1 --out y --dtype int8", "--dtype");
  row("device", "logits --model x --ids 1 --out y --device tpu", "--device");
  row("no text", "tokenize --model x", "--jsonl");
  row("two texts", "tokenize --model x a --jsonl b", "--jsonl");
  row("no prompt", "compare --model x", "--prompt");
  row("two prompts", "compare --model x --prompt a --ids 1", "--ids");
  row("no-bos with ids", "compare --model x --ids 1 --no-bos", "--no-bos");
  row("chat with ids", "compare --model x --ids 1 --chat", "--chat");
  row("chat without BOS", "compare --model x --prompt a --chat --no-bos", "--no-bos");
  row("tokens of a chat without BOS", "tokenize --model x a --chat --no-bos", "--no-bos");
  row("system without chat", "compare --model x --prompt a --system b", "--chat");
  row("bad ids", "compare --model x --ids 1;2", "--ids");
  row("no steps", "compare --model x --ids 1 --steps 0", "--steps");
  row("steps with an exponent", "compare --model x --ids 1 --steps 1e3", "found \"1e3\"");
  row("seed out of range",
      "compare --model x --ids 1 --temperature 1 --seed 18446744073709551615", "--seed");
  row("steps in words", "compare --model x --ids 1 --steps many", "--steps");
  row("method", "compare --model x --ids 1 --method best", "--method");
  row("loop", "compare --model x --ids 1 --loop round", "--loop");
  row("apply", "compare --model x --ids 1 --apply twice", "--apply");
  row("threads", "compare --model x --ids 1 --threads 0", "--threads");
  row("temperature", "compare --model x --ids 1 --temperature=-1", "--temperature");
  row("top-p", "compare --model x --ids 1 --temperature 1 --top-p 1.5", "--top-p");
  row("top-k without temperature", "compare --model x --ids 1 --top-k 5",
      "--temperature");
  row("layers without json", "compare --model x --ids 1 --layers-out", "--json");
  row("nothing to tokenize", "tokenize --model x", "TEXT");
  row("nothing to measure", "bench", "--shape");
  row("model and shape", "bench --model x --shape y", "--shape");
  row("no steps to time", "bench --shape gemma-3-1b --steps 0", "--steps");
  row("dtype to measure", "bench --shape gemma-3-1b --dtype int8", "--dtype");
  row("same option twice", "compare --model x --model y --ids 1", "--model");
}

void tst_cli_usage::theTableOfCommandsIsComplete() {
  std::vector<std::string> known(equipatch::usage::kCliCommands.begin(),
                                 equipatch::usage::kCliCommands.end());
  const QByteArray expected =
      QByteArray::fromStdString("expected one of " + equipatch::joined(known) + "\n");
  const CommandResult result = runCommand({"zzzzzzzz"});
  QVERIFY2(result.err.endsWith(expected), result.err.constData());
}

/// Options that take a file, a folder or the name of a model, each with a command that
/// has the option.
void tst_cli_usage::emptyNamesAreRefused_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("option");
  const auto row = [](const char* arguments, const char* option) {
    QTest::newRow(qPrintable(QString(arguments).section(' ', 0, 0) + ' ' + option))
        << QString(arguments).split(' ') << QString(option);
  };
  row("models", "--folder");
  row("models", "--forget");
  row("models", "--delete");
  row("inspect", "--model");
  row("tokenize --model x", "--jsonl");
  row("logits --model x --ids 1", "--out");
  row("compare --model x", "--prompt-file");
  row("compare --model x --ids 1", "--out");
  row("compare --model x --ids 1 --step 0", "--save-patched");
  row("compare", "--rerun");
  row("compare", "--continue");
  row("compare --model x --prompt a", "--image");
  row("sweep --model x --out y", "--prompts");
  row("sweep --model x --preset paper", "--out");
  row("sweep", "--merge");
  row("sweep", "--status");
  row("export --csv x", "--run");
  for (const char* format :
       {"--csv", "--latex", "--json", "--npz", "--safetensors", "--html"})
    row("export --run x", format);
  row("export --run x --step 0", "--peft");
  row("bench", "--model");
  row("lab theorem", "--out");
}

void tst_cli_usage::emptyNamesAreRefused() {
  QFETCH(QStringList, arguments);
  QFETCH(QString, option);
  const CommandResult result = runCommand(arguments + QStringList{option, ""});
  QCOMPARE(stderrProblem(result, 2, option + ": the name is empty"), QString());
}

void tst_cli_usage::helpIsNarrowWithoutCli11Notation_data() {
  QTest::addColumn<QString>("command");
  for (const std::string_view command : equipatch::usage::kCliCommands)
    QTest::newRow(command.data()) << QString::fromUtf8(command.data());
}

void tst_cli_usage::helpIsNarrowWithoutCli11Notation() {
  QFETCH(QString, command);
  const QString help = runCommand({command, "--help"}).out;
  QVERIFY(help.contains("  -h, --help"));
  for (const char* noise :
       {"{", " in [", "Excludes:", "Needs:", "REQUIRED", "TEXT:", "[Option Group"})
    QVERIFY2(!help.contains(noise), qPrintable(noise + (" is in " + help)));
  for (const QString& line : help.split('\n').mid(2))
    QVERIFY2(line.size() <= 100, qPrintable(line));
}

void tst_cli_usage::helpShowsAnOptionsValues() {
  const auto helpOf = [](const char* command) {
    return QString(runCommand({command, "--help"}).out).simplified();
  };
  const QString compare = helpOf("compare");
  QVERIFY2(compare.contains("--steps COUNT tokens to generate (default 64)"),
           qPrintable(compare));
  QVERIFY(compare.contains("--strength NUMBER"));
  QVERIFY(compare.contains("(-10 to 10; default 1"));
  QVERIFY(compare.contains("--method balanced|direct|stable how"));
  QVERIFY(compare.contains("(needs --temperature)"));
  QVERIFY(compare.contains("the same, except direct in a mixture of experts"));
  // The help lists the options that --exact-for excludes. --continue excludes most
  // options, so the help lists the options that it allows.
  QVERIFY2(compare.contains("(not with --ablated, --absorb, --audit, --continue, "),
           qPrintable(compare));
  QVERIFY2(compare.contains("(with no options but --model, --weights, --image, "
                            "--threads, --out, --force, --json, --layers-out)"),
           qPrintable(compare));
  QVERIFY(helpOf("sweep").contains("(with no options but --json)"));  // help of --status
  QVERIFY(helpOf("inspect").contains("(required)"));
  QVERIFY(helpOf("lab").contains("(1 to 1024; default 1)"));
  QVERIFY(helpOf("export").contains("Exactly one of: --csv DIR"));
}

void tst_cli_usage::wrongUsageIsExplained() {
  QFETCH(QStringList, arguments);
  QFETCH(QString, part);
  QCOMPARE(stderrProblem(runCommand(arguments), 2, part), QString());
}

void tst_cli_usage::helpAndVersionSucceed_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QByteArray>("part");
  QTest::newRow("version") << QStringList{"--version"} << QByteArray(EQUIPATCH_VERSION);
  QTest::newRow("help") << QStringList{"--help"} << QByteArray("compare");
  QTest::newRow("help of one") << QStringList{"compare", "--help"}
                               << QByteArray("--round-logits");
}

void tst_cli_usage::helpAndVersionSucceed() {
  QFETCH(QStringList, arguments);
  QFETCH(QByteArray, part);
  const CommandResult result = runCommand(arguments);
  QCOMPARE(result.exitCode, 0);
  QCOMPARE(result.err, QByteArray());
  QVERIFY2(result.out.contains(part), result.out);
}

void tst_cli_usage::missingModelIsAFailureNotMisuse_data() {
  QTest::addColumn<QStringList>("arguments");
  const QString folder = "/nowhere/model";
  QTest::newRow("inspect") << QStringList{"inspect", "--model", folder};
  QTest::newRow("tokenize") << QStringList{"tokenize", "--model", folder, "text"};
  QTest::newRow("decode") << QStringList{"decode", "--model", folder, "--ids", "1"};
  QTest::newRow("logits") << QStringList{
      "logits", "--model", folder, "--ids", "1", "--out", "/tmp/nowhere-out"};
  QTest::newRow("compare") << QStringList{"compare", "--model", folder, "--ids", "1"};
  QTest::newRow("bench") << QStringList{"bench", "--model", folder};
  QTest::newRow("shape") << QStringList{"bench", "--shape", folder};
}

void tst_cli_usage::missingModelIsAFailureNotMisuse() {
  QFETCH(QStringList, arguments);
  QCOMPARE(stderrProblem(runCommand(arguments), 1, "/nowhere/model"), QString());
}

EQUIPATCH_TEST(tst_cli_usage)
#include "tst_cli_usage.moc"
