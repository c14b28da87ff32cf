// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/hub_answers.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/number_from.h"
#include "core/base/strings.h"

namespace equipatch {
namespace {

// Together these two limits keep the sum of all sizes below 2^63.
constexpr std::size_t kMostFiles = 100'000;
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 46;

/// True if no control characters or bidirectional marks disguise the name on the screen.
bool isShownAsWritten(const std::string& name) {
  constexpr std::array kMarks{"\u200E", "\u200F", "\u061C"};
  return withoutControls(name) == name && name.find('\t') == std::string::npos &&
         std::ranges::none_of(kMarks, [&](const char* mark) {
           return name.find(mark) != std::string::npos;
         });
}

/// True if the name is safe below a folder and in messages.
bool isFileName(const std::string& name) {
  constexpr std::size_t kLongest = 255;
  return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
         name.find_first_of("/\\") == std::string::npos && isShownAsWritten(name);
}

std::string plainTag(std::string tag) {
  if (tag.starts_with("W/")) tag.erase(0, 2);
  std::erase(tag, '"');
  return tag;
}

/// The field `linked`, in which the hub describes a file stored on another server; the
/// field `plain` if `linked` is absent.
std::string linkedOrPlain(const HttpHead& head, const char* linked, const char* plain) {
  const std::string value = head.field(linked);
  return value.empty() ? head.field(plain) : value;
}

}  // namespace

bool isHexadecimal(const std::string& text, std::size_t length) {
  return text.size() == length && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

HubListing parseHubListing(const std::string& page, const std::string& source) {
  const Json answer = parseJson(page, source);
  JsonObject fields(answer, source);
  HubListing listing{.commit = fields.string("sha"), .files = {}};
  constexpr std::size_t kCommit = 40;
  if (!isHexadecimal(listing.commit, kCommit))
    throw badInput(source + ": \"sha\" is " + inQuotes(listing.commit) +
                   ", expected a commit of 40 hexadecimal digits; check HF_ENDPOINT");
  const Json* siblings = fields.member("siblings");
  if (!siblings || !siblings->is_array() || siblings->size() > kMostFiles)
    throw badInput(source +
                   ": expected a list of files in \"siblings\"; check HF_ENDPOINT");
  for (const Json& sibling : *siblings) {
    JsonObject file(sibling, source + ", siblings");
    if (const std::string one = file.string("rfilename"); isFileName(one))
      listing.files.insert(one);
  }
  return listing;
}

std::set<std::string> parseShards(const std::string& index, const HubListing& listing,
                                  const std::string& source) {
  const Json answer = parseJson(index, source);
  JsonObject fields(answer, source);
  const Json* map = fields.member("weight_map");
  if (!map || !map->is_object() || map->empty() ||
      !std::ranges::all_of(*map, [](const Json& shard) { return shard.is_string(); }))
    throw badInput(source +
                   ": expected an object \"weight_map\" with the file of each tensor; "
                   "report this to the model's owner");
  std::set<std::string> shards;
  for (const Json& shard : *map) shards.insert(shard.get<std::string>());
  for (const std::string& shard : shards)
    if (!listing.files.contains(shard))
      throw badInput(
          source + " names " + inQuotes(shard) +
          ", which the repository's top folder does not contain; report this to the "
          "model's owner");
  return shards;
}

HubFile parseHubFile(const HttpHead& head, const std::string& file,
                     const std::string& commit, const std::string& what) {
  const std::string answered = head.field("x-repo-commit");
  if (!answered.empty() && answered != commit)
    throw badInput(what + ": the hub answers with commit " + inQuotes(answered) +
                   " instead of " + commit + "; try again, or check HF_ENDPOINT");
  const std::string size = linkedOrPlain(head, "x-linked-size", "content-length");
  const auto bytes = numberFrom<std::uint64_t>(size);
  if (!bytes || *bytes > kLargestFile)
    throw badInput(what + ": the server gives no valid size (" + inQuotes(size) +
                   "); use another HF_ENDPOINT");
  HubFile found{file, *bytes, plainTag(linkedOrPlain(head, "x-linked-etag", "etag"))};
  if (!isHexadecimal(found.hash, 40) && !isHexadecimal(found.hash, 64))
    throw badInput(what + ": the server gives no SHA-256 or git hash (ETag " +
                   inQuotes(found.hash) +
                   "), so the file could not be verified; use another HF_ENDPOINT");
  return found;
}

}  // namespace equipatch
