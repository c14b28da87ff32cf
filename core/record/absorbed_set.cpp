// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/absorbed_set.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/number_from.h"
#include "core/base/number_ranges.h"
#include "core/base/strings.h"
#include "core/text/sentences.h"

namespace equipatch {
namespace {

constexpr std::string_view kGenerated = "generated";
constexpr std::string_view kWords = "words:";
constexpr std::string_view kSentence = "sentence:";

Error malformed(std::string_view part) {
  return badInput(
      inQuotes(part) +
      " is not a part of the context to absorb; expected all, prompt, none, "
      "keep-bos, words:SOME WORDS of the prompt, sentence:2 (its second one), or "
      "prompt positions such as 0-12,20 (0-12,20,generated also absorbs the generated "
      "tokens); with images also images, image:2 or text");
}

/// True for a part that cannot be an item of a list.
bool standsAlone(std::string_view part) {
  return part == "all" || part == "prompt" || part == "none" || part == "keep-bos" ||
         part.starts_with(kWords) || part.starts_with(kSentence);
}

Error notInLists(std::string_view part) {
  return badInput(
      inQuotes(part) +
      " cannot be in a list of parts; absorb it alone, or give positions such "
      "as 0-12,20");
}

std::int64_t readPosition(std::string_view digits, std::string_view part) {
  const auto position = numberFrom<std::int64_t>(digits);
  if (!position || *position < 0) throw malformed(part);
  return *position;
}

PositionRange readRange(std::string_view part, std::int64_t length) {
  const std::size_t dash = part.find('-');
  PositionRange range;
  range.first = readPosition(part.substr(0, dash), part);
  range.last = dash == std::string_view::npos ? range.first
                                              : readPosition(part.substr(dash + 1), part);
  if (range.last < range.first)
    throw badInput("the positions " + backwardsText(part, {range.first, range.last}));
  if (range.last >= length)
    throw badInput("position " + std::to_string(range.last) +
                   " is not in the prompt; its " + std::to_string(length) +
                   " tokens have positions 0 to " + std::to_string(length - 1));
  return range;
}

using Marks = std::vector<bool>;  // by position

void mark(Marks& marks, const PositionRange& range, bool value) {
  for (std::int64_t position = range.first; position <= range.last; ++position)
    marks[static_cast<std::size_t>(position)] = value;
}

/// Marks images as absorbed: all for "images", the second for "image:2".
/// @returns false if `part` has neither form
bool absorbImages(std::string_view part, const std::vector<PositionRange>& images,
                  Marks& kept) {
  constexpr std::string_view kOne = "image:";
  if (part != "images" && !part.starts_with(kOne)) return false;
  if (images.empty())
    throw badInput(inQuotes(part) +
                   " names no part of the prompt, because the prompt has no images; add "
                   "one, or absorb another part");
  if (part == "images") {
    for (const PositionRange& image : images) mark(kept, image, false);
    return true;
  }
  const std::int64_t number = readPosition(part.substr(kOne.size()), part);
  const auto count = static_cast<std::int64_t>(images.size());
  if (number < 1 || number > count)
    throw badInput("there is no image " + std::to_string(number) +
                   " in the prompt; its images are 1 to " + std::to_string(count));
  mark(kept, images[static_cast<std::size_t>(number - 1)], false);
  return true;
}

void absorbText(const std::vector<PositionRange>& images, Marks& kept) {
  Marks isImage(kept.size(), false);
  for (const PositionRange& image : images) mark(isImage, image, true);
  for (std::size_t at = 0; at < kept.size(); ++at) kept[at] = kept[at] && isImage[at];
}

void requireWholeImages(const std::vector<PositionRange>& images, const Marks& kept) {
  for (const PositionRange& image : images)
    for (std::int64_t at = image.first; at <= image.last; ++at)
      if (kept[static_cast<std::size_t>(at)] !=
          kept[static_cast<std::size_t>(image.first)])
        throw badInput("only a part of the image at positions " +
                       std::to_string(image.first) + " to " + std::to_string(image.last) +
                       " would be absorbed; its tokens see each other, so absorb or keep "
                       "all of them");
}

AbsorbedSet readRanges(std::string_view text, std::int64_t length,
                       const std::vector<PositionRange>& images) {
  Marks kept(static_cast<std::size_t>(length), true);
  AbsorbedSet set{.keptPrompt = {}, .keepsGenerated = true};
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty() && !text.empty())
      throw badInput(inQuotes(text) +
                     " has a comma too many; list the parts to absorb as in 0-12,20");
    if (standsAlone(part)) throw notInLists(part);
    if (part == kGenerated) {
      set.keepsGenerated = false;
      continue;
    }
    if (part == "text") {
      absorbText(images, kept);
      set.keepsGenerated = false;
    } else if (!absorbImages(part, images, kept)) {
      mark(kept, readRange(part, length), false);
    }
  }
  requireWholeImages(images, kept);
  set.keptPrompt = rangesOf(kept);
  return set;
}

