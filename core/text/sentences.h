// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/text/token.h"

namespace equipatch {

/// The sentences of a text in order, without the spaces around them (UAX #29). "Mr." and
/// CLDR's other English abbreviations do not end a sentence. A line break ends one, and
/// so does an image placeholder ("<start_of_image>"), which belongs to no sentence.
/// @throws Error as requireTokenizable
std::vector<ByteSpan> sentencesOf(std::string_view text);

/// The position of the user's message, without the spaces around it, in a chat's text.
/// The last match counts, because a system message before it may contain the same words.
/// A message of one word in ASCII letters must stand alone: matches inside other words
/// or a template's tokens do not count, nor does the role that the template writes after
/// the message. If the message has images, the function looks only for the words before
/// the first image, and only before the first image of the text.
/// @returns npos if the message is not found
std::size_t placeOfMessage(std::string_view message, std::string_view text);

/// The position in a chat's text of `words`, which the user's message contains once.
/// Words on both sides of an image placeholder are not found, because the text has more
/// tokens there than the message.
/// @returns npos if the words are not found
std::size_t placeInMessage(std::string_view words, std::string_view message,
                           std::string_view text);

/// Finds the sentences of `message` in `text`, which contains them in the same order: the
/// chat that a template made of the message, or the message with image tokens.
/// @throws Error as requireTokenizable
/// @returns bytes of `text` for each sentence of `message`; an empty span if not found
std::vector<ByteSpan> sentencesIn(std::string_view message, std::string_view text);

}  // namespace equipatch
