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
  results.diagnostics.resize(2);
  results.diagnostics[0].record.matrices = {{"gate", 3.0, 0.3}, {"router", 4.0, 0.4}};
  results.diagnostics[0].record.note = "z = 0";
  results.diagnostics[1].record.hiddenError = 2e-3;
  const auto records = layerRecords(results);
  QCOMPARE(records.size(), 2u);
  QVERIFY(records[0] == results.diagnostics[0].record);
  QVERIFY(records[1] == results.diagnostics[1].record);
}

EQUIPATCH_TEST(tst_step_report)
#include "tst_step_report.moc"
