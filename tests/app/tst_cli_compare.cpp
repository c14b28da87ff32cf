// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_cli_compare : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void generatesTheReferencesTokens_data();
  void generatesTheReferencesTokens();
  void aLeadingZeroMakesNoOctalNumber();
  void printsTheDocumentedKeys();
  void omitsTheBarePassOnRequest();
  void printsLayers();
  void measuresTheNoiseFloor();
  void reportsThatAllMethodsGiveTheSamePatch();
  void optionsDoNotChangeTheTokens_data();
  void optionsDoNotChangeTheTokens();
  void weightsAreMappedOrResidentOnRequest();
  void absorbsTheChosenPart();
  void samplesTheSameWithTheSameSeed();
  void reportsSampledAndMostLikelyTokens();
  void printsATable();
  void takesPromptsAsTextAndFromFiles();
  void textPromptsNeedATokenizer();
  void stopsAtTheEndOfSequence();
  void refusesInvalidPrompts_data();
  void refusesInvalidPrompts();
  void emptyPromptsAreRefused();

 private:
  static CommandResult compare(const char* model, const QStringList& more);
};

CommandResult tst_cli_compare::compare(const char* model, const QStringList& more) {
  return runCommand(QStringList{"compare", "--model", goldenFolder(model), "--json"} +
                    more);
}

void tst_cli_compare::generatesTheReferencesTokens_data() {
  QTest::addColumn<QString>("model");
  for (const char* name : {"llama2_gqa", "llama3_tied", "gemma3_text"})
    QTest::newRow(name) << QString(name);
}

void tst_cli_compare::generatesTheReferencesTokens() {
  QFETCH(QString, model);
  const QByteArray name = model.toUtf8();
  const GoldenTokens golden = goldenTokens(name);
  const CommandResult result =
      compare(name, {"--ids", idList(golden.prompt), "--steps", "12", "--dtype",
                     "float32", "--ignore-eos"});
  QCOMPARE(result.err, QByteArray());
  QCOMPARE(result.exitCode, 0);
  const auto lines = result.objects();
  QCOMPARE(lines.size(), 13);
  for (int step = 0; step < 12; ++step) {
    QCOMPARE(lines[step]["step"].toInt(), step);
    QCOMPARE(lines[step]["position"].toInt(), 23 + step);
    QCOMPARE(lines[step]["token_id"].toInteger(), golden.greedy[24 + step]);
    QCOMPARE(lines[step]["patched_id"].toInteger(), golden.greedy[24 + step]);
    QCOMPARE(lines[step]["match"].toBool(), true);
    const double linf = lines[step]["linf"].toDouble();
    QVERIFY(linf < 1e-3 * lines[step]["bare_linf"].toDouble());
  }
  const QJsonObject summary = lines[12]["summary"].toObject();
  QCOMPARE(summary["steps"].toInt(), 12);
  QCOMPARE(summary["matches"].toInt(), 12);
}

void tst_cli_compare::aLeadingZeroMakesNoOctalNumber() {
  const auto lines =
      compare("llama2_gqa", {"--ids", "5,6,7", "--steps", "010", "--ignore-eos"})
          .objects();
  QCOMPARE(lines.size(), 11);  // ten steps and the summary
}

void tst_cli_compare::printsTheDocumentedKeys() {
  const auto lines =
      compare("llama2_gqa", {"--ids", "5 6, 7 ", "--steps", "1"}).objects();
  QCOMPARE(lines.size(), 2);
  QCOMPARE(lines[0].keys(), (QStringList{"bare_kl",
                                         "bare_linf",
                                         "bare_top_token_id",
                                         "bare_top_token_text",
                                         "bare_tvd",
                                         "kl",
                                         "linf",
                                         "margin",
                                         "match",
                                         "milliseconds",
                                         "ms",
                                         "patched_id",
                                         "patched_text",
                                         "patched_token_id",
                                         "patched_top_token_id",
                                         "patched_top_token_text",
                                         "position",
                                         "step",
                                         "token",
                                         "token_id",
                                         "token_text",
                                         "top_token_id",
                                         "top_token_text",
                                         "tvd"}));
  QCOMPARE(lines[1].keys(), QStringList{"summary"});
  QCOMPARE(lines[1]["summary"].toObject().keys(),
           (QStringList{"bare_kl_max", "bare_kl_median", "bare_linf_median", "linf_max",
                        "linf_median", "matches", "ms_per_step", "steps", "text",
                        "tvd_max", "weights"}));
  // Without a tokenizer, a token's text is its id.
  QCOMPARE(lines[0]["token"].toString(),
           QString::number(lines[0]["token_id"].toInteger()));
}

