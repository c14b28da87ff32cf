// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>

#include "core/base/paths.h"
#include "core/checkpoint/model_folders.h"
#include "core/hub/http.h"
#include "core/hub/hub_answers.h"
#include "core/hub/hub_settings.h"
#include "core/hub/hub_transfer.h"
#include "tests/support/changed_environment.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_hub_name : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void cleanup() { m_environment.restore(); }
  void namesAreParsed();
  void invalidNamesAreRefused_data();
  void invalidNamesAreRefused();
  void originsAreFoundAndPathsEncoded();
  void hexadecimalTextsAreRecognised();
  void settingsComeFromTheEnvironment();
  void noTokenIsUsedIfTheUserForbidsIt();
  void wrongSettingsAreNamed();
  void anUnsentTokenIsExplained();
  void aRefusedTokenIsNotReportedAsUnknownModel();
  void aStorageRefusalNamesTheServer();

 private:
  test::ChangedEnvironment m_environment;
};

void tst_hub_name::namesAreParsed() {
  QCOMPARE(HubName::parse("gpt2").repository, std::string("gpt2"));
  QCOMPARE(HubName::parse("gpt2").revision, std::string("main"));
  QCOMPARE(HubName::parse("a-b/c_d.e@v1.0").repository, std::string("a-b/c_d.e"));
  QCOMPARE(HubName::parse("a-b/c_d.e@v1.0").revision, std::string("v1.0"));
  QCOMPARE(HubName::parse("a/b@x", "refs/pr/1").revision, std::string("refs/pr/1"));
  const std::string longest = "owner/" + std::string(96, 'a');
  QCOMPARE(HubName::parse(longest).repository, longest);
}

void tst_hub_name::invalidNamesAreRefused_data() {
  QTest::addColumn<QString>("word");
  for (const char* word :
       {"",       "/",      "a/",      "/b",       "a/b/c", "../b",      "a/..",
        "a/.b",   "a--b/c", "a/b?c",   "a/b#c",    "a b/c", "a/b@",      "a/b@../x",
        "a/b@/x", "a/b@x/", "a/b@x y", "a/b@x//y", "a\n/b", "http://x/y"})
    QTest::newRow(word) << QString(word);
  QTest::newRow("long name") << "owner/" + QString(97, 'a');
  QTest::newRow("long owner") << QString(97, 'a') + "/b";
}

void tst_hub_name::invalidNamesAreRefused() {
  QFETCH(QString, word);
  QVERIFY_ERROR(HubName::parse(word.toStdString()), "cannot be", "expected");
}

void tst_hub_name::originsAreFoundAndPathsEncoded() {
  QCOMPARE(originOf("https://Huggingface.co/a?b"),
           std::string("https://huggingface.co:443"));
  QCOMPARE(originOf("http://localhost:80/"), originOf("http://localhost"));
  QVERIFY(originOf("https://x") != originOf("http://x"));
  QVERIFY(originOf("https://x@y") == originOf("https://y"));
  for (const char* text : {"", "x", "file:///etc/passwd", "ftp://x", "https://"})
    QCOMPARE(originOf(text), std::string());
  QCOMPARE(inUrl("a b/ü?"), std::string("a%20b/%C3%BC%3F"));
}

void tst_hub_name::hexadecimalTextsAreRecognised() {
  QVERIFY(isHexadecimal("09af", 4));
  for (const char* text : {"09a", "09aff", "09aF", "09ag", "../a"})
    QVERIFY(!isHexadecimal(text, 4));
}

