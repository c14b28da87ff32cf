// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTemporaryDir>
#include <algorithm>

#include "tests/app/command_line.h"
#include "tests/support/hub_cache.h"
#include "tests/support/ordinary_rights.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_cli_models : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void suggestsTheFolderOptionWhenThereAreNoModels();
  void listsTheHubCache();
  void unreadableParityReferenceGivesNoDifference();
  void linesFitInAHundredColumns();
  void aBadModelDoesNotHideOtherModels();
  void aFolderThatCannotBeListedIsAnError();
  void listsUsedFolders();
  void acceptsModelNames();
  void deletionReportsRemainingRevisions();
  void suggestsSimilarNames();

 private:
  static std::filesystem::path golden(const char* name) {
    return goldenFolder(name).toStdString();
  }
};

void tst_cli_models::suggestsTheFolderOptionWhenThereAreNoModels() {
  QTemporaryDir user;
  const CommandResult result = runCommand({"models"}, {"XDG_DATA_HOME=" + user.path()});
  QCOMPARE(result.exitCode, 0);
  QCOMPARE(result.err, QByteArray());
  QVERIFY2(result.out.contains("--folder DIR"), result.out);
}

void tst_cli_models::listsTheHubCache() {
  const FakeHubCache cache;
  cache.link(golden("gemma3_text"), "owner--tiny", "abc");
  QTemporaryDir user;
  const auto objects =
      runCommand({"models", "--json"},
                 {"HF_HUB_CACHE=" + QString::fromStdString(cache.root().string()),
                  "XDG_DATA_HOME=" + user.path()})
          .objects();
  QCOMPARE(objects.size(), 2);
  const QJsonObject model = objects[0];
  QCOMPARE(model["name"].toString(), QString("owner/tiny"));
  QCOMPARE(model["origin"].toString(), QString("cache"));
  QCOMPARE(model["architecture"].toString(), QString("Gemma3ForCausalLM"));
  QVERIFY(model["supported"].toBool());
  QVERIFY(!model["tokenizer"].toBool(true));
  QCOMPARE(model["stored_dtype"].toString(), QString("bfloat16"));
  const qint64 parameters = model["parameters"].toInteger();
  QVERIFY(parameters > 0);
  const QJsonObject need = model["memory_estimate"].toObject()["float64"].toObject();
  QCOMPARE(need["weights"].toInteger(), 8 * parameters);
  QVERIFY(need["total"].toInteger() > need["weights"].toInteger());
  const QJsonObject parity = model["parity"].toObject();
  QCOMPARE(parity["state"].toString(), QString("equal"));
  QVERIFY(parity["largest"].toDouble() < 1e-4);
  QCOMPARE(objects[1]["summary"].toObject()["models"].toInt(), 1);
  QVERIFY(objects[1]["summary"].toObject()["memory_free_bytes"].toInteger() > 0);
}

void tst_cli_models::unreadableParityReferenceGivesNoDifference() {
  QTemporaryDir resources;
  const QString reference = resources.filePath("golden/llama2_gqa");
  QVERIFY(QDir().mkpath(reference));
  copyGolden("llama2_gqa", reference);
  writeFile(reference + "/golden.safetensors", "nothing");
  const auto objects = runCommand({"models", "--json", "--folder", reference},
                                  {"EQUIPATCH_RESOURCES=" + resources.path()})
                           .objects();
  const auto given = std::ranges::find_if(objects, [](const QJsonObject& object) {
    return object["origin"].toString() == "given";
  });
  QVERIFY(given != objects.end());
  const QJsonObject parity = (*given)["parity"].toObject();
  QVERIFY(parity["problem"].toString().contains("golden.safetensors"));
  QVERIFY(!parity.contains("largest"));
}

void tst_cli_models::linesFitInAHundredColumns() {
  const FakeHubCache cache;
  cache.link(golden("llama2_gqa"), "owner--tiny", "abc");
  std::ofstream(cache.snapshot("b--bad", "1") / "config.json")
      << R"({"architectures": ["T5Model"]})";
  const CommandResult result = runCommand(
      {"models"}, {"HF_HUB_CACHE=" + QString::fromStdString(cache.root().string())});
  QCOMPARE(result.exitCode, 0);
  for (const char* part : {"Hugging Face cache", "owner/tiny", "LlamaForCausalLM",
                           "float32", "✓ architecture equals Hugging Face's within",
                           "\"T5Model\" is not", "of memory is free. "})
    QVERIFY2(result.out.contains(part), result.out);
  for (const QString& line : QString::fromUtf8(result.out).split('\n'))
    QVERIFY2(line.size() <= 100 || !line.trimmed().contains(' '), qPrintable(line));
}

