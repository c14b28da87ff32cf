#include "core/text/metaspace.h"

#include "core/base/strings.h"

namespace equipatch {
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
  // Written by old versions, and derived from the replacement.
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
