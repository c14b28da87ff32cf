// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/descriptor.h"

#include <fcntl.h>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

Descriptor somethingOpen() {
  return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

bool isKnownToTheSystem(int number) {
  return ::fcntl(number, F_GETFD) != -1;
}

}  // namespace

class tst_descriptor : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void destructorClosesTheDescriptor();
  void aMoveTransfersTheDescriptor();
  void assigningClosesTheOldDescriptor();
  void anEmptyDescriptorIsNotOpen();
};

void tst_descriptor::destructorClosesTheDescriptor() {
  int number = -1;
  {
    const Descriptor descriptor = somethingOpen();
    QVERIFY(descriptor.isOpen());
    number = descriptor.number();
    QVERIFY(isKnownToTheSystem(number));
  }
  QVERIFY(!isKnownToTheSystem(number));
}

void tst_descriptor::aMoveTransfersTheDescriptor() {
  Descriptor first = somethingOpen();
  const int number = first.number();
  const Descriptor second = std::move(first);
  QVERIFY(!first.isOpen());  // or both would close it
  QCOMPARE(second.number(), number);
  QVERIFY(isKnownToTheSystem(number));
}

void tst_descriptor::assigningClosesTheOldDescriptor() {
  Descriptor first = somethingOpen();
  Descriptor second = somethingOpen();
  const int given = first.number();
  const int closed = second.number();
  second = std::move(first);
  QVERIFY(!first.isOpen());
  QCOMPARE(second.number(), given);
  QVERIFY(isKnownToTheSystem(given));
  QVERIFY(!isKnownToTheSystem(closed));
}

void tst_descriptor::anEmptyDescriptorIsNotOpen() {
  Descriptor none;
  QVERIFY(!none.isOpen());
  none.close();
  QVERIFY(!none.isOpen());
}

EQUIPATCH_TEST(tst_descriptor)
#include "tst_descriptor.moc"
