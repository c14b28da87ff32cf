// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/parity.h"

#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/foreground.h"
#include "app/cli/options.h"
#include "app/cli/printable.h"
#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/record/export/export_json.h"
#include "core/run/backend.h"
#include "core/work/control.h"

namespace equipatch::cli {

namespace {

struct ParityOptions {
  std::vector<std::string> folders;
  std::int64_t steps = 64;
  bool json = false;
  bool markdown = false;
};

/// The measurements of one golden folder.
struct ParityRow {
  GoldenResult golden;
  PatchResult inFloat32;
  PatchResult inFloat64;
  PatchResult inBfloat16;

  bool passed() const {
    return golden.equal() && inFloat32.passes() && inFloat64.passes() &&
           inBfloat16.passes();
  }
};

class ParityJob final : public Job {
 public:
  ParityJob(std::filesystem::path folder, std::int64_t steps, ParityRow& row)
      : m_folder(std::move(folder)), m_steps(steps), m_row(row) {}

  std::string name() const override { return "Check " + m_folder.filename().string(); }
  void run(Control& control) override {
    m_row.golden = backend().checkGolden(m_folder, control);
    m_row.inFloat32 = backend().checkPatch({m_folder, DType::F32, m_steps}, control);
    m_row.inFloat64 = backend().checkPatch({m_folder, DType::F64, m_steps}, control);
    m_row.inBfloat16 = backend().checkPatch({m_folder, DType::BF16, m_steps}, control);
  }

 private:
  std::filesystem::path m_folder;
  std::int64_t m_steps;
  ParityRow& m_row;
};

std::string number(double value) {
  return scientificText(value, 1);
}

std::string greedyText(const GoldenResult& result) {
  if (!result.greedy) return "none";
  return *result.greedy ? "equal" : "✗";
}

/// Null if the reference has no greedy tokens.
nlohmann::ordered_json greedyJson(const GoldenResult& result) {
  return result.greedy ? nlohmann::ordered_json(*result.greedy) : nullptr;
}

std::string matchesText(const PatchResult& result) {
  return std::to_string(result.matches) + "/" + std::to_string(result.steps);
}

std::vector<std::string> cellsOf(const ParityRow& row) {
  return {row.golden.architecture,     row.golden.name,
          number(row.golden.logits),   number(row.golden.hidden),
          number(row.golden.modules),  greedyText(row.golden),
          matchesText(row.inFloat32),  number(row.inFloat32.ratio()),
          matchesText(row.inFloat64),  number(row.inFloat64.ratio()),
          matchesText(row.inBfloat16), number(row.inBfloat16.floorShare()),
          row.passed() ? "✓" : "✗"};
}

class Printer {
 public:
  explicit Printer(const ParityOptions& options) : m_options(options) {}

  void head() const {
    if (m_options.json) return;
    if (m_options.markdown)
      std::cout << "| architecture | golden folder | logits | hidden states | modules | "
                   "greedy ids | float32: tokens | L∞/bare | float64: tokens | L∞/bare | "
                   "bfloat16: tokens | L∞/floor | "
                   "|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|\n";
    else
      std::cout << "                   difference from Hugging Face                   "
                   "float32             float64             bfloat16\n"
                   "folder             logits    hidden    modules   greedy    "
                   "tokens    L∞/bare   tokens    L∞/bare   "
                   "tokens    L∞/floor\n";
  }

  void failure(const std::filesystem::path& folder, const Error& problem) const {
    if (m_options.json)
      std::cout << jsonLine({{"folder", folder.filename().string()},
                             {"error", problem.what()},
                             {"passed", false}})
                << std::flush;
    std::cerr << "error: " << problem.what() << std::endl;
  }

  void row(const ParityRow& row) const {
    if (m_options.json)
      std::cout << jsonLine(json(row));
    else if (m_options.markdown)
      markdown(row);
    else
      table(row);
    std::cout.flush();
  }

 private:
  static nlohmann::ordered_json patchJson(const PatchResult& result) {
    return {{"steps", result.steps},
            {"matches", result.matches},
            {"linf_max", result.linf},
            {"bare_linf_median", result.bareLinf},
            {"ratio", result.ratio()}};
  }

  static nlohmann::ordered_json json(const ParityRow& row) {
    nlohmann::ordered_json bfloat16 = patchJson(row.inBfloat16);
    bfloat16["noise_floor"] = row.inBfloat16.floor;
    return {{"folder", row.golden.name},
            {"architecture", row.golden.architecture},
            {"logits", row.golden.logits},
            {"hidden", row.golden.hidden},
            {"modules", row.golden.modules},
            {"greedy_equal", greedyJson(row.golden)},
            {"float32", patchJson(row.inFloat32)},
            {"float64", patchJson(row.inFloat64)},
            {"bfloat16", bfloat16},
            {"passed", row.passed()}};
  }

  static void markdown(const ParityRow& row) {
    for (const std::string& cell : cellsOf(row)) std::cout << "| " << cell << ' ';
    std::cout << "|\n";
  }

  static void table(const ParityRow& row) {
    // The table leaves out the first cell, the architecture.
    constexpr std::array<std::size_t, 13> kWidths{0, 17, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 1};
    const auto cells = cellsOf(row);
    for (std::size_t column = 1; column < cells.size(); ++column)
      std::cout << printable(cells[column], kWidths[column])
                << (column + 1 < cells.size() ? "  " : "\n");
  }

  const ParityOptions& m_options;
};

int parity(const ParityOptions& options) {
  std::vector<std::filesystem::path> folders(options.folders.begin(),
                                             options.folders.end());
  for (std::filesystem::path& folder : folders)
    if (!folder.has_filename()) folder = folder.parent_path();  // "llama/" → "llama"
  if (folders.empty()) folders = goldenFolders();
  if (folders.empty())
    throw badInput(
        "no golden checkpoint comes with this program; give folders that hold "
        "config.json, weights and golden.safetensors");
  const Printer printer(options);
  printer.head();
  Foreground foreground;
  bool allPassed = true;
  for (const std::filesystem::path& folder : folders) {
    ParityRow row;
    const auto problem =
        foreground.run(std::make_unique<ParityJob>(folder, options.steps, row));
    if (problem && problem->kind() == ErrorKind::Cancelled) throw *problem;
    if (problem)
      printer.failure(folder, *problem);
    else
      printer.row(row);
    allPassed = allPassed && !problem && row.passed();
  }
  return allPassed ? 0 : 1;
}

}  // namespace

void addParity(CLI::App& program, Action& action) {
  const auto options = std::make_shared<ParityOptions>();
  CLI::App* command = program.add_subcommand(
      "parity", "Check this build against Hugging Face's results on tiny models");
  command
      ->add_option("FOLDER", options->folders,
                   "golden checkpoints, which come with Hugging Face's results; by "
                   "default those of the program")
      ->type_name("");
  command
      ->add_option("--steps", options->steps,
                   "tokens to generate and compare, at most the model's positions")
      ->transform(wholeNumber(1, std::int64_t{1} << 40))
      ->capture_default_str()
      ->type_name("N");
  auto* json = command->add_flag("--json", options->json, "one JSON object per line");
  command->add_flag("--markdown", options->markdown, "a table for docs/families.md")
      ->excludes(json);
  command->callback(
      [options, &action] { action = [options] { return parity(*options); }; });
}

}  // namespace equipatch::cli
