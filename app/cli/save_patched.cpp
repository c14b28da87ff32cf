// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/save_patched.h"

#include <iostream>

#include "app/cli/options.h"
#include "app/cli/printable.h"
#include "core/base/error.h"
#include "core/record/export/output_file.h"
#include "core/record/export/patched_note.h"
#include "core/record/sweep/sweep_script.h"
#include "core/run/backend.h"
#include "core/run/export_job.h"

namespace equipatch::cli {

namespace {

void save(const SavedPatch& saved, PatchedCheckpoint patched) {
  patched.dtype = saved.session.dtype();
  try {
    saved.foreground.runTask("Save the checkpoint", [&](Progress& progress) {
      backend().savePatched(patched, saved.folder, progress);
    });
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Cancelled) throw;
    throw Error(ErrorKind::Cancelled, "stopped on request; the checkpoint in " +
                                          saved.folder.string() + " is incomplete");
  }
}

/// Runs the tokens through the saved checkpoint without their context, and prints how far
/// its predictions differ from those of the contextual pass.
void report(const SavedPatch& saved, const std::vector<ExpectedToken>& expected) {
  const std::filesystem::path& folder = saved.folder;
  SavedCheck check;
  saved.foreground.runTask("Load the checkpoint", [&](Progress& progress) {
    check = checkSaved(saved.session, folder, expected, progress);
  });
  std::cerr << folder.string() << ": a checkpoint with the patched weights, "
            << torchName(saved.session.dtype()) << ". Loaded again and given "
            << (expected.size() == 1
                    ? "token " + std::to_string(expected.front().x.value) + " alone"
                    : "the " + std::to_string(expected.size()) +
                          " tokens without their context")
            << ", it predicts the contextual pass's token in " << check.matches << " of "
            << countText(expected.size(), "step")
            << "; the logits of the recorded candidates differ by at most "
            << numberText(check.largest, 0)
            << ". See for yourself: equipatch-cli compare --model "
            << shellWord(folder.string()) << " --ids " << expected.front().x.value
            << '\n';
}

}  // namespace

CLI::Option* SavePatchedOptions::addTo(CLI::App& command) {
  auto* save =
      command
          .add_option("--save-patched", folder,
                      "write a whole checkpoint whose weights contain the patch of "
                      "--step (or of --exact-for), into this new folder")
          ->check(noStream("a checkpoint, which is a folder,"))
          ->type_name("DIR");
  command.add_option("--step", step, "with --save-patched: which step, from 0")
      ->check(wholeNumber(0, std::int64_t(1) << 32))
      ->needs(save)
      ->type_name("K");
  return save;
}

void SavePatchedOptions::check(const RunRequest& request) const {
  if (!folder) return;
  if (!step) throw misuse("--save-patched", "say which step's weights: --step K");
  if (*step >= request.steps)
    throw misuse("--step", "the run has steps 0 to " + std::to_string(request.steps - 1));
  if (!request.absorbed.whole())
    throw badInput(
        "--save-patched needs the whole context absorbed: each kept token runs with a "
        "different patch, which one checkpoint cannot contain");
  if (!request.strength.whole())
    throw badInput(
        "--save-patched writes the whole patch; leave out --strength and --layers");
  makeEmptyFolder(*folder);
}

void StepKeeper::runStarted(std::shared_ptr<const RunHeader> header) {
  m_header = header;
  m_next->runStarted(std::move(header));
}

void StepKeeper::stepTaken(std::shared_ptr<const StepRecord> record) {
  if (record->step == m_step) m_kept = record;
  m_next->stepTaken(std::move(record));
}

void savePatchedStep(const SavedPatch& saved, const StepKeeper& keeper) {
  const StepRecord* step = keeper.kept();
  if (!step)
    throw badInput(
        "the run ended before the step whose weights were requested; nothing "
        "was written to " +
        saved.folder.string());
  save(saved, {.original = saved.session.checkpoint(),
               .factors = *step->factors,
               .firstPosition = step->position.value,
               .note = patchedCheckpointReadme(saved.header, *step)});
  report(saved, {{step->x, step->contextual}});
}

void savePatchedTokens(const SavedPatch& saved, const SharedPatchRecord& record) {
  std::vector<ExpectedToken> expected;
  for (const SharedTokenRecord& token : record.tokens)
    expected.push_back({token.x, {token.contextual}});
  save(saved, {.original = saved.session.checkpoint(),
               .factors = record.factors,
               .firstPosition = record.tokens.front().position.value,
               .tokens = static_cast<std::int64_t>(record.tokens.size()),
               .note = patchedCheckpointReadme(saved.header, record)});
  report(saved, expected);
}

}  // namespace equipatch::cli
