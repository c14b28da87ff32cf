// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/hub_dialog.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <optional>

#include "core/hub/known_models.h"
#include "tests/support/changed_environment.h"
#include "tests/support/hub_server.h"
#include "tests/support/test_case.h"
#include "tests/ui/support/quiet_platform.h"

using namespace equipatch;

class tst_hub_dialog : public test::TestCase {
  Q_OBJECT

  void prepare() override;

 private Q_SLOTS:
  void cleanup() {
    m_dialog.reset();
    m_quiet.reset();
    m_environment.restore();
  }
  void aModelIsListedThenDownloaded();
  void theLoadRequestNamesTheChosenRevision();
  void aStoppedDownloadIsResumed();
  void theHubsRefusalOfAGatedModelIsShown();
  void aKnownModelIsChosenByAClick();
  void aKnownModelIsChosenByAKey();
  void aCachedModelIsDeletedAfterConfirmation();
  void anEmptyCacheShowsANote();

 private:
  template <typename Widget>
  Widget* find(const char* name) const {
    return m_dialog->findChild<Widget*>(QString::fromLatin1(name));
  }
  QPushButton* button(const char* name) const { return find<QPushButton>(name); }
  QString message() const { return find<QLabel>("hubMessage")->text(); }
  void listTiny() {
    find<QLineEdit>("hubName")->setText(QStringLiteral("owner/tiny"));
    QTRY_VERIFY(button("hubList")->isEnabled());
    button("hubList")->click();
    QTRY_VERIFY2(button("hubDownload")->isEnabled(), qPrintable(message()));
  }

  // Constructed in prepare(): before it, Qt Test installs its own message handler.
  std::optional<test::QuietPlatform> m_quiet;
  test::ChangedEnvironment m_environment;
  std::unique_ptr<test::HubServer> m_hub;
  std::unique_ptr<QTemporaryDir> m_cache;
  std::unique_ptr<HubDialog> m_dialog;
};

void tst_hub_dialog::prepare() {
  m_quiet.emplace();
  m_hub = std::make_unique<test::HubServer>();
  m_hub->files["config.json"] = "{}";
  m_hub->files["model.safetensors"] = QByteArray(500'000, 'w');
  m_cache = std::make_unique<QTemporaryDir>();
  m_environment.set("HF_ENDPOINT", m_hub->endpoint().toUtf8());
  m_environment.set("HF_HUB_CACHE", m_cache->path().toUtf8());
  m_dialog = std::make_unique<HubDialog>();
  m_dialog->open();
}

void tst_hub_dialog::aModelIsListedThenDownloaded() {
  QSignalSpy loads(m_dialog.get(), &HubDialog::loadRequested);
  QSignalSpy changes(m_dialog.get(), &HubDialog::cacheChanged);
  QVERIFY(!button("hubDownload")->isEnabled() && !button("hubLoad")->isEnabled());
  listTiny();
  QCOMPARE(find<QTreeWidget>("hubFiles")->topLevelItemCount(), 2);
  QVERIFY2(message().contains("500 kB are to be downloaded"), qPrintable(message()));
  find<QLineEdit>("hubName")->setText(QStringLiteral("owner/tiny@v2"));  // not listed
  QVERIFY(!button("hubDownload")->isEnabled());
  find<QLineEdit>("hubName")->setText(QStringLiteral("owner/tiny"));
  QVERIFY(button("hubDownload")->isEnabled());
  changes.clear();
  button("hubDownload")->click();
  QTRY_VERIFY2(button("hubLoad")->isEnabled(), qPrintable(message()));
  QTRY_VERIFY(!changes.isEmpty());
  QTRY_COMPARE(find<QTreeWidget>("hubCache")->topLevelItemCount(), 1);
  QVERIFY2(message().contains("owner/tiny is in the cache"), qPrintable(message()));
  button("hubLoad")->click();
  QCOMPARE(loads.value(0).value(0).toString(), QStringLiteral("owner/tiny"));
}

void tst_hub_dialog::theLoadRequestNamesTheChosenRevision() {
  m_hub->change = [](const test::HubRequest& request, test::HubReply& reply) {
    if (request.path.endsWith("/revision/v1"))
      reply = {200,
               {{"Content-Type", "application/json"}},
               R"({"id": "owner/tiny", "siblings": [{"rfilename": "config.json"}, )"
               R"({"rfilename": "model.safetensors"}], "sha": ")" +
                   test::HubServer::commit() + "\"}"};
  };
  QSignalSpy loads(m_dialog.get(), &HubDialog::loadRequested);
  find<QLineEdit>("hubRevision")->setText(QStringLiteral("v1"));
  listTiny();
  button("hubDownload")->click();
  QTRY_VERIFY2(button("hubLoad")->isEnabled(), qPrintable(message()));
  button("hubLoad")->click();
  QCOMPARE(loads.value(0).value(0).toString(), QStringLiteral("owner/tiny@v1"));
}

