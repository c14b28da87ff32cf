// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace equipatch {

/// How this user reaches the Hugging Face hub, from the environment variables and files
/// that huggingface_hub reads.
struct HubSettings {
  std::string endpoint = "https://huggingface.co";  ///< HF_ENDPOINT, without trailing "/"
  /// HF_HUB_OFFLINE, or TRANSFORMERS_OFFLINE if HF_HUB_OFFLINE is not set.
  bool offline = false;
  bool tokenForbidden = false;  ///< HF_HUB_DISABLE_IMPLICIT_TOKEN: no token is sent
  /// HF_TOKEN, else HUGGING_FACE_HUB_TOKEN, else the content of the token file: the one
  /// that HF_TOKEN_PATH names if it is set, else "token" in hubHome(). Empty if there
  /// is none or `tokenForbidden` is set. No message contains the token.
  std::string token;
  std::filesystem::path cache;  ///< the first of hubCacheFolders(); empty: there is none
  /// Wait before a failed request is repeated for the first time; doubles each time.
  std::chrono::milliseconds retryDelay{500};

  /// @throws Error{BadInput} naming the variable or file whose value is not valid.
  static HubSettings ofThisUser();
};

}  // namespace equipatch
