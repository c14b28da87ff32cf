// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/catalogue_job.h"

#include <utility>

#include "core/work/control.h"

namespace equipatch {
namespace {

class CatalogueJob final : public Job {
 public:
  CatalogueJob(std::filesystem::path folder, std::shared_ptr<CatalogueSink> sink)
      : m_folder(std::move(folder)), m_sink(std::move(sink)) {}

  std::string name() const override { return "List recorded runs"; }
  void run(Control& control) override {
    m_sink->catalogueRead(std::make_shared<const std::vector<CatalogueRun>>(
        readCatalogue(m_folder, control)));
  }

 private:
  std::filesystem::path m_folder;
  std::shared_ptr<CatalogueSink> m_sink;
};

class LabelJob final : public Job {
 public:
  LabelJob(std::filesystem::path file, LabelChange change,
           std::shared_ptr<CatalogueSink> sink)
      : m_file(std::move(file)), m_change(std::move(change)), m_sink(std::move(sink)) {}

  std::string name() const override { return "Save name, tags and notes"; }
  void run(Control&) override {
    try {
      changeLabels(m_file, m_change);
    } catch (const Error& error) {
      return m_sink->labelsRefused(m_file, error);
    }
    m_sink->labelsSaved(std::make_shared<const CatalogueRun>(readCatalogueRun(m_file)));
  }

 private:
  std::filesystem::path m_file;
  LabelChange m_change;
  std::shared_ptr<CatalogueSink> m_sink;
};

}  // namespace

std::unique_ptr<Job> makeCatalogueJob(std::filesystem::path folder,
                                      std::shared_ptr<CatalogueSink> sink) {
  return std::make_unique<CatalogueJob>(std::move(folder), std::move(sink));
}

std::unique_ptr<Job> makeLabelJob(std::filesystem::path file, LabelChange change,
                                  std::shared_ptr<CatalogueSink> sink) {
  return std::make_unique<LabelJob>(std::move(file), std::move(change), std::move(sink));
}

}  // namespace equipatch
