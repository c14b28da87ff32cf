// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/pipeline/component.h"

#include <nlohmann/json.hpp>

#include <algorithm>

#include "core/base/strings.h"

namespace equipatch {

namespace {

/// A part of a published tokenizer has about ten components, nested two deep.
constexpr std::size_t kMostComponents = 128;
constexpr std::size_t kDeepest = 8;

/// The number of components in a JSON value, and how deeply they are nested.
struct Extent {
  std::size_t count = 0;
  std::size_t depth = 0;
};

Extent extentOf(const Json& json) {
  Extent extent;
  if (!json.is_structured()) return extent;
  for (const Json& child : json) {
    const Extent inner = extentOf(child);
    extent.count += inner.count;
    extent.depth = std::max(extent.depth, inner.depth);
  }
  if (!json.is_object() || !json.contains("type")) return extent;
  return {.count = extent.count + 1, .depth = extent.depth + 1};
}

std::string typeOf(const Json& json, const std::string& place) {
  if (!json.is_object())
    throw badInput(place + " should be an object with a \"type\", found " +
                   json.type_name());
  const auto type = json.find("type");
  if (type == json.end() || !type->is_string())
    throw badInput(place + " should name its algorithm in a string \"type\"");
  return type->get<std::string>();
}

}  // namespace

Component::Component(const Json& json, const std::string& place)
    : m_type(typeOf(json, place)), m_fields(json, place + " of type " + m_type) {
  m_fields.ignore({"type"});
}

std::vector<const Json*> Component::children(const std::string& key) {
  const Json* list = m_fields.member(key);
  if (!list || !list->is_array())
    throw badInput(place() + " should have a list under \"" + key + "\"");
  const Extent extent = extentOf(*list);
  if (extent.count > kMostComponents)
    throw badInput(place() + " has " + std::to_string(extent.count) +
                   " components, expected at most " + std::to_string(kMostComponents) +
                   "; use the tokenizer file published with the model");
  if (extent.depth > kDeepest)
    throw badInput(place() + " nests its components " + std::to_string(extent.depth) +
                   " deep, expected at most " + std::to_string(kDeepest) +
                   "; use the tokenizer file published with the model");
  std::vector<const Json*> result;
  for (const Json& child : *list) result.push_back(&child);
  return result;
}

void requireAllRead(const JsonObject& fields) {
  const std::vector<std::string> unread = fields.unread();
  if (unread.empty()) return;
  throw unsupported(fields.source() + " has settings that are not known: \"" +
                    joined(unread, "\", \"") + "\"");
}

Error Component::unknownType() const {
  return unsupported(place() + " is not supported");
}

namespace {

PrependScheme schemeNamed(const std::string& name, const std::string& place) {
  if (name == "always") return PrependScheme::Always;
  if (name == "first") return PrependScheme::First;
  if (name == "never") return PrependScheme::Never;
  throw badInput(place +
                 " should have the prepend_scheme always, first or never, found \"" +
                 name + "\"");
}

}  // namespace

MetaspaceSettings readMetaspace(Component& component) {
  MetaspaceSettings settings;
  settings.replacement = component.string("replacement");
  if (settings.replacement.empty() ||
      utf8Length(settings.replacement[0]) != settings.replacement.size())
    throw badInput(component.place() +
                   " should have one character as replacement, found \"" +
                   settings.replacement + "\"");
  // Old versions of Hugging Face's tokenizers repeat the replacement as "str_rep".
  component.fields().ignore({"str_rep"});

  const auto scheme = component.fields().optionalString("prepend_scheme");
  if (scheme) settings.scheme = schemeNamed(*scheme, component.place());
  if (!component.boolean("add_prefix_space", true)) {
    if (scheme && settings.scheme != PrependScheme::Never)
      throw badInput(component.place() +
                     " has \"add_prefix_space\": false, which contradicts its "
                     "prepend_scheme \"" +
                     *scheme + "\"");
    settings.scheme = PrependScheme::Never;
  }
  return settings;
}

}  // namespace equipatch
