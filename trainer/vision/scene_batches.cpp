// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/vision/scene_batches.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/image/pixels.h"
#include "core/run/prompt_images.h"
#include "trainer/scenes/drawing.h"
#include "trainer/vision/vision_files.h"
#include "trainer/vocabulary/tokenizer_files.h"

namespace equipatch {
namespace {

/// A row gets as many texts as fit into this many tokens. The rows of a batch then have
/// nearly equal lengths and need little padding.
constexpr std::int64_t kRowTokens = 152;

VisionSpec specOf(const VisionShape& shape) {
  VisionSpec spec;
  spec.imageSize = shape.imageSize;
  spec.tokens = shape.tokens;
  spec.imageToken = TokenId(kImageId);
  spec.beginToken = TokenId(kBeginOfImageId);
  spec.endToken = TokenId(kEndOfImageId);
  return spec;
}

}  // namespace

SceneBatchMaker::SceneBatchMaker(const SceneGenerator& generator,
                                 std::shared_ptr<const Tokenizer> tokenizer,
                                 const VisionShape& shape)
    : m_generator(generator), m_tokenizer(std::move(tokenizer)), m_shape(shape) {
  const VisionSpec spec = specOf(shape);
  const std::string text =
      withImageTokens(imagePlaceholder(spec, *m_tokenizer), 1, spec, *m_tokenizer);
  for (const Token& token : m_tokenizer->encode(text, SpecialTokens::Add))
    m_prefix.push_back(token.id.value);
}

std::vector<std::int64_t> SceneBatchMaker::idsOf(const std::string& text) const {
  std::vector<std::int64_t> ids;
  for (const Token& token : m_tokenizer->encode(text, SpecialTokens::Omit))
    ids.push_back(token.id.value);
  return ids;
}

void SceneBatchMaker::append(const Question& question, Row& row) const {
  const std::int32_t text = row.texts.back() + 1;
  std::int64_t position = std::ssize(m_prefix);
  std::vector<std::int64_t> answer = idsOf(question.answer);
  answer.push_back(kEosId);
  const auto add = [&](std::int64_t id) {
    row.ids.push_back(id);
    row.positions.push_back(position++);
    row.texts.push_back(text);
  };
  for (const std::int64_t id : idsOf(question.text)) add(id);
  for (const std::int64_t id : answer) {
    row.lossRows.push_back(std::ssize(row.ids) - 1);
    row.successors.push_back(id);
    if (id != kEosId) add(id);
  }
  if (position > m_shape.text.window)
    throw badInput("a question and its answer have " + std::to_string(position) +
                   " tokens with the image's, expected at most " +
                   std::to_string(m_shape.text.window) + ": " + question.text);
}

AskedScene SceneBatchMaker::asked(std::uint64_t number) const {
  AskedScene asked{.scene = m_generator.scene(number), .questions = {}};
  Random random(asked.scene.seed);
  asked.questions.push_back(*ask(QuestionKind::Describe, asked.scene, random));
  Row row = rowOf(asked);
  while (true) {
    Question question = askAnything(asked.scene, random);
    append(question, row);
    if (std::ssize(row.ids) > kRowTokens) return asked;
    asked.questions.push_back(std::move(question));
  }
}

SceneBatchMaker::Row SceneBatchMaker::rowOf(const AskedScene& asked) const {
  Row row;
  for (const std::int64_t id : m_prefix) {
    row.positions.push_back(std::ssize(row.ids));
    row.ids.push_back(id);
    row.texts.push_back(0);
  }
  for (const Question& question : asked.questions) append(question, row);
  return row;
}

SceneBatch SceneBatchMaker::make(std::uint64_t first, std::int64_t scenes) const {
  std::vector<AskedScene> all;
  for (std::int64_t i = 0; i < scenes; ++i)
    all.push_back(asked(first + static_cast<std::uint64_t>(i)));
  return make(all);
}

SceneBatch SceneBatchMaker::make(const std::vector<AskedScene>& scenes) const {
  SceneBatch batch{.scenes = std::ssize(scenes)};
  batch.imageBegin =
      std::ranges::find(m_prefix, std::int64_t{kImageId}) - m_prefix.begin();
  std::vector<Row> rows;
  for (const AskedScene& asked : scenes) {
    rows.push_back(rowOf(asked));
    batch.length = std::max(batch.length, std::ssize(rows.back().ids));
    const auto pixels =
        pixelValues(drawScene(asked.scene), PixelRule{}, m_shape.imageSize);
    batch.pixels.insert(batch.pixels.end(), pixels.begin(), pixels.end());
  }
  const auto padded = [&](auto& all, const auto& row, auto padding) {
    all.insert(all.end(), row.begin(), row.end());
    all.resize(all.size() + static_cast<std::size_t>(batch.length) - row.size(), padding);
  };
  for (const Row& row : rows) {
    const std::int64_t start = std::ssize(batch.ids);
    padded(batch.ids, row.ids, std::int64_t{kPadId});
    padded(batch.positions, row.positions, std::int64_t{0});
    padded(batch.texts, row.texts, std::int32_t{-1});
    for (const std::int64_t index : row.lossRows) batch.rows.push_back(start + index);
    batch.successors.insert(batch.successors.end(), row.successors.begin(),
                            row.successors.end());
  }
  return batch;
}

}  // namespace equipatch
