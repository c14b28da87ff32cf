// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/post_processor.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/error.h"
#include "core/text/pipeline/component.h"
#include "core/text/pipeline/piece_model.h"

namespace equipatch {

namespace {

using Ids = std::vector<std::int64_t>;

/// On each side of a text; published tokenizers add one or two. Without a limit, a small
/// file could fill the memory by repeating a special token that has many ids.
constexpr std::size_t kMostFrameTokens = 1024;

std::map<std::string, Ids> readSpecialTokens(Component& component) {
  std::map<std::string, Ids> result;
  const Json* json = component.fields().member("special_tokens");
  if (!json) return result;
  if (!json->is_object())
    throw badInput(component.place() + " should have an object under \"special_tokens\"");
  for (const auto& [name, entry] : json->items()) {
    JsonObject fields(entry, component.place() + ", special token \"" + name + "\"");
    fields.ignore({"id", "tokens"});
    result[name] = fields.integers("ids", 0, Vocabulary::kIdLimit - 1);
  }
  return result;
}

/// The name in {"SpecialToken": {"id": …}}; nullopt for {"Sequence": {"id": "A"}}, the
/// text.
std::optional<std::string> specialTokenOf(const Json& piece, const std::string& place) {
  if (piece.is_object() && piece.size() == 1) {
    JsonObject fields(*piece.begin(), place);
    if (piece.begin().key() == "SpecialToken") return fields.string("id");
    if (piece.begin().key() == "Sequence" && fields.string("id") == "A")
      return std::nullopt;
  }
  throw badInput(place + " should be made of special tokens and the sequence A, found " +
                 piece.dump().substr(0, 80));
}

TokenFrame parseTemplate(Component& component) {
  TokenFrame frame{.before = {}, .after = {}, .isDecided = true};
  const auto specials = readSpecialTokens(component);
  component.fields().ignore({"pair"});
  bool isAfter = false;
  for (const Json* piece : component.children("single")) {
    const auto name = specialTokenOf(*piece, component.place());
    if (!name) {
      if (std::exchange(isAfter, true))
        throw unsupported(component.place() + " repeats the text");
      continue;
    }
    const auto ids = specials.find(*name);
    if (ids == specials.end())
      throw badInput(component.place() + " uses the special token \"" + *name +
                     "\" without giving its ids");
    Ids& side = isAfter ? frame.after : frame.before;
    if (side.size() + ids->second.size() > kMostFrameTokens)
      throw badInput(component.place() + " adds more than " +
                     std::to_string(kMostFrameTokens) + " tokens on one side of the " +
                     "text; use the tokenizer file published with the model");
    side.insert(side.end(), ids->second.begin(), ids->second.end());
  }
  if (!isAfter) throw unsupported(component.place() + " leaves the text out");
  return frame;
}

/// BERT's form: one token before the text and one after, each as [name, id].
TokenFrame parsePair(Component& component) {
  component.fields().ignore({"trim_offsets", "add_prefix_space"});
  const auto idOf = [&](const std::string& key) {
    const auto entry = component.children(key);
    if (entry.size() != 2 || !entry[1]->is_number_integer())
      throw badInput(component.place() + " should have [name, id] under \"" + key + "\"");
    return entry[1]->get<std::int64_t>();
  };
  return {.before = {idOf("cls")}, .after = {idOf("sep")}, .isDecided = true};
}

TokenFrame parseSequence(Component& component) {
  TokenFrame frame;
  for (const Json* child : component.children("processors")) {
    TokenFrame next = TokenFrame::parse(child, component.childPlace());
    if (next.isDecided && frame.isDecided)
      throw unsupported(component.place() +
                        " puts tokens around the text more than once");
    if (next.isDecided) frame = std::move(next);
  }
  return frame;
}

TokenFrame parseKnown(Component& component) {
  const std::string& type = component.type();
  if (type == "TemplateProcessing") return parseTemplate(component);
  if (type == "Sequence") return parseSequence(component);
  if (type == "BertProcessing" || type == "RobertaProcessing")
    return parsePair(component);
  if (type == "ByteLevel") {
    // ByteLevel adds no tokens. "trim_offsets" would exclude spaces from the tokens'
    // spans, but here every byte must belong to a token.
    component.fields().ignore({"add_prefix_space", "trim_offsets", "use_regex"});
    return {};
  }
  throw component.unknownType();
}

}  // namespace

TokenFrame TokenFrame::parse(const Json* json, const std::string& place) {
  if (!json || json->is_null()) return {};
  Component component(*json, place);
  TokenFrame frame = parseKnown(component);
  component.requireAllRead();
  return frame;
}

}  // namespace equipatch
