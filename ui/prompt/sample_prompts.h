// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <vector>

class QMenu;

namespace equipatch {

/// A prompt to begin with.
struct SamplePrompt {
  QString title;
  QString text;
  bool bundled = false;  ///< the model that comes with the program can answer it
};

/// The prompts that come with the program.
const std::vector<SamplePrompt>& samplePrompts();

/// Reads the list in resources/prompts. @throws Error{BadInput} when it is malformed.
std::vector<SamplePrompt> readSamplePrompts(const QByteArray& json);

/// Adds an action for each prompt, with its text as data; first those that the bundled
/// model can answer.
void fillWithSamplePrompts(QMenu& menu);

}  // namespace equipatch
