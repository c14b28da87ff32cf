// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <cmath>

#include "tests/app/command_line.h"
#include "tests/support/image_model.h"
#include "tests/support/largest_difference.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch::test;

namespace {

QString model() {
  return QString::fromStdString(data("images/gemma3_mm").string());
}

QString image(const char* name) {
  return model() + "/" + name;
}

QString picture(const char* name) {
  return QString::fromStdString((data("pictures") / name).string());
}

}  // namespace

/// --image, on a tiny Gemma 3 with a vision tower.
class tst_cli_images : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void tokenizesImages();
  void tokenizesAChatWithAnImage();
  void rerunUsesTheRecordedImage();
  void runListNamesTheImagesOfAPrompt();
  void rerunWithoutStoredPicturesNeedsTheImage();
  void writesTheTowersSites();
  void sweepsPromptsWithImages();
  void sweepImageGoesToPlacesWithoutAnImage();
  void inspectReportsTheVisionTower();
  void readsUnusualPictures_data();
  void readsUnusualPictures();
  void refusesBadPictures_data();
  void refusesBadPictures();
  void refusesImagesThatDoNotFitPromptOrModel_data();
  void refusesImagesThatDoNotFitPromptOrModel();

 private:
  QString path(const char* name) const { return m_folder.filePath(name); }
  CommandResult compare(const QStringList& arguments) const {
    return runCommand(QStringList{"compare", "--model", m_model, "--dtype", "float32",
                                  "--steps", "4", "--ignore-eos"} +
                      arguments);
  }

  QTemporaryDir m_folder;
  QString m_model;
};

void tst_cli_images::initTestCase() {
  m_model = path("model");
  writeImageModel(m_model.toStdString());
}

/// The expected ids are those of Hugging Face's processor. The newlines that it puts
/// around an image merge with neighbouring newlines into one token.
void tst_cli_images::tokenizesImages() {
  const CommandResult one =
      runCommand({"tokenize", "--model", m_model, "a<start_of_image>\n\nb", "--image",
                  image("image0.png")});
  QCOMPARE(one.err, QByteArray());
  QCOMPARE(one.objects().front()["ids"].toArray(),
           (QJsonArray{2, 3, 7, 180, 185, 185, 185, 185, 181, 8, 4}));
  QVERIFY(one.objects().front()["text"].toString().startsWith(
      "a\n\n<start_of_image><image_soft_token>"));
  const CommandResult two =
      runCommand({"tokenize", "--model", m_model, "a<start_of_image><start_of_image>b",
                  "--image", image("image0.png"), "--image", image("image1.png")});
  QCOMPARE(two.objects().front()["ids"].toArray(),
           (QJsonArray{2, 3, 7, 180, 185, 185, 185, 185, 181, 8, 180, 185, 185, 185, 185,
                       181, 7, 4}));
  const CommandResult none =
      runCommand({"tokenize", "--model", m_model, "a<start_of_image>b"});
  QCOMPARE(none.objects().front()["ids"].toArray(), (QJsonArray{2, 3, 180, 4}));
  QVERIFY(none.err.startsWith("note: <start_of_image> is one token here"));
  QCOMPARE(none.err.count('\n'), 1);
}

void tst_cli_images::tokenizesAChatWithAnImage() {
  const auto chat = [&](const QString& text) {
    return runCommand(
        {"tokenize", "--model", m_model, "--chat", text, "--image", image("image0.png")});
  };
  const CommandResult before = chat("ab");
  if (before.err.contains("python3-jinja2")) QSKIP("no Python with Jinja2 here");
  QCOMPARE(before.objects().value(0)["ids"].toArray(),
           (QJsonArray{2, 7, 180, 185, 185, 185, 185, 181, 7, 3, 4, 5}));
  // A message with its own <start_of_image> gets no second one.
  QCOMPARE(chat("a<start_of_image>b").objects().value(0)["ids"].toArray(),
           (QJsonArray{2, 3, 7, 180, 185, 185, 185, 185, 181, 7, 4, 5}));
}

