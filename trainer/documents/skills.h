#pragma once

#include "trainer/documents/document.h"
#include "trainer/documents/material.h"

namespace equipatch {

// One author a skill. All keep to the material's split; each fills `fresh` with what was
// drawn anew.

/// A one-sentence weather forecast for a place from the perspective of a character.
Document writeForecast(Material& material);

/// Two lines that rhyme, about a given name and a given thing.
Document writeRhyme(Material& material);

/// Who has what, and who is where, after things have changed hands.
Document writeStory(Material& material);

/// A list of examples of something known (countries and capitals), one question more.
Document writeRelation(Material& material, int examples);

/// The same with a rule that this document makes up: words of one kind get one label, or
/// a frame and an order are put around given words.
Document writeInventedRule(Material& material, int examples);

/// Keys and values, and a question for one of them.
Document writeRecall(Material& material);

/// How often a word occurs; counting up and down.
Document writeCounting(Material& material);

/// Small sums and differences, told as stories.
Document writeSum(Material& material);

/// Words to be repeated: as they are, backwards, without one of them, …
Document writeCopy(Material& material);

}  // namespace equipatch