void tst_cli_models::aBadModelDoesNotHideOtherModels() {
  QTemporaryDir folder;
  QVERIFY(QDir(folder.path()).mkdir("good"));
  QVERIFY(QDir(folder.path()).mkdir("bad"));
  copyGolden("llama2_gqa", folder.filePath("good"));
  writeFile(folder.filePath("bad/config.json"), "{");
  const auto objects =
      runCommand({"models", "--json", "--folder", folder.path()}).objects();
  QVERIFY(objects.size() >= 3);
  int supported = 0;
  int problems = 0;
  for (const QJsonObject& object : objects) {
    if (object["origin"].toString() != "given") continue;
    supported += object["supported"].toBool();
    problems += !object["problem"].toString().isEmpty();
  }
  QCOMPARE(supported, 1);
  QCOMPARE(problems, 1);
}

void tst_cli_models::aFolderThatCannotBeListedIsAnError() {
  QTemporaryDir folder;
  QVERIFY(QFile::setPermissions(folder.path(), QFile::ExeOwner));
  const CommandResult result = withOrdinaryRights([&] {
    return runCommand({"models", "--folder", folder.path()});
  });
  QVERIFY(QFile::setPermissions(folder.path(),
                                QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
  const QString problem =
      stderrProblem(result, 1, "the folder cannot be listed, Permission denied");
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void tst_cli_models::listsUsedFolders() {
  QTemporaryDir user;
  const QStringList data{"XDG_DATA_HOME=" + user.path()};
  const QString folder = goldenFolder("llama2_gqa");
  QCOMPARE(
      runCommand({"compare", "--model", folder, "--ids", "1,2", "--steps", "1"}, data)
          .exitCode,
      0);
  const auto objects = runCommand({"models", "--json"}, data).objects();
  QCOMPARE(objects.size(), 2);
  QCOMPARE(objects[0]["origin"].toString(), QString("used"));
  QCOMPARE(objects[0]["folder"].toString(), QDir::cleanPath(folder));
  // The folder's last part now names the model.
  QCOMPARE(runCommand({"inspect", "--model", "llama2_gqa"}, data).exitCode, 0);
  // --forget and --delete exclude each other.
  QCOMPARE(runCommand({"models", "--forget", folder, "--delete", "x"}, data).exitCode, 2);
  QCOMPARE(runCommand({"models", "--forget", folder}, data).exitCode, 0);
  QCOMPARE(runCommand({"models", "--json"}, data).objects().size(), 1);
  QVERIFY(QFile::exists(folder + "/config.json"));
  QCOMPARE(
      stderrProblem(runCommand({"models", "--forget", folder}, data), 1, "Used before"),
      QString());
}

void tst_cli_models::acceptsModelNames() {
  const FakeHubCache cache;
  cache.link(golden("llama2_gqa"), "owner--tiny", "abc");
  const QStringList hub{"HF_HUB_CACHE=" + QString::fromStdString(cache.root().string())};
  for (const char* name : {"owner/tiny", "tiny"}) {
    QCOMPARE(runCommand({"inspect", "--model", name}, hub).exitCode, 0);
    QCOMPARE(runCommand({"compare", "--model", name, "--ids", "1,2", "--steps", "1"}, hub)
                 .exitCode,
             0);
  }
}

void tst_cli_models::deletionReportsRemainingRevisions() {
  const FakeHubCache cache;
  for (const char* commit : {"abc", "def"})
    cache.link(golden("llama2_gqa"), "owner--tiny", commit);
  const QStringList hub{"HF_HUB_CACHE=" + QString::fromStdString(cache.root().string())};
  const QStringList words{"models", "--delete", "owner/tiny"};
  const CommandResult first = runCommand(words, hub);
  QVERIFY2(first.out.contains("; other revisions of the model are still there."),
           first.out);
  const CommandResult last = runCommand(words, hub);
  QVERIFY2(last.out.endsWith("free again.\n"), last.out);
  QVERIFY(!std::filesystem::exists(cache.repository("owner--tiny")));
}

void tst_cli_models::suggestsSimilarNames() {
  const FakeHubCache cache;
  cache.snapshot("owner--tiny", "abc");
  const QStringList hub{"HF_HUB_CACHE=" + QString::fromStdString(cache.root().string())};
  QCOMPARE(stderrProblem(runCommand({"inspect", "--model", "tnny"}, hub), 1,
                         "names like it are owner/tiny"),
           QString());
}

EQUIPATCH_TEST(tst_cli_models)
#include "tst_cli_models.moc"
