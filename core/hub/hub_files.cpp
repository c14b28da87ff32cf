// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/hub_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string_view>

#include "core/base/json.h"

namespace equipatch {
namespace {

constexpr int kParallelHeads = 8;
constexpr std::size_t kMostFiles = 100'000;
constexpr const char* kIndex = "model.safetensors.index.json";
constexpr const char* kSingle = "model.safetensors";

constexpr std::array<std::string_view, 15> kSmallFiles{"config.json",
                                                       "generation_config.json",
                                                       "tokenizer.json",
                                                       "tokenizer.model",
                                                       "tokenizer_config.json",
                                                       "special_tokens_map.json",
                                                       "added_tokens.json",
                                                       "vocab.json",
                                                       "merges.txt",
                                                       "chat_template.jinja",
                                                       "chat_template.json",
                                                       "preprocessor_config.json",
                                                       "processor_config.json",
                                                       kIndex,
                                                       "qwen.tiktoken"};

/// A name that stays inside its folder and is plain text.
bool isFileName(const std::string& name) {
  constexpr std::size_t kLongest = 255;
  return !name.empty() && name.size() <= kLongest && name.front() != '.' &&
         std::ranges::none_of(name, [](unsigned char c) {
           return c == '/' || c == '\\' || c < 0x20 || c == 0x7F;
         });
}

/// Requests one page and returns its text.
std::string pageOf(const HubSettings& settings, const HubName& name,
                   const std::string& path, const std::string& file,
                   const Progress& progress) {
  HubPage page(settings, name, path, file);
  HttpTransfer* const transfer = &page;
  HttpClient::run({&transfer, 1}, 1, progress);
  return page.text();
}

/// "main" as one part of a path.
std::string inOnePart(const std::string& revision) {
  std::string text = inUrl(revision);
  for (std::size_t at = 0; (at = text.find('/', at)) != std::string::npos; at += 3)
    text.replace(at, 1, "%2F");
  return text;
}

struct Listing {
  std::string commit;
  std::set<std::string> names;  ///< of files in the top folder
};

Listing readListing(const HubSettings& settings, const HubName& name,
                    const Progress& progress) {
  const std::string path =
      "/api/models/" + inUrl(name.repository) + "/revision/" + inOnePart(name.revision);
  const std::string source = "the hub's description of " + name.repository;
  const Json page = parseJson(pageOf(settings, name, path, "", progress), source);
  JsonObject fields(page, source);
  Listing listing{.commit = fields.string("sha"), .names = {}};
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
      listing.names.insert(one);
  }
  return listing;
}

/// The files that hold the weights.
std::vector<std::string> weightFiles(const HubSettings& settings, const HubName& name,
                                     const Listing& listing, const Progress& progress) {
  if (listing.names.contains(kSingle)) return {kSingle};
  if (!listing.names.contains(kIndex))
    throw unsupported(name.repository + " has no " + kSingle + " and no " + kIndex +
                      "; only safetensors are read, so look for a converted copy of the "
                      "model on the hub");
  const std::string source = name.repository + ", " + kIndex;
  const Json index = parseJson(
      pageOf(settings, name, resolvePath(name.repository, listing.commit, kIndex), kIndex,
             progress),
      source);
  JsonObject fields(index, source);
  const Json* map = fields.member("weight_map");
  if (!map || !map->is_object())
    throw badInput(source +
                   ": expected an object \"weight_map\"; report it to the "
                   "model's owner");
  std::set<std::string> shards;
  for (const Json& shard : *map)
    if (shard.is_string()) shards.insert(shard.get<std::string>());
  for (const std::string& shard : shards)
    if (!listing.names.contains(shard))
      throw badInput(source + " names " + inQuotes(shard) +
                     ", which the repository does not hold; report it to the model's "
                     "owner");
  return {shards.begin(), shards.end()};
}

/// Asks for the size and hash of a file.
class HeadOfFile final : public HubTransfer {
 public:
  HeadOfFile(const HubSettings& settings, const HubName& name, const std::string& commit,
             const std::string& file)
      : HubTransfer(settings, name, resolvePath(name.repository, commit, file), file),
        m_commit(commit) {}

