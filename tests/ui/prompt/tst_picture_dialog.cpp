// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/picture_dialog.h"

#include <QTest>
#include <cmath>

#include "tests/support/test_case.h"
#include "tests/support/test_data.h"
#include "tests/ui/support/quiet_platform.h"
#include "tests/ui/support/synthetic_engine.h"
#include "ui/figure/picture_element.h"

using namespace equipatch;

namespace {

struct Mapping {
  test::SyntheticEngine engine;
  RunModel model;
  SharedWorker worker;
  RunController runs{engine, model, worker};
  PictureMapper mapper{engine, worker, runs};

  void loadModel() {
    runs.load({.folder = "/models/synthetic"});
    QTRY_VERIFY(runs.loaded() && runs.phase() == RunController::Phase::Idle);
  }
};

}  // namespace

class tst_picture_dialog : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void tokensAreSquaresOfTheImage();
  void anImageWithoutTokensHasNoListMapOrSelection();
  void drawsTheValuesOfAMap();
  void pointerAndOpacityUncoverTheImage();
  void aMapIsComputedForTheImage();
  void saysWhyAnImageCannotBeMapped();

 private:
  std::shared_ptr<const PictureFile> m_picture =
      readPicture(test::data("pictures/photo.jpg"));
};

void tst_picture_dialog::tokensAreSquaresOfTheImage() {
  const test::QuietPlatform quiet;
  const Theme theme;
  PictureShelf shelf({});
  Mapping mapping;
  PictureDialog dialog({.image = {m_picture, {7, 22}}}, theme, shelf, mapping.mapper);
  dialog.setAttribute(Qt::WA_DeleteOnClose, false);
  dialog.show();
  QTRY_VERIFY(!shelf.image(m_picture).isNull());
  PictureView& view = dialog.view();
  const QListView& tokens = dialog.tokens();
  QCOMPARE(tokens.model()->rowCount(), 16);
  QCOMPARE(tokens.model()->index(6, 0).data().toString(),
           QStringLiteral("token 13: row 2, column 3"));
  const QRectF picture = view.imageRect();
  const QPointF place =
      picture.topLeft() + QPointF(0.6 * picture.width(), 0.3 * picture.height());
  QTest::mouseClick(&view, Qt::LeftButton, {}, place.toPoint());
  QCOMPARE(view.selected(), 6);
  QCOMPARE(tokens.currentIndex().row(), 6);
  QTest::keyClick(&view, Qt::Key_Down);
  QCOMPARE(tokens.currentIndex().row(), 10);
  QTest::keyClick(&view, Qt::Key_Down);
  QTest::keyClick(&view, Qt::Key_Down);  // already in the last row
  QCOMPARE(view.selected(), 14);
  dialog.tokens().setCurrentIndex(tokens.model()->index(0, 0));
  QCOMPARE(view.selected(), 0);
}

void tst_picture_dialog::anImageWithoutTokensHasNoListMapOrSelection() {
  const Theme theme;
  PictureShelf shelf({});
  QCOMPARE(tokensOnASide({3, 8}), 0);  // 6 tokens
  QCOMPARE(tokensOnASide({0, -1}), 0);
  Mapping mapping;
  PictureDialog dialog({.image = {m_picture, {0, -1}}}, theme, shelf, mapping.mapper);
  dialog.setAttribute(Qt::WA_DeleteOnClose, false);
  QVERIFY(!dialog.tokens().isVisibleTo(&dialog));
  QVERIFY(!dialog.map());
  QTest::mouseClick(&dialog.view(), Qt::LeftButton);
  QTest::keyClick(&dialog.view(), Qt::Key_Down);
  QCOMPARE(dialog.view().selected(), -1);
}

