// SPDX-License-Identifier: GPL-3.0-or-later
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <filesystem>
#include <fstream>

#include "tests/app/command_line.h"
#include "tests/support/test_case.h"

using namespace equipatch::test;

class tst_cli_lesson : public TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void pagesAndQuestionsAreListed() {
    const QTemporaryDir folder;
    const QString file = folder.filePath("mine.md");
    writeFile(file,
              "# Mine\n\nShort.\n\n## One\n\nText.\n\n```lesson\ndo run\n```\n\n"
              "## Two\n\n```lesson\nask answer contains 4\nask alpha < 1\n"
              "solve strength 0.5\n```\n");
    const CommandResult listed = runCommand({"lesson", file});
    QVERIFY2(listed.exitCode == 0, listed.err);
    for (const char* text : {"mine.md: Mine, 2 pages", "1  One", "2  Two", "asks: "})
      QVERIFY2(listed.out.contains(text), listed.out);
    const CommandResult json = runCommand({"lesson", file, "--json"});
    const QJsonArray pages = json.objects().front()["pages"].toArray();
    QCOMPARE(pages.size(), 2);
    QCOMPARE(pages[0]["asks"].toArray().size(), 0);
    QCOMPARE(pages[1]["asks"].toArray().size(), 2);
  }

  void fileNamesMayBeInvalidUtf8() {
    const QTemporaryDir folder;
    const std::string file = folder.filePath("a").toStdString() + "\xFF.md";
    std::ofstream(file) << "# Mine\n\n## One\n\nText.\n";
    // QTemporaryDir cannot remove a file with this name.
    const auto remove = qScopeGuard([&] { std::filesystem::remove(file); });
    // QProcess takes arguments as QString, which cannot hold the byte \xFF, so the shell
    // makes the file name.
    const QString script = "\"$0\" lesson --json \"$1\"$(printf '\\377').md";
    QProcess shell;
    shell.start("/bin/sh", {"-c", script, commandPath(), folder.filePath("a")});
    QVERIFY(shell.waitForFinished(60'000));
    QCOMPARE(shell.exitCode(), 0);
    QVERIFY(shell.readAllStandardOutput().contains("\"title\":\"Mine\""));
  }

  /// The second file is read although the first one is invalid.
  void mistakesAreReportedWithFileAndLine() {
    const QTemporaryDir folder;
    const QString wrong = folder.filePath("wrong.md"),
                  right = folder.filePath("right.md");
    writeFile(wrong, "# Wrong\n\n## One\n\n```lesson\ndo explode\n```\n");
    writeFile(right, "# Right\n\n## One\n\nText.\n");
    const CommandResult result = runCommand({"lesson", wrong, right});
    QCOMPARE(result.exitCode, 1);
    for (const char* text : {"wrong.md", "line 6", "explode"})
      QVERIFY2(result.err.contains(text), result.err);
    QVERIFY2(result.out.contains("right.md: Right, 1 page\n"), result.out);
    QCOMPARE(runCommand({"lesson"}).exitCode, 2);
  }
};

EQUIPATCH_TEST(tst_cli_lesson)
#include "tst_cli_lesson.moc"