void tst_cli_images::rerunUsesTheRecordedImage() {
  const QString run = path("images.eqrun");
  QFile::remove(run);
  const QString moved = path("seen.png");
  QVERIFY(QFile::copy(image("image1.png"), moved));
  const CommandResult first =
      compare({"--prompt", "ab<start_of_image>c", "--image", moved, "--absorb", "images",
               "--json", "--out", run});
  QCOMPARE(first.err, QByteArray());
  QCOMPARE(first.exitCode, 0);
  QCOMPARE(first.objects().size(), 5);
  for (const QJsonObject& step : first.objects().first(4))
    QVERIFY(step["match"].toBool());
  QVERIFY(QFile::remove(moved));
  const CommandResult again = runCommand({"compare", "--rerun", run});
  QCOMPARE(again.exitCode, 0);
  QVERIFY2(again.err.contains("all 4 steps that both runs have are the same"),
           again.err.constData());
}

void tst_cli_images::runListNamesTheImagesOfAPrompt() {
  const QString run = path("words.eqrun");
  const CommandResult first =
      compare({"--prompt", "<start_of_image>b", "--absorb", "images", "--image",
               image("image1.png"), "--out", run});
  QVERIFY2(first.out.contains(", absorbing images;"), first.out.constData());
  QVERIFY(runCommand({"runs", run}).out.contains("[image1.png]b "));
}

void tst_cli_images::rerunWithoutStoredPicturesNeedsTheImage() {
  const QString run = path("light.eqrun");
  const QStringList source{"--prompt", "ab<start_of_image>c", "--image",
                           image("image1.png")};
  const CommandResult first =
      compare(source + QStringList{"--out", run, "--no-pictures"});
  QCOMPARE(first.exitCode, 0);
  const qint64 picture = QFileInfo(image("image1.png")).size();
  const QString whole = path("whole.eqrun");
  QCOMPARE(compare(source + QStringList{"--out", whole}).exitCode, 0);
  QVERIFY(QFileInfo(whole).size() - QFileInfo(run).size() > picture / 2);
  QCOMPARE(stderrProblem(runCommand({"compare", "--rerun", run}), 1,
                         "recorded without its image \"image1.png\""),
           QString());
  QCOMPARE(stderrProblem(
               runCommand({"compare", "--rerun", run, "--image", image("image0.png")}), 1,
               "not one of the run's images"),
           QString());
  const CommandResult again =
      runCommand({"compare", "--rerun", run, "--image", image("image1.png")});
  QCOMPARE(again.exitCode, 0);
  QVERIFY(again.err.contains("all 4 steps that both runs have are the same"));
  const QString json = path("light.json");
  QCOMPARE(runCommand({"export", "--run", run, "--json", json}).exitCode, 0);
  const auto images =
      QJsonDocument::fromJson(contentOf(json)).object()["images"].toArray();
  QCOMPARE(images.size(), 1);
  QCOMPARE(images[0]["name"].toString(), "image1.png");
  QCOMPARE(images[0]["last_position"].toInt() - images[0]["first_position"].toInt(), 3);
}

void tst_cli_images::writesTheTowersSites() {
  const QString out = path("sites.safetensors");
  const auto golden = readTensors(image("golden.safetensors"));
  const CommandResult result =
      runCommand({"logits", "--model", model(), "--dtype", "float32", "--ids",
                  idList(golden["input_ids"].integers()), "--image", image("image0.png"),
                  "--image", image("image1.png"), "--sites", "--out", out});
  QCOMPARE(result.err, QByteArray());
  const auto tensors = readTensors(out);
  QCOMPARE(tensors["logits"].shape, (QList<qint64>{31, 192}));
  for (const char* name : {"pixel_values", "image_features", "vision_hidden_states.0",
                           "vision_hidden_states.3", "vis_attn_out.0", "vis_mlp_out.2",
                           "vision_last_hidden_state", "logits"})
    QVERIFY2(largestDifference(tensors[name].floats(), golden[name].floats()) <= 1e-4,
             name);
}

