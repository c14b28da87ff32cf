// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vision/vision_network.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/run/backend.h"
#include "core/run/prepared_prompt.h"
#include "tests/support/test_case.h"
#include "tests/trainer/network/numbers.h"
#include "tests/trainer/tiny_vision.h"
#include "trainer/network/row_loops.h"
#include "trainer/scenes/drawing.h"

using namespace equipatch;
using namespace equipatch::test;

namespace {

/// Initial parameters rounded to bfloat16. Norm scales and biases are random, so that
/// they affect the result.
std::vector<float> parametersOf(const VisionShape& shape) {
  std::vector<float> values = initialParameters(shape, 3);
  const VisionLayout layout(shape);
  Random random(4);
  for (const Parameter& parameter : layout.parameters())
    if (parameter.kind == ParameterKind::Scale)
      for (std::int64_t i = 0; i < parameter.count; ++i)
        values[static_cast<std::size_t>(parameter.offset + i)] +=
            static_cast<float>(0.2 * random.normal());
  for (float& value : values) value = Bfloat(value);
  return values;
}

double sum(const std::vector<float>& losses) {
  double total = 0;
  for (const float loss : losses) total += loss;
  return total;
}

}  // namespace

class tst_vision_network : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  void programAndTrainerLogitsAgree() {
    const VisionShape& shape = m_vision.options.shape;
    const std::vector<float> parameters = parametersOf(shape);
    writeVisionModel(m_vision.folder(), shape, parameters);
    SilentProgress silent;
    const auto session =
        Session::open({.folder = m_vision.folder(), .dtype = DType::F32}, silent);
    QVERIFY(session->unreadKeys().empty());
    QVERIFY(session->unreadTensors().empty());
    const auto network = VisionNetwork::create(shape, Precision::Float32);
    network->setParameters(parameters);
    const SceneGenerator generator(Split::HeldOut, 1);
    for (std::uint64_t number = 0; number < 3; ++number) {
      const Scene scene = generator.scene(number);
      Random random(number);
      const std::vector<Question> questions = {
          *ask(QuestionKind::Describe, scene, random), askAnything(scene, random)};
      const SceneBatch batch = m_vision.scenes().make({{scene, questions}});
      const std::vector<float> own = network->logits(batch);
      std::vector<float> expected;
      for (const Question& question : questions)
        for (const float logit : answerLogits(*session, scene, question))
          expected.push_back(logit);
      QCOMPARE(own.size(), expected.size());
      for (std::size_t i = 0; i < own.size(); ++i)
        QVERIFY2(std::abs(own[i] - expected[i]) < 1e-4,
                 std::to_string(own[i] - expected[i]).c_str());
    }
  }

  void gradientsEqualFiniteDifferences() {
    const VisionShape& shape = m_vision.options.shape;
    const auto network = VisionNetwork::create(shape, Precision::Float32);
    const SceneBatch batch = m_vision.scenes().make(1, 2);
    const std::vector<float> start = parametersOf(shape);
    network->setParameters(start);
    std::vector<float> gradient(start.size());
    const auto losses = network->backpropagate(batch, 0.5F, gradient);
    QVERIFY(losses == network->losses(batch));
    const auto f = [&](const std::vector<float>& x) {
      network->setParameters(x);
      return 0.5 * sum(network->losses(batch));
    };
    // Checks the derivative along each parameter's gradient alone, so that no parameter
    // is missed.
    for (const Parameter& parameter : network->layout().parameters()) {
      std::vector<float> direction(start.size());
      double squares = 0;
      for (std::int64_t i = 0; i < parameter.count; ++i) {
        const auto at = static_cast<std::size_t>(parameter.offset + i);
        direction[at] = gradient[at];
        squares += static_cast<double>(gradient[at]) * gradient[at];
      }
      const bool isKeyBias = parameter.name.ends_with("k_proj.bias");
      if (isKeyBias) {
        // The bias adds the same number to all scores of a query, which softmax ignores.
        QVERIFY(squares < 1e-6);
        continue;
      }
      const double norm = std::sqrt(squares);
      QVERIFY2(norm > 1e-4, parameter.name.c_str());
      for (float& value : direction) value = static_cast<float>(value / norm);
      QVERIFY2(isNear(directionalDerivative(f, start, direction, 4e-3), norm, 0.03),
               parameter.name.c_str());
    }
  }

  void backpropagateAddsToTheGradient() {
    const VisionShape& shape = m_vision.options.shape;
    const auto network = VisionNetwork::create(shape, Precision::Float32);
    const std::vector<float> start = parametersOf(shape);
    network->setParameters(start);
    const SceneBatch batch = m_vision.scenes().make(1, 1);
    std::vector<float> once(start.size()), twice(start.size());
    network->backpropagate(batch, 1, once);
    network->backpropagate(batch, 1, twice);
    network->backpropagate(batch, 1, twice);
    for (std::size_t i = 0; i < once.size(); ++i) QCOMPARE(twice[i], 2 * once[i]);
  }

  void bfloat16LossIsCloseToFloat32() {
    const VisionShape& shape = m_vision.options.shape;
    const std::vector<float> parameters = parametersOf(shape);
    const SceneBatch batch = m_vision.scenes().make(1, 4);
    std::vector<double> losses;
    for (const Precision precision : {Precision::Float32, Precision::Bfloat16}) {
      const auto network = VisionNetwork::create(shape, precision);
      network->setParameters(parameters);
      losses.push_back(sum(network->losses(batch)));
    }
    QVERIFY(losses[0] != losses[1]);
    QVERIFY(isNear(losses[0], losses[1], 0.02));
  }

 private:
  /// The logits of the rows that predict the answer and its end.
  std::vector<float> answerLogits(const Session& session, const Scene& scene,
                                  const Question& question) {
    const std::string bytes = pngOf(drawScene(scene));
    const auto picture = std::make_shared<const PictureFile>(
        PictureFile{.name = "scene.png", .sha256 = sha256(bytes), .bytes = bytes});
    const PreparedPrompt prompt =
        preparePrompt({.text = "<start_of_image>" + question.text + question.answer,
                       .images = {picture}},
                      session);
    std::vector<TokenId> ids;
    for (const Token& token : prompt.tokens) ids.push_back(token.id);
    const auto answer = session.tokenizer().encode(question.answer, SpecialTokens::Omit);
    const NamedTensor logits =
        backend()
            .computeLogits(session, ids, SiteCapture::LogitsOnly, prompt.images)
            .front();
    const auto count =
        static_cast<std::ptrdiff_t>(answer.size() + 1) * logits.shape.back();
    return {logits.values.end() - count, logits.values.end()};
  }

  TinyVision m_vision;
};

EQUIPATCH_TEST(tst_vision_network)
#include "tst_vision_network.moc"
