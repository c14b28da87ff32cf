// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

#include "ui/prompt/prompt_parts.h"

class QMenu;

namespace equipatch {

struct SamplePrompt {
  QString title;
  QString text;
  bool bundled = false;  ///< a model that comes with the program can answer it
  /// The file in resources/pictures that replaces `kPicturePlace` in the text; or empty.
  QString picture = {};

  /// @throws Error{BadInput} when the image is missing.
  PromptParts parts() const;
};

/// The prompts that come with the program.
const std::vector<SamplePrompt>& samplePrompts();

/// Reads a list like resources/prompts/prompts.json.
/// @throws Error{BadInput} when it is malformed.
std::vector<SamplePrompt> readSamplePrompts(const QByteArray& json);

/// Adds an action for each sample, with its index in `samplePrompts` as data.
void fillWithSamplePrompts(QMenu& menu);

}  // namespace equipatch
