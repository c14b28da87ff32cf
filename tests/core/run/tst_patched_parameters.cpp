#include "core/run/patched_parameters.h"

#include <set>

#include "core/checkpoint/checkpoint.h"
#include "core/patch/patch_size.h"
#include "core/run/backend.h"
#include "tests/core/run/tiny_session.h"
#include "tests/support/test_case.h"
#include "tests/support/test_data.h"

using namespace equipatch;

namespace {

std::set<std::string> namesOf(const std::vector<PatchedParameter>& parameters) {
  std::set<std::string> names;
  for (const PatchedParameter& parameter : parameters) names.insert(parameter.name);
  return names;
}

PatchedParameter find(const Session& session, const std::string& name) {
  for (const PatchedParameter& parameter : patchedParameters(session))
    if (parameter.name == name) return parameter;
  return {};
}

}  // namespace

class tst_patched_parameters : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void areWhatPatchesChange_data();
  void areWhatPatchesChange();
  void haveTheFilesNames();
  void haveTheModulesNames();
};

void tst_patched_parameters::areWhatPatchesChange_data() {
  QTest::addColumn<QString>("name");
  for (const std::string& name : test::goldenNames())
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

/// Whatever a step's patch changes is listed, and has the shape of its factors.
void tst_patched_parameters::areWhatPatchesChange() {
  QFETCH(QString, name);
  const auto session = test::goldenSession(qPrintable(name), std::nullopt);
  RunRequest request{.prompt = test::tokensOf({5, 17, 3, 40}), .steps = 1};
  request.keepFactors = true;
  const auto comparison = backend().makeComparison(session, request);
  SilentProgress silent;
  comparison->prefill(silent);
  const auto record = comparison->step();
  const auto parameters = comparison->header().parameters;
  const auto has = [&](std::size_t layer, const std::string& weight,
                       const std::vector<std::int64_t>& shape) {
    return std::ranges::any_of(parameters, [&](const PatchedParameter& parameter) {
      return parameter.name == layerWeight(std::int64_t(layer), weight) &&
             parameter.shape == shape;
    });
  };
  std::int64_t changes = 0, numbers = 0;
  for (std::size_t layer = 0; layer < record->factors->size(); ++layer) {
    const LayerFactors& factors = (*record->factors)[layer];
    for (const MatrixFactors& matrix : factors.matrices) {
      QVERIFY2(has(layer, matrix.weight,
                   {std::int64_t(matrix.u.size()), std::int64_t(matrix.w.size())}),
               matrix.weight.c_str());
      numbers += std::ssize(matrix.u) + std::ssize(matrix.w);
      ++changes;
    }
    numbers += std::ssize(factors.scale) + std::ssize(factors.bias);
    if (!factors.scale.empty())
      QVERIFY(has(layer, "mlp_post_norm", {std::int64_t(factors.scale.size())}));
    if (!factors.bias.empty())
      QVERIFY(has(layer, "b_down", {std::int64_t(factors.bias.size())}));
  }
  QVERIFY(changes > 0);
  QCOMPARE(numbers, patchSize(session->spec()).made);
}

void tst_patched_parameters::haveTheFilesNames() {
  const auto gemma = test::goldenSession("gemma3_text", std::nullopt);
  const PatchedParameter scale = find(*gemma, "layers.1.mlp_post_norm");
  QCOMPARE(scale.tensor, std::string("model.layers.1.post_feedforward_layernorm.weight"));
  QVERIFY(scale.storedMinusOne);
  const auto mixtral = test::goldenSession("mixtral", std::nullopt);
  QCOMPARE(find(*mixtral, "layers.0.experts.2.W_down").tensor,
           std::string("model.layers.0.block_sparse_moe.experts.2.w2.weight"));
  QCOMPARE(find(*mixtral, "layers.0.W_router").tensor,
           std::string("model.layers.0.block_sparse_moe.gate.weight"));
  // A bias closes GPT-2's block: W_down is not patched.
  const auto gpt2 = test::goldenSession("gpt2", std::nullopt);
  const auto names = namesOf(patchedParameters(*gpt2));
  QVERIFY(names.contains("layers.0.W_in") && names.contains("layers.0.b_down"));
  QVERIFY(!names.contains("layers.0.W_down"));
  QVERIFY(find(*gpt2, "layers.0.W_in").part.transposed);
  for (const PatchedParameter& parameter : patchedParameters(*gpt2))
    QVERIFY(gpt2->checkpoint().files().front().tensors().contains(parameter.tensor));
}

/// A body that was saved alone has shorter names than the class that loads it.
void tst_patched_parameters::haveTheModulesNames() {
  const auto gpt2 = test::goldenSession("gpt2", std::nullopt);
  QCOMPARE(find(*gpt2, "layers.1.b_down").module,
           std::string("transformer.h.1.mlp.c_proj.bias"));
  const auto llama = test::goldenSession("llama2_gqa", std::nullopt);
  QCOMPARE(find(*llama, "layers.1.W_up").module,
           std::string("model.layers.1.mlp.up_proj.weight"));
}

EQUIPATCH_TEST(tst_patched_parameters)
#include "tst_patched_parameters.moc"
