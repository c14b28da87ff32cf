// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/hub_settings.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/program_files.h"
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
  if (const std::string file = variable("HF_TOKEN_PATH"); !file.empty())
    return expandedHome(file);
  const fs::path home = hubHome();
  return home.empty() ? home : home / "token";
}

/// Accepts only visible ASCII characters, because a token is sent in a header.
std::string checkedToken(const std::string& word, const std::string& source) {
  constexpr std::size_t kMaxTokenBytes = 4096;
  const std::string text = trimmed(word);
  const bool isPlain =
      std::ranges::all_of(text, [](char c) { return c > ' ' && c < 127; });
  if (!isPlain || text.size() > kMaxTokenBytes)
    throw badInput(source +
                   ": expected a Hugging Face token, one word such as hf_…; copy it "
                   "again from huggingface.co/settings/tokens");
  return text;
}

std::string tokenOfThisUser() {
  for (const char* name : {"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"})
    if (const std::string token = checkedToken(variable(name), name); !token.empty())
      return token;
  const fs::path path = tokenFile();
  constexpr std::size_t kMaxFileBytes = 8192;
  return checkedToken(startOfFile(path, kMaxFileBytes), path.string());
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
  settings.offline = isOn(variable("HF_HUB_OFFLINE").empty() ? "TRANSFORMERS_OFFLINE"
                                                             : "HF_HUB_OFFLINE");
  settings.tokenForbidden = isOn("HF_HUB_DISABLE_IMPLICIT_TOKEN");
  if (!settings.tokenForbidden) settings.token = tokenOfThisUser();
  const std::vector<fs::path> caches = hubCacheFolders();
  if (!caches.empty()) settings.cache = caches.front();
  return settings;
}

}  // namespace equipatch