void tst_cli_compare::omitsTheBarePassOnRequest() {
  const auto lines =
      compare("llama2_gqa", {"--ids", "5,6,7", "--steps", "1", "--no-bare"}).objects();
  QCOMPARE(lines.size(), 2);
  QVERIFY(!lines[0].contains("bare_linf"));
  QVERIFY(!lines[0].contains("bare_tvd"));
  const QJsonObject summary = lines[1]["summary"].toObject();
  QVERIFY(summary["bare_linf_median"].isNull());  // null, not a missing key
}

void tst_cli_compare::printsLayers() {
  const auto lines = compare("gemma3_text", {"--ids", "5,6,7,8", "--steps", "2",
                                             "--layers-out", "--dtype", "float32"})
                         .objects();
  QCOMPARE(lines.size(), 3);
  const QJsonArray layers = lines[0]["layers"].toArray();
  QCOMPARE(layers.size(), 7);
  for (int index = 0; index < 7; ++index) {
    const QJsonObject layer = layers[index].toObject();
    QCOMPARE(layer.keys(),
             (QStringList{"dbias_norm", "dscale_max", "dscale_norm", "dw", "dw_rel",
                          "effect", "guarded", "hard_case", "hidden_error", "layer",
                          "smallest_divisor", "z_cosine", "z_norm"}));
    QCOMPARE(layer["layer"].toInt(), index);
    for (const char* norms : {"dw", "dw_rel"})
      QCOMPARE(layer[norms].toObject().keys(), (QStringList{"down", "gate", "up"}));
    QVERIFY(layer["dw"].toObject()["gate"].toDouble() > 0.0);
    QVERIFY(layer["dscale_norm"].toDouble() >= layer["dscale_max"].toDouble());
    QVERIFY(layer["hidden_error"].toDouble() < 1e-4);
  }
}

void tst_cli_compare::measuresTheNoiseFloor() {
  const auto lines = compare("llama2_gqa", {"--ids", "5,6,7,8", "--steps", "3", "--noise",
                                            "--dtype", "bfloat16"})
                         .objects();
  QCOMPARE(lines.size(), 4);
  double largest = 0.0;
  for (int step = 0; step < 3; ++step) {
    QVERIFY(lines[step].contains("noise_linf"));
    QVERIFY(lines[step]["rounding_linf"].toDouble() > 1e-3);
    QCOMPARE(lines[step]["verdict"].toString(), QString("exact"));
    largest = std::max(largest, lines[step]["noise_linf"].toDouble());
  }
  QCOMPARE(lines[3]["summary"].toObject()["verdicts"].toObject(),
           (QJsonObject{{"exact", 3}}));
  QCOMPARE(lines[3]["summary"].toObject()["noise_linf_max"].toDouble(), largest);
}

void tst_cli_compare::reportsThatAllMethodsGiveTheSamePatch() {
  const QStringList direct{"--ids", "5,6", "--steps", "1", "--method", "direct"};
  QVERIFY(
      compare("llama2_gqa", direct).err.contains("all methods compute the same patch"));
  QCOMPARE(compare("gemma3_text", direct).err, QByteArray());
  QCOMPARE(compare("llama2_gqa", direct.first(4)).err, QByteArray());
}

void tst_cli_compare::optionsDoNotChangeTheTokens_data() {
  QTest::addColumn<QStringList>("options");
  for (const char* options :
       {"--method direct", "--loop half", "--loop open", "--apply materialised",
        "--separate", "--absorb prompt", "--absorb 0-5,9", "--absorb 0-5,9 --ablated",
        "--absorb none", "--free-run", "--no-bare", "--round-logits", "--threads 1"})
    QTest::newRow(options) << QString(options).split(' ');
}

void tst_cli_compare::optionsDoNotChangeTheTokens() {
  QFETCH(QStringList, options);
  const GoldenTokens golden = goldenTokens("gemma3_text");
  const CommandResult result =
      compare("gemma3_text", QStringList{"--ids", idList(golden.prompt), "--steps", "6",
                                         "--dtype", "float64", "--ignore-eos"} +
                                 options);
  QCOMPARE(result.err, QByteArray());
  QCOMPARE(result.exitCode, 0);
  const auto lines = result.objects();
  QCOMPARE(lines.size(), 7);
  for (int step = 0; step < 6; ++step) {
    QCOMPARE(lines[step]["token_id"].toInteger(), golden.greedy[24 + step]);
    QVERIFY(lines[step]["match"].toBool());
    QVERIFY(lines[step]["linf"].toDouble() < 1e-6);
  }
}

