// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/patched_checkpoint.h"

#include <QTemporaryDir>
#include <fstream>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_patched_checkpoint : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aNewFolderIsMadeWithThoseAbove();
  void aFolderInUseIsRefused();
};

void tst_patched_checkpoint::aNewFolderIsMadeWithThoseAbove() {
  const QTemporaryDir place;
  const auto folder = std::filesystem::path(place.path().toStdString()) / "a" / "b";
  makeNewFolder(folder);
  QVERIFY(std::filesystem::is_directory(folder));
  makeNewFolder(folder);  // still empty
}

void tst_patched_checkpoint::aFolderInUseIsRefused() {
  const QTemporaryDir place;
  const std::filesystem::path folder(place.path().toStdString());
  std::ofstream(folder / "notes.txt") << "mine";
  QVERIFY_ERROR(makeNewFolder(folder), "is not empty");
  QVERIFY_ERROR(makeNewFolder(folder / "notes.txt"), "cannot be made a folder");
}

EQUIPATCH_TEST(tst_patched_checkpoint)
#include "tst_patched_checkpoint.moc"
