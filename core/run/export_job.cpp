// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/export_job.h"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/base/progress.h"
#include "core/base/strings.h"
#include "core/record/export/export_json.h"
#include "core/record/export/export_latex.h"
#include "core/record/export/export_run.h"
#include "core/record/export/export_table.h"
#include "core/record/export/patched_note.h"
#include "core/run/backend.h"
#include "core/run/prompt_images.h"
#include "core/run/rerun.h"
#include "core/run/run_origin.h"
#include "core/work/control.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

StoredRun readWhole(const fs::path& file, Progress& progress) {
  StoredRun run = readRun(file, progress);
  if (!run.damage.empty()) throw badInput(file.string() + ": " + run.damage);
  return run;
}

/// The tokens may come from a damaged run file.
void requireKnownTokens(const std::vector<ExpectedToken>& expected,
                        const ModelSpec& spec) {
  const auto require = [&](TokenId id) {
    if (id.value < 0 || id.value >= spec.vocabulary)
      throw badInput("the recorded step names token " + std::to_string(id.value) +
                     ", but the model's vocabulary has " +
                     std::to_string(spec.vocabulary) +
                     " tokens; the run file is damaged or another model's");
  };
  for (const ExpectedToken& token : expected) {
    if (token.contextual.empty())
      throw badInput(
          "the recorded step lacks the contextual pass's predictions; the run file is "
          "damaged");
    require(token.x);
    for (const Choice& choice : token.contextual) require(choice.id);
  }
}

struct PatchedStep {
  std::shared_ptr<const StepRecord> record;  ///< with `factors`
  std::string note;  ///< how a recomputed step differs from its record; empty: not at all
};

class ExportJob final : public Job {
 public:
  ExportJob(std::shared_ptr<const Session> session, ExportRequest request,
            std::shared_ptr<ExportSink> sink)
      : m_session(std::move(session)),
        m_request(std::move(request)),
        m_sink(std::move(sink)) {}

  std::string name() const override { return "Export " + m_request.file.string(); }

  void run(Control& control) override {
    control.report(0.0, "Reading the run");
    m_sink->exported(written(control));
  }

 private:
  std::string written(Control& control) {
    const fs::path& target = m_request.target;
    switch (m_request.form) {
      case RunForm::Csv:
        return writtenTables(control);
      case RunForm::Json:
        requireOwnOrAbsent(target, ownFileOf(RunForm::Json));
        exportJson(readWhole(m_request.file, control), target);
        return "Wrote " + target.string() + ".";
      case RunForm::Npz:
        requireOwnOrAbsent(target, ownFileOf(RunForm::Npz));
        exportNpz(readWhole(m_request.file, control), target);
        return "Wrote " + target.string() + ".";
      case RunForm::Latex:
        exportLatex(namedRuns(control), target);
        return "Wrote " + target.string() + ".";
      case RunForm::Adapter:
        return writtenAdapter(control);
      case RunForm::Checkpoint:
        break;
    }
    return writtenCheckpoint(control);
  }

  std::string writtenTables(Control& control) {
    requireOwnTables(m_request.target);
    std::string what;
    if (m_request.runs.empty()) {
      const StoredRun run = readWhole(m_request.file, control);
      exportCsv(run, m_request.target);
      what = countText(run.steps.size(), "step");
    } else {
      exportCsv(namedRuns(control), m_request.target);
      what = countText(m_request.runs.size(), "run");
    }
    return "Wrote the tables of " + what + " into the folder " +
           m_request.target.string() + ".";
  }

  std::vector<NamedRun> namedRuns(Control& control) const {
    std::vector<NamedRunFile> files = m_request.runs;
    if (files.empty()) files.push_back({m_request.file.stem().string(), m_request.file});
    std::vector<NamedRun> runs;
    for (const NamedRunFile& run : files) {
      control.throwIfStopped();
      auto part = PartialProgress::ofItem(control, runs.size(), files.size());
      runs.push_back({run.name, readWhole(run.file, part), run.file.filename().string()});
    }
    control.report(1.0, "Writing the tables");
    return runs;
  }