/// From the first to the last token with a byte in [begin, end) of the prompt's text;
/// {-1, -1} if there is none.
PositionRange tokensOf(std::size_t begin, std::size_t end,
                       const std::vector<Token>& prompt) {
  PositionRange range{-1, -1};
  for (std::size_t at = 0; at < prompt.size(); ++at) {
    const ByteSpan& span = prompt[at].span;
    if (span.empty() || span.end <= begin || span.begin >= end) continue;
    if (range.first < 0) range.first = static_cast<std::int64_t>(at);
    range.last = static_cast<std::int64_t>(at);
  }
  return range;
}

/// The set that absorbs only the tokens with a byte in `part` of the prompt's text.
AbsorbedSet absorbedBytes(ByteSpan part, const std::vector<Token>& prompt,
                          const std::vector<PositionRange>& images) {
  const PositionRange range = tokensOf(part.begin, part.end, prompt);
  Marks kept(prompt.size(), true);
  if (range.first >= 0) mark(kept, range, false);
  requireWholeImages(images, kept);
  return {.keptPrompt = rangesOf(kept), .keepsGenerated = true};
}

bool occurOnce(std::string_view words, std::string_view text) {
  const std::size_t begin = text.find(words);
  return begin != std::string_view::npos &&
         text.find(words, begin + 1) == std::string_view::npos;
}

/// Where the words begin in the text. If they occur more than once, their place in the
/// message counts: a chat template or a system message may contain the same words.
std::size_t placeOf(std::string_view words, std::string_view text,
                    std::string_view message) {
  if (words.empty())
    throw badInput("words: names no words; write words of the prompt after the colon");
  const std::size_t begin = text.find(words);
  if (begin == std::string_view::npos)
    throw badInput("the prompt does not have the words " + inQuotes(words) +
                   "; check their spelling and case, or give positions such as 0-12");
  if (occurOnce(words, text)) return begin;
  const std::string own = trimmed(message);
  const std::size_t place = placeInMessage(words, own, text);
  if (place != std::string_view::npos && occurOnce(words, own)) return place;
  throw badInput("the words " + inQuotes(words) +
                 " occur more than once in the prompt; give more of them, or positions "
                 "such as 0-12");
}

AbsorbedSet readWords(std::string_view words, const std::vector<Token>& prompt,
                      const std::vector<PositionRange>& images,
                      std::string_view promptText, std::string_view message) {
  const std::size_t begin = placeOf(words, promptText, message);
  return absorbedBytes({begin, begin + words.size()}, prompt, images);
}

/// The number in "sentence:2", from 1 to `count`.
std::size_t sentenceNumber(std::string_view part, std::size_t count) {
  if (const std::size_t comma = part.find(','); comma != std::string_view::npos)
    throw notInLists(part.substr(0, comma));
  const auto number = numberFrom<std::size_t>(part.substr(kSentence.size()));
  if (!number) throw malformed(part);
  if (count == 0)
    throw badInput(inQuotes(part) +
                   " names no part of the prompt, because the prompt has no sentences; "
                   "absorb another part");
  if (*number < 1 || *number > count)
    throw badInput("there is no sentence " + std::to_string(*number) +
                   " in the prompt; its sentences are 1 to " + std::to_string(count));
  return *number;
}

AbsorbedSet readSentence(std::string_view part, const std::vector<Token>& prompt,
                         const std::vector<PositionRange>& images,
                         std::string_view promptText, std::string_view message) {
  const auto sentences = sentencesIn(message.empty() ? promptText : message, promptText);
  const std::size_t number = sentenceNumber(part, sentences.size());
  const ByteSpan sentence = sentences[number - 1];
  if (sentence.empty())
    throw badInput("the model does not read sentence " + std::to_string(number) +
                   " as it was written, so it cannot be absorbed by its number; give "
                   "positions such as 0-12");
  return absorbedBytes(sentence, prompt, images);
}

/// Of "images", "text" and "image:N", those that may describe a set whose first absorbed
/// position is `first`. "image:N" can only if the image begins there.
std::vector<std::string> imageParts(std::int64_t first,
                                    const std::vector<PositionRange>& images) {
  if (images.empty()) return {};
  std::vector<std::string> names{"images", "text"};
  const auto found = std::ranges::find(images, first, &PositionRange::first);
  if (found != images.end())
    names.push_back("image:" + std::to_string(found - images.begin() + 1));
  return names;
}

AbsorbedSet keepFirstSpecial(const std::vector<Token>& prompt) {
  if (prompt.empty() || !prompt.front().special)
    throw badInput(
        "keep-bos needs a prompt that starts with a special token, but this one starts "
        "with an ordinary one; say what to absorb, such as " +
        (prompt.size() < 2 ? "generated"
                           : "1-" + std::to_string(prompt.size() - 1) + ",generated"));
  return {.keptPrompt = {{0, 0}}, .keepsGenerated = false};
}

}  // namespace

