// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/torch_backend.h"

#include "tests/core/run/tiny_session.h"
#include "tests/support/stopped_progress.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using equipatch::test::tokensOf;

namespace {

const std::vector<std::int64_t> kSharedText{5, 17, 3, 40, 22, 8, 31, 12, 9};

SharedPatchRecord sharedPatch(const test::TinySession& tiny, std::int64_t first,
                              std::int64_t last,
                              Application application = Application::Factored) {
  SilentProgress silent;
  return makeSharedPatch(tiny.session,
                         {.prompt = tokensOf(kSharedText),
                          .first = first,
                          .last = last,
                          .application = application},
                         silent);
}

double largestDistance(const SharedPatchRecord& record) {
  double linf = 0.0;
  for (const SharedTokenRecord& token : record.tokens)
    linf = std::max(linf, token.patchedDistance.linf);
  return linf;
}

}  // namespace

class tst_shared_patch_run : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data();
  void isExactForAllTokens_data();
  void isExactForAllTokens();
  void aMaterialisedPatchHalvesTheBareDistance();
  void aSingleTokenEqualsAComparisonStep();
  void patchNormGrowsWithTheNumberOfTokens();
  void tokensBeyondThePromptAreGenerated();
  void progressNamesReadingAndGenerating();
  void refusesPositionsThatDoNotFit_data();
  void refusesPositionsThatDoNotFit();
  void reportsTheLayerWithoutAPatch();
};

void tst_shared_patch_run::initTestCase_data() {
  QTest::addColumn<QString>("family");
  for (const char* family :
       {"llama", "gemma3_text", "gpt2", "openai-gpt", "gpt_neox", "phi", "cohere",
        "olmo2", "granite", "mixtral", "qwen2_moe", "gpt_oss", "gemma4_text",
        "qwen3_5_text", "gemma4_mixture", "qwen3_5_moe_text"})
    QTest::newRow(family) << family;
}

void tst_shared_patch_run::isExactForAllTokens_data() {
  QTest::addColumn<int>("first");
  QTest::addColumn<int>("last");
  QTest::newRow("one") << 6 << 6;
  QTest::newRow("two") << 4 << 5;
  QTest::newRow("five") << 4 << 8;
  QTest::newRow("all but the first") << 1 << 8;
}

void tst_shared_patch_run::isExactForAllTokens() {
  QFETCH_GLOBAL(QString, family);
  QFETCH(int, first);
  QFETCH(int, last);
  const test::TinySession tiny({.family = family.toStdString()}, DType::F64);
  const SharedPatchRecord record = sharedPatch(tiny, first, last);
  QCOMPARE(record.tokens.size(), std::size_t(last - first + 1));
  for (const SharedTokenRecord& token : record.tokens) {
    QVERIFY(token.match);
    QVERIFY(token.patchedDistance.linf < 1e-9);
    QVERIFY(token.auditDistance.linf < 1e-9);
    QVERIFY(token.bareDistance.linf > 1e-3);
  }
  QCOMPARE(std::ssize(record.layers), tiny.session->spec().layerCount());
  for (const LayerRecord& layer : record.layers) {
    QVERIFY(layer.hiddenError < 1e-9);
    QVERIFY(!layer.matrices.empty());
  }
}

void tst_shared_patch_run::aMaterialisedPatchHalvesTheBareDistance() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::BF16);
  const SharedPatchRecord stored = sharedPatch(tiny, 4, 6, Application::Materialised);
  const double error = largestDistance(stored);
  QVERIFY(error > 0.0);
  for (const SharedTokenRecord& token : stored.tokens)
    QVERIFY(token.patchedDistance.linf < 0.5 * token.bareDistance.linf);
}

void tst_shared_patch_run::aSingleTokenEqualsAComparisonStep() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::F64);
  const SharedPatchRecord shared = sharedPatch(tiny, 8, 8);
  TorchComparison comparison(tiny.session, {.prompt = tokensOf(kSharedText), .steps = 1});
  SilentProgress silent;
  comparison.prefill(silent);
  const auto step = comparison.step();
  const SharedTokenRecord& token = shared.tokens.front();
  QCOMPARE(token.contextual.id, step->token);
  QVERIFY(std::abs(token.margin - step->margin) < 1e-10);
  QVERIFY(std::abs(token.bareDistance.linf - step->bareDistance->linf) < 1e-10);
  for (std::size_t layer = 0; layer < shared.layers.size(); ++layer) {
    const MatrixPatchNorm& first = shared.layers[layer].matrices.front();
    const MatrixPatchNorm* same = step->layers[layer].find(first.matrix);
    QVERIFY(same);
    // In a parallel block the context does not change mlp_in: the norms are rounding
    // errors.
    QVERIFY(std::abs(first.norm - same->norm) < 1e-8 * same->norm + 1e-12);
  }
}