void tst_cli_compare::weightsAreMappedOrResidentOnRequest() {
  const QStringList run{"--ids", "1,2,3", "--steps", "2", "--ignore-eos"};
  QList<QByteArray> differences;
  for (const char* place : {"auto", "resident", "mapped"}) {
    const auto lines =
        compare("llama2_gqa", run + QStringList{"--weights", place}).objects();
    QCOMPARE(lines.size(), 3);
    QCOMPARE(lines.back()["summary"].toObject()["weights"].toString(),
             QString(place == std::string("mapped") ? "mapped" : "resident"));
    differences << QByteArray::number(lines[1]["linf"].toDouble(), 'g', 17);
  }
  QCOMPARE(differences[1], differences[0]);
  QCOMPARE(differences[2], differences[0]);
  const QStringList table{"compare", "--model", goldenFolder("llama2_gqa")};
  const CommandResult usual = runCommand(table + run);
  QVERIFY2(usual.out.contains("; 3 prompt tokens") && !usual.out.contains("weights"),
           usual.out);
  QVERIFY(runCommand(table + run + QStringList{"--weights", "mapped"})
              .out.contains(", weights mapped; 3 prompt tokens"));
  QCOMPARE(stderrProblem(compare("llama2_gqa", run + QStringList{"--weights", "disk"}), 2,
                         "--weights"),
           QString());
}

void tst_cli_compare::absorbsTheChosenPart() {
  const QStringList prompt{"--ids", "5,6,7,8,9", "--steps", "4", "--ignore-eos"};
  const auto bare = [&](const QString& absorbed) {
    return compare("gemma3_text", prompt + QStringList{"--absorb", absorbed})
        .objects()[3]["bare_linf"]
        .toDouble(-1.0);
  };
  QCOMPARE(bare("none"), 0.0);
  QVERIFY(bare("2") > 0.0);
  QVERIFY(bare("0-4,generated") == bare("all"));
  QVERIFY(bare("prompt") != bare("all"));
  const CommandResult table = runCommand(
      QStringList{"compare", "--model", goldenFolder("gemma3_text"), "--absorb", "1-3"} +
      prompt);
  QVERIFY(table.out.contains("absorbing 1-3;"));
  const CommandResult beyond =
      compare("gemma3_text", prompt + QStringList{"--absorb", "5"});
  QCOMPARE(beyond.exitCode, 1);
  QVERIFY(beyond.err.contains("position 5 is not in the prompt"));
}

void tst_cli_compare::samplesTheSameWithTheSameSeed() {
  const auto tokens = [](const QString& seed) {
    QList<qint64> ids;
    for (const auto& line :
         compare("llama2_gqa", {"--ids", "5,6,7", "--steps", "20", "--temperature", "1.5",
                                "--top-k", "50", "--top-p", "0.95", "--seed", seed,
                                "--ignore-eos", "--dtype", "float32"})
             .objects())
      if (line.contains("token_id")) ids += line["token_id"].toInteger();
    return ids;
  };
  const auto first = tokens("1");
  QCOMPARE(first.size(), 20);
  QCOMPARE(tokens("1"), first);
  QVERIFY(tokens("2") != first);
}

void tst_cli_compare::reportsSampledAndMostLikelyTokens() {
  // At strength 0.5, the passes sample the same token in only some of the steps.
  const QStringList sampled{"--ids",         "5,6,7",   "--steps",    "20",
                            "--temperature", "1.5",     "--strength", "0.5",
                            "--ignore-eos",  "--dtype", "float32"};
  const auto lines = compare("llama2_gqa", sampled).objects();
  QCOMPARE(lines.size(), 21);
  int matches = 0;
  for (int step = 0; step < 20; ++step) {
    const bool same = lines[step]["token_id"] == lines[step]["patched_token_id"];
    QCOMPARE(lines[step]["sampled_match"].toBool(), same);
    matches += same ? 1 : 0;
  }
  QVERIFY(matches > 0 && matches < 20);
  QCOMPARE(lines[20]["summary"].toObject()["sampled_matches"].toInt(), matches);
  const CommandResult table =
      runCommand(QStringList{"compare", "--model", goldenFolder("llama2_gqa")} + sampled);
  QVERIFY2(table.out.contains(" of 20 most likely tokens match, " +
                              QByteArray::number(matches) +
                              " of the sampled ones (◆ where not);"),
           table.out);
  QCOMPARE(QString::fromUtf8(table.out).count(QStringLiteral("◆")), 1 + 20 - matches);
}

void tst_cli_compare::printsATable() {
  const CommandResult result =
      runCommand({"compare", "--model", goldenFolder("llama2_gqa"), "--ids", "5,6,7",
                  "--steps", "2", "--ignore-eos", "--dtype", "float32"});
  QCOMPARE(result.exitCode, 0);
  const auto lines = QString::fromUtf8(result.out).trimmed().split('\n');
  QVERIFY(lines[0].contains("llama2_gqa"));
  QVERIFY(lines[0].contains("float32"));
  QCOMPARE(lines.filter("✓").size(), 2);
  QVERIFY(lines.last().contains("2 of 2 most likely tokens match;"));
  QVERIFY(lines[lines.size() - 2].startsWith("2 of 2 tokens agree; without the context"));
  const auto rows = lines.filter("✓");
  QCOMPARE(rows[0].size(), rows[1].size());
  QCOMPARE(lines.filter("margin").first().size(), rows[0].size());
  const auto model = data("../../resources/models/equipatch-tiny").string();
  const CommandResult words = runCommand(
      {"compare", "--model", model.c_str(), "--prompt", "Copy: a b", "--steps", "1"});
  QVERIFY2(words.out.contains("    0  ·b  "), words.out);
}

