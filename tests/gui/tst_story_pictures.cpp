// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>

#include "tests/gui/story.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::Phase;
using equipatch::test::Story;

/// Draws the window at 1280×800 and 1920×1080, in both themes: without a model, after a
/// run with its noise floor, on a block without norm scale, and after a failed run. Any
/// warning fails the test. Saves screenshots for inspection to the folder that the
/// environment variable EQUIPATCH_PICTURES names.
class tst_story_pictures : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
  void drawsTheWindow_data();
  void drawsTheWindow();

 private:
  static void bringTo(Story& story, const QString& state);
  static void save(const QImage& picture, const QString& name);
};

void tst_story_pictures::drawsTheWindow_data() {
  QTest::addColumn<QString>("state");
  QTest::addColumn<QSize>("size");
  QTest::addColumn<int>("mode");
  for (const char* state : {"empty", "noise-floor", "no-closing-scale", "failed"})
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)})
      for (const auto mode : {Theme::Mode::Light, Theme::Mode::Dark})
        QTest::addRow("%s-%d-%s", state, size.width(),
                      mode == Theme::Mode::Light ? "light" : "dark")
            << QString::fromLatin1(state) << size << int(mode);
}

void tst_story_pictures::bringTo(Story& story, const QString& state) {
  constexpr int kFailingStep = 23, kStep = 17, kLayer = 11;  // the last two are shown
  story.engine.shape = {.layers = 26, .width = 1152, .mismatchEvery = 9};  // Gemma 3 1B
  story.engine.shape.closesWithScale = state != QStringLiteral("no-closing-scale");
  if (state == QStringLiteral("empty")) return story.window.setFolder({});
  if (state == QStringLiteral("failed")) story.engine.failAfter = kFailingStep;
  story.find<QCheckBox>("noise")->setChecked(state == QStringLiteral("noise-floor"));
  story.window.command("run")->trigger();
  QTRY_VERIFY(story.steps() > 0);
  QTRY_COMPARE(story.phase(), Phase::Idle);
  story.window.selection().selectStep(kStep);
  story.window.selection().selectLayer(kLayer);
}

void tst_story_pictures::save(const QImage& picture, const QString& name) {
  const QString folder = qEnvironmentVariable("EQUIPATCH_PICTURES");
  if (folder.isEmpty()) return;
  QDir().mkpath(folder);
  QVERIFY(picture.save(folder + u'/' + name + QStringLiteral(".png")));
}

void tst_story_pictures::drawsTheWindow() {
  QFETCH(QString, state);
  QFETCH(QSize, size);
  QFETCH(int, mode);
  Story story(64);
  story.window.setThemeMode(Theme::Mode(mode));
  story.window.resize(size);
  story.window.setPrompt(QStringLiteral(
      "You will rejoice to hear that no disaster has accompanied the commencement of an "
      "enterprise which you have regarded with such evil forebodings."));
  bringTo(story, state);
  QCoreApplication::processEvents();
  const QImage picture = story.window.grab().toImage();
  QCOMPARE(picture.size(), size);
  save(picture, QString::fromLatin1(QTest::currentDataTag()));
}

EQUIPATCH_TEST(tst_story_pictures)
#include "tst_story_pictures.moc"
