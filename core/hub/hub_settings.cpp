// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/hub_settings.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "core/base/error.h"
#include "core/base/paths.h"
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
  std::string value = variable(name);
  std::ranges::transform(value, value.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? char(c - 32) : c; });
  return value == "1" || value == "ON" || value == "YES" || value == "TRUE";
}

fs::path tokenFile() {
  if (const std::string file = variable("HF_TOKEN_PATH"); !file.empty()) return file;
  if (const std::string home = variable("HF_HOME"); !home.empty())
    return fs::path(home) / "token";
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty())
    return fs::path(cache) / "huggingface" / "token";
  const std::string home = variable("HOME");
  return home.empty() ? fs::path() : fs::path(home) / ".cache" / "huggingface" / "token";
}

/// A token is sent in a header, so it must not end the header's line.
std::string checkedToken(std::string text, const std::string& source) {
  constexpr std::size_t kLongest = 4096;
  const auto isBlank = [](char c) { return c == ' ' || c == '\n' || c == '\r'; };
  while (!text.empty() && isBlank(text.back())) text.pop_back();
  text.erase(text.begin(), std::ranges::find_if_not(text, isBlank));
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
  if (!isFile(path)) return {};
  constexpr std::size_t kMost = 8192;
  std::string text(kMost, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return checkedToken(text, path.string());
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