void tst_hub_name::settingsComeFromTheEnvironment() {
  m_environment.set("HF_HOME", "/nowhere");
  QCOMPARE(HubSettings::ofThisUser().endpoint, std::string("https://huggingface.co"));
  QCOMPARE(HubSettings::ofThisUser().token, std::string());
  // The token is read from HF_HOME/token; HF_HOME may begin with "~".
  const QTemporaryDir home;
  m_environment.set("HOME", home.path().toUtf8());
  m_environment.set("HF_HOME", "~/hf");
  QVERIFY(replaceFile(hubHome() / "token", "hf_of_the_file\n"));
  QVERIFY(QFile::exists(home.filePath("hf/token")));
  QCOMPARE(HubSettings::ofThisUser().token, std::string("hf_of_the_file"));
  m_environment.set("HF_TOKEN", " ");  // as if it were not set
  QVERIFY(replaceFile(home.filePath("other").toStdString(), "hf_of_another_file\n"));
  m_environment.set("HF_TOKEN_PATH", "~/other");
  QCOMPARE(HubSettings::ofThisUser().token, std::string("hf_of_another_file"));
  m_environment.set("HF_ENDPOINT", "https://mirror.example/hf//");
  m_environment.set("HF_TOKEN", " hf_abc\n");
  m_environment.set("TRANSFORMERS_OFFLINE", "1");
  QVERIFY(HubSettings::ofThisUser().offline);
  m_environment.set("HF_HUB_OFFLINE", "0");  // overrides TRANSFORMERS_OFFLINE
  QVERIFY(!HubSettings::ofThisUser().offline);
  m_environment.set("HF_HUB_OFFLINE", "Yes");
  m_environment.set("HF_HUB_CACHE", "/cache");
  const HubSettings settings = HubSettings::ofThisUser();
  QCOMPARE(settings.endpoint, std::string("https://mirror.example/hf"));
  QCOMPARE(settings.token, std::string("hf_abc"));
  QCOMPARE(settings.cache, std::filesystem::path("/cache"));
  QVERIFY(settings.offline);
}

void tst_hub_name::noTokenIsUsedIfTheUserForbidsIt() {
  m_environment.set("HF_ENDPOINT", "https://mirror.example");
  m_environment.set("HF_TOKEN", "hf_abc");
  m_environment.set("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1");
  const HubSettings settings = HubSettings::ofThisUser();
  QVERIFY(settings.tokenForbidden);
  QCOMPARE(settings.token, std::string());
  m_environment.unset("HF_HUB_DISABLE_IMPLICIT_TOKEN");
  QCOMPARE(HubSettings::ofThisUser().token, std::string("hf_abc"));
}

void tst_hub_name::wrongSettingsAreNamed() {
  m_environment.set("HF_TOKEN", "two words");
  QVERIFY_ERROR(HubSettings::ofThisUser(), "HF_TOKEN");
  m_environment.set("HF_TOKEN", "x");
  m_environment.set("HF_ENDPOINT", "file:///etc");
  QVERIFY_ERROR(HubSettings::ofThisUser(), "HF_ENDPOINT", "file:///etc");
}

/// Without encryption, no token is sent to another machine. The message must therefore
/// not advise the user to check the token.
void tst_hub_name::anUnsentTokenIsExplained() {
  HubSettings settings;
  settings.endpoint = "http://mirror.example";
  settings.token = "hf_abc";
  HubPage page(settings, HubName::parse("a/b"), "/x", "");
  QCOMPARE(page.request().token, std::string());
  const HttpHead head{.status = 401, .url = page.request().url, .fields = {}};
  QVERIFY_ERROR(page.answered(head), "let HF_ENDPOINT begin with https://");
}

void tst_hub_name::aRefusedTokenIsNotReportedAsUnknownModel() {
  HubSettings settings;
  settings.token = "hf_expired";
  HubPage page(settings, HubName::parse("a/b"), "/x", "");
  const HttpHead head{
      .status = 401,
      .url = page.request().url,
      .fields = {{"x-error-message", "Invalid credentials in Authorization header"}}};
  QVERIFY_ERROR(page.answered(head), "does not accept the token", "/settings/tokens");
}

void tst_hub_name::aStorageRefusalNamesTheServer() {
  const HubSettings settings;
  HubPage page(settings, HubName::parse("a/b"), "/x", "model.safetensors");
  for (const long status : {401L, 403L, 404L})
    QVERIFY_ERROR(
        page.answered({.status = status, .url = "https://cdn.example/x", .fields = {}}),
        "a/b, model.safetensors", "https://cdn.example:443 refuses with status");
}

EQUIPATCH_TEST(tst_hub_name)
#include "tst_hub_name.moc"
