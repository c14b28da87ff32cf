// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace equipatch {

/// A word of the program and what it means, in one sentence.
struct GlossaryEntry {
  std::string_view word, sentence;
};

/// The rows of the last table of docs/glossary.md, which is compiled in.
std::span<const GlossaryEntry> glossary();

/// The sentence on a word; empty where there is none.
std::string_view glossarySentence(std::string_view word);

}  // namespace equipatch
