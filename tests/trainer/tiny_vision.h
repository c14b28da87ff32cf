// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>

#include "trainer/vision/vision_files.h"
#include "trainer/vision/vision_trainer.h"

namespace equipatch::test {

/// A vocabulary, scenes and options small enough to train within a test.
class TinyVision {
 public:
  TinyVision() {
    writeVisionTokenizer(folder(), 1);
    tokenizer = Tokenizer::open(folder());
    options.shape = {.patch = 16,
                     .width = 32,
                     .mlpWidth = 48,
                     .layers = 2,
                     .heads = 2,
                     .tokens = 9,
                     .text = {.vocabulary = tokenizer->size(),
                              .width = 48,
                              .mlpWidth = 64,
                              .layers = 2,
                              .heads = 2,
                              .kvHeads = 1,
                              .window = 128,
                              .maxPositions = 512}};
    options.precision = Precision::Float32;
    options.scenesPerShard = 4;
    options.schedule = {.peak = 5e-3, .warmUp = 5, .steps = 60};
  }

  std::filesystem::path folder() const { return m_folder.path().toStdString(); }
  SceneBatchMaker scenes() const {
    return {SceneGenerator(Split::Training, 1), tokenizer, options.shape};
  }

  std::shared_ptr<const Tokenizer> tokenizer;
  VisionTrainingOptions options;

 private:
  QTemporaryDir m_folder;
};

}  // namespace equipatch::test
