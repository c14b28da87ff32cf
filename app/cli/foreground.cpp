#include "app/cli/foreground.h"

#include <iostream>
#include <utility>

#include "core/patch/planner.h"
#include "core/run/memory_shortage.h"
#include "core/run/model_list.h"
#include "core/work/control.h"

namespace equipatch::cli {

namespace {

class Task final : public Job {
 public:
  Task(std::string name, const std::function<void(Progress&)>& work)
      : m_name(std::move(name)), m_work(work) {}

  std::string name() const override { return m_name; }
  void run(Control& control) override { m_work(control); }

 private:
  std::string m_name;
  const std::function<void(Progress&)>& m_work;
};

}  // namespace

std::optional<Error> Foreground::run(std::unique_ptr<Job> job, Telling telling) {
  m_problem.reset();
  m_telling = telling;
  m_worker.run(std::move(job));
  m_line.clear();
  return m_problem;
}

void Foreground::perform(const std::string& name,
                         const std::function<void(Progress&)>& work) {
  if (const auto problem = run(std::make_unique<Task>(name, work), Telling::Progress))
    throw *problem;
}

std::shared_ptr<const Session> Foreground::open(const SessionRequest& request) {
  warnOfMemory(request);
  std::shared_ptr<const Session> session;
  perform("Load " + request.folder.filename().string(),
          [&](Progress& progress) { session = Session::open(request, progress); });
  rememberModel(session->folder());
  return session;
}

void Foreground::say(const std::string& line) {
  m_line.clear();
  std::cerr << line << std::endl;
}

void Foreground::jobProgressed(Generation, double fraction, const std::string& label) {
  if (m_telling == Telling::Progress) m_line.show(fraction, label);
}

void Foreground::jobCancelled(Generation) {
  m_problem = Error(ErrorKind::Cancelled, "stopped on request");
}

void Foreground::jobFailed(Generation, const Error& error) {
  m_problem = error;
}

void warnOfMemory(const SessionRequest& request) {
  if (const auto shortage = findShortage(request))
    std::cerr << "warning: " << shortage->sentence << std::endl;
}

void noteEqualMethods(const ModelSpec& spec) {
  if (!planPatch(spec).methodsDiffer())
    std::cerr << "note: all methods come to the same in this model, whose blocks close "
                 "without a scale that they could treat differently"
              << std::endl;
}

}  // namespace equipatch::cli