void tst_hub_dialog::aStoppedDownloadIsResumed() {
  m_hub->piece = 500;
  m_hub->pauseAt = 5'000;
  listTiny();
  button("hubDownload")->click();
  QTRY_VERIFY(m_hub->bodyBytes >= 5'000);
  button("hubStop")->click();
  QTRY_VERIFY2(message().startsWith("Stopped; what is downloaded is kept"),
               qPrintable(message()));
  QVERIFY(!button("hubLoad")->isEnabled());
  m_hub->pauseAt = -1;
  button("hubDownload")->click();
  QTRY_VERIFY2(button("hubLoad")->isEnabled(), qPrintable(message()));
  QVERIFY(m_hub->rangesOf("model.safetensors").back().startsWith("bytes="));
}

void tst_hub_dialog::theHubsRefusalOfAGatedModelIsShown() {
  m_hub->change = [](const test::HubRequest&, test::HubReply& reply) {
    reply = {403, {{"X-Error-Code", "GatedRepo"}}, {}};
  };
  find<QLineEdit>("hubName")->setText(QStringLiteral("owner/tiny"));
  QTRY_VERIFY(button("hubList")->isEnabled());
  button("hubList")->click();
  QTRY_VERIFY2(message().contains("accept its terms"), qPrintable(message()));
  QVERIFY(button("hubList")->isEnabled() && !button("hubDownload")->isEnabled());
}

void tst_hub_dialog::aKnownModelIsChosenByAClick() {
  auto* known = find<QTreeWidget>("hubKnown");
  QCOMPARE(known->topLevelItemCount(), int(kKnownModels.size()));
  QTest::mouseClick(known->viewport(), Qt::LeftButton, {},
                    known->visualItemRect(known->topLevelItem(1)).center());
  QCOMPARE(find<QLineEdit>("hubName")->text(), known->topLevelItem(1)->text(0));
}

void tst_hub_dialog::aKnownModelIsChosenByAKey() {
  auto* known = find<QTreeWidget>("hubKnown");
  known->setCurrentItem(known->topLevelItem(0), 0, QItemSelectionModel::NoUpdate);
  QVERIFY(find<QLineEdit>("hubName")->text().isEmpty());  // Tab alone chooses nothing
  QTest::keyClick(known, Qt::Key_Down);
  QCOMPARE(find<QLineEdit>("hubName")->text(), known->topLevelItem(1)->text(0));
}

void tst_hub_dialog::aCachedModelIsDeletedAfterConfirmation() {
  listTiny();
  button("hubDownload")->click();
  auto* cache = find<QTreeWidget>("hubCache");
  QTRY_COMPARE(cache->topLevelItemCount(), 1);
  QCOMPARE(cache->topLevelItem(0)->text(0), QStringLiteral("owner/tiny@main"));
  QVERIFY(!button("hubDelete")->isEnabled());
  QVERIFY(button("hubLoad")->isEnabled());
  QVERIFY(!button("hubDownload")->isEnabled());
  cache->topLevelItem(0)->setSelected(true);
  QTRY_VERIFY(button("hubDelete")->isEnabled());
  const auto ask = [this]() -> QMessageBox* {
    button("hubDelete")->click();
    return m_dialog->findChild<QMessageBox*>(QStringLiteral("hubDeleteQuestion"));
  };
  QPointer<QMessageBox> box = ask();
  QVERIFY(box && box->text().contains("owner/tiny@main"));
  QVERIFY(box->text().contains(cache->topLevelItem(0)->text(1)));
  QCOMPARE(box->defaultButton(), box->button(QMessageBox::Cancel));
  box->button(QMessageBox::Cancel)->click();
  QVERIFY(button("hubDelete")->isEnabled());  // nothing is under way
  QCOMPARE(cache->topLevelItemCount(), 1);
  QTRY_VERIFY(!box);
  box = ask();
  for (QAbstractButton* each : box->buttons())
    if (box->buttonRole(each) == QMessageBox::DestructiveRole) each->click();
  QTRY_COMPARE(cache->topLevelItemCount(), 0);
  QVERIFY2(message().startsWith("owner/tiny@main is deleted from the cache"),
           qPrintable(message()));  // not that it "is in the cache now"
  QVERIFY(!button("hubLoad")->isEnabled());
  QVERIFY(!QFileInfo::exists(m_cache->filePath("models--owner--tiny")));
  QTRY_VERIFY(button("hubDownload")->isEnabled());  // when the deletion has ended
  button("hubDownload")->click();
  QTRY_COMPARE(cache->topLevelItemCount(), 1);
}

void tst_hub_dialog::anEmptyCacheShowsANote() {
  const auto* note = find<QLabel>("hubCacheEmpty");
  QVERIFY(note);
  QTRY_VERIFY(!note->isHidden());
  QVERIFY2(note->text().contains("Get a model"), qPrintable(note->text()));
  listTiny();
  button("hubDownload")->click();
  QTRY_COMPARE(find<QTreeWidget>("hubCache")->topLevelItemCount(), 1);
  QVERIFY(note->isHidden());
}

EQUIPATCH_TEST(tst_hub_dialog)
#include "tst_hub_dialog.moc"