void tst_cli_compare::takesPromptsAsTextAndFromFiles() {
  QTemporaryDir folder;
  copyGolden("llama2_gqa", folder.path());
  writeFile(folder.filePath("tokenizer.json"), tinyTokenizerJson());
  writeFile(folder.filePath("prompt.txt"), "abcab");
  const auto run = [&](const QStringList& prompt) {
    const CommandResult result =
        runCommand(QStringList{"compare", "--model", folder.path(), "--json", "--steps",
                               "3", "--ignore-eos", "--dtype", "float32"} +
                   prompt);
    QList<double> margins;
    for (const auto& line : result.objects()) margins += line["margin"].toDouble();
    return margins;
  };
  const auto byIds = run({"--ids", "4,2,3,2"});
  QCOMPARE(byIds.size(), 4);
  QVERIFY(byIds[0] > 0.0);
  QCOMPARE(run({"--prompt", "abcab"}), byIds);
  QCOMPARE(run({"--prompt-file", folder.filePath("prompt.txt")}), byIds);
  QCOMPARE(run({"--prompt", "abcab", "--no-bos"}), run({"--ids", "2,3,2"}));
  QVERIFY(run({"--prompt", "abcab", "--no-bos"}) != byIds);
  // The chat template writes the special tokens.
  writeFile(folder.filePath("chat_template.jinja"), "<s>{{ messages[0].content }}ab");
  const CommandResult chat =
      runCommand({"tokenize", "--model", folder.path(), "--chat", "abc"});
  if (chat.err.contains("python3-jinja2")) return;
  QCOMPARE(run({"--prompt", "abc", "--chat"}), byIds);
}

void tst_cli_compare::textPromptsNeedATokenizer() {
  const CommandResult result = compare("llama2_gqa", {"--prompt", "ab", "--steps", "1"});
  QCOMPARE(stderrProblem(result, 1, "tokenizer"), QString());
}

void tst_cli_compare::stopsAtTheEndOfSequence() {
  // At temperature 50, all 192 tokens are about equally likely. With one of these seeds,
  // the end-of-sequence token is sampled within 120 steps.
  const QStringList hot{"--ids",         "5,6,7", "--steps", "120",
                        "--temperature", "50",    "--dtype", "float32"};
  bool ended = false;
  for (int seed = 0; seed < 12 && !ended; ++seed) {
    const auto lines =
        compare("llama2_gqa", hot + QStringList{"--seed", QString::number(seed)})
            .objects();
    const qsizetype steps = lines.size() - 1;
    ended = steps < 120;
    if (!ended) continue;
    QCOMPARE(lines[steps - 1]["token_id"].toInt(), 2);
    const auto continued =
        compare("llama2_gqa",
                hot + QStringList{"--seed", QString::number(seed), "--ignore-eos"})
            .objects();
    QCOMPARE(continued.size(), 121);
  }
  QVERIFY(ended);
}

void tst_cli_compare::refusesInvalidPrompts_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("part");
  QTest::newRow("id beyond the vocabulary")
      << QStringList{"--ids", "5,192", "--steps", "1"} << "192";
  QTest::newRow("more steps than positions")
      << QStringList{"--ids", "5,6", "--steps", "1000"} << "128";
  QTest::newRow("a missing prompt file")
      << QStringList{"--prompt-file", "/nowhere/prompt.txt"} << "/nowhere/prompt.txt";
}

void tst_cli_compare::emptyPromptsAreRefused() {
  QCOMPARE(stderrProblem(compare("llama2_gqa", {"--prompt", ""}), 2, "an empty one"),
           QString());
  QTemporaryDir folder;
  const QString file = folder.filePath("prompt.txt");
  writeFile(file, "");
  QCOMPARE(stderrProblem(compare("llama2_gqa", {"--prompt-file", file}), 1,
                         file + ": should have a text, found an empty one"),
           QString());
}

void tst_cli_compare::refusesInvalidPrompts() {
  QFETCH(QStringList, arguments);
  QFETCH(QString, part);
  QCOMPARE(stderrProblem(compare("llama2_gqa", arguments), 1, part), QString());
}

EQUIPATCH_TEST(tst_cli_compare)
#include "tst_cli_compare.moc"
