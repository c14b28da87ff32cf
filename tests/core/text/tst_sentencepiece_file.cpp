// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentencepiece/sentencepiece_file.h"

#include <cstdint>
#include <vector>

#include "tests/core/text/text_helpers.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

class tst_sentencepiece_file : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void readsWhetherADummyPrefixIsAdded();
  void acceptsARealFile();
  void refusesTruncatedMessages();
  void refusesTagsOfMoreThan32Bits();
  void ignoresFieldsOfAnotherType();
  void refusesEmptyPieces();
  void refusesCharsmapsThatPointOutside_data();
  void refusesCharsmapsThatPointOutside();
};

namespace {

/// A length-delimited protobuf field. `number` is below 16, `bytes` shorter than 128.
std::string field(int number, const std::string& bytes) {
  return std::string{static_cast<char>(number << 3 | 2),
                     static_cast<char>(bytes.size())} +
         bytes;
}

bool addsDummyPrefix(const std::string& bytes) {
  return SentencePieceFile::inspect(bytes, "tokenizer.model").addsDummyPrefix;
}

/// A charsmap: `size` as the trie's size in bytes, 256 units of the trie, `texts`. The
/// first unit is `unit`; the others are values (bit 31).
std::string charsmap(std::uint32_t unit, const std::string& texts,
                     std::uint32_t size = 1024) {
  std::vector<std::uint32_t> units(256, 0x80000000u);
  units[0] = unit;
  std::string bytes(4 + 4 * units.size(), '\0');
  std::memcpy(bytes.data(), &size, 4);
  std::memcpy(bytes.data() + 4, units.data(), 4 * units.size());
  return bytes + texts;
}

std::string modelWith(const std::string& map) {
  const auto sized = [](char tag, const std::string& bytes) {
    return std::string{tag, static_cast<char>((bytes.size() & 0x7F) | 0x80),
                       static_cast<char>(bytes.size() >> 7)} +
           bytes;
  };
  return sized(3 << 3 | 2, sized(2 << 3 | 2, map));
}

}  // namespace

void tst_sentencepiece_file::readsWhetherADummyPrefixIsAdded() {
  QVERIFY(addsDummyPrefix(""));
  QVERIFY(addsDummyPrefix(field(3, "")));
  QVERIFY(!addsDummyPrefix(field(3, std::string("\x18\x00", 2))));
  QVERIFY(addsDummyPrefix(field(3, "\x18\x01")));
  // The denormalizer's setting of the same name is ignored.
  QVERIFY(addsDummyPrefix(field(5, std::string("\x18\x00", 2))));
}

void tst_sentencepiece_file::acceptsARealFile() {
  const std::string bytes =
      test::readBytes(test::data("tokenizers/sentencepiece/tokenizer.model"));
  QVERIFY(addsDummyPrefix(bytes));
  QVERIFY_ERROR(addsDummyPrefix(bytes.substr(0, bytes.size() - 1)), "tokenizer.model",
                "truncated");
}

/// Protobuf keeps only the low 32 bits of a tag, so the library reads 9A 80 80 80 70 as
/// field 3. A check that accepted such tags would miss a table in this field.
void tst_sentencepiece_file::refusesTagsOfMoreThan32Bits() {
  QVERIFY_ERROR(addsDummyPrefix(std::string("\x9A\x80\x80\x80\x70\x00", 6)), "truncated");
  QVERIFY_ERROR(addsDummyPrefix(field(3, std::string("\x92\x80\x80\x80\x70\x00", 6))),
                "truncated");
  QVERIFY_ERROR(addsDummyPrefix(std::string("\x02\x00", 2)), "truncated");  // field 0
}

/// In protobuf, a known field number with another wire type is an unknown field.
void tst_sentencepiece_file::ignoresFieldsOfAnotherType() {
  const std::string text = field(1, std::string(90, 'a')) + std::string("\x08\x00", 2);
  const auto file = SentencePieceFile::inspect(field(1, text), "tokenizer.model");
  QCOMPARE(file.pieces.at(0).size(), std::size_t(90));
  QVERIFY(addsDummyPrefix(field(3, field(3, ""))));
}

void tst_sentencepiece_file::refusesEmptyPieces() {
  QVERIFY_ERROR(addsDummyPrefix(field(1, "")), "tokenizer.model has an empty piece");
}

void tst_sentencepiece_file::refusesTruncatedMessages() {
  QVERIFY_ERROR(addsDummyPrefix("\x0A\x05xy"), "truncated");  // longer than the file
  QVERIFY_ERROR(addsDummyPrefix("\x0B"), "truncated");        // a group
  QVERIFY_ERROR(addsDummyPrefix(std::string(11, '\xFF')), "truncated");
  QVERIFY_ERROR(addsDummyPrefix("\x0A"), "truncated");
  QVERIFY_ERROR(addsDummyPrefix("\x0D\x01"), "truncated");
}

void tst_sentencepiece_file::refusesCharsmapsThatPointOutside_data() {
  QTest::addColumn<QByteArray>("map");
  QTest::addColumn<bool>("sound");
  const auto row = [](const char* name, const std::string& map, bool sound) {
    QTest::newRow(name) << QByteArray(map.data(), static_cast<qsizetype>(map.size()))
                        << sound;
  };
  const std::string text("a\0", 2);
  row("sound", charsmap(1u << 10, text), true);
  row("child outside", charsmap(256u << 10, text), false);
  row("far child outside", charsmap(1u << 10 | 1u << 9, text), false);
  row("value within", charsmap(1u << 10 | 1u << 8, text), true);
  row("texts without an end", charsmap(1u << 10, "a"), false);
  row("no texts", charsmap(1u << 10, ""), false);
  row("longer than the file", charsmap(1u << 10, text, 4096), false);
  row("half a unit", charsmap(1u << 10, text, 1023), false);
  row("too short", "abc", false);
}

void tst_sentencepiece_file::refusesCharsmapsThatPointOutside() {
  QFETCH(QByteArray, map);
  QFETCH(bool, sound);
  const std::string model = modelWith(map.toStdString());
  if (sound)
    QVERIFY(addsDummyPrefix(model));
  else
    QVERIFY_ERROR(addsDummyPrefix(model), "points outside");
}

EQUIPATCH_TEST(tst_sentencepiece_file)
#include "tst_sentencepiece_file.moc"
