// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/checkpoint/family/describing.h"
#include "tests/support/test_case.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_gpt_neox : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void omittedKeysAreTheClassDefaults();
  void goldenFolderGivesSizesAndTensors();
  void theSequentialGoldenFolderIsRead();
  void theParallelResidualCanBeSwitchedOff();
  void olderAndNewerRopeKeysAreRead();
  void attentionBiasesCanBeSwitchedOff();
  void aStoredHeadIsIgnoredIfTied();
};

void tst_gpt_neox::omittedKeysAreTheClassDefaults() {
  const ModelSpec spec = specOf("gpt_neox");
  QCOMPARE(sizesOf(spec), std::string("50432 6144 24576 44 64/64 96 2048"));
  QVERIFY(spec.norm.kind == NormKind::Layer && spec.norm.bias);
  QVERIFY(spec.activation == Activation::GeluExact && spec.mlpForm == MlpForm::Plain);
  QVERIFY(spec.mlpInput == MlpInput::ResidPre && !spec.tiedHead && !spec.headBias);
  QVERIFY(spec.queryKeyValueBias && spec.attentionOutBias && spec.mlpBias);
  QVERIFY((*spec.layers[0].rope == RopeSpec{.theta = 10000.0, .dims = 24}));
  QVERIFY(spec.beginOfSequence == TokenId(0));
  QVERIFY((spec.endOfSequence == std::vector<TokenId>{TokenId(2)}));
}

/// The fused tensor holds q, k and v of the first head, then those of the next.
void tst_gpt_neox::goldenFolderGivesSizesAndTensors() {
  const ModelDescription golden = goldenOf("gpt_neox");
  QCOMPARE(sizesOf(golden.spec), std::string("192 64 160 3 4/4 16 64"));
  QCOMPARE(golden.spec.layers[0].rope->dims, std::int64_t{4});
  const std::string layer = "gpt_neox.layers.1.";
  QCOMPARE(stored(golden, "layers.1.W_q"),
           layer + "attention.query_key_value.weight [192, 64] 0/3 of 4");
  QCOMPARE(stored(golden, "layers.1.b_v"),
           layer + "attention.query_key_value.bias [192] 2/3 of 4");
  QCOMPARE(stored(golden, "layers.1.W_o"), layer + "attention.dense.weight [64, 64]");
  QCOMPARE(stored(golden, "layers.1.W_in"), layer + "mlp.dense_h_to_4h.weight [160, 64]");
  QCOMPARE(stored(golden, "layers.1.mlp_norm"),
           layer + "post_attention_layernorm.weight [64]");
  QCOMPARE(stored(golden, "embed"), std::string("gpt_neox.embed_in.weight [192, 64]"));
  QCOMPARE(stored(golden, "head"), std::string("embed_out.weight [192, 64]"));
}

void tst_gpt_neox::theSequentialGoldenFolderIsRead() {
  const ModelSpec spec = goldenOf("gpt_neox_seq").spec;
  QCOMPARE(sizesOf(spec), std::string("192 48 100 3 3/3 16 64"));
  QVERIFY(spec.mlpInput == MlpInput::ResidMid);
  QVERIFY(spec.activation == Activation::GeluTanh);
  QVERIFY((*spec.layers[0].rope == RopeSpec{.theta = 500.0, .dims = 16}));
}

void tst_gpt_neox::theParallelResidualCanBeSwitchedOff() {
  const ModelSpec spec = specOf("gpt_neox", {{"use_parallel_residual", false}});
  QVERIFY(spec.mlpInput == MlpInput::ResidMid);
}

/// Theta and the rotated fraction each have two keys. The newest files have theta and the
/// fraction in "rope_parameters" instead.
void tst_gpt_neox::olderAndNewerRopeKeysAreRead() {
  const auto rope = [](const Json& more) {
    return *specOf("gpt_neox", more).layers[0].rope;
  };
  QCOMPARE(rope({{"rotary_emb_base", 5e4}}).theta, 5e4);
  QCOMPARE(rope({{"rope_theta", 5e4}}).theta, 5e4);
  QCOMPARE(rope({{"rotary_pct", 1.0}}).dims, std::int64_t{96});
  QCOMPARE(rope({{"partial_rotary_factor", 0.5}}).dims, std::int64_t{48});
  const RopeSpec newer = rope({{"rope_parameters",
                                {{"rope_theta", 5e4},
                                 {"rope_type", "linear"},
                                 {"factor", 2.0},
                                 {"partial_rotary_factor", 0.5}}}});
  QVERIFY((
      newer ==
      RopeSpec{.theta = 5e4, .dims = 48, .scaling = RopeScaling::Linear, .factor = 2.0}));
  QVERIFY_ERROR(rope({{"rotary_emb_base", 5e4}, {"rope_theta", 1e4}}), "rotary_emb_base",
                "rope_theta", "agree");
  QVERIFY_ERROR(rope({{"rotary_pct", 0.5}, {"partial_rotary_factor", 0.25}}),
                "rotary_pct", "agree");
  QVERIFY_ERROR(rope({{"rotary_pct", 0.2}, {"hidden_size", 1600}}), "even");
  QVERIFY_ERROR(rope({{"rotary_pct", 0}}), "rotary_pct", "positive");
}

void tst_gpt_neox::attentionBiasesCanBeSwitchedOff() {
  const ModelDescription description = describe("gpt_neox", {{"attention_bias", false}});
  QVERIFY(stored(description, "layers.0.b_q").empty());
  QVERIFY(stored(description, "layers.0.b_o").empty());
  QVERIFY(!stored(description, "layers.0.b_in").empty());
}

void tst_gpt_neox::aStoredHeadIsIgnoredIfTied() {
  const ModelDescription tied = describe("gpt_neox", {{"tie_word_embeddings", true}});
  QVERIFY(stored(tied, "head").empty());
  QCOMPARE(tied.ignoredSuffixes.back(), std::string("embed_out.weight"));
}

EQUIPATCH_TEST(tst_gpt_neox)
#include "tst_gpt_neox.moc"
