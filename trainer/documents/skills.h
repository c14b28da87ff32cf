// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trainer/documents/document.h"
#include "trainer/documents/material.h"

namespace equipatch {

// One function for each skill. Each puts the random parts that decide its document's
// split into Document::fresh. For some skills, the combination of words decides and not
// each word. Their function may return a document of the other split; the generator then
// calls it again.

/// A one-sentence weather forecast for a place, in the voice of a character.
Document writeForecast(Material& material);

/// Two lines that rhyme, about a given name and a given thing.
Document writeRhyme(Material& material);

/// Who has which thing and who is where, after several events.
Document writeStory(Material& material);

/// Examples of a known relation (countries and capitals), then a question.
Document writeRelation(Material& material, int examples);

/// Examples of a rule invented for the document, then a question: labels for kinds of
/// words, a label before or after a word, another order, a change of spelling or of a
/// number.
Document writeInventedRule(Material& material, int examples);

/// Keys and values, then questions for some of the values.
Document writeRecall(Material& material);

/// How often a word occurs; counting up and down.
Document writeCounting(Material& material);

/// Small sums and differences in short stories.
Document writeSum(Material& material);

/// Words to repeat: as they are, backwards, without one of them, …
Document writeCopy(Material& material);

}  // namespace equipatch
