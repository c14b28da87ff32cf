// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/text/token.h"

namespace equipatch {

/// The sentences of a text (UAX #29, where "Mr." ends none), without the spaces around
/// them. The end of a line ends a sentence.
/// @throws Error as requireTokenizable
std::vector<ByteSpan> sentencesOf(std::string_view text);

/// The sentences of a message as bytes of a text that contains them in this order: the
/// chat that a template made of it, or the text with image tokens.
/// @throws Error as requireTokenizable
/// @returns one span for each sentence of the message; empty where it is not found
std::vector<ByteSpan> sentencesIn(std::string_view message, std::string_view text);

}  // namespace equipatch
