// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/sweep/sweep_prompts.h"

#include <QTemporaryDir>
#include <fstream>

#include "core/record/sweep/sweep_grid.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_sweep_prompts : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void everySeedIsAPromptOfItsOwn() {
    const auto prompts =
        parseSweepPrompts("\"one\"\n{\"text\":\"two\",\"name\":\"b\"}", "p.jsonl");
    const auto sampled = sampledPrompts(prompts, 0.8, {3, 7});
    QStringList names;
    for (const SweepPrompt& prompt : sampled) {
      names << QString::fromStdString(prompt.name);
      QCOMPARE(prompt.sampling.temperature, 0.8);
    }
    QCOMPARE(names,
             (QStringList{"prompt-001-seed3", "prompt-001-seed7", "b-seed3", "b-seed7"}));
    QCOMPARE(sampled[1].sampling.seed, std::uint64_t{7});
    QCOMPARE(sampled[3].text, std::string("two"));
    SweepPrompt longest{.name = std::string(64, 'x'), .text = "t"};
    QVERIFY_ERROR(sampledPrompts({longest}, 1.0, {1}), "too long with its seed");
    const std::vector<std::int64_t> many(60'000, 1);
    QVERIFY_ERROR(sampledPrompts(prompts, 1.0, many), "prompts times seeds");
  }
  void everySentenceIsAPromptOfItsOwn() {
    const auto each = eachSentence(
        parseSweepPrompts("\"Wait. Wait. Stop.\"\n\"One. Two.\"", "p.jsonl"));
    QVERIFY(each.skipped.empty());
    const auto& prompts = each.prompts;
    QStringList names, parts;
    for (const SweepPrompt& prompt : prompts) {
      names << QString::fromStdString(prompt.name).section(u'-', 1);
      parts << QString::fromStdString(prompt.absorb);
    }
    QCOMPARE(names, (QStringList{"001-sentence1", "001-sentence2", "001-sentence3",
                                 "002-sentence1", "002-sentence2"}));
    QCOMPARE(parts, (QStringList{"sentence:1", "sentence:2", "words:Stop.", "words:One.",
                                 "words:Two."}));
    QCOMPARE(prompts[1].text, std::string("Wait. Wait. Stop."));
    QVERIFY_ERROR(eachSentence({{.name = "a", .text = "One"}}),
                  "expected a prompt of at least 2 sentences", "found 1 prompt of");
    QVERIFY_ERROR(eachSentence({{.name = "a", .text = "One. Two.", .absorb = "prompt"}}),
                  "\"a\" says that it absorbs \"prompt\"");
    QVERIFY_ERROR(eachSentence({{.name = std::string(64, 'x'), .text = "One. Two."}}),
                  "too long with its sentence");
  }
  /// 10,000 copies of 150 kB would take 1.5 GB.
  void copiesOfALongPromptAreLimited() {
    std::string text;
    for (int sentence = 0; sentence < 10'000; ++sentence) text += "It goes on so. ";
    const std::vector<SweepPrompt> prompts{{.name = "long", .text = text}};
    QVERIFY_ERROR(eachSentence(prompts), "at most 1024 MiB", "10000 copies of \"long\"");
    const std::vector<std::int64_t> seeds(10'000, 1);
    QVERIFY_ERROR(sampledPrompts(prompts, 1.0, seeds), "at most 1024 MiB", "\"long\"");
  }
  void aPromptOfOneSentenceIsSkipped() {
    const auto each = eachSentence({{.name = "a", .text = "One"},
                                    {.name = "b", .text = "One. Two."},
                                    {.name = "c", .text = "Three."}});
    QCOMPARE(each.prompts.size(), std::size_t{2});
    QCOMPARE(each.prompts.front().name, std::string("b-sentence1"));
    QCOMPARE(each.skipped, (std::vector<std::string>{"a", "c"}));
  }
  void readsPromptsFromStringsAndObjects();
  void blankLinesAreSkippedButCounted();
  void onlyChatPromptsCanAbsorbTemplateWords();
  void readsPromptsFromAFile();
  void readsImagesBesideTheFile();
  void theErrorNamesTheLine_data();
  void theErrorNamesTheLine();
  void thePaperPresetHasThePapersSettings();
  void unknownPresetsAreRefused();
};

void tst_sweep_prompts::readsPromptsFromStringsAndObjects() {
  const auto prompts = parseSweepPrompts(
      "\"Once\\nupon \\u00e9\"\n"
      R"({"text": "Hello", "name": "greeting_1", "chat": true, "absorb": "prompt"})"
      "\n{\"prompt\": \"again\"}",
      "F");
  const std::vector<SweepPrompt> expected{
      {"prompt-001", "Once\nupon \xC3\xA9", false},
      {.name = "greeting_1", .text = "Hello", .chat = true, .absorb = "prompt"},
      {"prompt-003", "again", false}};
  QVERIFY(prompts == expected);
}

void tst_sweep_prompts::blankLinesAreSkippedButCounted() {
  QCOMPARE(parseSweepPrompts("\xEF\xBB\xBF\"a\"\n\"b\"", "F").size(),
           2u);  // the byte order mark of Windows is skipped
  QCOMPARE(parseSweepPrompts("\r\n\"a\"\r\n \t\n\"b\"\r\n\n", "F").size(), 2u);
  QVERIFY_ERROR(parseSweepPrompts("\n\"a\"\n\n17\n", "F"), "F, line 4");
}

void tst_sweep_prompts::onlyChatPromptsCanAbsorbTemplateWords() {
  const char* line = R"({"text": "Hello", "absorb": "words:user"})";
  QVERIFY_ERROR(parseSweepPrompts(line, "F"), "F, line 1", "user");
  QVERIFY(parseSweepPrompts(line, "F", {}, SweepForm::Chat)[0].chat);
}

void tst_sweep_prompts::readsPromptsFromAFile() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("p.jsonl").toStdString();
  std::ofstream(path) << "\"a\"\n\"b\"\n";
  QCOMPARE(readSweepPrompts(path).size(), 2u);
  QVERIFY_ERROR(readSweepPrompts(folder.filePath("none").toStdString()), "none");
  QVERIFY_ERROR(readSweepPrompts(folder.path().toStdString()), "folder");
}

