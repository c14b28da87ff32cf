// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/options.h"
#include "app/cli/printable.h"
#include "core/base/number_format.h"
#include "core/base/progress.h"
#include "core/lab/experiment.h"
#include "core/record/export/export_json.h"
#include "core/record/export/output_file.h"
#include "core/record/lab_result.h"
#include "core/run/backend.h"
#include "core/run/model_list.h"

namespace equipatch::cli {

namespace {

struct LabOptions {
  std::string name;
  bool paper = false;
  bool quick = false;  ///< has no effect: the quick preset is the default
  std::uint64_t seed = 0;
  std::vector<std::string> changes;  ///< "name=value"
  std::optional<std::string> folder;
  std::vector<std::string> refusedByList;  ///< which of --seed and --threads were given
  int threads = 1;
  bool json = false;

  /// True for `--out -`: the result's file goes to standard output.
  bool streams() const { return folder && meansStandardOutput(*folder); }
};

constexpr double kMillisecondsBetweenSaves = 10'000.0;

/// Keeps the newest result and saves it at intervals, so that hours of training survive a
/// crash.
class KeptResult final : public LabSink {
 public:
  KeptResult(std::optional<std::filesystem::path> file, Foreground& foreground)
      : m_file(std::move(file)), m_foreground(foreground) {}

  /// Saves the first result at once, then the newest one after each interval.
  /// @throws Error only if the first save fails: a later error must not end the training.
  void labUpdated(std::shared_ptr<const LabResult> newest) override {
    m_newest = std::move(newest);
    if (!m_sinceSaved) return save();
    if (m_sinceSaved->milliseconds() < kMillisecondsBetweenSaves) return;
    try {
      save();
    } catch (const Error& error) {
      if (!std::exchange(m_hasFailed, true)) m_foreground.printLine(error.what());
      m_sinceSaved.emplace();
    }
  }
  /// Writes the newest result to `file()`; does nothing without a result or a file. The
  /// first save renames an existing file. If another program has written the file since
  /// the last save, `save` leaves that file and changes `file()` to a free name.
  /// @throws Error if the result cannot be written.
  void save() {
    if (!m_file || !m_newest) return;
    if (!m_sinceSaved)
      renameEarlier();
    else if (const auto time = timeOfFile(); time && time != m_saved)
      takeFreeName();
    saveLabResult(*m_newest, *m_file);
    m_saved = timeOfFile();
    m_sinceSaved.emplace();
  }
  const LabResult* newest() const { return m_newest.get(); }
  /// nullopt: `save` writes nothing.
  const std::optional<std::filesystem::path>& file() const { return m_file; }

 private:
  void renameEarlier() const {
    if (const auto aside = setAside(*m_file); !aside.empty())
      m_foreground.printLine(m_file->string() + ": the earlier result was renamed to " +
                             aside.string());
  }
  /// nullopt: the file does not exist.
  std::optional<std::filesystem::file_time_type> timeOfFile() const {
    std::error_code missing;
    const auto time = std::filesystem::last_write_time(*m_file, missing);
    return missing ? std::nullopt : std::optional(time);
  }
  void takeFreeName() {
    const std::filesystem::path taken = *m_file;
    const std::string stem = taken.stem().string() + "-";
    for (int number = 2; timeOfFile(); ++number)
      m_file->replace_filename(stem + std::to_string(number) +
                               taken.extension().string());
    m_foreground.printLine(
        taken.string() + ": another program has written this file; the result goes to " +
        m_file->string());
  }

