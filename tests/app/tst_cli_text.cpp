// SPDX-License-Identifier: GPL-3.0-or-later
#include <sys/stat.h>

#include <QFile>
#include <QJsonArray>
#include <QScopeGuard>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch::test;

/// Most tests use a folder with a tokenizer.json, but without config.json and weights.
class tst_cli_text : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void tokenizesAText();
  void omitsSpecialTokensOnRequest();
  void tokenizesAnEmptyText();
  void tokenizesLines();
  void tokenizesAChat();
  void requiresAChatTemplate();
  void errorNamesTheMalformedLine_data();
  void errorNamesTheMalformedLine();
  void decodesTokenIds();
  void refusesUnknownTokenIds();
  void refusesInvalidUtf8();
  void refusesInvalidFilesOfTexts();
  void roundTripsARealTokenizer();

 private:
  QString path(const char* name) const { return m_folder.filePath(name); }
  CommandResult tokenize(const QStringList& arguments) const {
    return runCommand(QStringList{"tokenize", "--model", m_folder.path()} + arguments);
  }

  QTemporaryDir m_folder;
};

void tst_cli_text::initTestCase() {
  QVERIFY(m_folder.isValid());
  writeFile(path("tokenizer.json"), tinyTokenizerJson());
}

void tst_cli_text::tokenizesAText() {
  const CommandResult result = tokenize({"abcab"});
  QCOMPARE(result.err, QByteArray());
  QCOMPARE(result.exitCode, 0);
  QCOMPARE(result.out,
           QByteArray("{\"ids\":[4,2,3,2],\"pieces\":[\"<s>\",\"ab\",\"c\",\"ab\"],"
                      "\"spans\":[[0,0],[0,2],[2,3],[3,5]]}\n"));
}

void tst_cli_text::omitsSpecialTokensOnRequest() {
  const CommandResult result = tokenize({"--no-bos", "ab"});
  QCOMPARE(result.out,
           QByteArray("{\"ids\":[2],\"pieces\":[\"ab\"],\"spans\":[[0,2]]}\n"));
}

void tst_cli_text::tokenizesAnEmptyText() {
  QCOMPARE(tokenize({"--no-bos", ""}).out,
           QByteArray("{\"ids\":[],\"pieces\":[],\"spans\":[]}\n"));
}

void tst_cli_text::tokenizesLines() {
  writeFile(path("texts.jsonl"),
            "\"ab\"\r\n\r\n{\"text\": \"c\", \"ids\": [3]}\n \n\"a\\u0062\"\n");
  const CommandResult result = tokenize({"--jsonl", path("texts.jsonl"), "--no-bos"});
  QCOMPARE(result.exitCode, 0);
  const auto objects = result.objects();
  QCOMPARE(objects.size(), 3);
  QCOMPARE(objects[0]["ids"].toArray(), QJsonArray{2});
  QCOMPARE(objects[1]["ids"].toArray(), QJsonArray{3});
  QCOMPARE(objects[2]["ids"].toArray(), QJsonArray{2});
}

/// Special tokens in the rendered text get their ids, no others are added, and the
/// rendered text is printed.
void tst_cli_text::tokenizesAChat() {
  const auto removed =
      qScopeGuard([this] { QFile::remove(path("chat_template.jinja")); });
  writeFile(path("chat_template.jinja"),
            "<s>{% for m in messages %}{{ m.role[0] }}{{ m.content }}{% endfor %}");
  const CommandResult result = tokenize({"--chat", "--system", "a", "bc"});
  if (result.err.contains("python3-jinja2")) QSKIP("no Python with Jinja2 here");
  QCOMPARE(result.err, QByteArray());
  const auto object = result.objects().value(0);
  QCOMPARE(object["text"].toString(), "<s>saubc");
  QCOMPARE(object["ids"].toArray(), (QJsonArray{4, 2, 3}));
  QCOMPARE(object["spans"].toArray().last().toArray(), (QJsonArray{7, 8}));
  writeFile(path("texts.jsonl"), "\"b\"\n\"c\"\n");
  const auto objects = tokenize({"--chat", "--jsonl", path("texts.jsonl")}).objects();
  QCOMPARE(objects.size(), 2);
  QCOMPARE(objects[1]["text"].toString(), "<s>uc");
  writeFile(path("chat_template.jinja"), "{{ raise_exception('No such role') }}");
  QCOMPARE(stderrProblem(tokenize({"--chat", "a"}), 1, "No such role"), QString());
  writeFile(
      path("chat_template.jinja"),
      "{% if messages[0].content == 'c' %}{{ raise_exception('No c') }}{% endif %}");
  const CommandResult refused = tokenize({"--chat", "--jsonl", path("texts.jsonl")});
  QCOMPARE(refused.exitCode, 1);
  QVERIFY2(refused.err.contains("texts.jsonl, line 2: ") && refused.err.contains("No c"),
           refused.err);
}

