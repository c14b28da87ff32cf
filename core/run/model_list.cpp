// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/model_list.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/base/machine.h"
#include "core/checkpoint/model_cache.h"
#include "core/checkpoint/model_folders.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

class ModelListJob final : public Job {
 public:
  ModelListJob(std::function<ModelPlaces()> places, std::shared_ptr<ParityBook> parity,
               std::shared_ptr<ModelListSink> sink)
      : m_places(std::move(places)),
        m_parity(std::move(parity)),
        m_sink(std::move(sink)) {}

  std::string name() const override { return "List models"; }

  void run(Control& control) override {
    ModelList list{.models = {}, .freeBytes = availableMemory()};
    for (CachedModel& model : listModels(m_places(), control)) {
      const ParityBadge known = m_parity->known(model.entry.architecture);
      list.models.push_back({model.origin, std::move(model.entry), known});
    }
    m_sink->modelsListed(std::make_shared<const ModelList>(list));
    for (ListedModel& model : list.models) {
      control.throwIfStopped();
      if (!model.entry.loadable()) continue;
      control.report(1.0, "Checking " + model.entry.architecture);
      SilentUnlessStopped quiet(control);
      model.parity = m_parity->badge(model.entry.architecture, quiet);
    }
    m_sink->modelsListed(std::make_shared<const ModelList>(std::move(list)));
  }

 private:
  /// Drops the parity checks' own progress reports, but passes stop requests on.
  class SilentUnlessStopped final : public Progress {
   public:
    explicit SilentUnlessStopped(const Progress& outer) : m_outer(outer) {}
    void report(double, std::string_view) override {}
    bool stopRequested() const override { return m_outer.stopRequested(); }

   private:
    const Progress& m_outer;
  };

  std::function<ModelPlaces()> m_places;
  std::shared_ptr<ParityBook> m_parity;
  std::shared_ptr<ModelListSink> m_sink;
};

}  // namespace

std::filesystem::path modelFolder(const std::string& word) {
  return resolveModel(word, ModelPlaces::ofThisUser());
}

std::string nameOf(const std::filesystem::path& folder) {
  return modelName(folder);
}

void rememberModel(const std::filesystem::path& folder) {
  ModelPlaces places = ModelPlaces::ofThisUser();
  places.used.clear();
  const std::vector<ModelPlace> listed = findModels(places);
  std::error_code ignored;
  const bool isListed =
      std::any_of(listed.begin(), listed.end(), [&](const ModelPlace& place) {
        return std::filesystem::equivalent(place.folder, folder, ignored);
      });
  if (!isListed) UsedFolders().add(folder);
}

bool forgetModel(const std::filesystem::path& folder) {
  return UsedFolders().forget(folder);
}

std::unique_ptr<Job> makeModelListJob(std::function<ModelPlaces()> places,
                                      std::shared_ptr<ParityBook> parity,
                                      std::shared_ptr<ModelListSink> sink) {
  return std::make_unique<ModelListJob>(std::move(places), std::move(parity),
                                        std::move(sink));
}

}  // namespace equipatch
