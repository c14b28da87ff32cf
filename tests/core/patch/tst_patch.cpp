// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/patch/patch.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_patch : public test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void matricesAreFoundByRoleAndExpert();
};

void tst_patch::matricesAreFoundByRoleAndExpert() {
  LayerPatch patch;
  const RankOne one{Vector::Constant(2, 1.0), Vector::Ones(3)};
  const RankOne two{Vector::Constant(2, 2.0), Vector::Ones(3)};
  patch.matrices = {{{MatrixRole::Gate, 1}, one}, {{MatrixRole::Gate, 4}, two}};
  QCOMPARE(patch.find({MatrixRole::Gate, 4})->u[0], 2.0);
  QCOMPARE(patch.find({MatrixRole::Gate, 1})->u[0], 1.0);
  QVERIFY(!patch.find({MatrixRole::Gate}));
  QVERIFY(!patch.find({MatrixRole::Up, 1}));
}

EQUIPATCH_TEST(tst_patch)
#include "tst_patch.moc"
