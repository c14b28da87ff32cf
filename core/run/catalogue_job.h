// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "core/base/error.h"
#include "core/record/run_catalogue.h"
#include "core/work/job.h"

namespace equipatch {

/// Receives results on the worker's thread; may only store or forward them.
class CatalogueSink {
 public:
  virtual ~CatalogueSink() = default;
  virtual void catalogueRead(std::shared_ptr<const std::vector<CatalogueRun>> runs) = 0;
  virtual void labelsSaved(std::shared_ptr<const CatalogueRun> run) = 0;
  virtual void labelsRefused(const std::filesystem::path& file, const Error& error) = 0;
};

/// Reads the run files of a folder and reports them by `catalogueRead`.
std::unique_ptr<Job> makeCatalogueJob(std::filesystem::path folder,
                                      std::shared_ptr<CatalogueSink> sink);

/// Saves changed labels in a run file, then reads the file again. Reports `labelsSaved`,
/// or `labelsRefused`. It ignores stop requests.
std::unique_ptr<Job> makeLabelJob(std::filesystem::path file, LabelChange change,
                                  std::shared_ptr<CatalogueSink> sink);

}  // namespace equipatch
