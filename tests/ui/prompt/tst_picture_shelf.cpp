// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/prompt/picture_shelf.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <algorithm>

#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

QString picturePath(const char* name) {
  return QString::fromStdString((test::data("pictures") / name).string());
}

/// Waits for one more image. The worker decodes images in the order of the requests, so
/// all images requested before are then decoded.
void waitForTheWorker(PictureShelf& shelf) {
  const auto last = readPicture(test::data("pictures/rgb.png"));
  QTRY_VERIFY(!shelf.image(last).isNull());
}

}  // namespace

class tst_picture_shelf : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void readsFilesInOrder();
  void noFileIsReadIfOneIsAnimated();
  void aFailedLoanIsReportedDespiteALaterRead();
  void aLoanFailsOnlyIfItsOwnImageFails();
  void takesTheClipboardsImage();
  void repeatedRequestsDecodeAnImageOnce();
  void keepsThumbnailsOfImagesThatTheCacheDrops();
  void thumbnailsOfReleasedImagesAreDropped();
  void aDamagedPictureHasNoImage();
  void copiesAreStoredAndVerified();
  void removesOldCopies();
};

void tst_picture_shelf::readsFilesInOrder() {
  PictureShelf shelf({});
  Pictures read;
  connect(&shelf, &PictureShelf::read, &shelf,
          [&](const Pictures& pictures) { read = pictures; });
  shelf.readFiles({picturePath("rgb.png"), picturePath("photo.jpg")});
  QTRY_COMPARE(read.size(), std::size_t{2});
  QCOMPARE(read[0]->name, std::string("rgb.png"));
  QCOMPARE(read[1]->name, std::string("photo.jpg"));
  QVERIFY(!shelf.image(read[0]).isNull());  // reading a file also decodes it
}

void tst_picture_shelf::noFileIsReadIfOneIsAnimated() {
  PictureShelf shelf({});
  QSignalSpy failed(&shelf, &PictureShelf::failed);
  QSignalSpy read(&shelf, &PictureShelf::read);
  shelf.readFiles({picturePath("rgb.png"), picturePath("animated.png")});
  QTRY_COMPARE(failed.count(), 1);
  QVERIFY(failed.front().front().toString().contains(QStringLiteral("animated.png")));
  QCOMPARE(read.count(), 0);
}

/// A lesson waits for its own image, while the user may insert others.
void tst_picture_shelf::aFailedLoanIsReportedDespiteALaterRead() {
  PictureShelf shelf({});
  QSignalSpy failed(&shelf, &PictureShelf::failed);
  QSignalSpy read(&shelf, &PictureShelf::read);
  shelf.lend(picturePath("missing.png"));
  shelf.readFiles({picturePath("rgb.png")});
  QTRY_COMPARE(read.count(), 1);
  QCOMPARE(failed.count(), 1);
  QVERIFY(failed.front().front().toString().contains(QStringLiteral("missing.png")));
}

/// A lesson must not mistake another file's failure for a failure of its own image.
void tst_picture_shelf::aLoanFailsOnlyIfItsOwnImageFails() {
  PictureShelf shelf({});
  QSignalSpy failed(&shelf, &PictureShelf::failed);
  QSignalSpy lent(&shelf, &PictureShelf::lent), notLent(&shelf, &PictureShelf::notLent);
  shelf.readFiles({picturePath("missing.png")});
  shelf.lend(picturePath("rgb.png"));
  QTRY_COMPARE(lent.count(), 1);
  QCOMPARE(failed.count(), 1);
  QCOMPARE(notLent.count(), 0);
  shelf.lend(picturePath("animated.png"));
  QTRY_COMPARE(failed.count(), 2);
  QCOMPARE(notLent.count(), 1);
  QCOMPARE(notLent.front(), failed.back());
}

void tst_picture_shelf::takesTheClipboardsImage() {
  PictureShelf shelf({});
  Pictures read;
  connect(&shelf, &PictureShelf::read, &shelf,
          [&](const Pictures& pictures) { read = pictures; });
  QImage image(5, 4, QImage::Format_ARGB32);
  image.fill(QColor(10, 200, 30));
  shelf.readImage(image);
  QTRY_COMPARE(read.size(), std::size_t{1});
  QCOMPARE(shelf.image(read[0]).isNull(), true);  // the call starts the decoding
  QTRY_VERIFY(!shelf.image(read[0]).isNull());
  QCOMPARE(shelf.image(read[0]).size(), image.size());
  QCOMPARE(shelf.image(read[0]).pixelColor(2, 2), QColor(10, 200, 30));
}

void tst_picture_shelf::repeatedRequestsDecodeAnImageOnce() {
  PictureShelf shelf({});
  QSignalSpy decoded(&shelf, &PictureShelf::decoded);
  const auto picture = readPicture(test::data("pictures/photo.jpg"));
  QVERIFY(shelf.image(picture).isNull());
  QVERIFY(shelf.image(picture).isNull());
  QTRY_COMPARE(decoded.count(), 1);
  QCOMPARE(decoded.front().front().toString().toStdString(), picture->sha256);
  QVERIFY(!shelf.image(picture).isNull());
  waitForTheWorker(shelf);
  QCOMPARE(decoded.count(), 2);
}

