// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/strings.h"

#include <QByteArray>
#include <QStringDecoder>
#include <random>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_strings : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void findsTheFirstInvalidByte_data();
  void findsTheFirstInvalidByte();
  void agreesWithQtOnRandomBytes();
  void replacesMaximalSubpartsOfInvalidUtf8_data();
  void replacesMaximalSubpartsOfInvalidUtf8();
  void charactersAreDecodedAndClassedAsInQt();
  void controlCharactersBecomeSpaces_data();
  void controlCharactersBecomeSpaces();
  void firstByteGivesTheLengthOfACharacter();
  void countsHavePlurals();
  void cutsBetweenCharacters();
  void separatorsStandBetweenJoinedTexts();
  void onlyAsciiLettersAreLowered();
  void whiteSpaceAndByteOrderMarkAreTrimmed();
  void emptyTextsAreJoinedWithSeparators();
  void encodesAndDecodesBase64();
  void refusesInvalidBase64_data();
  void refusesInvalidBase64();
};

void tst_strings::findsTheFirstInvalidByte_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<qint64>("offset");  // -1: all is valid
  const auto row = [](const char* name, const QByteArray& bytes, qint64 offset) {
    QTest::newRow(name) << bytes << offset;
  };
  row("empty", "", -1);
  row("NUL", QByteArray("a\0b", 3), -1);
  row("ends of the ranges",
      "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", -1);
  row("around the surrogates", "\xED\x9F\xBF\xEE\x80\x80", -1);
  row("continuation alone", "ab\x80", 2);
  row("overlong, two bytes", "a\xC1\xBF", 1);
  row("overlong, three bytes", "\xE0\x9F\xBF", 0);
  row("overlong, four bytes", "\xF0\x8F\xBF\xBF", 0);
  row("surrogate", "x\xED\xA0\x80", 1);
  row("above U+10FFFF", "\xF4\x90\x80\x80", 0);
  row("never a byte of UTF-8", "\xF5\x80\x80\x80", 0);
  row("cut off", "ok\xF0\x9F\xA4", 2);
  row("after a long run of ASCII", "0123456789abcdef\xFFxyz", 16);
  row("within a block of eight",
      "0123456789\xFF"
      "23456789",
      10);
}

void tst_strings::findsTheFirstInvalidByte() {
  QFETCH(QByteArray, bytes);
  QFETCH(qint64, offset);
  const std::size_t expected =
      offset < 0 ? std::string_view::npos : static_cast<std::size_t>(offset);
  QCOMPARE(firstInvalidUtf8(bytes.toStdString()), expected);
}

void tst_strings::agreesWithQtOnRandomBytes() {
  constexpr unsigned char kBytes[] = {'a',  0x80, 0xBF, 0xC2, 0xE0, 0xA0, 0xED,
                                      0x9F, 0xF0, 0x90, 0xF4, 0x8F, 0xC1, 0xFF};
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(1 + random() % 6, ' ');
    for (char& byte : bytes)
      byte = static_cast<char>(kBytes[random() % std::size(kBytes)]);
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString decoded = decoder(QByteArray::fromStdString(bytes));
    const bool isValid = firstInvalidUtf8(bytes) == std::string_view::npos;
    QCOMPARE(isValid, !decoder.hasError());
    const std::string repaired = replaceInvalidUtf8(bytes);
    QCOMPARE(firstInvalidUtf8(repaired), std::string_view::npos);
    if (isValid) QCOMPARE(QString::fromStdString(repaired), decoded);
  }
}

/// The invalid texts are the examples of the Unicode Standard, section 3.9, tables 3-8 to
/// 3-11.
void tst_strings::replacesMaximalSubpartsOfInvalidUtf8_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("expected");
  QTest::newRow("non-shortest") << QByteArray("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41")
                                << QString(8, QChar(0xFFFD)) + "A";
  QTest::newRow("surrogates") << QByteArray("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41")
                              << QString(8, QChar(0xFFFD)) + "A";
  QTest::newRow("others") << QByteArray("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42")
                          << QString(5, QChar(0xFFFD)) + "A" + QString(2, QChar(0xFFFD)) +
                                 "B";
  QTest::newRow("truncated") << QByteArray("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41")
                             << QString(4, QChar(0xFFFD)) + "A";
  QTest::newRow("valid") << QByteArray("naïve 🤗") << QString("naïve 🤗");
}

void tst_strings::replacesMaximalSubpartsOfInvalidUtf8() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, expected);
  QCOMPARE(QString::fromStdString(replaceInvalidUtf8(bytes.toStdString())), expected);
}

void tst_strings::charactersAreDecodedAndClassedAsInQt() {
  for (char32_t character = 0; character <= 0x10FFFF; ++character) {
    if (QChar::isSurrogate(character)) continue;
    const QByteArray utf8 = QStringView(QChar::fromUcs4(character)).toUtf8();
    if (firstCharacter(utf8.toStdString() + "z") != character)
      QCOMPARE(uint(firstCharacter(utf8.toStdString() + "z")), uint(character));
    const QChar::Category category = QChar::category(character);
    const QChar::Direction direction = QChar::direction(character);
    // In Qt's enumeration, DirAL, of Arabic letters, is between DirLRE and DirPDF.
    const bool reorders = (direction >= QChar::DirLRE && direction <= QChar::DirPDF &&
                           direction != QChar::DirAL) ||
                          (direction >= QChar::DirLRI && direction <= QChar::DirPDI);
    const bool control = category == QChar::Other_Control ||
                         category == QChar::Separator_Line ||
                         category == QChar::Separator_Paragraph || reorders;
    if (isControl(character) != control)
      QFAIL(qPrintable("U+" + QString::number(uint(character), 16)));
  }
}

