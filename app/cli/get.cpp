// SPDX-License-Identifier: GPL-3.0-or-later
#include <CLI/CLI.hpp>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/hub/model_download.h"
#include "core/record/export/export_json.h"

namespace equipatch::cli {

namespace {

struct GetOptions {
  std::string model;
  std::string revision;
  bool list = false;
  bool json = false;
};

std::string sizeText(std::uint64_t bytes) {
  return bytesText(static_cast<std::int64_t>(bytes));
}

void printFiles(const HubModel& model, std::uint64_t missing) {
  std::cout << model.name.repository << " at " << model.name.revision << " ("
            << model.commit.substr(0, 8) << ")\n";
  for (const HubFile& file : model.files)
    std::cout << std::setw(10) << sizeText(file.bytes) << "  " << file.name << '\n';
  std::cout << std::setw(10) << sizeText(model.bytes()) << "  in "
            << countText(model.files.size(), "file");
  if (missing < model.bytes())
    std::cout << ", of which " << sizeText(model.bytes() - missing)
              << " are on this machine already";
  std::cout << std::endl;  // before the progress line
}

nlohmann::ordered_json filesOf(const HubModel& model) {
  auto files = nlohmann::ordered_json::array();
  for (const HubFile& file : model.files)
    files.push_back({{"name", file.name}, {"bytes", file.bytes}, {"hash", file.hash}});
  return files;
}

int get(const GetOptions& options) {
  const HubName name = HubName::parse(options.model, options.revision);
  const HubSettings settings = HubSettings::ofThisUser();
  Foreground foreground;
  HubModel model;
  std::uint64_t missing = 0;
  foreground.runTask("List " + name.repository, [&](Control& control) {
    model = readHubModel(settings, name, control);
    missing = missingBytes(model, settings.cache);
  });
  if (!options.json) printFiles(model, missing);
  std::filesystem::path folder;
  if (!options.list)
    foreground.runTask("Get " + name.repository, [&](Control& control) {
      folder = downloadModel(settings, model, control);
      missing = 0;
    });
  if (options.json) {
    nlohmann::ordered_json line{{"model", name.repository}, {"revision", name.revision},
                                {"commit", model.commit},   {"bytes", model.bytes()},
                                {"bytes_missing", missing}, {"files", filesOf(model)},
                                {"folder", nullptr}};
    if (!folder.empty()) line["folder"] = folder.string();
    std::cout << jsonLine(line);
  }
  if (!options.json && !folder.empty())
    std::cout << "The model is in " << folder.string()
              << ".\nCompare with: equipatch-cli compare --model " << name.repository
              << (name.revision == "main" ? "" : "@" + name.revision)
              << " --prompt \"…\"\n";
  return 0;
}

}  // namespace

void addGet(CLI::App& program, Action& action) {
  const auto options = std::make_shared<GetOptions>();
  CLI::App* command = program.add_subcommand(
      "get", "Download a model from the Hugging Face hub into this machine's cache");
  command
      ->add_option("model", options->model,
                   "\"owner/name\", as the model's page shows it")
      ->type_name("NAME")
      ->required();
  command->add_option("--revision", options->revision, "branch, tag or commit")
      ->type_name("REVISION")
      ->default_str("main");
  command->add_flag("--list", options->list, "only list the files and their sizes");
  command->add_flag("--json", options->json, "one JSON object instead of text");
  command->callback([options, &action] { action = [options] { return get(*options); }; });
}

}  // namespace equipatch::cli