void tst_sweep_prompts::readsImagesBesideTheFile() {
  const QTemporaryDir folder;
  const std::filesystem::path path = folder.filePath("p.jsonl").toStdString();
  std::ofstream(folder.filePath("a.png").toStdString()) << "a";
  std::ofstream(path) << R"({"text": "t", "images": ["a.png"]})";
  const auto prompts = readSweepPrompts(path);
  QCOMPARE(prompts[0].images.size(), 1u);
  QCOMPARE(prompts[0].images[0].file, folder.filePath("a.png").toStdString());
  QCOMPARE(
      prompts[0].images[0].sha256,  // the hash of "a"
      std::string("ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"));
  std::ofstream(path) << R"({"text": "t", "images": ["b.png"]})";
  QVERIFY_ERROR(readSweepPrompts(path), "p.jsonl, line 1", "b.png");
  std::ofstream(path) << R"({"text": "t", "images": [1]})";
  QVERIFY_ERROR(readSweepPrompts(path), "line 1", "a list of paths");
}

void tst_sweep_prompts::theErrorNamesTheLine_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("reason");
  const auto row = [](const char* name, const QByteArray& line, const char* reason) {
    QTest::newRow(name) << "\"good\"\n" + line + "\n" << QString(reason);
  };
  row("no JSON", "Once upon a time", "prompt as JSON, \"text\" or");
  row("cut short", "{\"text\": \"a", "not valid JSON");
  row("two on a line", "\"a\" \"b\"", "not valid JSON");
  row("not UTF-8", "\"\xC3\x28\"", "not UTF-8");
  row("a NUL", QByteArray("\"a\0b\"", 5), "not valid JSON");
  row("a number", "17", "found \"17\"");
  row("a list", "[\"a\"]", "expected a prompt as JSON");
  row("nested without end", QByteArray("{\"a\":").repeated(5000), "nested deeper");
  row("no text", R"({"name": "a"})", "\"text\" is missing");
  row("two texts", R"({"text": "a", "prompt": "b"})", "found both");
  row("a text that is none", R"({"text": ["a"]})", "\"text\" should be a string");
  row("an empty text", "\"\"", "no text");
  row("chat in words", R"({"text": "a", "chat": "yes"})", "\"chat\" should be true");
  row("a key nobody reads", R"({"text": "a", "sytem": "b"})", "no \"sytem\"");
  row("a name that is a path", R"({"text": "a", "name": "../x"})", "\"../x\"");
  row("a hidden name", R"({"text": "a", "name": ".x"})", "\".x\"");
  row("an empty name", R"({"text": "a", "name": ""})", "1 to 64 letters");
  row("an endless name", "{\"text\": \"a\", \"name\": \"" + QByteArray(65, 'n') + "\"}",
      "1 to 64 letters");
  row("a name twice", R"({"text": "a", "name": "prompt-001"})", "called \"prompt-001\"");
}

void tst_sweep_prompts::theErrorNamesTheLine() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, reason);
  QVERIFY_ERROR(parseSweepPrompts({bytes.constData(), std::size_t(bytes.size())}, "F"),
                "F, line 2", reason);
  QVERIFY_ERROR(parseSweepPrompts(" \n\n", "F"), "F: there is no prompt in it");
}

void tst_sweep_prompts::thePaperPresetHasThePapersSettings() {
  const SweepPreset paper = sweepPreset("paper");
  QCOMPARE(paper.prompts.size(), 5u);
  QCOMPARE(paper.prompts[0].text,
           std::string("Give a one-sentence weather forecast for Mars from the "
                       "perspective of a grumpy cat."));
  QCOMPARE(paper.steps, 20);
  QVERIFY(paper.measureNoise);
  // Each dtype with the paper's two methods in an open loop, and with the program's own
  // method in a closed loop.
  QStringList points;
  for (const SweepPoint& point : parseGrids(paper.grids, DType::F16))
    points += QString::fromStdString(pointText(point));
  points.sort();
  QCOMPARE(
      points,
      (QStringList{
          "bfloat16 balanced closed materialised", "bfloat16 direct open materialised",
          "bfloat16 stable open materialised", "float32 balanced closed materialised",
          "float32 direct open materialised", "float32 stable open materialised"}));
}

void tst_sweep_prompts::unknownPresetsAreRefused() {
  QVERIFY_ERROR(sweepPreset("papers"), "no preset \"papers\"", "expected paper");
}

EQUIPATCH_TEST(tst_sweep_prompts)
#include "tst_sweep_prompts.moc"
