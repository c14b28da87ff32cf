// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/prepared_prompt.h"

#include <utility>

#include "core/base/strings.h"

namespace equipatch {
namespace {

/// The message's images stand before its text, unless the text says where.
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

Token tokenOf(TokenId id, const Session& session) {
  const bool named = session.hasTokenizer();
  return {.id = id,
          .piece = named ? session.tokenizer().piece(id) : std::to_string(id.value),
          .span = {},
          .special = session.spec().beginOfSequence == id};
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
  prompt.tokens = tokenizer.encode(
      prompt.text, rendered ? SpecialTokens::Written : source.specials, std::move(stop));
  if (seesImages) prompt.images = placeImages(prompt.tokens, source.images, *vision);
  prompt.absorbed =
      parseAbsorbedSet(source.absorb, prompt.tokens, imageTokens(prompt.images));
  return prompt;
}

PreparedPrompt preparePrompt(const PromptSource& source, const Session& session,
                             std::stop_token stop) {
  const auto& vision = session.spec().vision;
  if (source.ids.empty()) {
    std::optional<ChatTemplate> chat;
    if (source.form == PromptForm::Chat) chat = ChatTemplate::open(session.folder());
    return preparePrompt(source, session.tokenizer(), chat ? &*chat : nullptr,
                         std::move(stop), vision ? &*vision : nullptr);
  }
  PreparedPrompt prompt{.source = source};
  for (const TokenId id : source.ids) prompt.tokens.push_back(tokenOf(id, session));
  if (!source.images.empty())
    prompt.images = placeImages(prompt.tokens, source.images,
                                requireVision(vision ? &*vision : nullptr));
  prompt.absorbed =
      parseAbsorbedSet(source.absorb, prompt.tokens, imageTokens(prompt.images));
  return prompt;
}

bool isQuicklyPrepared(const PromptSource& source, const ChatTemplate* chat) {
  constexpr std::size_t kShort = std::size_t{1} << 15;  // a few milliseconds
  const bool isRendered = source.form == PromptForm::Chat && chat;
  return !isRendered && source.text.size() <= kShort;
}

RunRequest requestFor(const PreparedPrompt& prompt, RunRequest settings) {
  settings.promptText = prompt.text;
  settings.prompt = prompt.tokens;
  settings.images = prompt.images;
  settings.absorbed = prompt.absorbed;
  return settings;
}

}  // namespace equipatch
