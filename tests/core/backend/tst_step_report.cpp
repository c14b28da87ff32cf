#include "core/backend/step_report.h"

#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

class tst_step_report : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void withoutTokenizerTextsAreIds();
  void tokenTextsAreTheirSurface();
  void choicesCarryProbabilities();
  void layersKeepWhatWasDiagnosed();
};

void tst_step_report::withoutTokenizerTextsAreIds() {
  const test::TinySession tiny({});
  QCOMPARE(tokenText(*tiny.session, TokenId(12)), std::string("12"));
  QCOMPARE(tokenBytes(*tiny.session, TokenId(12)), std::string("12 "));
}

void tst_step_report::tokenTextsAreTheirSurface() {
  EXTRA_DATA_OR_SKIP(folder, "models/stories260K");
  SilentProgress silent;
  const auto session = Session::open({.folder = folder}, silent);
  const auto tokens = session->tokenizer().encode("a day\xC3\xA9", SpecialTokens::Omit);
  std::string text;
  for (const Token& token : tokens) text += tokenBytes(*session, token.id);
  QCOMPARE(text, std::string(" a day\xC3\xA9"));
  QCOMPARE(tokenText(*session, TokenId(100000)), std::string("<100000>"));
}

void tst_step_report::choicesCarryProbabilities() {
  const test::TinySession tiny({});
  const PassLogits logits(at::tensor({0.0, 1.0, 2.0}, at::kDouble), 2);
  const Choices choices = choicesOf(*tiny.session, logits);
  QCOMPARE(choices.size(), 2u);
  QCOMPARE(choices[0].id, TokenId(2));
  const double whole = std::exp(0.0) + std::exp(1.0) + std::exp(2.0);
  QVERIFY(std::abs(choices[0].probability - std::exp(2.0) / whole) < 1e-12);
  QVERIFY(std::abs(choices[1].probability - std::exp(1.0) / whole) < 1e-12);
}

void tst_step_report::layersKeepWhatWasDiagnosed() {
  PassResults results;
  LayerDiagnostics layer;
  layer.matrices = {{"gate", 3.0, 0.3}, {"router", 4.0, 0.4}};
  layer.biasDelta = Vector{{6.0, 8.0}};
  layer.experts = {1, 4};
  layer.gateSum = 0.75;
  layer.scaleDelta = Vector{{3.0, -4.0}};
  layer.guarded = 2;
  layer.note = "z = 0";
  results.diagnostics = {layer, LayerDiagnostics{}};
  results.hiddenErrors = {1e-3, 2e-3};
  const auto records = layerRecords(results);
  QCOMPARE(records.size(), 2u);
  QCOMPARE(records[0].matrices[0].matrix, std::string("gate"));
  QCOMPARE(records[0].matrices[0].norm, 3.0);
  QCOMPARE(records[0].matrices[0].relative, 0.3);
  QCOMPARE(records[0].matrices[1].matrix, std::string("router"));
  QCOMPARE(records[0].biasNorm, 10.0);
  QCOMPARE(records[0].experts, (std::vector<std::int64_t>{1, 4}));
  QCOMPARE(records[0].gateSum, 0.75);
  QCOMPARE(records[0].scaleNorm, 5.0);
  QCOMPARE(records[0].scaleMax, 4.0);
  QCOMPARE(records[0].scaleDelta, (std::vector<float>{3.0f, -4.0f}));
  QCOMPARE(records[0].guarded, 2);
  QCOMPARE(records[0].note, std::string("z = 0"));
  QCOMPARE(records[1].hiddenError, 2e-3);
  QVERIFY(records[1].scaleDelta.empty());
}

EQUIPATCH_TEST(tst_step_report)
#include "tst_step_report.moc"
