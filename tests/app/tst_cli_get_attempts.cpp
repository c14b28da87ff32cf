// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDateTime>
#include <QDir>
#include <QLocale>
#include <QProcess>
#include <QTemporaryDir>

#include "tests/app/command_line.h"
#include "tests/support/hub_server.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

/// `get` from servers that break off, redirect to themselves or ask to wait.
class tst_cli_get_attempts : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void requestsForATruncatedFileListAreLimited();
  void attemptsWithoutNewBytesAreLimited();
  void disconnectionAfterTheLastByteIsNoFailure();
  void redirectsToTheHubItselfAreFollowed();
  void aDistantRetryAfterDateEndsTheAttempts();

 private:
  static CommandResult get(const HubServer& hub);
};

CommandResult tst_cli_get_attempts::get(const HubServer& hub) {
  const QTemporaryDir cache;
  QProcess process;
  process.setProcessEnvironment(commandEnvironment(
      {"HF_ENDPOINT=" + hub.endpoint(), "HF_HUB_CACHE=" + cache.path()}));
  process.start(commandPath(), {"get", "owner/tiny", "--json"});
  return resultOf(process);
}

void tst_cli_get_attempts::requestsForATruncatedFileListAreLimited() {
  HubServer hub;
  int asked = 0;
  hub.change = [&](const HubRequest&, HubReply& reply) {
    if (++asked <= 9) reply.cut = 20;
  };
  QCOMPARE(stderrProblem(get(hub), 1, "cannot be used now"), QString());
  QCOMPARE(asked, 4);
}

void tst_cli_get_attempts::attemptsWithoutNewBytesAreLimited() {
  HubServer hub;
  hub.files["config.json"] = "{}";
  hub.files["model.safetensors"] = QByteArray(20'000, 'x');
  int asked = 0;
  hub.change = [&](const HubRequest& request, HubReply& reply) {
    if (!request.atStorage) return;
    // The server ignores ranges.
    reply = {200, {}, hub.files["model.safetensors"], ++asked <= 9 ? 5'000 : -1};
  };
  QCOMPARE(stderrProblem(get(hub), 1, "cannot be used now"), QString());
  QCOMPARE(asked, 5);  // the first request brought new bytes
}

void tst_cli_get_attempts::disconnectionAfterTheLastByteIsNoFailure() {
  HubServer hub;
  hub.files["config.json"] = "{}";
  hub.files["model.safetensors"] = QByteArray(20'000, 'x');
  hub.change = [](const HubRequest& request, HubReply& reply) {
    if (request.atStorage) reply.fields.emplaceBack("Content-Length", "20001");
  };
  QCOMPARE(get(hub).exitCode, 0);
  QCOMPARE(std::ranges::count(hub.requests, true, &HubRequest::atStorage), 1);
}

void tst_cli_get_attempts::redirectsToTheHubItselfAreFollowed() {
  HubServer hub;
  hub.files["config.json"] = "{}";
  hub.files["model.safetensors"] = QByteArray(20'000, 'x');
  const QByteArray storage = "/storage/model.safetensors";
  hub.change = [&](const HubRequest& request, HubReply& reply) {
    if (request.path == storage)
      reply = {200, {{"ETag", "\"7-2\""}}, hub.files["model.safetensors"]};
    for (auto& [name, value] : reply.fields)
      if (name == "Location") value = hub.endpoint().toUtf8() + storage;
  };
  QCOMPARE(get(hub).exitCode, 0);
}

/// Retry-After holds seconds or a date.
void tst_cli_get_attempts::aDistantRetryAfterDateEndsTheAttempts() {
  HubServer hub;
  int asked = 0;
  hub.change = [&](const HubRequest&, HubReply& reply) {
    ++asked;
    const QString date = QLocale::c().toString(QDateTime::currentDateTimeUtc().addDays(1),
                                               "ddd, dd MMM yyyy hh:mm:ss 'GMT'");
    reply = {429, {{"Retry-After", date.toLatin1()}}, {}};
  };
  QCOMPARE(stderrProblem(get(hub), 1, "and asks to wait"), QString());
  QCOMPARE(asked, 1);
}

EQUIPATCH_TEST(tst_cli_get_attempts)
#include "tst_cli_get_attempts.moc"
