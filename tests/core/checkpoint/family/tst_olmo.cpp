// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_olmo : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void blocksHaveOnlyPostNorms();
  void goldenFolderGivesSizesAndTensors();
  void queryAndKeyNormsHaveTheWholeWidth();
  void configKeysAreReadOrRefused();
  void olmo3OmittedKeysAreTheClassDefaults();
  void olmo3ScalesTheRopeOfFullLayersOnly();
  void olmo3RopeTablesAreKeyedByLayerType();
};

void tst_olmo::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("olmo2");
  QCOMPARE(sizesOf(spec), std::string("50304 4096 11008 32 32/32 128 2048"));
  QCOMPARE(spec.norm.eps, 1e-5);
  QVERIFY(!spec.tiedHead && !spec.beginOfSequence);
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(50279)}));
  QCOMPARE(spec.layers[0].rope->theta, 10000.0);
}

/// The norms multiply by their scale before rounding.
void tst_olmo::blocksHaveOnlyPostNorms() {
  const ModelSpec spec = specOf("olmo2");
  QVERIFY(!spec.attentionPreNorm && !spec.mlpPreNorm);
  QVERIFY(spec.attentionPostNorm && spec.mlpPostNorm);
  QVERIFY(spec.mlpInput == MlpInput::ResidMid);
  QVERIFY(spec.norm.scaleBeforeRounding && !spec.norm.storedMinusOne);
}

void tst_olmo::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("olmo2");
  QCOMPARE(sizesOf(golden.spec), std::string("192 48 80 3 6/2 8 128"));
  const std::string layer = "model.layers.1.";
  QCOMPARE(stored(golden, "layers.1.attn_post_norm"),
           layer + "post_attention_layernorm.weight [48]");
  QCOMPARE(stored(golden, "layers.1.mlp_post_norm"),
           layer + "post_feedforward_layernorm.weight [48]");
  QVERIFY(stored(golden, "layers.1.attn_norm").empty());
  QVERIFY(stored(golden, "layers.1.mlp_norm").empty());
}

/// One norm over all heads; keys have fewer heads than queries.
void tst_olmo::queryAndKeyNormsHaveTheWholeWidth() {
  const ModelDescription golden = goldenOf("olmo2");
  QVERIFY(golden.spec.queryKeyNorm == QueryKeyNorm::WholeWidth);
  QCOMPARE(stored(golden, "layers.0.q_norm"),
           std::string("model.layers.0.self_attn.q_norm.weight [48]"));
  QCOMPARE(stored(golden, "layers.0.k_norm"),
           std::string("model.layers.0.self_attn.k_norm.weight [16]"));
}

void tst_olmo::configKeysAreReadOrRefused() {
  QVERIFY(specOf("olmo2", {{"attention_bias", true}}).attentionOutBias);
  QCOMPARE(
      specOf("olmo2", {{"rope_parameters", {{"rope_theta", 5e5}}}}).layers[0].rope->theta,
      5e5);
  QVERIFY_ERROR(specOf("olmo2", {{"clip_qkv", 8.0}}), "clip_qkv");
}

void tst_olmo::olmo3OmittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("olmo3", {{"num_hidden_layers", 9}});
  QCOMPARE(sizesOf(spec), std::string("50304 4096 11008 9 32/32 128 2048"));
  QCOMPARE(windowsOf(spec), std::string("LLLGLLLGL"));
  QCOMPARE(*spec.layers[0].window, std::int64_t{4096});
  QCOMPARE(spec.layers[0].rope->theta, 5e5);
  QCOMPARE(spec.layers[3].rope->theta, 5e5);
  QCOMPARE(spec.norm.eps, 1e-5);
  QCOMPARE(spec.layers[0].attentionScale, 1.0 / std::sqrt(128.0));
  QVERIFY(spec.queryKeyNorm == QueryKeyNorm::WholeWidth && !spec.attentionPreNorm);
  QVERIFY(specOf("olmo3", {{"sliding_window", nullptr}}).layers[0].window ==
          std::nullopt);
}

void tst_olmo::olmo3ScalesTheRopeOfFullLayersOnly() {
  const ModelDescription golden = goldenOf("olmo3");
  const ModelSpec& spec = golden.spec;
  QCOMPARE(sizesOf(spec), std::string("192 64 72 5 4/2 16 65536"));
  QCOMPARE(windowsOf(spec), std::string("LLLGL"));
  QCOMPARE(*spec.layers[0].window, std::int64_t{6});
  QVERIFY(spec.layers[0].rope->scaling == RopeScaling::None);
  QVERIFY(spec.layers[3].rope->scaling == RopeScaling::Yarn);
  QCOMPARE(spec.layers[3].rope->magnitude, 1.2079441541679836);
  const ModelSpec flat = specOf(
      "olmo3", {{"rope_parameters",
                 {{"rope_type", "linear"}, {"factor", 2.0}, {"rope_theta", 7e4}}}});
  QVERIFY(flat.layers[0].rope->scaling == RopeScaling::None);
  QVERIFY(flat.layers[3].rope->scaling == RopeScaling::Linear);
  QCOMPARE(flat.layers[0].rope->theta, 7e4);
}

void tst_olmo::olmo3RopeTablesAreKeyedByLayerType() {
  const Json tables = {
      {"full_attention", {{"rope_theta", 1e5}, {"rope_type", "linear"}, {"factor", 4}}},
      {"sliding_attention", {{"rope_theta", 2e4}}}};
  const ModelSpec spec =
      specOf("olmo3", {{"num_hidden_layers", 2},
                       {"layer_types", {"full_attention", "sliding_attention"}},
                       {"rope_parameters", tables}});
  QCOMPARE(windowsOf(spec), std::string("GL"));
  QCOMPARE(spec.layers[0].rope->factor, 4.0);
  QCOMPARE(spec.layers[0].rope->theta, 1e5);
  QCOMPARE(spec.layers[1].rope->theta, 2e4);
  QVERIFY_ERROR(specOf("olmo3", {{"rope_parameters",
                                  {{"full_attention", tables["full_attention"]}}}}),
                "sliding_attention");
}

EQUIPATCH_TEST(tst_olmo)
#include "tst_olmo.moc"
