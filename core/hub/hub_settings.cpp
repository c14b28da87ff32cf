// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/hub_settings.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/checkpoint/model_folders.h"
#include "core/hub/http.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// As huggingface_hub: "1", "on", "yes", "true" in any case.
bool isOn(const char* name) {
  const std::string value = asciiLowered(variable(name));
  return value == "1" || value == "on" || value == "yes" || value == "true";
}

fs::path tokenFile() {
  if (const std::string file = variable("HF_TOKEN_PATH"); !file.empty()) return file;
  const fs::path home = hubHome();
  return home.empty() ? home : home / "token";
}

/// A token is sent in a header, so it must not end the header's line.
std::string checkedToken(const std::string& word, const std::string& source) {
  constexpr std::size_t kLongest = 4096;
  const std::string text = trimmed(word);
  const bool isPlain =
      std::ranges::all_of(text, [](char c) { return c > ' ' && c < 127; });
  if (!isPlain || text.size() > kLongest)
    throw badInput(source +
                   ": expected a token of Hugging Face, one word of letters and digits; "
                   "copy it again from huggingface.co/settings/tokens");
  return text;
}

std::string tokenOfThisUser() {
  for (const char* name : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"})
    if (const std::string token = variable(name); !token.empty())
      return checkedToken(token, name);
  if (isOn("HF_HUB_DISABLE_IMPLICIT_TOKEN")) return {};
  const fs::path path = tokenFile();
  constexpr std::size_t kMost = 8192;
  return checkedToken(startOfFile(path, kMost), path.string());
}

}  // namespace

HubSettings HubSettings::ofThisUser() {
  HubSettings settings;
  if (std::string endpoint = variable("HF_ENDPOINT"); !endpoint.empty()) {
    while (endpoint.ends_with('/')) endpoint.pop_back();
    if (originOf(endpoint).empty())
      throw badInput("HF_ENDPOINT is " + inQuotes(endpoint) +
                     ", expected an address such as https://huggingface.co; correct or "
                     "unset it");
    settings.endpoint = endpoint;
  }
  settings.offline = isOn("HF_HUB_OFFLINE") || isOn("TRANSFORMERS_OFFLINE");
  settings.token = tokenOfThisUser();
  const std::vector<fs::path> caches = hubCacheFolders();
  if (!caches.empty()) settings.cache = caches.front();
  return settings;
}

}  // namespace equipatch
