// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/model_picker.h"

#include <QAbstractItemView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSignalSpy>

#include "tests/support/test_case.h"
#include "tests/ui/support/models.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

class tst_model_picker : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void keepsWhatWasTypedWhenTheListComes();
  void suggestsTheBundledModelOnce();
  void findsTheListedModel();
  void arrowsOpenTheListAndReturnChooses();
  void pageKeysChooseNothing();
  void leavingTheFieldChoosesNothing();
  void choosingBrowseKeepsTheText();
  void deleteRemovesOnlyUsedFolders();
};

void tst_model_picker::keepsWhatWasTypedWhenTheListComes() {
  ModelPicker picker;
  picker.setModelText(QStringLiteral("/some/folder"));
  picker.showModels(std::make_shared<const ModelList>(test::someModels()));
  QCOMPARE(picker.model(), QStringLiteral("/some/folder"));
  QCOMPARE(picker.currentIndex(), -1);
  QCOMPARE(picker.count(), 6);
}

void tst_model_picker::suggestsTheBundledModelOnce() {
  ModelList models = test::someModels();
  models.models.front().origin = ModelOrigin::Bundled;
  models.models.front().entry.name = "bundled";
  const auto list = std::make_shared<const ModelList>(models);
  ModelPicker picker;
  picker.showModels(list);
  QCOMPARE(picker.model(), QStringLiteral("bundled"));
  picker.setModelText(QString());
  picker.showModels(list);
  QCOMPARE(picker.model(), QString());
  ModelPicker used;
  used.setModelText(QStringLiteral("/some/folder"));
  used.showModels(list);
  QCOMPARE(used.model(), QStringLiteral("/some/folder"));
  models.models.front().entry.problem = "damaged";
  ModelPicker broken;
  broken.showModels(std::make_shared<const ModelList>(models));
  QCOMPARE(broken.model(), QString());
}

void tst_model_picker::findsTheListedModel() {
  ModelPicker picker;
  picker.setModelText(QStringLiteral("owner/good"));
  QVERIFY(!picker.listed());
  picker.showModels(std::make_shared<const ModelList>(test::someModels()));
  QVERIFY(picker.listed());
  QCOMPARE(picker.listed()->entry.folder.string(), std::string("/cache/good"));
  picker.setModelText(QStringLiteral("/cache/good"));
  QVERIFY(picker.listed());
  picker.setModelText(QStringLiteral("owner"));
  QVERIFY(!picker.listed());
}

void tst_model_picker::arrowsOpenTheListAndReturnChooses() {
  const test::QuietPlatform quiet;
  ModelPicker picker;
  picker.showModels(std::make_shared<const ModelList>(test::someModels()));
  picker.show();
  QSignalSpy picked(&picker, &ModelPicker::modelPicked);
  QTest::keyClick(&picker, Qt::Key_Down);
  QCOMPARE(picked.count(), 0);  // an arrow key alone chooses nothing
  QTRY_VERIFY(picker.view()->isVisible());
  QCOMPARE(picker.view()->currentIndex().row(), 1);  // the first model
  QTest::keyClick(picker.view(), Qt::Key_Down);      // skips a grey model and a heading
  QTest::keyClick(picker.view(), Qt::Key_Return);
  QCOMPARE(picked.count(), 1);
  QCOMPARE(picker.model(), QStringLiteral("/models/huge"));
}

void tst_model_picker::pageKeysChooseNothing() {
  const test::QuietPlatform quiet;
  ModelPicker picker;
  picker.showModels(std::make_shared<const ModelList>(test::someModels()));
  picker.show();
  const QSignalSpy picked(&picker, &ModelPicker::modelPicked);
  for (const Qt::Key key : {Qt::Key_PageDown, Qt::Key_PageUp}) {
    QTest::keyClick(&picker, key);
    QCOMPARE(picked.count(), 0);
    QTRY_VERIFY(picker.view()->isVisible());
    picker.hidePopup();
  }
}

void tst_model_picker::leavingTheFieldChoosesNothing() {
  ModelPicker picker;
  picker.showModels(std::make_shared<const ModelList>(test::someModels()));
  picker.setModelText(QStringLiteral("owner/good"));
  const QSignalSpy picked(&picker, &ModelPicker::modelPicked);
  Q_EMIT picker.lineEdit()->editingFinished();  // as when the focus leaves the field
  QCOMPARE(picked.count(), 0);
  QTest::keyClick(&picker, Qt::Key_Return);
  QCOMPARE(picked.count(), 1);
}

void tst_model_picker::choosingBrowseKeepsTheText() {
  ModelPicker picker;
  picker.showModels(std::make_shared<const ModelList>(test::someModels()));
  picker.setModelText(QStringLiteral("owner/good"));
  QSignalSpy picked(&picker, &ModelPicker::modelPicked);
  QSignalSpy browse(&picker, &ModelPicker::browseRequested);
  picker.setCurrentIndex(5);
  Q_EMIT picker.activated(5);
  QCOMPARE(browse.count(), 1);
  QCOMPARE(picked.count(), 0);
  QCOMPARE(picker.model(), QStringLiteral("owner/good"));
  picker.lineEdit()->selectAll();
  QTest::keyClicks(picker.lineEdit(), QStringLiteral("/typed"));
  picker.setCurrentIndex(5);
  Q_EMIT picker.activated(5);
  QCOMPARE(picker.model(), QStringLiteral("/typed"));
}

void tst_model_picker::deleteRemovesOnlyUsedFolders() {
  const test::QuietPlatform quiet;
  ModelPicker picker;
  picker.showModels(std::make_shared<const ModelList>(test::someModels()));
  picker.show();
  picker.showPopup();
  QTRY_VERIFY(picker.view()->isVisible());
  QSignalSpy forgotten(&picker, &ModelPicker::forgetRequested);
  QTest::keyClick(picker.view(), Qt::Key_Home);
  QTest::keyClick(picker.view(), Qt::Key_Delete);  // a model of the cache
  QCOMPARE(forgotten.count(), 0);
  QTest::keyClick(picker.view(), Qt::Key_Down);
  QTest::keyClick(picker.view(), Qt::Key_Delete);
  QCOMPARE(forgotten.count(), 1);
  QCOMPARE(forgotten[0][0].toString(), QStringLiteral("/models/huge"));
  // Delete applies to the row under the mouse until a key selects another row.
  const auto moveTo = [&](int row) {
    const QModelIndex index = picker.view()->model()->index(row, 0);
    QTest::mouseMove(picker.view()->viewport(),
                     picker.view()->visualRect(index).center());
    QCoreApplication::processEvents();  // events that the move causes
  };
  moveTo(1);
  QTest::keyClick(picker.view(), Qt::Key_Delete);
  QCOMPARE(forgotten.count(), 1);
  moveTo(4);
  QTest::keyClick(picker.view(), Qt::Key_Delete);
  QCOMPARE(forgotten.count(), 2);
  QTest::keyClick(picker.view(), Qt::Key_Up);
  QTest::keyClick(picker.view(), Qt::Key_Delete);
  QCOMPARE(forgotten.count(), 2);
  // A list that opens again has no row under the mouse yet.
  moveTo(4);
  picker.hidePopup();
  picker.showPopup();
  QTRY_VERIFY(picker.view()->isVisible());
  picker.view()->setCurrentIndex(picker.view()->model()->index(1, 0));
  QTest::keyClick(picker.view(), Qt::Key_Delete);
  QCOMPARE(forgotten.count(), 2);
}

EQUIPATCH_TEST(tst_model_picker)
#include "tst_model_picker.moc"
