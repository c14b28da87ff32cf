// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/hub_files.h"

#include <array>
#include <memory>
#include <numeric>
#include <set>
#include <string_view>

namespace equipatch {
namespace {

constexpr int kParallelHeads = 8;
constexpr const char* kIndex = "model.safetensors.index.json";
constexpr const char* kSingle = "model.safetensors";

constexpr std::array<std::string_view, 14> kSmallFiles{"config.json",
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
                                                       kIndex};

std::string pageOf(const HubSettings& settings, const HubName& name,
                   const std::string& path, const std::string& file,
                   const Progress& progress) {
  HubPage page(settings, name, path, file);
  HttpTransfer* const transfer = &page;
  HttpClient::run({&transfer, 1}, 1, progress);
  return page.text();
}

/// The revision as one component of a URL's path: "/" becomes %2F.
std::string inOnePart(const std::string& revision) {
  std::string text = inUrl(revision);
  for (std::size_t at = 0; (at = text.find('/', at)) != std::string::npos; at += 3)
    text.replace(at, 1, "%2F");
  return text;
}

HubListing readListing(const HubSettings& settings, const HubName& name,
                       const Progress& progress) {
  const std::string path =
      "/api/models/" + inUrl(name.repository) + "/revision/" + inOnePart(name.revision);
  return parseHubListing(pageOf(settings, name, path, "", progress),
                         "the hub's description of " + name.repository);
}

std::set<std::string> weightFiles(const HubSettings& settings, const HubName& name,
                                  const HubListing& listing, const Progress& progress) {
  if (listing.files.contains(kSingle)) return {kSingle};
  if (!listing.files.contains(kIndex))
    throw unsupported(name.repository + " has no " + kSingle + " and no " + kIndex +
                      "; only safetensors are read, so look for a converted copy of the "
                      "model on the hub");
  const std::string path = resolvePath(name.repository, listing.commit, kIndex);
  return parseShards(pageOf(settings, name, path, kIndex, progress), listing,
                     name.repository + ", " + kIndex);
}

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
  bool complete() override;

 private:
  std::string m_commit;
  HubFile m_found;
};

void HeadOfFile::accept(const HttpHead& head) {
  // A redirect without this field leads to a renamed repository or to the hub's cache of
  // small files; the next answer describes the file.
  if (head.status >= 300 && head.field("x-linked-etag").empty()) return;
  // The first description is the hub's. After a redirect to storage at the hub's own
  // origin, the storage answers with another ETag.
  if (!m_found.name.empty()) return;
  m_found = parseHubFile(head, file(), m_commit, what());
}

bool HeadOfFile::complete() {
  if (m_found.name.empty())
    throw badInput(
        what() +
        ": the hub redirects to other addresses without describing the file; try again "
        "later, or use another HF_ENDPOINT");
  return true;
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
                   " is not downloaded, because HF_HUB_OFFLINE or TRANSFORMERS_OFFLINE "
                   "is set; unset it, or choose a model that \"equipatch-cli models\" "
                   "lists");
  progress.report(0.0, "Asking for the files of " + name.repository);
  const HubListing listing = readListing(settings, name, progress);
  std::set<std::string> needed;
  for (const std::string_view small : kSmallFiles)
    if (listing.files.contains(std::string(small))) needed.emplace(small);
  for (const std::string& file : listing.files)
    if (file.ends_with(".tiktoken")) needed.insert(file);
  needed.merge(weightFiles(settings, name, listing, progress));
  if (!needed.contains("config.json"))
    throw badInput(
        name.repository +
        " has no config.json, so it is not a model in Hugging Face layout; choose "
        "another repository");
  std::vector<std::unique_ptr<HeadOfFile>> heads;
  std::vector<HttpTransfer*> transfers;
  for (const std::string& file : needed) {
    heads.push_back(std::make_unique<HeadOfFile>(settings, name, listing.commit, file));
    transfers.push_back(heads.back().get());
  }
  HttpClient::run(transfers, kParallelHeads, progress);
  HubModel model{.name = name, .commit = listing.commit, .files = {}};
  for (const auto& head : heads) model.files.push_back(head->found());
  return model;
}

}  // namespace equipatch
