// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "core/text/tokenizer.h"
#include "trainer/scenes/questions.h"
#include "trainer/scenes/scene.h"
#include "trainer/vision/vision_network.h"

namespace equipatch {

/// A scene and the questions about it.
struct AskedScene {
  Scene scene;
  std::vector<Question> questions;
};

/// Makes batches in which the targets of the loss are the answers' tokens and the EOS
/// after each answer.
class SceneBatchMaker {
 public:
  SceneBatchMaker(const SceneGenerator& generator,
                  std::shared_ptr<const Tokenizer> tokenizer, const VisionShape& shape);

  /// The scenes from number `first` on. A text is a question with its answer. The first
  /// text of a scene describes the image; as many others follow as fit into a row.
  /// @throws Error as the overload below
  SceneBatch make(std::uint64_t first, std::int64_t scenes) const;

  /// @throws Error{BadInput} if the row's prefix and a text together are longer than the
  /// window of the local layers
  SceneBatch make(const std::vector<AskedScene>& scenes) const;

 private:
  struct Row {
    std::vector<std::int64_t> ids, positions;
    std::vector<std::int32_t> texts;
    std::vector<std::int64_t> lossRows;    ///< indices of the tokens before the targets
    std::vector<std::int64_t> successors;  ///< the targets
  };

  std::vector<std::int64_t> idsOf(const std::string& text) const;
  AskedScene asked(std::uint64_t number) const;
  Row rowOf(const AskedScene& asked) const;
  void append(const Question& question, Row& row) const;

  SceneGenerator m_generator;
  std::shared_ptr<const Tokenizer> m_tokenizer;
  VisionShape m_shape;
  std::vector<std::int64_t> m_prefix;  ///< ids that begin every row
};

}  // namespace equipatch