std::vector<PositionRange> rangesOf(const std::vector<bool>& marked) {
  std::vector<PositionRange> ranges;
  for (std::size_t at = 0; at < marked.size(); ++at) {
    if (!marked[at]) continue;
    const auto position = static_cast<std::int64_t>(at);
    if (!ranges.empty() && ranges.back().last + 1 == position)
      ranges.back().last = position;
    else
      ranges.push_back({position, position});
  }
  return ranges;
}

std::vector<bool> AbsorbedSet::keptFlags(std::int64_t promptLength) const {
  std::vector<bool> kept(static_cast<std::size_t>(promptLength));
  for (const PositionRange& range : keptPrompt)
    mark(kept,
         {std::max<std::int64_t>(range.first, 0), std::min(range.last, promptLength - 1)},
         true);
  return kept;
}

bool AbsorbedSet::keeps(std::int64_t position, std::int64_t promptLength) const {
  if (position >= promptLength) return keepsGenerated;
  const auto endsBefore = [position](const PositionRange& range) {
    return range.last < position;
  };
  const auto range = std::ranges::partition_point(keptPrompt, endsBefore);
  return range != keptPrompt.end() && range->first <= position;
}

std::vector<std::int64_t> AbsorbedSet::keptBefore(std::int64_t x,
                                                  std::int64_t promptLength) const {
  std::vector<std::int64_t> kept;
  const auto add = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t at = first; at <= std::min(last, x - 1); ++at) kept.push_back(at);
  };
  for (const PositionRange& range : keptPrompt)
    add(range.first, std::min(range.last, promptLength - 1));
  if (keepsGenerated) add(promptLength, x - 1);
  return kept;
}

AbsorbedSet parseAbsorbedSet(std::string_view text, const std::vector<Token>& prompt,
                             const std::vector<PositionRange>& images,
                             std::string_view promptText, std::string_view message) {
  const auto length = static_cast<std::int64_t>(prompt.size());
  if (text.starts_with(kWords))
    return readWords(text.substr(kWords.size()), prompt, images, promptText, message);
  if (isSentencePart(text))
    return readSentence(text, prompt, images, promptText, message);
  if (text == "all") return {};
  if (text == "prompt") return {.keptPrompt = {}, .keepsGenerated = true};
  if (text == "none") return {.keptPrompt = {{0, length - 1}}, .keepsGenerated = true};
  if (text == "keep-bos") return keepFirstSpecial(prompt);
  return readRanges(text, length, images);
}

std::vector<std::string> sentenceParts(std::string_view text) {
  const std::vector<ByteSpan> sentences = sentencesOf(text);
  if (sentences.size() < 2)
    throw badInput("expected at least 2 sentences to absorb in turn, found " +
                   std::to_string(sentences.size()) +
                   "; add some, or absorb a part of the sentence");
  constexpr std::size_t kMostCopiedBytes = std::size_t{1} << 30;
  if (sentences.size() > kMostCopiedBytes / text.size())
    throw badInput(
        "the prompt has " + std::to_string(sentences.size()) +
        " sentences; a copy of it for each would take more than 1 GiB; shorten it");
  std::vector<std::string> parts;
  for (const ByteSpan& span : sentences) {
    const std::string_view words = text.substr(span.begin, span.end - span.begin);
    parts.push_back(occurOnce(words, text)
                        ? std::string(kWords).append(words)
                        : std::string(kSentence) + std::to_string(parts.size() + 1));
  }
  return parts;
}

bool isSentencePart(std::string_view part) {
  return part.starts_with(kSentence);
}

void requireWords(std::string_view part, std::string_view promptText) {
  if (isSentencePart(part)) sentenceNumber(part, sentencesOf(promptText).size());
  if (part.starts_with(kWords)) placeOf(part.substr(kWords.size()), promptText, {});
}

std::string absorbedText(const AbsorbedSet& set, std::int64_t promptLength,
                         const std::vector<PositionRange>& images) {
  if (set.whole()) return "all";
  if (set.keptPrompt.empty()) return "prompt";
  std::vector<bool> absorbed = set.keptFlags(promptLength);
  absorbed.flip();
  const std::vector<PositionRange> ranges = rangesOf(absorbed);
  if (!ranges.empty())
    for (const std::string& name : imageParts(ranges.front().first, images))
      if (readRanges(name, promptLength, images) == set) return name;
  std::string text;
  for (const PositionRange& range : ranges) {
    text += (text.empty() ? "" : ",") + std::to_string(range.first);
    if (range.last > range.first) text += "-" + std::to_string(range.last);
  }
  if (text.empty() && set.keepsGenerated) return "none";
  if (!set.keepsGenerated) text += (text.empty() ? "" : ",") + std::string(kGenerated);
  return text;
}

}  // namespace equipatch