void tst_cli_images::sweepsPromptsWithImages() {
  QVERIFY(QFile::copy(image("image0.png"), path("beside.png")));
  writeFile(path("prompts.jsonl"),
            R"({"name": "with", "text": "a<start_of_image>b", "images": ["beside.png"]})"
            "\n"
            R"({"name": "without", "text": "abc"})"
            "\n");
  const QStringList command{
      "sweep", "--model",     m_model,   "--prompts", path("prompts.jsonl"),
      "--out", path("sweep"), "--steps", "3",         "--ignore-eos"};
  const CommandResult first = runCommand(command);
  QVERIFY2(first.exitCode == 0, first.err.constData());
  QVERIFY(first.err.contains("[2/2]"));
  const CommandResult second = runCommand(command);
  QVERIFY2(second.err.contains("2 of 2 cells were finished before"),
           second.err.constData());
  // --no-pictures leaves the images' bytes out of the run files.
  QStringList light = command;
  light[light.indexOf("--out") + 1] = path("light");
  QCOMPARE(runCommand(light + QStringList{"--no-pictures"}).exitCode, 0);
  const auto size = [&](const char* folder) {
    const QDir runs(path(folder));
    return QFileInfo(runs.filePath(runs.entryList({"with.*.eqrun"}).value(0))).size();
  };
  QVERIFY(size("light") > 0);
  QVERIFY(size("sweep") - size("light") > QFileInfo(path("beside.png")).size() / 2);
  QVERIFY(runCommand(light).err.contains("2 of 2 cells were finished before"));
}

void tst_cli_images::sweepImageGoesToPlacesWithoutAnImage() {
  QVERIFY(QFile::copy(image("image0.png"), path("own.png")));
  const auto sweep = [&](const char* name, const QByteArray& prompts, const QString& file,
                         const QString& folder) {
    const QString list = path(name) + ".jsonl";
    writeFile(list, prompts);
    return runCommand(QStringList{"sweep", "--model", folder, "--prompts", list, "--out",
                                  path(name), "--steps", "2", "--ignore-eos", "--image",
                                  file});
  };
  const CommandResult all =
      sweep("mixed",
            R"({"name": "own", "text": "a<start_of_image>b", "images": ["own.png"]})"
            "\n"
            R"({"name": "given", "text": "<start_of_image>c"})"
            "\n"
            R"({"name": "text", "text": "abc"})",
            image("image1.png"), m_model);
  QVERIFY2(all.exitCode == 0, all.err.constData());
  const auto imagesOf = [&](const QString& prompt) {
    const QDir runs(path("mixed"));
    const QString file = runs.filePath(runs.entryList({prompt + ".*.eqrun"}).value(0));
    const QString json = path("cell.json");
    runCommand({"export", "--run", file, "--json", json});
    QStringList names;
    for (const auto& entry :
         QJsonDocument::fromJson(contentOf(json)).object()["images"].toArray())
      names.append(entry.toObject()["name"].toString());
    return names;
  };
  QCOMPARE(imagesOf("own"), QStringList{"own.png"});
  QCOMPARE(imagesOf("given"), QStringList{"image1.png"});
  QCOMPARE(imagesOf("text"), QStringList());
  QCOMPARE(stderrProblem(sweep("none", "\"abc\"", image("image1.png"), m_model), 1,
                         "no prompt has a place for the image"),
           QString());
  QVERIFY(!QFileInfo::exists(path("none")));
  QCOMPARE(stderrProblem(
               sweep("bad", "\"<start_of_image>\"", picture("animated.webp"), m_model), 1,
               "animated WebP"),
           QString());
  QCOMPARE(stderrProblem(sweep("texts", "\"abc\"", image("image1.png"),
                               goldenFolder("gemma3_text")),
                         1, "takes no images"),
           QString());
}

void tst_cli_images::inspectReportsTheVisionTower() {
  const auto card = runCommand({"inspect", "--model", model(), "--json"}).objects();
  const QJsonObject vision = card.front()["vision"].toObject();
  // The tensors are bfloat16, two bytes per parameter.
  qint64 parameters = 0;
  const auto tensors = readTensors(image("model.safetensors"));
  for (auto it = tensors.begin(); it != tensors.end(); ++it)
    if (it.key().startsWith("vision_tower") || it.key().startsWith("multi_modal"))
      parameters += it->bytes.size() / 2;
  QCOMPARE(vision["parameters"].toInteger(), parameters);
  QCOMPARE(vision["tokens_per_image"].toInteger(), 4);
  QVERIFY(card.front()["ignored_tensors"].toArray().isEmpty());
  const CommandResult text = runCommand({"inspect", "--model", model()});
  QVERIFY(text.out.contains("4 tokens each, of 112 × 112"));
}

void tst_cli_images::readsUnusualPictures_data() {
  QTest::addColumn<QString>("file");
  for (const char* name : {"photo-cmyk.jpg", "rgb-16-bits.png", "gray-16-bits.png",
                           "gray-alpha.png", "photo-turned-6.jpg", "turned-8.png"})
    QTest::newRow(name) << picture(name);
}

