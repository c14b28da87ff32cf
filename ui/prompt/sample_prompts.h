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

/// Those that come with the program.
const std::vector<SamplePrompt>& samplePrompts();

/// The list as resources/prompts holds it. @throws Error{BadInput} when it is none.
std::vector<SamplePrompt> readSamplePrompts(const QByteArray& json);

/// An entry a prompt, first those that the bundled model can answer; each carries its
/// prompt's text as data.
void fillWithSamplePrompts(QMenu& menu);

}  // namespace equipatch
