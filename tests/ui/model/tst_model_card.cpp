#include "tests/support/test_case.h"
#include "ui/model/model_card.h"

using namespace equipatch;

class tst_model_card : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void namesTheModel();
  void reportsWhatWasLeftUnread();
};

void tst_model_card::namesTheModel() {
  LoadedModel model;
  model.spec.architecture = "LlamaForCausalLM";
  model.spec.width = 64;
  model.spec.layers.resize(5);
  model.parameters = 1235000000;
  model.dtype = DType::BF16;
  model.device = "cuda";
  const QString card = modelCard(model);
  for (const char* part : {"LlamaForCausalLM", "5 layers", "width 64", "1.24 G",
                           "bfloat16", "cuda", "no tokenizer"})
    QVERIFY2(card.contains(QString::fromLatin1(part)), qPrintable(card));
}

void tst_model_card::reportsWhatWasLeftUnread() {
  LoadedModel model;
  QVERIFY(!modelCard(model).contains(QStringLiteral("not used")));
  model.unreadKeys = {"foo", "bar"};
  model.unreadTensors = {"extra.weight"};
  QVERIFY(modelCard(model).contains(QStringLiteral("not used of config.json: foo, bar")));
  QVERIFY(modelCard(model).contains(QStringLiteral("extra.weight")));
}

EQUIPATCH_TEST(tst_model_card)
#include "tst_model_card.moc"