  HttpRequest request() override {
    HttpRequest request = HubTransfer::request();
    request.headOnly = true;
    return request;
  }
  void received(std::span<const std::byte>) override {}

  const HubFile& found() const { return m_found; }

 protected:
  void accept(const HttpHead& head) override;

 private:
  std::string m_commit;
  HubFile m_found;
};

/// "\"abc\"" and "W/\"abc\"" without the marks.
std::string plainTag(std::string tag) {
  if (tag.starts_with("W/")) tag.erase(0, 2);
  std::erase(tag, '"');
  return tag;
}

void HeadOfFile::accept(const HttpHead& head) {
  const auto either = [&](const char* linked, const char* plain) {
    const std::string value = head.field(linked);
    return value.empty() ? head.field(plain) : value;
  };
  const bool leadsOn = head.status >= 300 && head.field("x-linked-etag").empty();
  if (leadsOn) return;  // to the same file in a renamed repository
  const std::string commit = head.field("x-repo-commit");
  if (!commit.empty() && commit != m_commit)
    throw badInput(what() + ": the hub answers with commit " + inQuotes(commit) +
                   " instead of " + m_commit + "; try again, or check HF_ENDPOINT");
  const std::string size = either("x-linked-size", "content-length");
  std::uint64_t bytes = 0;
  const auto [end, problem] =
      std::from_chars(size.data(), size.data() + size.size(), bytes);
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 50;
  if (size.empty() || problem != std::errc() || end != size.data() + size.size() ||
      bytes > kLargest)
    throw badInput(what() + ": the server gives no valid size (" + inQuotes(size) +
                   "); use another HF_ENDPOINT");
  m_found = {file(), bytes, plainTag(either("x-linked-etag", "etag"))};
}

}  // namespace

std::uint64_t HubModel::bytes() const {
  return std::accumulate(
      files.begin(), files.end(), std::uint64_t{0},
      [](std::uint64_t sum, const HubFile& file) { return sum + file.bytes; });
}

std::string resolvePath(const std::string& repository, const std::string& commit,
                        const std::string& file) {
  return "/" + inUrl(repository) + "/resolve/" + commit + "/" + inUrl(file);
}

HubModel readHubModel(const HubSettings& settings, const HubName& name,
                      Progress& progress) {
  if (settings.offline)
    throw badInput(name.repository +
                   " is not downloaded, because HF_HUB_OFFLINE is set; unset it, or "
                   "choose a model that \"equipatch-cli models\" lists");
  progress.report(0.0, "Asking for the files of " + name.repository);
  const Listing listing = readListing(settings, name, progress);
  std::set<std::string> needed;
  for (const std::string_view small : kSmallFiles)
    if (listing.names.contains(std::string(small))) needed.emplace(small);
  for (std::string& weights : weightFiles(settings, name, listing, progress))
    needed.insert(std::move(weights));
  if (!needed.contains("config.json"))
    throw badInput(
        name.repository +
        " has no config.json, so it is no model in Hugging Face layout; choose "
        "another repository");
  std::vector<std::unique_ptr<HeadOfFile>> heads;
  std::vector<HttpTransfer*> transfers;
  for (const std::string& file : needed) {
    heads.push_back(std::make_unique<HeadOfFile>(settings, name, listing.commit, file));
    transfers.push_back(heads.back().get());
  }
  HttpClient::run(transfers, kParallelHeads, progress);
  HubModel model{.name = name, .commit = listing.commit, .files = {}};
  for (const auto& head : heads) {
    const HubFile& file = head->found();
    if (!isHexadecimal(file.hash, 40) && !isHexadecimal(file.hash, 64))
      throw badInput(name.repository + ", " + file.name +
                     ": the server gives no SHA-256 or git hash (ETag " +
                     inQuotes(file.hash) +
                     "), so the file could not be verified; use another HF_ENDPOINT");
    model.files.push_back(file);
  }
  return model;
}

}  // namespace equipatch
