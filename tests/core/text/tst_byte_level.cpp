// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/byte_level.h"

#include <set>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_byte_level : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void writesBytesAsGpt2Does();
  void bytesAndCharactersMapOneToOne();
  void rejectsCharactersThatAreNoByte();
};

void tst_byte_level::writesBytesAsGpt2Does() {
  QCOMPARE(std::string(byteLevelCharacter('a')), std::string("a"));
  QCOMPARE(std::string(byteLevelCharacter(' ')), std::string("Ġ"));
  QCOMPARE(std::string(byteLevelCharacter('\n')), std::string("Ċ"));
  QCOMPARE(std::string(byteLevelCharacter(0)), std::string("Ā"));
  QCOMPARE(std::string(byteLevelCharacter(0x7F)), std::string("ġ"));
  QCOMPARE(std::string(byteLevelCharacter(0xAD)), std::string("Ń"));
  QCOMPARE(std::string(byteLevelCharacter(0xE2)), std::string("â"));
}

void tst_byte_level::bytesAndCharactersMapOneToOne() {
  std::set<std::string_view> seen;
  for (unsigned byte = 0; byte < 256; ++byte) {
    const std::string_view character =
        byteLevelCharacter(static_cast<unsigned char>(byte));
    seen.insert(character);
    QCOMPARE(bytesOfByteLevel(character).value(),
             std::string(1, static_cast<char>(byte)));
  }
  QCOMPARE(seen.size(), std::size_t{256});
}

void tst_byte_level::rejectsCharactersThatAreNoByte() {
  QCOMPARE(bytesOfByteLevel("Ġthe").value(), std::string(" the"));
  QVERIFY(!bytesOfByteLevel("a b"));     // a space is written Ġ
  QVERIFY(!bytesOfByteLevel("▁the"));    // three bytes
  QVERIFY(!bytesOfByteLevel("\u0144"));  // just beyond the alphabet
  QVERIFY(!bytesOfByteLevel("\xC3"));
}

EQUIPATCH_TEST(tst_byte_level)
#include "tst_byte_level.moc"