  std::string writtenAdapter(Control& control) {
    requireOwnAdapter(m_request.target);
    const RunFile file(m_request.file);
    if (needsModel(RunForm::Adapter, *file.header())) requireSameWeights(*file.header());
    const PatchedStep step = patchedStep(file, control);
    exportPeft(*file.header(), *step.record, m_request.target);
    return "Wrote the patch of step " + std::to_string(m_request.step.value) +
           " as a LoRA adapter into the folder " + m_request.target.string() + "." +
           step.note;
  }

  std::string writtenCheckpoint(Control& control) {
    const RunFile file(m_request.file);
    requireStorablePatch(file.header()->request);
    requireSameWeights(*file.header());
    requireStorable(m_session->checkpoint(), m_session->dtype(), m_request.target);
    makeCheckpointFolder(m_request.target);
    PartialProgress computing(control, 0.0, 0.3), writing(control, 0.3, 0.9),
        checking(control, 0.9, 1.0);
    const PatchedStep step = patchedStep(file, computing);
    const StepRecord& record = *step.record;
    const std::vector<ExpectedToken> expected{{record.x, record.contextual}};
    requireKnownTokens(expected, m_session->spec());
    try {
      backend().savePatched({.original = m_session->checkpoint(),
                             .factors = *record.factors,
                             .dtype = m_session->dtype(),
                             .firstPosition = record.position.value,
                             .note = patchedCheckpointReadme(*file.header(), record)},
                            m_request.target, writing);
    } catch (const Error& error) {
      throw error.within("the checkpoint in " + m_request.target.string() +
                         " is incomplete");
    }
    const SavedCheck check = checkSaved(*m_session, m_request.target, expected, checking);
    return "Wrote a checkpoint with the patched weights of step " +
           std::to_string(m_request.step.value) + " into " + m_request.target.string() +
           ". " + sentenceOf(check, expected) + "." + step.note;
  }

  /// A patch fits only the weights from which it was computed.
  void requireSameWeights(const RunHeader& header) const {
    const std::vector<std::string> others =
        differentWeights(header.provenance, provenanceOf(*m_session));
    if (!others.empty())
      throw badInput(m_request.file.string() +
                     ": the run's patch belongs to other weights than the model's: " +
                     others.front() + "; load the weights that the run had");
  }

  PatchedStep patchedStep(const RunFile& file, Progress& progress) const {
    const RunHeader& header = *file.header();
    if (header.request.keepFactors) return {stepWithFactors(file, m_request.step), {}};
    const auto recorded = file.step(m_request.step, FactorDetail::Omit);
    const auto again = computedAgain(file, progress);
    if (sameResults(*recorded, *again)) return {again, {}};
    return {again, " The step was computed again; it has " +
                       differenceInWords(*recorded, *again) + "."};
  }

  std::shared_ptr<const StepRecord> computedAgain(const RunFile& file,
                                                  Progress& progress) const {
    RunRequest request = file.header()->request;
    request.images = withPictures(request.images, {});
    request.keepFactors = true;
    std::vector<TokenId> tokens;
    for (StepIndex step(0); step.value < m_request.step.value; ++step.value)
      tokens.push_back(file.step(step, FactorDetail::Omit)->continued);
    const auto comparison = backend().makeComparison(m_session, std::move(request));
    comparison->prefill(progress);
    comparison->resume(tokens, progress);
    if (comparison->done())
      throw badInput(m_request.file.string() + " is damaged: it has step " +
                     std::to_string(m_request.step.value) +
                     ", but its run ends before that step");
    return comparison->step(progress);
  }

  std::shared_ptr<const Session> m_session;
  ExportRequest m_request;
  std::shared_ptr<ExportSink> m_sink;
};

}  // namespace

bool needsModel(RunForm form, const RunHeader& header) {
  return form == RunForm::Checkpoint ||
         (form == RunForm::Adapter && !header.request.keepFactors);
}

OwnFile ownFileOf(RunForm form) {
  if (form == RunForm::Latex) return kLatexTable;
  return form == RunForm::Json ? OwnFile{"{\"run\": {", "a run's JSON"}
                               : OwnFile{"step.npy", "a run's arrays"};
}

std::uintmax_t patchedCheckpointBytes(const Checkpoint& original, DType dtype) {
  std::uintmax_t bytes = 0;
  for (const SafetensorsFile& file : original.files())
    for (const auto& [name, view] : file.tensors())
      bytes += std::uintmax_t(view.elements()) *
               byteSize(isFloating(view.dtype) ? dtype : view.dtype);
  constexpr std::uintmax_t kCompanions = std::uintmax_t{32} << 20;  // a large tokenizer
  return bytes + kCompanions;
}