void tst_shared_patch_run::patchNormGrowsWithTheNumberOfTokens() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::F64);
  const SharedPatchRecord record = sharedPatch(tiny, 2, 8);
  std::vector<std::int64_t> counts;
  for (const SharedGrowth& row : record.growth) counts.push_back(row.tokens);
  QCOMPARE(counts, (std::vector<std::int64_t>{1, 2, 4, 7}));
  QVERIFY(record.growth.back().matrices.front().norm >
          record.growth.front().matrices.front().norm);
}

void tst_shared_patch_run::tokensBeyondThePromptAreGenerated() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::F64);
  // Cohere generates the prompt's last token again. In its first layer mlp_in depends on
  // the token alone.
  if (family == "cohere")
    QVERIFY_ERROR(sharedPatch(tiny, 8, 9),
                  "the tokens at positions 8 and 9 have the same input");
  if (family == "cohere") return;
  const SharedPatchRecord record = sharedPatch(tiny, 8, 9);
  QCOMPARE(record.tokens.size(), 2u);
  QCOMPARE(record.tokens[0].x.value, 9);  // the prompt's last token
  for (std::size_t at = 1; at < record.tokens.size(); ++at)
    QCOMPARE(record.tokens[at].x, record.tokens[at - 1].contextual.id);
}

void tst_shared_patch_run::progressNamesReadingAndGenerating() {
  QFETCH_GLOBAL(QString, family);
  if (family != "llama") return;  // all families have the same labels
  const test::TinySession tiny({.family = family.toStdString()}, DType::F64);
  test::Patience progress;
  makeSharedPatch(tiny.session, {.prompt = tokensOf(kSharedText), .first = 8, .last = 10},
                  progress);
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < progress.labels.size(); ++i) {
    if (progress.fractions[i] >= 0.5) continue;  // the later stages
    const std::string& label = progress.labels[i];
    const std::string phrase = label.substr(0, label.find(": "));  // without the layer
    if (labels.empty() || labels.back() != phrase) labels.push_back(phrase);
  }
  QCOMPARE(labels,
           (std::vector<std::string>{"Reading the prompt", "Generating the tokens"}));
}

void tst_shared_patch_run::refusesPositionsThatDoNotFit_data() {
  QTest::addColumn<int>("first");
  QTest::addColumn<int>("last");
  QTest::addColumn<QString>("reason");
  QTest::newRow("nothing absorbed")
      << 0 << 3 << "the first position should lie between 1";
  QTest::newRow("backwards") << 5 << 4 << "5 to 4 run backwards";
  QTest::newRow("beyond the prompt") << 10 << 12 << "of a prompt of 9 tokens";
  QTest::newRow("beyond the model") << 3 << 1000000 << "beyond the model's";
}

void tst_shared_patch_run::refusesPositionsThatDoNotFit() {
  QFETCH_GLOBAL(QString, family);
  QFETCH(int, first);
  QFETCH(int, last);
  QFETCH(QString, reason);
  const test::TinySession tiny({.family = family.toStdString()});
  QVERIFY_ERROR(sharedPatch(tiny, first, last), reason);
}

/// A matrix with n columns cannot map more than n inputs to arbitrary outputs.
void tst_shared_patch_run::reportsTheLayerWithoutAPatch() {
  QFETCH_GLOBAL(QString, family);
  const test::TinySession tiny({.family = family.toStdString()}, DType::F64);
  const std::int64_t width = tiny.session->spec().width;
  std::vector<std::int64_t> ids;
  for (std::int64_t at = 0; at < width + 2; ++at) ids.push_back((at * 7) % 40);
  if (tiny.session->spec().maxPositions < width + 2) QSKIP("too few positions");
  const SharedPatchRequest request{
      .prompt = tokensOf(ids), .first = 1, .last = width + 1};
  SilentProgress silent;
  QVERIFY_ERROR(makeSharedPatch(tiny.session, request, silent),
                "no single set of weights serves all these tokens", "in layer");
}

EQUIPATCH_TEST(tst_shared_patch_run)
#include "tst_shared_patch_run.moc"
