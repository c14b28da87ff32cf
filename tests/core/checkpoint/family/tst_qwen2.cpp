#include <cmath>

#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_qwen2 : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void theGoldenFolder();
  void queriesKeysAndValuesHaveBiasesTheOutputNone();
  void theWindowNeedsItsSwitch();
  void yarnStretchesTheLength();
  void whatIsNotComputedIsRefused();
};

void tst_qwen2::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("qwen2");
  QCOMPARE(sizesOf(spec), std::string("151936 4096 22016 32 32/32 128 32768"));
  QCOMPARE(spec.norm.eps, 1e-6);
  QVERIFY(!spec.tiedHead && !spec.beginOfSequence && spec.endOfSequence.empty());
  QCOMPARE(spec.layers[0].rope->theta, 10000.0);
  QCOMPARE(windowsOf(spec), std::string(32, 'G'));
  QVERIFY(spec.queryKeyNorm == QueryKeyNorm::None);
}

void tst_qwen2::theGoldenFolder() {
  const ModelDescription golden = goldenOf("qwen2_tied");
  QCOMPARE(sizesOf(golden.spec), std::string("192 56 88 3 7/1 8 128"));
  QVERIFY(golden.spec.tiedHead && stored(golden, "head").empty());
  QCOMPARE(windowsOf(golden.spec), std::string("GGG"));  // one is given, but off
  QCOMPARE(stored(golden, "layers.2.b_v"),
           std::string("model.layers.2.self_attn.v_proj.bias [8]"));
}

/// No key says so.
void tst_qwen2::queriesKeysAndValuesHaveBiasesTheOutputNone() {
  const ModelDescription description = describe("qwen2", Json::object());
  QVERIFY(description.spec.queryKeyValueBias && !description.spec.attentionOutBias);
  for (const char* name : {"layers.0.b_q", "layers.0.b_k", "layers.31.b_v"})
    QVERIFY(!stored(description, name).empty());
  QVERIFY(stored(description, "layers.0.b_o").empty());
}

void tst_qwen2::theWindowNeedsItsSwitch() {
  Json config = {
      {"num_hidden_layers", 4}, {"sliding_window", 9}, {"max_window_layers", 2}};
  QCOMPARE(windowsOf(specOf("qwen2", config)), std::string("GGGG"));
  config["use_sliding_window"] = true;
  const ModelSpec spec = specOf("qwen2", config);
  QCOMPARE(windowsOf(spec), std::string("GGLL"));
  QVERIFY(spec.layers[2].window == std::int64_t{9});
  config["layer_types"] = {"sliding_attention", "full_attention", "full_attention",
                           "full_attention"};
  QCOMPARE(windowsOf(specOf("qwen2", config)), std::string("LGGG"));
  config["use_sliding_window"] = false;
  QVERIFY_ERROR(specOf("qwen2", config), "layer_types", "use_sliding_window");
  config.erase("layer_types");
  config["use_sliding_window"] = true;
  config["sliding_window"] = nullptr;
  QCOMPARE(windowsOf(specOf("qwen2", config)), std::string("GGGG"));
}

/// As its makers advise for long texts.
void tst_qwen2::yarnStretchesTheLength() {
  const ModelSpec spec =
      specOf("qwen2", {{"rope_theta", 1e6},
                       {"rope_scaling",
                        {{"type", "yarn"},
                         {"factor", 4.0},
                         {"original_max_position_embeddings", 32768}}}});
  const RopeSpec& rope = *spec.layers[0].rope;
  QVERIFY(rope.scaling == RopeScaling::Yarn);
  QCOMPARE(rope.factor, 4.0);
  QCOMPARE(rope.originalPositions, std::int64_t{32768});
  QCOMPARE(rope.magnitude, 0.1 * std::log(4.0) + 1.0);
  QCOMPARE(spec.maxPositions, std::int64_t{131072});
}

void tst_qwen2::whatIsNotComputedIsRefused() {
  QVERIFY_ERROR(specOf("qwen2", {{"use_mrope", true}}), "use_mrope");
  QVERIFY_ERROR(specOf("qwen2", {{"attention_bias", true}}), "attention_bias");
}

EQUIPATCH_TEST(tst_qwen2)
#include "tst_qwen2.moc"
