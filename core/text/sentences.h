// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/text/token.h"

namespace equipatch {

/// The sentences of a text in order (UAX #29, with CLDR's English abbreviations, so that
/// "Mr." ends none), without the spaces around them. The end of a line ends a sentence,
/// and so does an image's place ("<start_of_image>"), which belongs to none.
/// @throws Error as requireTokenizable
std::vector<ByteSpan> sentencesOf(std::string_view text);

/// Where a chat's text has the user's message, without the spaces around it: the last
/// such place, because a system message before it may contain the same words. A message
/// of one word in ASCII letters is not looked for inside other words and a template's
/// tokens, nor taken for the role whose turn follows.
/// Of a message with images only the words before its first image are looked for, before
/// the text's first image.
/// @returns npos if the text does not have the message
std::size_t placeOfMessage(std::string_view message, std::string_view text);

/// Where a chat's text has those words of the user's message, which has them once. Words
/// that span an image's place are not found, because the text has more there.
/// @returns npos if the words are not found
std::size_t placeInMessage(std::string_view words, std::string_view message,
                           std::string_view text);

/// Finds the sentences of `message` in `text`, which contains them in the same order: the
/// chat that a template made of the message, or the message with image tokens.
/// @throws Error as requireTokenizable
/// @returns bytes of `text` for each sentence of `message`; an empty span if not found
std::vector<ByteSpan> sentencesIn(std::string_view message, std::string_view text);

}  // namespace equipatch
