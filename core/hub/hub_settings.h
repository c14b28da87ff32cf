// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace equipatch {

/// How this user reaches the Hugging Face hub, from the environment variables and files
/// that huggingface_hub reads.
struct HubSettings {
  std::string endpoint = "https://huggingface.co";  ///< HF_ENDPOINT, without a last "/"
  bool offline = false;                             ///< HF_HUB_OFFLINE
  /// HF_TOKEN, or the file that HF_TOKEN_PATH names or "token" in HF_HOME; empty: none,
  /// or HF_HUB_DISABLE_IMPLICIT_TOKEN is set. Never part of a message.
  std::string token;
  std::filesystem::path cache;  ///< see hubCacheFolders
  /// Wait before a failed request is repeated for the first time; doubles each time.
  std::chrono::milliseconds retryDelay{500};

  /// @throws Error{BadInput} naming the variable or file whose value is not valid.
  static HubSettings ofThisUser();
};

}  // namespace equipatch