void tst_picture_dialog::drawsTheValuesOfAMap() {
  const test::QuietPlatform quiet;
  const Theme theme;
  PictureView view(theme);
  view.resize(200, 200);
  QImage white(10, 10, QImage::Format_RGB32);
  white.fill(Qt::white);
  view.setImage(white);
  view.setMap({2, {0.0, 1.0, 2.0, 2.0}});
  const QImage drawn = view.grab().toImage();
  QVERIFY(drawn.pixelColor(50, 50) != drawn.pixelColor(150, 50));
  QCOMPARE(drawn.pixelColor(50, 150), drawn.pixelColor(150, 150));
  // Cells show their values if there is room.
  const auto isWritten = [&view] {
    const QImage picture = view.grab().toImage();
    const QRectF whole = view.imageRect();
    const QRect cell =
        QRectF(whole.topLeft(), whole.size() / 2).toRect().adjusted(2, 2, -2, -2);
    for (int x = cell.left(); x <= cell.right(); ++x)
      for (int y = cell.top(); y <= cell.bottom(); ++y)
        if (picture.pixelColor(x, y) != picture.pixelColor(cell.topLeft())) return true;
    return false;
  };
  QVERIFY(isWritten());
  view.resize(24, 200);
  QVERIFY(!isWritten());
  view.resize(200, 200);
  // Values have enough digits to tell the smallest from the largest.
  view.setMap({2, {0.99991, 0.99995, 0.99996, 0.99998}}, QStringLiteral("TVD"));
  QCOMPARE(view.accessibleDescription(), QStringLiteral("TVD: 0.9999, 1; 1, 1"));
  // NaN changes neither the scale nor the other cells; its cell has no colour.
  view.setMap({2, {std::nan(""), 1.0, 2.0, 2.0}});
  view.setMapOpacity(1.0);
  const QImage broken = view.grab().toImage();
  const QRectF whole = view.imageRect();
  QCOMPARE(broken.pixelColor((whole.topLeft() + QPointF(4, 4)).toPoint()),
           QColor(Qt::white));
  QCOMPARE(broken.pixelColor((whole.bottomLeft() + QPointF(4, -4)).toPoint()),
           mapColour(2.0, 1.0, 2.0));
  view.setMap({});
  QCOMPARE(view.grab().toImage().pixelColor(50, 50), QColor(Qt::white));
}

/// The cell under the pointer shows the image in its original colours.
void tst_picture_dialog::pointerAndOpacityUncoverTheImage() {
  const test::QuietPlatform quiet;
  const Theme theme;
  PictureView view(theme);
  view.resize(400, 400);
  QImage red(10, 10, QImage::Format_RGB32);
  red.fill(Qt::red);
  view.setImage(red);
  view.setMap({2, {0.0, 1.0, 2.0, 3.0}});
  view.show();
  const QRectF whole = view.imageRect();
  const QPoint inFirst = (whole.topLeft() + QPointF(20, 20)).toPoint();
  const QPoint inLast = (whole.bottomRight() - QPointF(20, 20)).toPoint();
  const auto colourAt = [&view](const QPoint& place) {
    return view.grab().toImage().pixelColor(place);
  };
  const QColor low = colourAt(inFirst), high = colourAt(inLast);
  QVERIFY(low != QColor(Qt::red) && high != low);
  QTest::mouseMove(&view, inFirst);
  QTRY_COMPARE(colourAt(inFirst), QColor(Qt::red));
  QCOMPARE(colourAt(inLast), high);
  QTest::mouseMove(&view, inLast);
  QTRY_COMPARE(colourAt(inLast), QColor(Qt::red));
  QCOMPARE(colourAt(inFirst), low);
  QEvent leaves(QEvent::Leave);
  QCoreApplication::sendEvent(&view, &leaves);
  QCOMPARE(colourAt(inLast), high);
  QCOMPARE(greyImage(red).pixelColor(5, 5), QColor(76, 76, 76));
  view.setMapOpacity(1.0);
  QCOMPARE(colourAt(inLast), mapColour(3.0, 0.0, 3.0));
  view.setMapOpacity(0.0);
  QCOMPARE(colourAt(inLast), QColor(Qt::red));
}

