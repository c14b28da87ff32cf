// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/save_patched.h"

#include <iostream>

#include "app/cli/options.h"
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/record/export/output_file.h"
#include "core/record/export/patched_note.h"
#include "core/record/sweep/sweep_script.h"
#include "core/run/backend.h"
#include "core/run/export_job.h"

namespace equipatch::cli {

namespace {

void save(const PatchToSave& toSave, PatchedCheckpoint patched) {
  patched.dtype = toSave.session.dtype();
  try {
    toSave.foreground.runTask("Save the checkpoint", [&](Progress& progress) {
      backend().savePatched(patched, toSave.folder, progress);
    });
  } catch (const Error& error) {
    throw error.within("the checkpoint in " + toSave.folder.string() + " is incomplete");
  }
}

/// Runs the tokens through the saved checkpoint without their context. Prints how far its
/// predictions differ from those of the contextual pass, and a command that repeats this.
void report(const PatchToSave& toSave, const std::vector<ExpectedToken>& expected,
            const std::vector<PatchedToken>& tokens) {
  const std::filesystem::path& folder = toSave.folder;
  SavedCheck check;
  toSave.foreground.runTask("Load the checkpoint", [&](Progress& progress) {
    check = checkSaved(toSave.session, folder, expected, progress);
  });
  std::cerr << folder.string() << ": a checkpoint with the patched weights, "
            << torchName(toSave.session.dtype()) << ". " << sentenceOf(check, expected)
            << ". " << leadOfCommand(tokens) << ": "
            << commandForPatched(shellWord(folder.string()), tokens,
                                 toSave.session.computesFloat32())
            << '\n';
}

}  // namespace

void SavePatchedOptions::addTo(CLI::App& command) {
  auto* save =
      command
          .add_option("--save-patched", folder,
                      "write a whole checkpoint whose weights contain the patch of "
                      "--step (or of --exact-for), into this new folder")
          ->check(noStream("a checkpoint, which is a folder,"))
          ->type_name("DIR");
  command.add_option("--step", step, "with --save-patched: which step, from 0")
      ->transform(wholeNumber(0, std::int64_t(1) << 32))
      ->needs(save)
      ->type_name("K");
}

void SavePatchedOptions::check() const {
  if (folder && !step)
    throw misuse("--save-patched", "say which step's weights: --step K");
}

void SavePatchedOptions::prepare(const RunRequest& request,
                                 const Session& session) const {
  if (!folder) return;
  if (*step >= request.steps)
    throw misuse("--step", "the run has steps 0 to " + std::to_string(request.steps - 1));
  requireStorablePatch(request);
  requireStorable(session.checkpoint(), session.dtype(), *folder);
  makeCheckpointFolder(*folder);
}

void StepKeeper::runStarted(std::shared_ptr<const RunHeader> header) {
  m_header = std::move(header);
  if (m_forwarded == FactorDetail::Include) return m_next->runStarted(m_header);
  RunHeader light = *m_header;
  light.request.keepFactors = false;
  m_next->runStarted(std::make_shared<const RunHeader>(std::move(light)));
}

void StepKeeper::stepTaken(std::shared_ptr<const StepRecord> record) {
  ++m_steps;
  if (record->step == m_step) m_kept = record;
  if (m_forwarded == FactorDetail::Include) return m_next->stepTaken(std::move(record));
  StepRecord light = *record;
  light.factors = {};
  m_next->stepTaken(std::make_shared<const StepRecord>(std::move(light)));
}

void savePatchedStep(const PatchToSave& toSave, const StepKeeper& keeper) {
  const StepRecord* step = keeper.kept();
  if (!step)
    throw badInput("the run ended after " + countText(keeper.steps(), "step") +
                   ", so there is no step " + std::to_string(keeper.step().value) +
                   " whose patch could be saved; the folder " + toSave.folder.string() +
                   " is empty");
  save(toSave, {.original = toSave.session.checkpoint(),
                .factors = *step->factors,
                .firstPosition = step->position.value,
                .note = patchedCheckpointReadme(toSave.header, *step)});
  report(toSave, {{step->x, step->contextual}}, {{step->x, step->token}});
}

void savePatchedTokens(const PatchToSave& toSave, const SharedPatchRecord& record) {
  std::vector<ExpectedToken> expected;
  for (const SharedTokenRecord& token : record.tokens)
    expected.push_back({token.x, {token.contextual}});
  save(toSave, {.original = toSave.session.checkpoint(),
                .factors = record.factors,
                .firstPosition = record.tokens.front().position.value,
                .tokens = static_cast<std::int64_t>(record.tokens.size()),
                .note = patchedCheckpointReadme(toSave.header, record)});
  report(toSave, expected, patchedTokensOf(record));
}

}  // namespace equipatch::cli
