// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/error.h"

#include "core/base/strings.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_error : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void carriesKindAndSentence();
  void contextPrecedesTheSentence();
  void sentencesAreOneLine_data();
  void sentencesAreOneLine();
  void messagesHaveNoControlCharacters();
  void quotesShortTextAsItIs();
  void quotesAnythingInOneShortLine();
};

void tst_error::carriesKindAndSentence() {
  QVERIFY(badInput("x").kind() == ErrorKind::BadInput);
  QVERIFY(unsupported("x").kind() == ErrorKind::Unsupported);
  QCOMPARE(QString(Error(ErrorKind::Numeric, "NaN in layer 3").what()), "NaN in layer 3");
}

void tst_error::contextPrecedesTheSentence() {
  const Error error = unsupported("unknown").within("inner").within("outer");
  QCOMPARE(QString(error.what()), "outer: inner: unknown");
  QVERIFY(error.kind() == ErrorKind::Unsupported);
}

void tst_error::sentencesAreOneLine_data() {
  QTest::addColumn<QString>("given");
  QTest::addColumn<QString>("line");
  QTest::newRow("lines") << "a: \n  b\r\nc\n"
                         << "a: b c";
  QTest::newRow("folder's name") << "/a\nb/c: no file"
                                 << "/a b/c: no file";
  QTest::newRow("only breaks") << "\n\n"
                               << "";
  QTest::newRow("spaces stay") << "two  spaces\tand a tab "
                               << "two  spaces\tand a tab ";
}

/// Scripts read errors line by line.
void tst_error::sentencesAreOneLine() {
  QFETCH(QString, given);
  QFETCH(QString, line);
  QCOMPARE(QString(badInput(given.toStdString()).what()), line);
}

/// Messages contain names from files, which may have control characters.
void tst_error::messagesHaveNoControlCharacters() {
  const std::string hostile("a\x1B[2J\n\0b\xFF", 9);
  QCOMPARE(std::string(badInput(hostile).what()), std::string("a [2J  b\uFFFD"));
  QCOMPARE(std::string(badInput("x").within(hostile).what()),
           std::string("a [2J  b\uFFFD: x"));
}

void tst_error::quotesShortTextAsItIs() {
  QCOMPARE(inQuotes("model.embed"), std::string("\"model.embed\""));
  QCOMPARE(inQuotes(""), std::string("\"\""));
  QCOMPARE(inQuotes("höher"), std::string("\"höher\""));
}

void tst_error::quotesAnythingInOneShortLine() {
  QCOMPARE(inQuotes("a\nb\tc\x7F"), std::string("\"a b c \""));
  QCOMPARE(inQuotes("a\xFFz"), std::string("\"a\uFFFDz\""));
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "é";
  for (std::size_t shift = 0; shift < 4; ++shift) {
    const std::string quoted = inQuotes(std::string(shift, 'x') + text);
    QVERIFY(quoted.size() < 130);
    QVERIFY(firstInvalidUtf8(quoted) == std::string_view::npos);
    QVERIFY(quoted.ends_with("é…\""));
  }
  QVERIFY(inQuotes(std::string(100'000, '\xFF')).size() < 130);
  // The first cut leaves 80 separators of three bytes, which become 80 spaces: short
  // enough, but an ellipsis must still show the cut.
  std::string separators;
  for (int i = 0; i < 100; ++i) separators += "\u2028";
  QCOMPARE(inQuotes(separators), "\"" + std::string(80, ' ') + "…\"");
}

EQUIPATCH_TEST(tst_error)
#include "tst_error.moc"
