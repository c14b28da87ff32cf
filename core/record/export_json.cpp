#include "core/record/export_json.h"

#include <nlohmann/json.hpp>

#include "core/record/export_columns.h"
#include "core/record/output_file.h"
#include "core/record/step_json.h"

namespace equipatch {
namespace {

using Object = nlohmann::ordered_json;

std::string text(const Object& object) {
  std::string line = jsonLine(object);
  line.pop_back();
  return line;
}

}  // namespace

Object runSettings(const RunHeader& header) {
  Object object = Object::object();
  const ExportRow row = runRow(header);
  for (std::size_t index = 0; index < row.names.size(); ++index)
    std::visit([&](const auto& cell) { object[row.names[index]] = cell; },
               row.cells[index]);
  return object;
}

void exportJson(const StoredRun& run, const std::filesystem::path& path) {
  OutputFile file(path);
  std::vector<std::int64_t> ids;
  for (const Token& token : run.header->request.prompt) ids.push_back(token.id.value);
  file << "{\"run\": " + text(runSettings(*run.header))
       << ",\n\"prompt_ids\": " + text(Object(ids)) << ",\n\"steps\": [";
  const RunRequest& request = run.header->request;
  NoiseFloor floor;
  for (const auto& step : run.steps) {
    Object object = toJson(*step, LayerDetail::Include);
    floor.include(*step);
    if (request.measureNoise) addVerdict(object, judge(*step, floor, request.strength));
    file << (step == run.steps.front() ? "\n" : ",\n") << text(object);
  }
  Object summary = toJson(summarise(run.steps), request);
  if (request.measureNoise)
    addVerdicts(summary["summary"], countVerdicts(run.steps, floor, request.strength));
  file << "],\n\"summary\": " + text(summary["summary"]) << "}\n";
  file.finish();
}

}  // namespace equipatch