void tst_strings::controlCharactersBecomeSpaces_data() {
  QTest::addColumn<QByteArray>("given");
  QTest::addColumn<QByteArray>("shown");
  const auto row = [](const char* name, const QByteArray& given,
                      const QByteArray& shown) { QTest::newRow(name) << given << shown; };
  row("text", "häß 日本 \U0001F600\tx", "häß 日本 \U0001F600\tx");
  row("C0", QByteArray("a\0b\x1B[2J\n\x7F", 9), "a b [2J  ");
  row("C1", "a\u009B2J\u0080\u009F", "a 2J  ");
  row("after C1", "\u00A0", "\u00A0");
  row("separators", "a\u2028b\u2029", "a b ");
  row("direction", "a\u202Ab\u202Ec\u2066d\u2069", "a b c d ");
  row("beside separators and directions", "\u2027\u202F\u2065\u206A",
      "\u2027\u202F\u2065\u206A");
  row("ill-formed", "a\xFF\x9B", "a\uFFFD\uFFFD");
}

void tst_strings::controlCharactersBecomeSpaces() {
  QFETCH(QByteArray, given);
  QFETCH(QByteArray, shown);
  QCOMPARE(QByteArray::fromStdString(withoutControls(given.toStdString())), shown);
}

void tst_strings::firstByteGivesTheLengthOfACharacter() {
  QCOMPARE(utf8Length('a'), std::size_t{1});
  QCOMPARE(utf8Length('\xC3'), std::size_t{2});
  QCOMPARE(utf8Length('\xE2'), std::size_t{3});
  QCOMPARE(utf8Length('\xF0'), std::size_t{4});
}

void tst_strings::countsHavePlurals() {
  QCOMPARE(countText(0, "step"), std::string("0 steps"));
  QCOMPARE(countText(1, "prompt token"), std::string("1 prompt token"));
  QCOMPARE(countText(5, "image"), std::string("5 images"));
}

void tst_strings::cutsBetweenCharacters() {
  const std::string_view text = "aé€\U0001F600";  // 1, 2, 3 and 4 bytes
  const std::vector<std::string_view> expected{"",    "a",   "a",   "aé",  "aé", "aé",
                                               "aé€", "aé€", "aé€", "aé€", text, text};
  for (std::size_t bytes = 0; bytes < expected.size(); ++bytes)
    QCOMPARE(cutUtf8(text, bytes), expected[bytes]);
}

void tst_strings::separatorsStandBetweenJoinedTexts() {
  QCOMPARE(joined({}), std::string());
  QCOMPARE(joined({"a"}), std::string("a"));
  QCOMPARE(joined({"a", "b", "c"}), std::string("a, b, c"));
  QCOMPARE(joined({"a", "b"}, " "), std::string("a b"));
}

void tst_strings::onlyAsciiLettersAreLowered() {
  QCOMPARE(asciiLowered("AbZ-09[]\xc3\x84"), std::string("abz-09[]\xc3\x84"));
}

void tst_strings::whiteSpaceAndByteOrderMarkAreTrimmed() {
  QCOMPARE(trimmed(" \t a b\r\n"), std::string("a b"));
  QCOMPARE(trimmed(" \n"), std::string());
  QCOMPARE(withoutByteOrderMark("\xEF\xBB\xBF# T"), std::string_view("# T"));
  QCOMPARE(withoutByteOrderMark("\xEF\xBB"), std::string_view("\xEF\xBB"));
}

void tst_strings::emptyTextsAreJoinedWithSeparators() {
  QCOMPARE(joined({"", "", "a"}), std::string(", , a"));
}

/// Qt's own encoder is the reference.
void tst_strings::encodesAndDecodesBase64() {
  std::mt19937 random(1);
  for (int size = 0; size < 70; ++size) {
    std::string bytes;
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(random());
    const std::string text = QByteArray::fromStdString(bytes).toBase64().toStdString();
    QCOMPARE(decodeBase64(text), bytes);
    QCOMPARE(encodeBase64(bytes), text);
  }
  const std::string large((std::size_t{3} << 20) + 1, 'x');  // encoded in two parts
  QVERIFY(decodeBase64(encodeBase64(large)) == large);
}

void tst_strings::refusesInvalidBase64_data() {
  QTest::addColumn<QString>("text");
  for (const char* text : {"A", "AAA", "AAAAA", "A=AA", "AA=A", "====", "A===", "AAA ",
                           "AAA-", "AAAA====", "AB==", "AAB=", "AA\n="})
    QTest::newRow(text) << text;
}

void tst_strings::refusesInvalidBase64() {
  QFETCH(QString, text);
  QVERIFY(!decodeBase64(text.toStdString()));
}

EQUIPATCH_TEST(tst_strings)
#include "tst_strings.moc"
