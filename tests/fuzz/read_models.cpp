// SPDX-License-Identifier: GPL-3.0-or-later
// Weights, config.json, and answers of a hub.
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/checkpoint/checkpoint.h"
#include "core/checkpoint/family/family.h"
#include "core/checkpoint/memory_estimate.h"
#include "core/checkpoint/model_entry.h"
#include "core/checkpoint/safetensors.h"
#include "core/hub/hub_answers.h"
#include "core/hub/hub_transfer.h"
#include "tests/fuzz/harness.h"
#include "tests/support/sane_description.h"

namespace equipatch::fuzz {
namespace {

/// Reads the first and last byte of a view, so that a view beyond its file faults here.
void touch(const TensorView& view) {
  require(view.bytes.size() ==
              static_cast<std::size_t>(view.elements()) * byteSize(view.dtype),
          "a view has as many bytes as its shape needs");
  [[maybe_unused]] static volatile int sum = 0;
  if (!view.bytes.empty())
    sum = std::to_integer<int>(view.bytes.front()) +
          std::to_integer<int>(view.bytes.back()) + (view.aligned() ? 1 : 0);
  requireSentence(shapeText(view.shape));
}

void touch(const SafetensorsFile& file) {
  for (const auto& [name, view] : file.tensors()) touch(view);
}

}  // namespace

void readSafetensors(std::string_view input) {
  attempt([&] { touch(SafetensorsFile::open(scratchFile("model.safetensors", input))); });
}

void readTensorIndex(std::string_view input) {
  attempt([&] {
    const auto folder = scratchFolderOf(input);
    attempt([&] {
      const TensorIndex index = TensorIndex::open(folder);
      for (const std::string& name : index.names()) touch(*index.find(name));
      for (const SafetensorsFile& file : index.files()) touch(file);
    });
    if (const auto problem = describeModelFolder(folder).problem; !problem.empty())
      requireSentence(problem);
  });
}

void readConfig(std::string_view input) {
  attempt([&] {
    const Json config = parseJson(input, "config.json");
    statedArchitecture(config);
    const ModelDescription description = describeModel(config, "config.json");
    require(test::isSane(description), "sizes are within limits and fit each other");
  });
}

void readCheckpoint(std::string_view input) {
  attempt([&] {
    const auto folder = scratchFolderOf(input);
    attempt([&] {
      const Checkpoint checkpoint = Checkpoint::open(folder);
      for (const auto& [name, weight] : checkpoint.weights()) touch(weight.stored);
      require(checkpoint.parameterCount() > 0, "a model has parameters");
      for (const MemoryEstimate& estimate : memoryEstimates(checkpoint))
        require(estimate.total() > 0, "a model needs memory");
    });
    const ModelEntry entry = describeModelFolder(folder);
    if (!entry.loadable()) requireSentence(entry.problem);
  });
}

/// {"page": listing, "index": shards, "head": {field: value}, "name": word, "url": text},
/// where page and index are texts or JSON.
void readHubAnswers(std::string_view input) {
  attempt([&] {
    const Json answers = parseJson(input, "the answers");
    if (!answers.is_object()) return;
    const auto text = [&](const char* part) {
      const Json answer = answers.value(part, Json());
      return answer.is_string() ? answer.get<std::string>() : answer.dump();
    };
    attempt([&] { HubName::parse(text("name")); });
    originOf(inUrl(text("url")));
    originOf(text("url"));
    HttpHead head{.status = 200, .url = text("url"), .fields = {}};
    if (answers.contains("head") && answers["head"].is_object())
      for (const auto& [name, value] : answers["head"].items())
        if (value.is_string()) head.fields[name] = value.get<std::string>();
    attempt([&] {
      const HubFile file =
          parseHubFile(head, "model.safetensors", std::string(40, 'a'), "a file");
      require(file.bytes <= std::uint64_t{1} << 46, "a file's size is within limits");
    });
    const HubListing listing = parseHubListing(text("page"), "the page");
    for (const std::string& file : listing.files)
      require(file.find('/') == std::string::npos && !file.starts_with("."),
              "a file's name stays in its folder");
    for (const std::string& shard : parseShards(text("index"), listing, "the index"))
      require(listing.files.contains(shard), "a shard is a file of the listing");
  });
}

}  // namespace equipatch::fuzz