  std::optional<std::filesystem::path> m_file;
  Foreground& m_foreground;
  std::shared_ptr<const LabResult> m_newest;
  std::optional<Stopwatch> m_sinceSaved;                   ///< nullopt: never saved
  std::optional<std::filesystem::file_time_type> m_saved;  ///< file time of the last save
  bool m_hasFailed = false;  ///< a save after the first has failed
};

LabPreset presetOf(const LabOptions& options) {
  return options.paper ? LabPreset::Paper : LabPreset::Quick;
}

LabSettings settingsOf(const Experiment& experiment, const LabOptions& options) {
  LabSettings settings(experiment.settings, presetOf(options));
  for (const std::string& change : options.changes) {
    const std::size_t equals = change.find('=');
    if (equals == std::string::npos)
      throw misuse("--set", "expected name=value, found " + inQuotes(change));
    try {
      settings.set(change.substr(0, equals), change.substr(equals + 1));
    } catch (const Error& error) {
      throw misuse("--set", error.what());
    }
  }
  return settings;
}

void printTable(const LabResult& result, std::ostream& out) {
  out << result.title << " (" << result.experiment << ", " << result.origin.setting
      << ", seed " << result.origin.seed << ", " << shortText(result.origin.seconds, 3)
      << " s" << (result.finished ? "" : ", not finished") << ")\n";
  for (const LabScalar& scalar : result.scalars) {
    const std::string paper = paperText(scalar);
    out << "  " << std::setw(9) << shortText(scalar.value, 3) << "  " << scalar.name
        << (scalar.unit.empty() ? "" : ", " + scalar.unit)
        << (paper.empty() ? "" : " (" + paper + ")") << '\n';
  }
  for (const std::string& note : result.notes) out << "  " << wrapped(note, 2) << '\n';
}

void printJson(const LabResult& result, std::ostream& out) {
  nlohmann::ordered_json object = toJson(result);
  object.erase("panels");  // thousands of numbers; --out writes them
  out << jsonLine(object);
}

void writeResult(KeptResult& kept, const LabOptions& options) {
  if (!kept.newest()) return;
  const LabResult& result = *kept.newest();
  std::ostream& out = options.streams() ? std::cerr : std::cout;
  options.json ? printJson(result, out) : printTable(result, out);
  out.flush();
  kept.save();  // after the output, so that a failed save does not hide the result
  if (kept.file() && !options.json) noteWritten(kept.file()->string());
  if (!options.streams()) return;
  OutputPlace place(*options.folder);
  saveLabResult(result, place.path());
  place.copyToStandardOutput(std::cout);
}

void listJson(const LabOptions& options) {
  for (const Experiment& experiment : backend().experiments()) {
    nlohmann::ordered_json settings = nlohmann::ordered_json::array();
    for (const LabSetting& setting : experiment.settings) {
      settings.push_back({{"name", setting.name}, {"meaning", setting.meaning}});
      std::visit([&](const auto& value) { settings.back()["value"] = value; },
                 options.paper ? setting.paper : setting.quick);
    }
    std::cout << jsonLine({{"experiment", experiment.name},
                           {"title", experiment.title},
                           {"claim", experiment.claim},
                           {"task", experiment.task},
                           {"settings", std::move(settings)}});
  }
}

int list(const LabOptions& options) {
  if (!options.changes.empty())
    throw misuse("--set", "list runs no experiment; give the name of one instead");
  if (options.folder)
    throw misuse("--out", "list writes no file; give the name of an experiment instead");
  if (!options.refusedByList.empty())
    throw misuse(options.refusedByList.front(),
                 "list runs no experiment; give the name of one instead");
  if (options.json) {
    listJson(options);
    return 0;
  }
  for (const Experiment& experiment : backend().experiments()) {
    std::cout << experiment.name << ": " << experiment.title << "\n  "
              << wrapped(experiment.claim, 2) << '\n';
    if (!experiment.task.empty())
      std::cout << "  " << wrapped(experiment.task, 2) << '\n';
    for (const LabSetting& setting : experiment.settings)
      std::cout << "    " << setting.name << " = "
                << toText(options.paper ? setting.paper : setting.quick) << "  ("
                << setting.meaning << ")\n";
  }
  return 0;
}

std::optional<std::filesystem::path> fileOf(const Experiment& experiment,
                                            const LabOptions& options) {
  if (!options.folder || options.streams()) return std::nullopt;
  return std::filesystem::path(*options.folder) / (experiment.name + ".json");
}

/// @throws Error if --out would rename a file that is not a result of the lab.
void requireReplaceable(const Experiment& experiment, const LabOptions& options) {
  if (const auto file = fileOf(experiment, options))
    requireOwnOrAbsent(*file, {"\"equipatch_lab\"", "a result of the lab"});
}

/// Warns if a model that the experiment loads needs more memory than is free.
void warnOfModel(const Experiment& experiment, const LabSettings& settings) {
  for (const LabSetting& setting : experiment.settings)
    if (setting.isModel)
      warnOfMemory({.folder = modelFolder(settings.text(setting.name)),
                    .dtype = dtypeOf(settings)});
}

void runOne(Foreground& foreground, const Experiment& experiment,
            const LabOptions& options) {
  const LabSettings settings = settingsOf(experiment, options);
  warnOfModel(experiment, settings);
  const auto kept = std::make_shared<KeptResult>(fileOf(experiment, options), foreground);
  const auto problem = foreground.run(backend().makeLabJob({.experiment = experiment.name,
                                                            .settings = settings,
                                                            .seed = options.seed,
                                                            .threads = options.threads},
                                                           kept),
                                      Reporting::Progress);
  try {
    writeResult(*kept, options);
  } catch (const Error& error) {
    if (!problem) throw;
    if (std::string_view(error.what()) == problem->what()) throw;  // the same error
    foreground.printLine(std::string("warning: the newest result could not be saved: ") +
                         error.what());
  }
  if (problem) throw *problem;
}

/// @throws CLI::ValidationError if options do not fit the chosen experiments.
std::vector<Experiment> chosenExperiments(const LabOptions& options) {
  const auto& all = backend().experiments();
  if (options.name == "all") {
    if (options.streams())
      throw misuse("--out", notToStandardOutput("a file for each experiment"));
    if (!options.changes.empty())
      throw misuse(
          "--set",
          "the experiments have different settings; give the name of one experiment "
          "instead of \"all\"");
    return all;
  }
  // `find` succeeds: NAME is one of kExperimentNames, and tst_backend checks that these
  // are the experiments' names.
  const Experiment& chosen = *std::ranges::find(all, options.name, &Experiment::name);
  settingsOf(chosen, options);  // throws if --set does not fit
  return {chosen};
}

int lab(const LabOptions& options) {
  if (options.name == "list") return list(options);
  const std::vector<Experiment> chosen = chosenExperiments(options);
  if (options.folder && !options.streams()) makeFolder(*options.folder);
  for (const Experiment& experiment : chosen) requireReplaceable(experiment, options);
  Foreground foreground;
  for (const Experiment& experiment : chosen) runOne(foreground, experiment, options);
  return 0;
}

}  // namespace

void addLab(CLI::App& program, Action& action) {
  const auto options = std::make_shared<LabOptions>();
  CLI::App* command =
      program.add_subcommand("lab", "Run the papers' experiments on small models");
  std::vector<std::string> names{"all", "list"};
  names.insert(names.end(), kExperimentNames.begin(), kExperimentNames.end());
  command
      ->add_option(
          "NAME", options->name,
          "an experiment, \"all\" to run every one, or \"list\" to describe them")
      ->required()
      ->check(CLI::IsMember(names))
      ->type_name("");
  auto* paper = command->add_flag("--paper", options->paper,
                                  "the papers' settings, which take longer");
  command->add_flag("--quick", options->quick, "at most half a minute each; the default")
      ->excludes(paper);
  command->add_option("--seed", options->seed, "seed of tasks, weights and training")
      ->transform(wholeNumber(0, std::numeric_limits<std::int64_t>::max()))
      ->capture_default_str()
      ->type_name("S");
  command->add_option("--set", options->changes, "change a setting that `list` names")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option(
          "--out", options->folder,
          "write DIR/NAME.json and rename an earlier one; - writes the result of "
          "one experiment to standard output")
      ->type_name("DIR");
  command
      ->add_option("--threads", options->threads,
                   "threads to compute with; more than one seldom helps, because "
                   "these models are small")
      ->transform(wholeNumber(1, 1024))
      ->capture_default_str()
      ->type_name("N");
  command->add_flag("--json", options->json,
                    "one JSON object per line, without the figures' numbers");
  command->callback([options, command, &action] {
    for (const char* each : {"--seed", "--threads"})
      if (command->count(each) > 0) options->refusedByList.emplace_back(each);
    action = [options] { return lab(*options); };
  });
}

}  // namespace equipatch::cli
