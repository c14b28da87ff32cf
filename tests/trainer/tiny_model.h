// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/session.h"
#include "tests/trainer/tiny_training.h"
#include "trainer/training/training_files.h"

namespace equipatch::test {

/// A model trained for a few steps, opened as the program opens any model.
inline std::shared_ptr<const Session> tinyModel(const TinyTraining& training) {
  const BatchMaker documents = training.documents();
  Trainer trainer(training.options, documents);
  for (int i = 0; i < 20; ++i) trainer.step();
  writeModel(training.folder(), training.options.shape, trainer.state().parameters);
  SilentProgress silent;
  return Session::open({.folder = training.folder(), .dtype = DType::F32}, silent);
}

}  // namespace equipatch::test
