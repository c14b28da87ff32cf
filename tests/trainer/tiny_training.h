// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTemporaryDir>

#include "tests/trainer/word_folder.h"
#include "trainer/training/trainer.h"
#include "trainer/vocabulary/tokenizer_files.h"

namespace equipatch::test {

/// A vocabulary, documents and options small enough to train within a test.
class TinyTraining {
 public:
  TinyTraining() {
    writeTokenizer(folder(), m_generator, {.pieces = 400, .documents = 500});
    tokenizer = Tokenizer::open(folder());
    options.shape = {.vocabulary = tokenizer->size(),
                     .width = 32,
                     .mlpWidth = 32,
                     .layers = 2,
                     .heads = 2,
                     .kvHeads = 1,
                     .window = 16};
    options.tokensPerShard = 300;
    options.schedule = {.peak = 1e-2, .warmUp = 5, .steps = 60};
  }

  std::filesystem::path folder() const { return m_folder.path().toStdString(); }
  BatchMaker documents() const { return {m_generator, tokenizer}; }

  std::shared_ptr<const Tokenizer> tokenizer;
  TrainingOptions options;

 private:
  QTemporaryDir m_folder;
  Generator m_generator{wordLists(), Split::Training, 1};
};

}  // namespace equipatch::test
