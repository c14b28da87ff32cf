// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/prepared_prompt.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/base/number_from.h"
#include "core/base/strings.h"

namespace equipatch {
namespace {

/// The number of images that the template must place before the message's text: all, or
/// none if the text itself marks their places.
std::int64_t imagesBefore(const PromptSource& source, const Tokenizer& tokenizer,
                          const VisionSpec* vision) {
  if (source.images.empty()) return 0;
  const std::string place = imagePlaceholder(requireVision(vision), tokenizer);
  return source.text.find(place) == std::string::npos ? std::ssize(source.images) : 0;
}

void render(PreparedPrompt& prompt, const ChatTemplate& chat, std::int64_t images,
            std::stop_token stop) {
  const std::optional<std::string>& system = prompt.source.system;
  std::vector<ChatMessage> messages;
  if (system) messages.push_back({"system", *system});
  messages.push_back({"user", prompt.source.text, images});
  prompt.text = chat.render(messages, std::move(stop));
  // Templates trim messages.
  if (system && prompt.text.find(trimmed(*system)) == std::string::npos)
    prompt.warning = "the chat template (" + chat.source() + ") omits the system message";
}

/// Finds, in the prompt's text and tokens, the part that its source absorbs.
AbsorbedSet absorbedPartOf(const PreparedPrompt& prompt) {
  const PromptSource& source = prompt.source;
  const std::vector<PositionRange> images = imageTokens(prompt.images);
  return source.marks ? absorbedSetOf(*source.marks, prompt.tokens, prompt.text, images)
                      : parseAbsorbedSet(source.absorb, prompt.tokens, images,
                                         prompt.text, source.text);
}

Token tokenOf(TokenId id, const KnownTokens& known) {
  const bool named = known.tokenizer && id.value >= 0;
  return {.id = id,
          .piece = named ? known.tokenizer->piece(id) : std::to_string(id.value),
          .span = {},
          .special = known.beginOfSequence == id};
}

}  // namespace

PreparedPrompt preparePrompt(const PromptSource& source, const Tokenizer& tokenizer,
                             const ChatTemplate* chat, std::stop_token stop,
                             const VisionSpec* vision) {
  PreparedPrompt prompt{.source = source, .text = source.text};
  if (!source.images.empty()) requireVision(vision);
  const bool rendered = source.form == PromptForm::Chat && chat;
  if (rendered) render(prompt, *chat, imagesBefore(source, tokenizer, vision), stop);
  const bool seesImages = vision && vision->problem.empty();
  if (seesImages)
    prompt.text = withImageTokens(prompt.text, source.images.size(), *vision, tokenizer);
  prompt.specials = rendered ? SpecialTokens::Written : source.specials;
  prompt.tokens = tokenizer.encode(prompt.text, prompt.specials, std::move(stop));
  if (seesImages) prompt.images = placeImages(prompt.tokens, source.images, *vision);
  prompt.absorbed = absorbedPartOf(prompt);
  return prompt;
}

PreparedPrompt withAbsorbedPartOf(PreparedPrompt prompt, PromptSource source) {
  prompt.source = std::move(source);
  prompt.absorbed = absorbedPartOf(prompt);
  return prompt;
}

PreparedPrompt preparePrompt(const PromptSource& source, const Session& session,
                             std::stop_token stop) {
  const auto& vision = session.spec().vision;
  if (source.ids.empty() && source.form != PromptForm::Ids) {
    std::optional<ChatTemplate> chat;
    if (source.form == PromptForm::Chat) chat = ChatTemplate::open(session.folder());
    return preparePrompt(source, session.tokenizer(), chat ? &*chat : nullptr,
                         std::move(stop), vision ? &*vision : nullptr);
  }
  return prepareIds(source,
                    {.tokenizer = session.hasTokenizer() ? &session.tokenizer() : nullptr,
                     .beginOfSequence = session.spec().beginOfSequence,
                     .vision = vision ? &*vision : nullptr});
}

std::vector<PromptSource> eachSentence(const PromptSource& source) {
  if (!source.ids.empty() || source.form == PromptForm::Ids)
    throw badInput("a prompt of token ids has no sentences; write it as a text");
  std::vector<PromptSource> all;
  for (const std::string& part : sentenceParts(source.text)) {
    PromptSource& one = all.emplace_back(source);
    one.absorb = part;
    one.marks.reset();
  }
  return all;
}

std::vector<TokenId> parseTokenIds(std::string_view text) {
  constexpr std::string_view kBetween = ", \t\r\n[]";
  std::vector<TokenId> ids;
  for (std::size_t begin = 0;;) {
    begin = text.find_first_not_of(kBetween, begin);
    if (begin == std::string_view::npos) break;
    const std::size_t end = std::min(text.find_first_of(kBetween, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const auto id = numberFrom<std::int64_t>(word);
    if (!id || *id < 0)
      throw badInput(
          "a prompt of token ids consists of numbers, such as 2, 17, 42, but " +
          inQuotes(std::string(word)) + " is none");
    ids.emplace_back(*id);
    begin = end;
  }
  if (ids.empty())
    throw badInput(
        "a prompt of token ids needs at least one id, such as 2, 17, 42; type one");
  return ids;
}

PreparedPrompt prepareIds(const PromptSource& source, const KnownTokens& known) {
  PreparedPrompt prompt{.source = source};
  const std::vector<TokenId> ids =
      source.ids.empty() ? parseTokenIds(source.text) : source.ids;
  for (const TokenId id : ids) prompt.tokens.push_back(tokenOf(id, known));
  if (!source.images.empty())
    prompt.images =
        placeImages(prompt.tokens, source.images, requireVision(known.vision));
  prompt.absorbed =
      parseAbsorbedSet(source.absorb, prompt.tokens, imageTokens(prompt.images));
  return prompt;
}

bool isQuicklyPrepared(const PromptSource& source, const ChatTemplate* chat) {
  constexpr std::size_t kShort = std::size_t{1} << 15;  // a few milliseconds
  const bool isRendered = source.form == PromptForm::Chat && chat;
  return source.form == PromptForm::Ids || (!isRendered && source.text.size() <= kShort);
}

RunRequest requestFor(const PreparedPrompt& prompt, RunRequest settings) {
  settings.promptText = prompt.text;
  settings.specials = prompt.specials;
  settings.prompt = prompt.tokens;
  settings.images = prompt.images;
  settings.absorbed = prompt.absorbed;
  settings.ablated = settings.runsAblated();
  return settings;
}

}  // namespace equipatch
