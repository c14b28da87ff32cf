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
  std::string commit;          ///< of the revision
  std::vector<HubFile> files;  ///< sorted by name

  std::uint64_t bytes() const;
};

/// The URL's path of a file on the hub, with its leading "/".
std::string resolvePath(const std::string& repository, const std::string& commit,
                        const std::string& file);

/// Asks the hub for the model's files.
/// @throws Error{BadInput} when the model is missing, not accessible or without
/// config.json, the answer is malformed, or `settings` are offline; Error{Unsupported}
/// when the model has no safetensors; Error{Resource} when the hub cannot be reached;
/// Error{Cancelled}.
HubModel readHubModel(const HubSettings& settings, const HubName& name,
                      Progress& progress);

}  // namespace equipatch
