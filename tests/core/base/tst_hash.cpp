// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include <array>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_hash : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void givesThePublishedDigests();
  void textBytesAndPartsGiveTheSameDigest();
  void fnv1aGivesThePublishedHashes();
  void splitMix64GivesThePublishedSequence();
  void sipHashGivesPythonsHashes();
  void keyedHashesDependOnTheWholeText();
  void theProcessSeedIsDrawnOnce();
};

/// Examples of FIPS 180-2 (appendix B), and the empty message.
void tst_hash::givesThePublishedDigests() {
  QCOMPARE(
      sha256("abc"),
      std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
  QCOMPARE(
      sha256(""),
      std::string("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
  QCOMPARE(
      sha256(std::string(1'000'000, 'a')),
      std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
}

void tst_hash::textBytesAndPartsGiveTheSameDigest() {
  const std::array<unsigned char, 3> bytes{0x00, 0x9a, 0xff};
  QCOMPARE(hexadecimal(bytes), std::string("009aff"));
  const std::string text("a\0b", 3);
  QCOMPARE(sha256(text), sha256(std::as_bytes(std::span(text))));
  Sha256 parts;
  for (const char& byte : text) parts.add(std::as_bytes(std::span(&byte, 1)));
  parts.add({});
  QCOMPARE(parts.digest(), sha256(text));
  QVERIFY(sha256(text) != sha256("a"));
}

/// Test vectors of the algorithm's authors.
void tst_hash::fnv1aGivesThePublishedHashes() {
  QCOMPARE(fnv1a(""), std::uint64_t{0xcbf29ce484222325u});
  QCOMPARE(fnv1a("a"), std::uint64_t{0xaf63dc4c8601ec8cu});
  QCOMPARE(fnv1a("foobar"), std::uint64_t{0x85944171f73967e8u});
}

void tst_hash::splitMix64GivesThePublishedSequence() {
  QCOMPARE(splitMix64(1234567), std::uint64_t{6457827717110365317u});
  QCOMPARE(splitMix64(1234567 + kSplitMixStep), std::uint64_t{3203168211198807973u});
}

/// Values of hash(bytes) in Python 3.11 with PYTHONHASHSEED=0, which makes the key zero.
void tst_hash::sipHashGivesPythonsHashes() {
  QCOMPARE(sipHash("a", 0, 0), std::uint64_t{0x407448d2b89b1813u});
  QCOMPARE(sipHash("abc", 0, 0), std::uint64_t{0xc03bc3a0042630f2u});
  QCOMPARE(sipHash("01234567", 0, 0), std::uint64_t{0xda3dcedf84ea6cc6u});
  QCOMPARE(sipHash("the quick brown fox", 0, 0), std::uint64_t{0x5a17575ad3449cbau});
  QVERIFY(sipHash("a", 1, 0) != sipHash("a", 0, 0));
  QVERIFY(sipHash("a", 0, 1) != sipHash("a", 0, 0));
}

void tst_hash::keyedHashesDependOnTheWholeText() {
  const KeyedHash hash;
  const std::string text = "0123456789abcdefgh";
  QCOMPARE(hash(text), hash(std::string(text)));
  QVERIFY(hash(text) != sipHash(text, 0, 0));
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = '\0';
    QVERIFY(hash(other) != hash(text));
    QVERIFY(hash(text.substr(0, i)) != hash(text));
  }
}

void tst_hash::theProcessSeedIsDrawnOnce() {
  QVERIFY(processSeed() != 0);  // 0 comes up by chance once in 2⁶⁴ runs
  QCOMPARE(processSeed(), processSeed());
  QVERIFY(randomNumber() != randomNumber());
}

EQUIPATCH_TEST(tst_hash)
#include "tst_hash.moc"
