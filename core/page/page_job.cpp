// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/page_job.h"

#include <string>
#include <utility>

#include "core/page/run_page.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

class PageJob final : public Job {
 public:
  PageJob(std::vector<PageSource> runs, std::filesystem::path target)
      : m_runs(std::move(runs)), m_target(std::move(target)) {}

  std::string name() const override { return "Write " + m_target.string(); }

  void run(Control& control) override {
    constexpr double kReading = 0.2;
    const auto count = double(m_runs.size());
    std::vector<PageRun> pages;
    for (PageSource& source : m_runs) {
      const double read = kReading * double(pages.size()) / count;
      PartialProgress reading(control, read, read + kReading / count);
      pages.push_back(pageRunOf(std::move(source.run), source.ending, reading));
      pages.back().isRecording = source.isRecording;
    }
    PartialProgress writing(control, kReading, 1.0);
    exportPage(pages, m_target, writing);
    control.setComplete();
  }

 private:
  std::vector<PageSource> m_runs;
  std::filesystem::path m_target;
};

}  // namespace

std::unique_ptr<Job> makePageJob(std::vector<PageSource> runs,
                                 std::filesystem::path target) {
  return std::make_unique<PageJob>(std::move(runs), std::move(target));
}

}  // namespace equipatch
