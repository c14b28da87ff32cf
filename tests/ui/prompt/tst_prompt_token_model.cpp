#include "ui/prompt/prompt_token_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

#include "tests/support/test_case.h"

using namespace equipatch;

class tst_prompt_token_model : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void listsEveryTokenWithItsMark();
  void tellsWhenMarksChange();
};

void tst_prompt_token_model::listsEveryTokenWithItsMark() {
  AbsorbedMarks marks;
  PromptTokenModel model(marks);
  const QAbstractItemModelTester tester(
      &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
  QCOMPARE(model.rowCount(), 0);
  marks.setTokens(
      {{TokenId(2), "<bos>", {}, true}, {TokenId(7), "▁word", {0, 5}, false}});
  model.tokensChanged(" word");
  marks.keep(0, 0);
  QCOMPARE(model.rowCount(), 2);
  const QModelIndex bos = model.index(0);
  QCOMPARE(bos.data().toString(), QStringLiteral("<bos>"));
  QVERIFY(bos.data(PromptTokenModel::SpecialRole).toBool());
  QVERIFY(bos.data(PromptTokenModel::KeptRole).toBool());
  QCOMPARE(model.index(1).data(Qt::AccessibleTextRole).toString(),
           QStringLiteral("token 1: ·word, absorbed"));
  QVERIFY(bos.data(Qt::ToolTipRole).toString().contains(QStringLiteral("id 2\nkept")));
}

void tst_prompt_token_model::tellsWhenMarksChange() {
  AbsorbedMarks marks;
  PromptTokenModel model(marks);
  QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
  model.marksChanged();
  QCOMPARE(changed.count(), 0);  // there is nothing yet
  marks.setTokens({{TokenId(2), "a", {}, false}});
  model.tokensChanged("a");
  model.marksChanged();
  QCOMPARE(changed.count(), 1);
}

EQUIPATCH_TEST(tst_prompt_token_model)
#include "tst_prompt_token_model.moc"
