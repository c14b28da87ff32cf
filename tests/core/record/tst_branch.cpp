// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/branch.h"

#include "tests/support/records.h"
#include "tests/support/test_case.h"

using namespace equipatch;

class tst_branch : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void aBranchIsFoundByItsTokens() {
    RunHeader trunk = *test::makeHeader();
    trunk.request.prompt = {{.id = TokenId(7)}, {.id = TokenId(8)}};
    Steps steps;
    for (int i = 0; i < 5; ++i) steps.push_back(test::makeRecord(i));
    RunHeader branch = trunk;
    branch.request = branchedRequest(trunk.request, {steps[0], steps[1]},
                                     {TokenId(999), "other", 0.0, 0.1});
    QCOMPARE(branchPoint(branch, trunk, steps), std::optional<std::int64_t>(3));
    QVERIFY(!branchPoint(trunk, trunk, steps));
    QVERIFY(!branchPoint(trunk, branch, steps));
    RunHeader other = branch;
    other.request.prompt[2].id = TokenId(12345);  // not what the trunk generated
    QVERIFY(!branchPoint(other, trunk, steps));
    RunHeader elsewhere = branch;
    elsewhere.modelName = "another model";
    QVERIFY(!branchPoint(elsewhere, trunk, steps));
    steps.resize(2);
    QVERIFY(!branchPoint(branch, trunk, steps));
  }
};

EQUIPATCH_TEST(tst_branch)
#include "tst_branch.moc"
