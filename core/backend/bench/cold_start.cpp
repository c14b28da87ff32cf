#include "core/backend/bench/cold_start.h"

#include <fstream>
#include <map>
#include <vector>

#include "core/backend/bench/steps.h"
#include "core/backend/torch_session.h"
#include "core/base/error.h"
#include "core/base/page_cache.h"
#include "core/checkpoint/safetensors_writer.h"

namespace equipatch {
namespace {

/// Every stored tensor once: several weights may be parts of the same.
void writeWeights(const Checkpoint& checkpoint, const std::filesystem::path& path) {
  std::map<std::string, const TensorView*> tensors;
  for (const auto& [name, weight] : checkpoint.weights())
    tensors.emplace(weight.name, &weight.stored);
  std::vector<TensorPlan> plan;
  for (const auto& [name, view] : tensors)
    plan.push_back({name, view->dtype, view->shape});
  SafetensorsWriter writer(path, plan);
  for (const auto& [name, view] : tensors) writer.append(name, view->bytes);
  writer.finish();
}

}  // namespace

ColdStart::ColdStart(const Session& session, const std::filesystem::path& place)
    : m_folder(place), m_request{.folder = m_folder.path(), .dtype = session.dtype()} {
  std::filesystem::copy_file(session.folder() / "config.json",
                             m_folder.path() / "config.json");
  writeWeights(session.checkpoint(), weights());
}

void ColdStart::cool() const {
  dropCachedPages(weights());
}

void ColdStart::readFile() const {
  std::vector<char> piece(std::size_t{8} << 20);
  std::ifstream file(weights(), std::ios::binary);
  while (file.read(piece.data(), std::ssize(piece)) || file.gcount() > 0) continue;
  if (!file.eof()) throw badInput(weights().string() + ": cannot be read to its end");
}

void ColdStart::firstStep() const {
  SilentProgress silent;
  const auto session = Session::open(m_request, silent);
  PlainDecoder(transformerOf(*session), {TokenId(0)}, 1).step();
}

}  // namespace equipatch
