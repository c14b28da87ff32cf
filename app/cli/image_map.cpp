// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/image_map.h"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/options.h"
#include "app/cli/printable.h"
#include "core/base/number_format.h"
#include "core/base/strings.h"
#include "core/record/export/export_json.h"
#include "core/record/export/output_file.h"

namespace equipatch::cli {

namespace {

struct ImageMapOptions {
  SessionOptions session;
  PromptOptions prompt;
  std::int64_t image = 1;
  std::int64_t step = 0;
  std::optional<std::int64_t> cells;
  bool growth = false;
  std::optional<std::string> out;
  int threads = 0;
  bool json = false;
};

nlohmann::ordered_json readingJson(const ImageReading& reading) {
  return {{"bare_linf", reading.bareLinf},
          {"bare_tvd", reading.bareTvd},
          {"dw", reading.patchNorm},
          {"match", reading.match}};
}

void printJson(const ImageMap& map) {
  nlohmann::ordered_json nothing = readingJson(map.nothing);
  nothing["kept"] = "nothing";
  std::cout << jsonLine(nothing);
  for (std::size_t at = 0; at < map.parts.size(); ++at) {
    nlohmann::ordered_json part = readingJson(map.parts[at]);
    part["row"] = at / static_cast<std::size_t>(map.cells);
    part["column"] = at % static_cast<std::size_t>(map.cells);
    std::cout << jsonLine(part);
  }
}

void printTable(const char* title, const ImageMap& map,
                double (*of)(const ImageReading&)) {
  const auto [least, most] = std::ranges::minmax(map.parts, {}, of);
  const int digits = distinctDigits(of(least), of(most));
  std::cout << '\n'
            << title << "; nothing kept: " << shortText(of(map.nothing), digits + 1)
            << '\n';
  for (std::size_t at = 0; at < map.parts.size(); ++at) {
    const bool isLast = (at + 1) % static_cast<std::size_t>(map.cells) == 0;
    std::cout << cell(shortText(of(map.parts[at]), digits)) << (isLast ? "\n" : "");
  }
}

void printTables(const ImageMap& map, std::int64_t step) {
  std::string token = printableToken(map.token, kTokenColumns);
  token.erase(token.find_last_not_of(' ') + 1);
  std::cout
      << "What the patch still has to supply at step " << step << " (" << token
      << ") when only a cell of " << wrapped(replaceInvalidUtf8(map.picture), 0)
      << " is kept\n"
      << wrapped(
             "The lower a cell's number, the more of what the step needs is in this "
             "part of the image; the first row is the image's upper edge.",
             0)
      << '\n';
  printTable("TVD of the bare pass", map,
             [](const ImageReading& reading) { return reading.bareTvd; });
  printTable("L∞ of the bare pass", map,
             [](const ImageReading& reading) { return reading.bareLinf; });
  printTable("‖ΔW‖", map, [](const ImageReading& reading) { return reading.patchNorm; });
}

void printJson(const ImageGrowth& growth) {
  const std::vector<double> all = growth.overLayers();
  for (std::size_t at = 0; at < all.size(); ++at) {
    nlohmann::ordered_json layers = nlohmann::ordered_json::array();
    for (const std::vector<double>& layer : growth.layers) layers.push_back(layer[at]);
    std::cout << jsonLine({{"row", at / static_cast<std::size_t>(growth.side)},
                           {"column", at % static_cast<std::size_t>(growth.side)},
                           {"dw_change", all[at]},
                           {"dw_change_layers", layers}});
  }
}

void printTable(const ImageGrowth& growth, std::int64_t step) {
  std::cout
      << "How much each token of " << wrapped(replaceInvalidUtf8(growth.picture), 0)
      << " changes ΔW at step " << step << " as the context grows, all layers\n"
      << wrapped(
             "The higher a number, the more the patch changed when the context grew by "
             "this token; the first row is the image's upper edge.",
             0)
      << '\n';
  const std::vector<double> all = growth.overLayers();
  for (std::size_t at = 0; at < all.size(); ++at) {
    const bool isLast = (at + 1) % static_cast<std::size_t>(growth.side) == 0;
    std::cout << cell(all[at]) << (isLast ? "\n" : "");
  }
}

std::int64_t usualCells(const Session& session) {
  const auto& vision = session.spec().vision;
  return vision ? usualDivision(vision->pooledGrid()) : 1;
}

std::string costText(const ImageMapRequest& request, const Session& session) {
  const MapCost cost = costOf(request, session);
  std::string text = "The prompt's " + std::to_string(request.run.prompt.size()) +
                     " tokens are read " +
                     countText(static_cast<std::size_t>(cost.readings), "time");
  if (request.step > 0)
    text += ", the first time to compute the " +
            countText(static_cast<std::size_t>(request.step), "token") +
            " before the step";
  if (cost.passes > 0)
    text += ", then " + std::to_string(cost.passes) + " passes of one token are computed";
  return text + '.';
}

int imageMap(const ImageMapOptions& options) {
  if (options.threads > 0) useThreads(options.threads);
  if (options.out)
    requirePlaceFor(*options.out, {"\"equipatch_lab\"", "a result of the lab"});
  Foreground foreground;
  const auto session = foreground.open(options.session.request());
  ImageMapRequest request{.image = static_cast<std::size_t>(options.image - 1),
                          .step = options.step,
                          .cells = options.cells.value_or(usualCells(*session)),
                          .of = options.growth ? MapOf::Growth : MapOf::KeptCells};
  ImageMap map;
  ImageGrowth growth;
  foreground.runTask("Map the image", [&](Control& control) {
    request.run = requestFor(options.prompt.prepare(*session, control.stopToken()), {});
    std::cerr << costText(request, *session) << std::endl;
    if (options.growth)
      growth = growOverImage(session, request, control);
    else
      map = mapImage(session, request, control);
  });
  if (options.growth)
    options.json ? printJson(growth) : printTable(growth, options.step);
  else
    options.json ? printJson(map) : printTables(map, options.step);
  std::cout.flush();
  if (!options.out) return 0;
  // Saves last, so that the table is printed even if saving fails.
  saveLabResult(options.growth ? labResultOf(growth, *session, request)
                               : labResultOf(map, *session, request),
                *options.out);
  if (!options.json) noteWritten(*options.out);
  return 0;
}

}  // namespace

void addImageMap(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ImageMapOptions>();
  CLI::App* command = program.add_subcommand(
      "image-map", "Show which part of an image a step depends on");
  options->session.addTo(*command);
  options->prompt.addTo(*command);
  command->add_option("--which", options->image, "which of the prompt's images, from 1")
      ->transform(wholeNumber(1, 1'000'000))
      ->capture_default_str()
      ->type_name("N");
  command->add_option("--step", options->step, "which generated token, from 0")
      ->transform(wholeNumber(0, 1'000'000))
      ->capture_default_str()
      ->type_name("K");
  auto* cells =
      command
          ->add_option(
              "--cells", options->cells,
              "number of cells on each side of the map; must divide the number of "
              "the image's tokens on a side; by default the largest divisor among 2, "
              "3 and 4, or else the smallest divisor above 4")
          ->transform(wholeNumber(1, 1'000'000))
          ->type_name("N");
  command
      ->add_flag("--growth", options->growth,
                 "instead show how much each of the image's tokens changes the patch "
                 "as the context grows")
      ->excludes(cells);
  addThreadsOption(*command, options->threads);
  command
      ->add_option("--out", options->out,
                   "also write the maps to this file (.json), for `equipatch figure`")
      ->check(noStream("a result of the lab"))
      ->type_name("F.json");
  command->add_flag("--json", options->json, "one JSON object per line");
  command->callback([options, &action] {
    options->prompt.check();
    action = [options] { return imageMap(*options); };
  });
}

}  // namespace equipatch::cli