void tst_cli_images::readsUnusualPictures() {
  QFETCH(QString, file);
  const CommandResult result =
      compare({"--prompt", "a<start_of_image>b", "--image", file});
  QCOMPARE(result.err, QByteArray());
  QCOMPARE(result.exitCode, 0);
}

void tst_cli_images::refusesBadPictures_data() {
  QTest::addColumn<QString>("file");
  QTest::addColumn<QString>("part");
  const auto written = [&](const char* name, const QByteArray& bytes) {
    writeFile(path(name), bytes);
    return path(name);
  };
  QFile png(picture("rgb.png"));
  QVERIFY(png.open(QIODevice::ReadOnly));
  const QByteArray whole = png.readAll();
  QTest::newRow("not an image") << written("text.png", "hello") << "something else";
  QTest::newRow("nothing") << written("empty.png", "") << "an empty file";
  QTest::newRow("huge") << written("huge.ppm", "P6 100000 100000 255\n")
                        << "100000 × 100000";
  QTest::newRow("animated") << picture("animated.webp") << "animated WebP";
  QTest::newRow("cut off") << written("cut.png", whole.left(100)) << "cut off";
  QTest::newRow("missing") << path("missing.png") << "missing.png";
  QTest::newRow("folder") << m_folder.path() << "folder";
}

void tst_cli_images::refusesBadPictures() {
  QFETCH(QString, file);
  QFETCH(QString, part);
  const CommandResult result =
      compare({"--prompt", "a<start_of_image>b", "--image", file});
  QCOMPARE(stderrProblem(result, 1, part), QString());
}

void tst_cli_images::refusesImagesThatDoNotFitPromptOrModel_data() {
  QTest::addColumn<QStringList>("arguments");
  QTest::addColumn<QString>("part");
  const QStringList one{"--image", image("image0.png")};
  QTest::newRow("no place") << QStringList{"--prompt", "ab"} + one
                            << "write <start_of_image> once for each image";
  QTest::newRow("too many places")
      << QStringList{"--prompt", "<start_of_image><start_of_image>b"} + one
      << "2 places for images";
  QTest::newRow("no image") << QStringList{"--prompt", "<start_of_image>b"}
                            << "0 images were given";
  QTest::newRow("ids") << QStringList{"--ids", "2,3,4"} + one << "0 image tokens";
  QTest::newRow("a part of one")
      << QStringList{"--prompt", "<start_of_image>b", "--absorb", "4"} + one
      << "only a part of the image";
  QTest::newRow("no third") << QStringList{"--prompt", "<start_of_image>b", "--absorb",
                                           "image:3"} +
                                   one
                            << "no image 3";
  QTest::newRow("images of none") << QStringList{"--prompt", "ab", "--absorb", "images"}
                                  << "the prompt has no images";
  QTest::newRow("a text model")
      << QStringList{"--model", goldenFolder("gemma3_text"), "--ids", "2,3,4"} + one
      << "takes no images";
  // Arguments with a copy of the model, whose files `change` alters.
  const auto without = [&](const char* name, auto change) {
    const QString folder = path(name);
    QDir().mkpath(folder);
    for (const QString& file : QDir(m_model).entryList(QDir::Files))
      QFile::copy(m_model + "/" + file, folder + "/" + file);
    change(folder);
    return QStringList{"--model", folder, "--prompt", "a<start_of_image>b"} + one;
  };
  QTest::newRow("no processor file")
      << without("no-processor",
                 [](const QString& folder) {
                   QFile::remove(folder + "/preprocessor_config.json");
                 })
      << "preprocessor_config.json is missing";
  QTest::newRow("no tower") << without("no-tower", [](const QString& folder) {
    const QString file = folder + "/model.safetensors";
    QByteArray bytes = contentOf(file);
    bytes.replace("vision_tower.", "unknown_part.");
    writeFile(file, bytes);
  }) << "patch_embedding.weight\" is missing";
}

void tst_cli_images::refusesImagesThatDoNotFitPromptOrModel() {
  QFETCH(QStringList, arguments);
  QFETCH(QString, part);
  QStringList all{"compare", "--steps", "2"};
  if (!arguments.contains("--model")) all += {"--model", m_model};
  QCOMPARE(stderrProblem(runCommand(all + arguments), 1, part), QString());
}

EQUIPATCH_TEST(tst_cli_images)
#include "tst_cli_images.moc"
