// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trainer/documents/document.h"
#include "trainer/documents/material.h"

namespace equipatch {

// Each function puts the random parts that decide its document's split into
// Document::fresh. If the combination of words decides, and not each word, the function
// may return a document of the other split.

/// A one-sentence weather forecast for a place, in the voice of a character.
Document writeForecast(Material& material);

/// Two lines that rhyme, about a given name and a given thing.
Document writeRhyme(Material& material);

/// A story of several events, then questions such as who has a thing and who is where.
Document writeStory(Material& material);

/// Examples of a known relation (countries and capitals), then a question.
Document writeRelation(Material& material, int examples);

/// Examples of a rule invented for the document, then a question. The rule gives kinds of
/// words labels, adds labels to a word, or changes an order, a spelling or a number.
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
