// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vision/scene_batches.h"

#include "core/checkpoint/checkpoint.h"
#include "core/run/prompt_images.h"
#include "tests/support/test_case.h"
#include "tests/trainer/tiny_vision.h"
#include "trainer/vocabulary/tokenizer_files.h"

using namespace equipatch;
using namespace equipatch::test;

class tst_scene_batches : public equipatch::test::TestCase {
  Q_OBJECT

 private Q_SLOTS:
  /// Each text has the ids and positions that it would have in a prompt of its image
  /// and this text alone.
  void textsOfABatchHaveTheTokensOfTheirPrompts() {
    writeVisionModel(m_vision.folder(), m_vision.options.shape,
                     initialParameters(m_vision.options.shape, 1));
    const VisionSpec spec = Checkpoint::open(m_vision.folder()).spec().vision.value();
    const Scene scene = SceneGenerator(Split::Training, 1).scene(0);
    const std::vector<Question> questions = {
        {QuestionKind::Count, "How many rings are there?", " 0"},
        {QuestionKind::Read, "Read the number.", " 47"}};
    const SceneBatch batch = m_vision.scenes().make({{scene, questions}});
    for (std::size_t k = 0; k < questions.size(); ++k) {
      const std::string prompt = imagePlaceholder(spec, *m_vision.tokenizer) +
                                 questions[k].text + questions[k].answer;
      const auto expected = m_vision.tokenizer->encode(
          withImageTokens(prompt, 1, spec, *m_vision.tokenizer), SpecialTokens::Add);
      std::vector<std::int64_t> ids;
      for (std::size_t i = 0; i < batch.ids.size(); ++i)
        if (batch.texts[i] == 0 || batch.texts[i] == static_cast<std::int32_t>(k) + 1) {
          QCOMPARE(batch.positions[i], std::ssize(ids));
          ids.push_back(batch.ids[i]);
        }
      QCOMPARE(ids.size(), expected.size());
      for (std::size_t i = 0; i < ids.size(); ++i)
        QCOMPARE(ids[i], std::int64_t{expected[i].id.value});
    }
  }

  void answersAndTheirEndsAreLearned() {
    const Scene scene = SceneGenerator(Split::Training, 1).scene(0);
    const SceneBatch batch = m_vision.scenes().make(
        {{scene,
          {{QuestionKind::Read, "Read the number.", " 47"},
           {QuestionKind::Colour, "What colour is the ring?", " red"}}}});
    std::vector<TokenId> learned;
    int ends = 0;
    for (const std::int64_t id : batch.successors) {
      ends += id == kEosId ? 1 : 0;
      if (id != kEosId) learned.push_back(TokenId(static_cast<std::int32_t>(id)));
    }
    QCOMPARE(m_vision.tokenizer->decode(learned, SpecialTokens::Omit), " 47 red");
    QCOMPARE(ends, 2);
    QCOMPARE(batch.rows.size(), batch.successors.size());
  }

  void aBatchIsRectangularAndReproducible() {
    const SceneBatch batch = m_vision.scenes().make(5, 7);
    QCOMPARE(batch.scenes, 7);
    const auto tokens = static_cast<std::size_t>(batch.tokens());
    QCOMPARE(batch.ids.size(), tokens);
    QCOMPARE(batch.positions.size(), tokens);
    QCOMPARE(batch.texts.size(), tokens);
    QCOMPARE(batch.pixels.size(), std::size_t{7 * 3 * 96 * 96});
    for (std::int64_t scene = 0; scene < 7; ++scene)
      for (std::int64_t i = 0; i < m_vision.options.shape.tokens; ++i)
        QCOMPARE(batch.ids[static_cast<std::size_t>(scene * batch.length +
                                                    batch.imageBegin + i)],
                 std::int64_t{kImageId});
    QVERIFY(m_vision.scenes().make(5, 7).ids == batch.ids);
    QVERIFY(m_vision.scenes().make(6, 7).ids != batch.ids);
  }

  void aTextBeyondTheWindowIsRefused() {
    std::string text;
    for (int i = 0; i < 200; ++i) text += " red";
    const Scene scene = SceneGenerator(Split::Training, 1).scene(0);
    QVERIFY_ERROR(
        m_vision.scenes().make({{scene, {{QuestionKind::Colour, text, " red"}}}}),
        "at most 128");
  }

 private:
  TinyVision m_vision;
};

EQUIPATCH_TEST(tst_scene_batches)
#include "tst_scene_batches.moc"
