#include "core/run/run_origin.h"

#include <ATen/Parallel.h>
#include <torch/version.h>

#include "core/base/file_map.h"
#include "core/base/sha256.h"
#include "core/base/this_machine.h"
#include "core/checkpoint/checkpoint.h"
#include "core/run/session.h"

namespace equipatch {
namespace {

std::string instead(const std::string& what, const std::string& now,
                    const std::string& then) {
  return what + now + " instead of " + (then.empty() ? "an unknown one" : then);
}

std::vector<std::string> differentFiles(const Provenance& then, const Provenance& now) {
  std::vector<std::string> clauses;
  if (then.configSha256 != now.configSha256)
    clauses.emplace_back("config.json is another one");
  if (then.tensorFiles.size() != now.tensorFiles.size()) {
    clauses.push_back(instead("",
                              std::to_string(now.tensorFiles.size()) + " tensor files",
                              std::to_string(then.tensorFiles.size())));
    return clauses;
  }
  for (std::size_t index = 0; index < now.tensorFiles.size(); ++index)
    if (then.tensorFiles[index] != now.tensorFiles[index])
      clauses.push_back(now.tensorFiles[index].file + " has another header");
  return clauses;
}

}  // namespace

Provenance provenanceOf(const Session& session) {
  const Checkpoint& checkpoint = session.checkpoint();
  Provenance provenance{
      .program = EQUIPATCH_VERSION,
      .torch = TORCH_VERSION,
      .processor = processorName(),
      .threads = at::get_num_threads(),
      .startTime = utcNow(),
      .configSha256 = sha256(FileMap::open(checkpoint.folder() / "config.json")->bytes()),
      .tensorFiles = {}};
  for (const SafetensorsFile& file : checkpoint.files())
    provenance.tensorFiles.push_back(
        {file.path().filename().string(), sha256(file.header())});
  return provenance;
}

std::vector<std::string> differences(const Provenance& then, const Provenance& now) {
  std::vector<std::string> clauses = differentFiles(then, now);
  const auto compare = [&](const std::string& what, const std::string& before,
                           const std::string& after) {
    if (before != after) clauses.push_back(instead(what, after, before));
  };
  compare("Equipatch ", then.program, now.program);
  compare("libtorch ", then.torch, now.torch);
  compare("the processor is ", then.processor, now.processor);
  compare("the number of threads is ", std::to_string(then.threads),
          std::to_string(now.threads));
  return clauses;
}

}  // namespace equipatch
