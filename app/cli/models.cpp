// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/model_listing.h"
#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/base/paths.h"
#include "core/hub/hub_cache.h"
#include "core/record/export/export_json.h"
#include "core/run/model_list.h"

namespace equipatch::cli {

namespace {

struct ModelsOptions {
  std::vector<std::string> folders;
  std::optional<std::string> forgotten;
  std::optional<std::string> deleted;
  bool json = false;
};

class KeptList final : public ModelListSink {
 public:
  void modelsListed(std::shared_ptr<const ModelList> listed) override {
    list = std::move(listed);
  }
  std::shared_ptr<const ModelList> list;
};

ModelPlaces placesOf(const ModelsOptions& options) {
  ModelPlaces places = ModelPlaces::ofThisUser();
  places.given.assign(options.folders.begin(), options.folders.end());
  return places;
}

const char* headingOf(ModelOrigin origin) {
  switch (origin) {
    case ModelOrigin::Bundled:
      return "With the program";
    case ModelOrigin::HubCache:
      return "Hugging Face cache";
    case ModelOrigin::OtherProgram:
      return "LM Studio, text-generation-webui";
    case ModelOrigin::Used:
      return "Used before";
    case ModelOrigin::Given:
      break;
  }
  return "In the folders given";
}

void printTable(const ModelList& list) {
  const ListedModel* before = nullptr;
  for (const ListedModel& model : list.models) {
    if (!before || before->origin != model.origin)
      std::cout << (before ? "\n" : "") << headingOf(model.origin) << '\n';
    printModel(model, list.freeBytes);
    before = &model;
  }
  if (list.models.empty())
    std::cout
        << "No model was found; download one with \"equipatch-cli get OWNER/NAME\", or "
           "give a folder with\n--folder DIR.\n";
  if (list.freeBytes)
    std::cout << (before ? "\n" : "") << bytesText(*list.freeBytes)
              << " of memory is free. Estimates include the KV cache of 2048 positions, "
                 "or of all\npositions of a model that has fewer.\n";
}

void printJson(const ModelList& list) {
  for (const ListedModel& model : list.models) std::cout << jsonLine(toJson(model));
  nlohmann::ordered_json summary{{"models", list.models.size()}};
  summary["memory_free_bytes"] = nullptr;
  if (list.freeBytes) summary["memory_free_bytes"] = *list.freeBytes;
  std::cout << jsonLine({{"summary", summary}});
}

/// Rejects a folder that is missing or cannot be listed. A damaged model in the folder
/// is not rejected: the list shows it with its error.
void checkFolder(const std::filesystem::path& folder) {
  if (!isFolder(folder))
    throw badInput(folder.string() +
                   ": there is no such folder; check the path given to --folder");
  std::error_code problem;
  const std::filesystem::directory_iterator entries(folder, problem);
  if (problem) throw unlistable(folder, problem);
}

int forget(const std::string& folder) {
  if (!forgetModel(folder))
    throw badInput(folder +
                   ": not among the folders used before, nothing was changed; "
                   "equipatch-cli models lists them under \"Used before\"");
  std::cout << folder << " is no longer listed; its files were not changed.\n";
  return 0;
}

int deleteModel(const std::string& name) {
  const SnapshotRemoval removal = SnapshotRemoval::plan(modelFolder(name));
  removal.execute();
  std::cout << name << " was deleted from the cache; "
            << bytesText(static_cast<std::int64_t>(removal.bytes)) << " are free again"
            << (removal.leavesOthers ? "; other revisions of the model are still there.\n"
                                     : ".\n");
  return 0;
}

int models(const ModelsOptions& options) {
  for (const std::string& folder : options.folders) checkFolder(folder);
  const auto kept = std::make_shared<KeptList>();
  Foreground foreground;
  const auto problem = foreground.run(makeModelListJob(
      [&] { return placesOf(options); }, std::make_shared<ParityBook>(), kept));
  if (problem) throw *problem;
  if (options.json)
    printJson(*kept->list);
  else
    printTable(*kept->list);
  return 0;
}

}  // namespace

void addModels(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ModelsOptions>();
  CLI::App* command = program.add_subcommand(
      "models",
      "List the models on this machine: in the Hugging Face cache, in the folders of LM "
      "Studio and text-generation-webui, and in folders used before");
  auto* folder =
      command
          ->add_option(
              "--folder", options->folders,
              "search here too: a model's folder, a folder of models, or a cache")
          ->type_name("DIR");
  auto* json = command->add_flag("--json", options->json, "one JSON object per line");
  auto* forgotten =
      command
          ->add_option(
              "--forget", options->forgotten,
              "take this folder off the list of folders used before; its files stay")
          ->type_name("DIR")
          ->excludes(json)
          ->excludes(folder);
  command
      ->add_option("--delete", options->deleted,
                   "delete this model's files from the Hugging Face cache")
      ->type_name("NAME")
      ->excludes(json)
      ->excludes(folder)
      ->excludes(forgotten);
  command->callback([options, &action] {
    if (options->deleted && options->deleted->empty())
      throw CLI::ValidationError("--delete", "the name is empty; give a model's name");
    action = [options] {
      if (options->deleted) return deleteModel(*options->deleted);
      return options->forgotten ? forget(*options->forgotten) : models(*options);
    };
  });
}

}  // namespace equipatch::cli
