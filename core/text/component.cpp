#include "core/text/component.h"

#include <nlohmann/json.hpp>

namespace equipatch {
namespace {

std::string typeOf(const Json& json, const std::string& place) {
  if (!json.is_object())
    throw badInput(place + " should be an object with a \"type\", found " +
                   json.type_name());
  const auto type = json.find("type");
  if (type == json.end() || !type->is_string())
    throw badInput(place +
                   " has no \"type\" that is a string, so it cannot be told what "
                   "it does");
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
  std::vector<const Json*> result;
  for (const Json& child : *list) result.push_back(&child);
  return result;
}

void Component::requireAllRead() const {
  const std::vector<std::string> unread = m_fields.unread();
  if (unread.empty()) return;
  std::string keys;
  for (const std::string& key : unread)
    keys += (keys.empty() ? "\"" : ", \"") + key + "\"";
  throw unsupported(place() + " has settings that are not known: " + keys);
}

Error Component::unknownType() const {
  return unsupported(place() + " is not supported");
}

}  // namespace equipatch
