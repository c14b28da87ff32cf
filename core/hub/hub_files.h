// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/hub/hub_answers.h"
#include "core/hub/hub_transfer.h"

namespace equipatch {

/// The files of a model on the hub that Equipatch needs: configuration, tokenizer, chat
/// template, image processor and safetensors; no pickled weights.
struct HubModel {
  HubName name;
  std::string commit;          ///< to which the revision points
  std::vector<HubFile> files;  ///< sorted by name

  std::uint64_t bytes() const;
};

/// The path in the URL of a file on the hub, at a commit, with its leading "/".
std::string resolvePath(const std::string& repository, const std::string& commit,
                        const std::string& file);

/// Reads the list of files, with their sizes and hashes.
/// @throws Error{BadInput} when there is no such model, it may not be read, it has no
/// config.json, the answer is malformed, or `settings` are offline; Error{Unsupported}
/// when it has no safetensors; Error{Resource} when the hub cannot be reached;
/// Error{Cancelled}.
HubModel readHubModel(const HubSettings& settings, const HubName& name,
                      Progress& progress);

}  // namespace equipatch
