// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/text/token.h"

namespace equipatch {

/// The sentences of a text in order (UAX #29), without the spaces around them. CLDR's
/// English abbreviations, such as "Mr.", do not end a sentence. Line breaks and image
/// placeholders ("<start_of_image>") end a sentence and belong to none.
/// @throws Error as requireTokenizable
std::vector<ByteSpan> sentencesOf(std::string_view text);

/// The position of the user's message, without the spaces around it, in a chat's text.
/// The last match counts, because an earlier system message may contain the same words.
/// If the message is one word in ASCII letters, matches inside other words or template
/// tokens do not count, and an earlier match is preferred to the role ("model",
/// "assistant") that a template writes after the message. Of a message with images, the
/// function finds only the words before the first image, and only if they stand before
/// the text's first image.
/// @returns npos if the message is not found
std::size_t placeOfMessage(std::string_view message, std::string_view text);

/// The position in a chat's text of `words`, which the user's message contains once.
/// Words that span an image placeholder are not found.
/// @returns npos if the words are not found
std::size_t placeInMessage(std::string_view words, std::string_view message,
                           std::string_view text);

/// @param text a chat with the message, or the message with image tokens
/// @throws Error as requireTokenizable
/// @returns the span in `text` of each sentence of `message`; empty if not found
std::vector<ByteSpan> sentencesIn(std::string_view message, std::string_view text);

}  // namespace equipatch