void tst_cli_text::requiresAChatTemplate() {
  QCOMPARE(stderrProblem(tokenize({"--chat", "a"}), 1, "chat_template.jinja"), QString());
}

void tst_cli_text::errorNamesTheMalformedLine_data() {
  QTest::addColumn<QByteArray>("line");
  QTest::newRow("not JSON") << QByteArray("ab");
  QTest::newRow("a number") << QByteArray("17");
  QTest::newRow("no text") << QByteArray("{\"texts\": \"ab\"}");
  QTest::newRow("text of another type") << QByteArray("{\"text\": 5}");
  QTest::newRow("cut off") << QByteArray("\"ab");
}

void tst_cli_text::errorNamesTheMalformedLine() {
  QFETCH(QByteArray, line);
  writeFile(path("bad.jsonl"), line + "\n");
  const CommandResult first = tokenize({"--jsonl", path("bad.jsonl")});
  QCOMPARE(stderrProblem(first, 1, "bad.jsonl, line 1"), QString());
  writeFile(path("bad.jsonl"), "\"ab\"\n\n" + line + "\n");
  const CommandResult third = tokenize({"--jsonl", path("bad.jsonl")});
  QCOMPARE(third.exitCode, 1);
  QVERIFY2(third.err.contains("bad.jsonl, line 3"), third.err);
}

void tst_cli_text::decodesTokenIds() {
  const CommandResult result =
      runCommand({"decode", "--model", m_folder.path(), "--ids", "4,2,3,2"});
  QCOMPARE(result.exitCode, 0);
  QCOMPARE(result.out, QByteArray("abcab\n"));
}

void tst_cli_text::refusesUnknownTokenIds() {
  const CommandResult result =
      runCommand({"decode", "--model", m_folder.path(), "--ids", "2,77"});
  QCOMPARE(stderrProblem(result, 1, "77"), QString());
}

void tst_cli_text::refusesInvalidUtf8() {
  writeFile(path("bad.jsonl"), "\"a\xff\"\n");
  QCOMPARE(stderrProblem(tokenize({"--jsonl", path("bad.jsonl")}), 1, "line 1"),
           QString());
}

void tst_cli_text::refusesInvalidFilesOfTexts() {
  QCOMPARE(::mkfifo(path("pipe").toLocal8Bit().constData(), 0600), 0);
  QCOMPARE(stderrProblem(tokenize({"--jsonl", path("pipe")}), 1, "regular file"),
           QString());
  QFile sparse(path("sparse"));
  QVERIFY(sparse.open(QIODevice::WriteOnly) && sparse.resize(qint64(1) << 27));
  QCOMPARE(stderrProblem(tokenize({"--jsonl", path("sparse")}), 1,
                         "sparse, line 1: expected a text of at most"),
           QString());
}

void tst_cli_text::roundTripsARealTokenizer() {
  EXTRA_DATA_OR_SKIP(folder, "models/stories260K");
  const QString model = QString::fromStdString(folder.string());
  const QString text = "Once upon a time, there was a little girl.";
  const auto tokens = runCommand({"tokenize", "--model", model, text}).objects().value(0);
  QList<qint64> ids;
  for (const auto& id : tokens["ids"].toArray()) ids += id.toInteger();
  QVERIFY(ids.size() > 5);
  QCOMPARE(ids.first(), 1);  // BOS
  const CommandResult back =
      runCommand({"decode", "--model", model, "--ids", idList(ids)});
  QCOMPARE(QString::fromUtf8(back.out), text + "\n");
}

EQUIPATCH_TEST(tst_cli_text)
#include "tst_cli_text.moc"
