// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace equipatch {

/// How this user reaches the Hugging Face hub. Variables and files are huggingface_hub's.
struct HubSettings {
  std::string endpoint = "https://huggingface.co";  ///< HF_ENDPOINT, without trailing "/"
  /// HF_HUB_OFFLINE, or TRANSFORMERS_OFFLINE if HF_HUB_OFFLINE is not set.
  bool offline = false;
  bool tokenForbidden = false;  ///< HF_HUB_DISABLE_IMPLICIT_TOKEN: no token is sent
  /// HF_TOKEN, else HUGGING_FACE_HUB_TOKEN, else the content of the file HF_TOKEN_PATH,
  /// or of "token" in hubHome() if HF_TOKEN_PATH is not set. Empty if no token is found
  /// or `tokenForbidden` is set. No message may contain the token.
  std::string token;
  std::filesystem::path cache;  ///< the first of hubCacheFolders(); may be empty
  /// Wait before the first retry of a failed request; doubles with each retry. A
  /// server's Retry-After replaces it.
  std::chrono::milliseconds retryDelay{500};

  /// @throws Error{BadInput} naming the variable or file whose value is not valid.
  static HubSettings ofThisUser();
};

}  // namespace equipatch
