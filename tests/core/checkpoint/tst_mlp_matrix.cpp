#include "core/checkpoint/mlp_matrix.h"

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_mlp_matrix : public test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void denseMatricesHaveTheirRolesNames();
  void expertsShareANameButNotAWeight();
  void theSharedExpertIsNamedApart();
};

void tst_mlp_matrix::denseMatricesHaveTheirRolesNames() {
  QCOMPARE(matrixName({MatrixRole::Gate}), std::string("gate"));
  QCOMPARE(matrixName({MatrixRole::In}), std::string("in"));
  QCOMPARE(weightName({MatrixRole::Down}), std::string("W_down"));
  QCOMPARE(weightName({MatrixRole::Router}), std::string("W_router"));
}

void tst_mlp_matrix::expertsShareANameButNotAWeight() {
  QCOMPARE(matrixName({MatrixRole::Up, 3}), std::string("up"));
  QCOMPARE(weightName({MatrixRole::Up, 3}), std::string("experts.3.W_up"));
  QVERIFY(MatrixId({MatrixRole::Up, 3}) != MatrixId({MatrixRole::Up, 4}));
}

void tst_mlp_matrix::theSharedExpertIsNamedApart() {
  QCOMPARE(matrixName({MatrixRole::Gate, MatrixId::kShared}), std::string("shared_gate"));
  QCOMPARE(weightName({MatrixRole::Gate, MatrixId::kShared}),
           std::string("shared.W_gate"));
  QCOMPARE(matrixName({MatrixRole::SharedRouter}), std::string("shared_router"));
}

EQUIPATCH_TEST(tst_mlp_matrix)
#include "tst_mlp_matrix.moc"
