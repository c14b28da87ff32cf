// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/patch_options.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_patch_options : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void namesOfOptionsAreReadBack();
  void unknownNamesAreRejected();
};

void tst_patch_options::namesOfOptionsAreReadBack() {
  for (const Method method : {Method::Balanced, Method::Direct, Method::Stable})
    QVERIFY(methodFromName(name(method)) == method);
  for (const Loop loop : {Loop::Closed, Loop::Half, Loop::Open})
    QVERIFY(loopFromName(name(loop)) == loop);
  for (const Application how : {Application::Factored, Application::Materialised})
    QVERIFY(applicationFromName(name(how)) == how);
  QCOMPARE(name(Method::Direct), std::string_view("direct"));
  QCOMPARE(name(Loop::Open), std::string_view("open"));
  QCOMPARE(name(Application::Materialised), std::string_view("materialised"));
}

void tst_patch_options::unknownNamesAreRejected() {
  QVERIFY(!methodFromName("Balanced"));
  QVERIFY(!loopFromName(""));
  QVERIFY(!applicationFromName("stored"));
}

EQUIPATCH_TEST(tst_patch_options)
#include "tst_patch_options.moc"
