// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

/// Wrong usage is exit code 2 and one line that names the option.
class tst_cli_usage : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void wrongUsageNamesTheOption_data();
  void wrongUsageNamesTheOption();
  void helpAndVersionSucceed_data();
  void helpAndVersionSucceed();
  void missingModelIsAFailureNotMisuse_data();
  void missingModelIsAFailureNotMisuse();
};

void tst_cli_usage::wrongUsageNamesTheOption_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("part");
  const auto row = [](const char* name, const char* arguments, const char* part) {
    QTest::newRow(name) << QString(arguments).split(' ', Qt::SkipEmptyParts)
                        << QString(part);
  };
  row("nothing", "", "subcommand");
  row("unknown command", "comprae --model x", "no command \"comprae\"; expected one of");
  row("unknown option", "inspect --model x --frobnicate", "--frobnicate");
  row("no model", "inspect", "--model");
  row("no ids", "decode --model x", "--ids");
  row("empty id", "decode --model x --ids 1,,2", "--ids");
  row("trailing comma", "decode --model x --ids 1,2,", "--ids");
  row("negative id", "decode --model x --ids=-1", "--ids");
  row("huge id", "decode --model x --ids 99999999999999999999", "--ids");
  row("ids in words", "logits --model x --out y --ids one", "--ids");
  row("no out", "logits --model x --ids 1", "--out");
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
  row("nothing to measure", "bench", "--shape");
  row("model and shape", "bench --model x --shape y", "--shape");
  row("no steps to time", "bench --shape gemma-3-1b --steps 0", "--steps");
  row("dtype to measure", "bench --shape gemma-3-1b --dtype int8", "--dtype");
  row("same option twice", "compare --model x --model y --ids 1", "--model");
}

void tst_cli_usage::wrongUsageNamesTheOption() {
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
  QTest::newRow("logits") << QStringList{"logits", "--model", folder,        "--ids",
                                         "1",      "--out",   "/nowhere/out"};
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