std::optional<std::uintmax_t> freeBytesAt(const fs::path& path) {
  std::error_code failure;
  for (fs::path place = fs::absolute(path, failure); !place.empty();
       place = place.parent_path()) {
    const fs::space_info space = fs::space(place, failure);
    if (!failure) return space.available;
    if (place == place.parent_path()) break;
  }
  return std::nullopt;
}

void requireStorable(const Checkpoint& original, DType dtype, const fs::path& folder) {
  // Only expert matrices are stored in MXFP4, and every patch changes them.
  for (const auto& [name, weight] : original.weights())
    if (weight.scales)
      throw unsupported("the checkpoint holds " + inQuotes(weight.name) +
                        " in MXFP4, which cannot hold a patch; write the patched "
                        "weights from a bfloat16 checkpoint of the model");
  const std::uintmax_t need = patchedCheckpointBytes(original, dtype);
  const auto room = freeBytesAt(folder);
  if (room && need > *room)
    throw Error(ErrorKind::Resource,
                folder.string() + ": the checkpoint needs " +
                    bytesText(std::int64_t(need)) + ", but the disk has " +
                    bytesText(std::int64_t(*room)) +
                    " free; free some space or choose another place");
}

void requireStorablePatch(const RunRequest& request) {
  if (!request.absorbed.whole())
    throw badInput(
        "a patched checkpoint needs the whole context absorbed: each kept token runs "
        "with a different patch, and one checkpoint cannot hold them all");
  if (!request.strength.whole())
    throw badInput(
        "a patched checkpoint holds the whole patch, but this run scales its patch "
        "or leaves layers out");
}

std::string sentenceOf(const SavedCheck& check,
                       const std::vector<ExpectedToken>& expected) {
  std::string sentence = "Loaded again and given ";
  if (expected.size() == 1)
    sentence += "token " + std::to_string(expected.front().x.value) +
                " alone, it predicts " +
                (check.matches == 1 ? "the contextual pass's token"
                                    : "another token than the contextual pass");
  else
    sentence += "the " + std::to_string(expected.size()) +
                " tokens without their context, it predicts the contextual pass's token "
                "after " +
                std::to_string(check.matches) + " of them";
  return sentence + "; the logits of that pass's candidates differ by at most " +
         shortText(check.largest, 3) + " in float32";
}

SavedCheck checkSaved(const Session& like, const fs::path& folder,
                      const std::vector<ExpectedToken>& expected, Progress& progress) {
  requireKnownTokens(expected, like.spec());
  PartialProgress loading(progress, 0.0, 0.9), computing(progress, 0.9, 1.0);
  const auto loaded = Session::open({.folder = folder,
                                     .dtype = like.dtype(),
                                     .device = like.device(),
                                     .computeFloat32 = like.computesFloat32(),
                                     .place = like.weightPlace()},
                                    loading);
  std::vector<TokenId> ids;
  for (const ExpectedToken& token : expected) ids.push_back(token.x);
  const NamedTensor logits =
      backend()
          .computeLogits(*loaded, ids, SiteCapture::LogitsOnly, {}, computing)
          .front();
  const std::int64_t vocabulary = logits.shape.back();
  SavedCheck check;
  for (std::size_t row = 0; row < expected.size(); ++row) {
    const float* own = logits.values.data() + std::int64_t(row) * vocabulary;
    for (const Choice& choice : expected[row].contextual) {
      const double logit = static_cast<float>(choice.logit);
      check.largest =
          std::max(check.largest, std::abs(logit - double(own[choice.id.value])));
    }
    // Rounded logits may tie: several candidates are then most likely.
    const TokenId best(std::max_element(own, own + vocabulary) - own);
    const double most = expected[row].contextual.front().logit;
    if (std::ranges::any_of(expected[row].contextual, [&](const Choice& choice) {
          return choice.id == best && choice.logit == most;
        }))
      ++check.matches;
  }
  return check;
}

std::unique_ptr<Job> makeExportJob(std::shared_ptr<const Session> session,
                                   ExportRequest request,
                                   std::shared_ptr<ExportSink> sink) {
  return std::make_unique<ExportJob>(std::move(session), std::move(request),
                                     std::move(sink));
}

}  // namespace equipatch