void tst_picture_dialog::aMapIsComputedForTheImage() {
  const test::QuietPlatform quiet;
  const Theme theme;
  PictureShelf shelf({});
  Mapping mapping;
  const PromptImage image{m_picture, {1, 16}};
  RunRequest run{.prompt = std::vector<Token>(20)};
  run.images = {image};
  PictureDialog dialog({.image = image, .run = run}, theme, shelf, mapping.mapper);
  dialog.setAttribute(Qt::WA_DeleteOnClose, false);
  dialog.show();
  PictureMapPanel& panel = *dialog.map();
  QVERIFY(!panel.startButton().isEnabled());
  QVERIFY(panel.message().text().contains(QStringLiteral("No model is loaded")));
  const auto* meaning = dialog.findChild<QLabel*>(QStringLiteral("mapMeaning"));
  QVERIFY(
      meaning->text().contains(QStringLiteral("when only this cell is kept. Smaller")));
  mapping.loadModel();
  QVERIFY(panel.startButton().isEnabled());
  QCOMPARE(panel.message().text(),
           QStringLiteral("Reads the prompt's 20 tokens 17 times."));
  QVERIFY(!panel.exportButton().isEnabled());
  panel.startButton().click();
  QCOMPARE(panel.startButton().text(), QStringLiteral("Stop"));
  QTRY_COMPARE(panel.startButton().text(), QStringLiteral("Map"));
  QVERIFY(panel.exportButton().isEnabled());
  // The map stays when another step is chosen; the message names the map's step.
  const QString cost = panel.message().text();
  QVERIFY(!cost.contains(QStringLiteral("The map shows")));
  panel.step().setValue(2);
  QVERIFY2(
      panel.message().text().startsWith(QStringLiteral("The map shows step 0. Reads")),
      qPrintable(panel.message().text()));
  panel.startButton().click();
  QTRY_COMPARE(panel.startButton().text(), QStringLiteral("Map"));
  QVERIFY(!panel.message().text().contains(QStringLiteral("The map shows")));
  panel.step().setValue(0);
  QVERIFY(panel.message().text().startsWith(QStringLiteral("The map shows step 2.")));
  const QImage before = dialog.view().grab().toImage();
  panel.opacity().setValue(0);
  QVERIFY(dialog.view().grab().toImage() != before);
  QVERIFY(dialog.view().accessibleDescription().startsWith(
      QStringLiteral("L∞ of the bare pass: 0, 1, 2, 3; 4,")));
}

void tst_picture_dialog::saysWhyAnImageCannotBeMapped() {
  const Theme theme;
  PictureShelf shelf({});
  Mapping mapping;
  mapping.loadModel();
  PictureSubject subject{.image = {m_picture, {1, 4}}};
  QVERIFY(mapping.mapper.problem(subject).contains(QStringLiteral("not known")));
  subject.run.prompt.resize(6);
  QVERIFY(mapping.mapper.problem(subject).isEmpty());
  mapping.runs.load({.folder = "/models/other"});
  QVERIFY(mapping.mapper.problem(subject).contains(QStringLiteral("a load is in")));
  mapping.loadModel();
  auto other = std::make_shared<RunHeader>(*test::makeHeader({}));
  other->modelFolder = "/models/other";
  subject.recorded = other;
  QVERIFY(
      mapping.mapper.problem(subject).contains(QStringLiteral("not loaded as it was")));
  subject.recorded = nullptr;
  // After a failure, the message gives the reason instead of the cost.
  subject.run.images.resize(9, subject.image);
  for (PromptImage& another : subject.run.images) another.tokens = {100, 103};
  PictureDialog dialog(subject, theme, shelf, mapping.mapper);
  dialog.setAttribute(Qt::WA_DeleteOnClose, false);
  dialog.map()->startButton().click();
  QTRY_VERIFY(dialog.map()->message().text().contains(QStringLiteral("no image 10")));
  subject.image.picture = std::make_shared<const PictureFile>();
  QVERIFY(mapping.mapper.problem(subject).contains(QStringLiteral("without its images")));
}

EQUIPATCH_TEST(tst_picture_dialog)
#include "tst_picture_dialog.moc"
