// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep_images.h"

#include <QTemporaryDir>

#include "tests/support/image_model.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_sweep_images : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void readsFilesByTheirAbsolutePaths();
  void aChangedImageFileIsRefused();
  void promptsWithAnImagePlaceGetTheImages();
  void imagesThatNoPromptTakesAreRefused();
};

void tst_sweep_images::readsFilesByTheirAbsolutePaths() {
  const auto file = test::data("images/gemma3_mm/image0.png");
  const auto images = readSweepImages({std::filesystem::relative(file).string()});
  QCOMPARE(images.size(), 1u);
  QVERIFY(std::filesystem::path(images[0].file).is_absolute());
  QVERIFY(images[0] == sweepImageOf(file));
  QVERIFY_ERROR(readSweepImages({test::data("pictures/animated.webp").string()}),
                "animated WebP");
}

void tst_sweep_images::aChangedImageFileIsRefused() {
  const QTemporaryDir folder;
  const std::filesystem::path file = folder.filePath("a.png").toStdString();
  std::filesystem::copy_file(test::data("images/gemma3_mm/image0.png"), file);
  const SweepImage image = readSweepImages({file.string()}).front();
  QCOMPARE(readUnchanged(image)->sha256, image.sha256);
  std::filesystem::copy_file(test::data("images/gemma3_mm/image1.png"), file,
                             std::filesystem::copy_options::overwrite_existing);
  QVERIFY_ERROR(readUnchanged(image), "found another one");
}

void tst_sweep_images::promptsWithAnImagePlaceGetTheImages() {
  const QTemporaryDir folder;
  const auto model = Checkpoint::open(test::writeImageModel(folder.path().toStdString()));
  const std::vector<SweepImage> shared{{"/shared.png", "s"}}, own{{"/own.png", "o"}};
  std::vector<SweepPrompt> prompts{{"place", "a<start_of_image>b"},
                                   {"own", "a<start_of_image>b", false, own},
                                   {"chat", "ab", true},
                                   {"text", "ab"}};
  giveImages(prompts, shared, model);
  QVERIFY(prompts[0].images == shared);
  QVERIFY(prompts[1].images == own);
  QVERIFY(prompts[2].images == shared);
  QVERIFY(prompts[3].images.empty());
}

void tst_sweep_images::imagesThatNoPromptTakesAreRefused() {
  const QTemporaryDir folder;
  const auto model = Checkpoint::open(test::writeImageModel(folder.path().toStdString()));
  const std::vector<SweepImage> shared{{"/shared.png", "s"}};
  std::vector<SweepPrompt> prompts{{"text", "ab"}};
  giveImages(prompts, {}, model);  // nothing to give, nothing to say
  QVERIFY_ERROR(giveImages(prompts, shared, model), "no prompt has a place",
                "write <start_of_image>");
  const auto text = Checkpoint::open(test::data("golden/gemma3_text"));
  QVERIFY_ERROR(giveImages(prompts, shared, text), "takes no images");
}

EQUIPATCH_TEST(tst_sweep_images)
#include "tst_sweep_images.moc"
