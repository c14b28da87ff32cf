// SPDX-License-Identifier: GPL-3.0-or-later
// Run files, as bytes and as databases changed by SQL.
#include <sqlite3.h>

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/paths.h"
#include "core/base/strings.h"
#include "core/figure/figure_json.h"
#include "core/figure/figure_kind.h"
#include "core/figure/run_names.h"
#include "core/figure/tex/figure_tex.h"
#include "core/page/run_page.h"
#include "core/record/absorbed_words.h"
#include "core/record/export/export_json.h"
#include "core/record/export/export_latex.h"
#include "core/record/export/export_run.h"
#include "core/record/export/export_table.h"
#include "core/record/export/patched_note.h"
#include "core/record/file/run_file.h"
#include "core/record/run_difference.h"
#include "core/record/verdict.h"
#include "core/run/rerun.h"
#include "tests/fuzz/harness.h"

namespace equipatch::fuzz {
namespace {

namespace fs = std::filesystem;

/// Overwrites the exports of the previous input.
void exportAll(const StoredRun& run, const RunFile& file) {
  const fs::path folder = scratchFolder() / "exports";
  fs::create_directories(folder);
  attempt([&] { exportCsv(run, folder); });
  attempt([&] { exportJson(run, folder / "run.json"); });
  attempt([&] {
    const NamedRun named{.name = run.header->modelName, .run = run, .file = "run.eqrun"};
    exportLatex({named, named}, folder / "run.tex");
  });
  attempt([&] { exportNpz(run, folder / "run.npz"); });
  attempt([&] { exportSafetensors(file, std::nullopt, folder / "run.safetensors"); });
  attempt([&] {
    const auto step = stepWithFactors(file, StepIndex(0));
    patchedCheckpointReadme(*run.header, *step);
    exportPeft(*run.header, *step, folder / "adapter");
  });
}

void showAll(const StoredRun& run) {
  if (run.steps.empty()) return;
  toJson(summarise(run.steps), *run.header);
  require(Json::accept(jsonLine(runSettings(*run.header))), "settings are JSON");
  NoiseFloor floor;
  for (const auto& step : run.steps) {
    floor.include(*step);
    requireSentence(judge(*step, floor, run.header->request.strength).sentence);
    require(Json::accept(jsonLine(toJson(*step, LayerDetail::Include))),
            "a step is JSON");
  }
  countVerdicts(run.steps, floor, run.header->request.strength);
  const PlacedRun placed{run.header.get(), &run.steps};
  const RunPair pair = pairOf(placed, placed);
  requireSentence(inWords(differenceOf(pair), pair));
  require(!absorbedWords(run.header->request).empty(), "the absorbed part has a name");
  if (const Choices& choices = run.steps.front()->contextual; !choices.empty())
    attempt([&] { branchedRequest(run.header->request, run.steps, choices.front()); });
  const std::vector<FigureRun> runs(
      2, FigureRun{precisionName(*run.header), run.header, run.steps});
  for (int kind = 0; kind < kFigureKinds; ++kind)
    attempt([&] {
      const Figure figure = makeFigure(static_cast<FigureKind>(kind), runs, {});
      require(Json::accept(figureJson(figure)), "a figure's values are JSON");
      figureTex(figure, {});
    });
}

void exerciseRun(const fs::path& path) {
  attempt([&] {
    const StoredRun run = readRun(path);
    if (!run.damage.empty()) requireSentence(run.damage);
    const RunFile file(path);
    attempt([&] { file.ending(); });
    for (const auto& step : run.steps)
      attempt([&] { file.step(step->step, FactorDetail::Include); });
    showAll(run);
    exportAll(run, file);
    attempt([&] {
      SilentProgress silent;
      const std::string page = runPage({readPageRun(path, silent)});
      require(firstInvalidUtf8(page) == std::string::npos, "a page is UTF-8");
    });
    const auto check = std::make_shared<RerunCheck>(run, nullptr);
    requireSentence(check->verdict());
  });
}

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
};
struct FreeMemory {
  void operator()(void* memory) const { sqlite3_free(memory); }
};
using Database = std::unique_ptr<sqlite3, CloseDatabase>;

/// The bytes of a run file in the seed corpus.
const std::string& untouchedRun(const std::string& name) {
  static std::map<std::string, std::string> runs;
  std::string& bytes = runs[name];
  if (bytes.empty())
    bytes = startOfFile(fuzzFolder() / "corpus/run_file" / name, std::size_t{1} << 20);
  require(!bytes.empty(), "the seed corpus has a run");
  return bytes;
}

/// Allows statements to change only this database.
int allow(void*, int action, const char* first, const char*, const char*, const char*) {
  if (action == SQLITE_ATTACH || action == SQLITE_DETACH) return SQLITE_DENY;
  const std::string_view name(first ? first : "");
  if (action == SQLITE_PRAGMA && name != "user_version" && name != "application_id")
    return SQLITE_DENY;
  return SQLITE_OK;
}

Database openCopy(const std::string& bytes) {
  sqlite3* opened = nullptr;
  sqlite3_open(":memory:", &opened);
  Database database(opened);
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  std::copy(bytes.begin(), bytes.end(), copy);
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  sqlite3_deserialize(database.get(), "main", copy, size, size,
                      SQLITE_DESERIALIZE_RESIZEABLE | SQLITE_DESERIALIZE_FREEONCLOSE);
  sqlite3_set_authorizer(database.get(), allow, nullptr);
  sqlite3_limit(database.get(), SQLITE_LIMIT_LENGTH, 1 << 20);
  sqlite3_progress_handler(
      database.get(), 100'000, [](void*) { return 1; }, nullptr);
  return database;
}

}  // namespace

void readRunFile(std::string_view input) {
  exerciseRun(scratchFile("bytes.eqrun", input));
}

/// Skips statements that SQLite refuses. The comment `-- image` chooses a run whose
/// prompt has an image.
void readRunStatements(std::string_view input) {
  const bool ofImage = input.find("-- image") != std::string_view::npos;
  const Database database =
      openCopy(untouchedRun(ofImage ? "image.eqrun" : "complete.eqrun"));
  while (!input.empty()) {
    const std::string line(input.substr(0, input.find('\n')));
    input.remove_prefix(std::min(line.size() + 1, input.size()));
    sqlite3_exec(database.get(), line.c_str(), nullptr, nullptr, nullptr);
  }
  sqlite3_int64 size = 0;
  const std::unique_ptr<unsigned char, FreeMemory> bytes(
      sqlite3_serialize(database.get(), "main", &size, 0));
  if (!bytes) return;
  exerciseRun(scratchFile("changed.eqrun", {reinterpret_cast<const char*>(bytes.get()),
                                            static_cast<std::size_t>(size)}));
}

}  // namespace equipatch::fuzz
