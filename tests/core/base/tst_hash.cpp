#include "core/base/hash.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_hash : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void givesThePublishedDigests();
  void bytesAndTextAreTheSame();
};

/// Examples of FIPS 180-4 and its empty message.
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

void tst_hash::bytesAndTextAreTheSame() {
  const std::string text("a\0b", 3);
  QCOMPARE(sha256(text), sha256(std::as_bytes(std::span(text))));
  QVERIFY(sha256(text) != sha256("a"));
}

EQUIPATCH_TEST(tst_hash)
#include "tst_hash.moc"
