// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

#include "ui/prompt/prompt_parts.h"

class QMenu;

namespace equipatch {

/// A prompt to begin with.
struct SamplePrompt {
  QString title;
  QString text;
  bool bundled = false;  ///< a model that comes with the program can answer it
  QString picture = {};  ///< file in resources/pictures for `kPicturePlace` in the text

  /// @throws Error{BadInput} when the image is missing.
  PromptParts parts() const;
};

/// The prompts that come with the program.
const std::vector<SamplePrompt>& samplePrompts();

/// Reads a list like resources/prompts/prompts.json.
/// @throws Error{BadInput} when it is malformed.
std::vector<SamplePrompt> readSamplePrompts(const QByteArray& json);

/// Adds an action for each prompt, with its number in `samplePrompts` as data: those with
/// an image first, those for larger models last.
void fillWithSamplePrompts(QMenu& menu);

}  // namespace equipatch
