#pragma once

#include <filesystem>
#include <memory>

#include "core/record/run_record.h"
#include "core/run/session.h"
#include "core/work/job.h"

namespace equipatch {

class RunRecorder;

/// A comparison run that is recorded: `recorder` is its sink, and the file says how it
/// ended. A step that the disk refuses holds the run until it is told to go on; the step
/// is written then.
std::unique_ptr<Job> makeRecordedRunJob(std::shared_ptr<const Session> session,
                                        RunRequest request,
                                        std::shared_ptr<RunRecorder> recorder);

/// Reads a run file and tells `sink` of it as of a run that is computed. Where the file
/// is damaged, the job fails after the steps before.
std::unique_ptr<Job> makeOpenRunJob(std::filesystem::path path,
                                    std::shared_ptr<RunSink> sink);

}  // namespace equipatch