/// The cache holds at most one of the images. After each decoding, `shown` requests all
/// thumbnails again.
void tst_picture_shelf::keepsThumbnailsOfImagesThatTheCacheDrops() {
  PictureShelf shelf({}, nullptr, 1);
  Pictures pictures;
  for (const char* name : {"photo.jpg", "gray.png", "rgb.png"})
    pictures.push_back(readPicture(test::data("pictures") / name));
  const auto shown = [&] {
    return std::ranges::count_if(pictures, [&](const auto& picture) {
      return !shelf.thumbnail(picture).isNull();
    });
  };
  QSignalSpy decoded(&shelf, &PictureShelf::decoded);
  connect(&shelf, &PictureShelf::decoded, &shelf, shown);
  QTRY_COMPARE(shown(), 3);
  QCOMPARE(decoded.count(), 3);
  QSignalSpy read(&shelf, &PictureShelf::read);
  shelf.readFiles({picturePath("rgb.png")});  // after all earlier requests
  QTRY_COMPARE(read.count(), 1);
  QCOMPARE(shown(), 3);
  QCOMPARE(decoded.count(), 4);
}

void tst_picture_shelf::thumbnailsOfReleasedImagesAreDropped() {
  PictureShelf shelf({});
  const auto fileOf = [](const char* name) {
    return readPicture(test::data("pictures") / name);
  };
  auto first = fileOf("photo.jpg"), gone = fileOf("gray.png");
  QTRY_VERIFY(!shelf.thumbnail(first).isNull());
  QTRY_VERIFY(!shelf.thumbnail(gone).isNull());
  const auto equal = fileOf("photo.jpg");
  QVERIFY(!shelf.thumbnail(equal).isNull());
  first.reset();
  gone.reset();
  waitForTheWorker(shelf);
  QVERIFY(!shelf.thumbnail(equal).isNull());  // `equal` still uses the thumbnail
  QVERIFY(shelf.thumbnail(fileOf("gray.png")).isNull());
}

void tst_picture_shelf::aDamagedPictureHasNoImage() {
  PictureShelf shelf({});
  QSignalSpy decoded(&shelf, &PictureShelf::decoded);
  const auto damaged = std::make_shared<const PictureFile>(
      PictureFile{.name = "x.png", .sha256 = "1", .bytes = "no image"});
  shelf.image(damaged);
  QTRY_COMPARE(decoded.count(), 1);
  QVERIFY(shelf.image(damaged).isNull());
  const auto leftOut =
      std::make_shared<const PictureFile>(PictureFile{.name = "y.png", .sha256 = "2"});
  QVERIFY(shelf.image(leftOut).isNull());
  waitForTheWorker(shelf);
  QCOMPARE(decoded.count(), 2);  // `damaged` is not decoded again, `leftOut` never
}

void tst_picture_shelf::copiesAreStoredAndVerified() {
  const QTemporaryDir place;
  const PictureShelf shelf(place.filePath(QStringLiteral("pictures")));
  const auto picture = readPicture(test::data("pictures/photo.jpg"));
  const QString sha256 = QString::fromStdString(picture->sha256);
  QVERIFY(!shelf.copyOf(QStringLiteral("photo.jpg"), sha256));
  shelf.keepCopies({picture});
  const auto copy = shelf.copyOf(QStringLiteral("photo.jpg"), sha256);
  QVERIFY(copy && copy->bytes == picture->bytes);
  QVERIFY(!shelf.copyOf(QStringLiteral("x"), QStringLiteral("../pictures/") + sha256));
  QFile file(place.filePath(QStringLiteral("pictures/")) + sha256);
  QVERIFY(file.open(QIODevice::Append) && file.write("x") == 1);
  file.close();
  QVERIFY(!shelf.copyOf(QStringLiteral("photo.jpg"), sha256));
  shelf.keepCopies({picture});  // replaces the damaged copy
  QVERIFY(shelf.copyOf(QStringLiteral("photo.jpg"), sha256));
}

void tst_picture_shelf::removesOldCopies() {
  const QTemporaryDir place;
  const PictureShelf shelf(place.path());
  const auto used = readPicture(test::data("pictures/photo.jpg"));
  const auto unused = readPicture(test::data("pictures/rgb.png"));
  shelf.keepCopies({used, unused});
  const auto age = [&](const PictureFile& picture) {
    QFile file(place.filePath(QString::fromStdString(picture.sha256)));
    QVERIFY(file.open(QIODevice::ReadWrite));
    QVERIFY(file.setFileTime(QDateTime::currentDateTime().addDays(-40),
                             QFileDevice::FileModificationTime));
  };
  const auto copies = [&] { return QDir(place.path()).entryList(QDir::Files); };
  const QStringList copyOfUsed{QString::fromStdString(used->sha256)};
  shelf.keepCopies({used});
  QCOMPARE(copies().size(), 2);  // the unused copy is new
  age(*used);
  age(*unused);
  shelf.keepCopies({used});
  QCOMPARE(copies(), copyOfUsed);
  shelf.keepCopies({});
  QCOMPARE(copies(), copyOfUsed);  // the last call with `used` renewed its date
}

EQUIPATCH_TEST(tst_picture_shelf)
#include "tst_picture_shelf.moc"
