// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

/// One letter per layer: r where queries and keys rotate, - where they do not.
std::string rotationsOf(const ModelSpec& spec) {
  std::string letters;
  for (const LayerSpec& layer : spec.layers) letters += layer.rope ? 'r' : '-';
  return letters;
}

}  // namespace

class tst_smollm3 : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void configKeysChooseLayersWithoutRotation();
  void windowsDependOnSwitchTypesAndRotation();
  void keysAddBiasesAndUntieTheHead();
};

void tst_smollm3::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("smollm3");
  QCOMPARE(sizesOf(spec), std::string("128256 2048 11008 36 16/4 128 32768"));
  QCOMPARE(spec.norm.eps, 1e-6);
  QVERIFY(spec.tiedHead);
  QVERIFY(spec.beginOfSequence == TokenId(128000));
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(128001)}));
  QCOMPARE(spec.layers[0].rope->theta, 2e6);
  QCOMPARE(rotationsOf(spec), std::string("rrr-rrr-rrr-rrr-rrr-rrr-rrr-rrr-rrr-"));
  QCOMPARE(windowsOf(spec), std::string(36, 'G'));
}

void tst_smollm3::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("smollm3");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 80 5 6/2 8 128"));
  QCOMPARE(rotationsOf(golden.spec), std::string("rrr-r"));
  QCOMPARE(golden.spec.layers[0].rope->theta, 5000.0);
  QVERIFY(golden.spec.tiedHead && stored(golden, "head").empty());
}

/// Despite the key's name, 0 in "no_rope_layers" is a layer without a rotary embedding.
void tst_smollm3::configKeysChooseLayersWithoutRotation() {
  QCOMPARE(rotationsOf(specOf("smollm3",
                              {{"num_hidden_layers", 3}, {"no_rope_layers", {0, 1, 0}}})),
           std::string("-r-"));
  QCOMPARE(rotationsOf(specOf("smollm3",
                              {{"num_hidden_layers", 5}, {"no_rope_layer_interval", 2}})),
           std::string("r-r-r"));
  const auto refused = [](const Json& list) {
    return specOf("smollm3", {{"num_hidden_layers", 2}, {"no_rope_layers", list}});
  };
  QVERIFY_ERROR(refused({1}), "no_rope_layers", "list of 2");
  QVERIFY_ERROR(refused({1, 2}), "layer 1", "found 2");
  QVERIFY_ERROR(refused({true, "x"}), "no_rope_layers");
  // The message does not quote the entry, which may be long.
  QVERIFY_ERROR(refused({1, std::string(9000, 'x')}), "layer 1", "found no number");
  QVERIFY_ERROR(refused(1), "list of 2");
}

void tst_smollm3::windowsDependOnSwitchTypesAndRotation() {
  Json config = {{"num_hidden_layers", 4}, {"sliding_window", 7}};
  QCOMPARE(windowsOf(specOf("smollm3", config)), std::string("GGGG"));
  config["use_sliding_window"] = true;
  const ModelSpec spec = specOf("smollm3", config);
  QCOMPARE(windowsOf(spec), std::string("GGGL"));
  QCOMPARE(*spec.layers[3].window, std::int64_t{7});
  config["layer_types"] = {"sliding_attention", "full_attention", "full_attention",
                           "full_attention"};
  QCOMPARE(windowsOf(specOf("smollm3", config)), std::string("LGGG"));
  config["use_sliding_window"] = false;
  QVERIFY_ERROR(specOf("smollm3", config), "layer_types", "use_sliding_window");
  config["use_sliding_window"] = true;
  config["sliding_window"] = nullptr;
  QCOMPARE(windowsOf(specOf("smollm3", config)), std::string("GGGG"));
}

void tst_smollm3::keysAddBiasesAndUntieTheHead() {
  const ModelSpec spec =
      specOf("smollm3", {{"attention_bias", true}, {"mlp_bias", true}});
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias && spec.mlpBias);
  QVERIFY(!specOf("smollm3").queryKeyValueBias && !specOf("smollm3").mlpBias);
  QVERIFY(!specOf("smollm3", {{"tie_word_embeddings", false}}).tiedHead);
}

EQUIPATCH_TEST(tst_smollm3)
#include "tst_smollm3.moc"
