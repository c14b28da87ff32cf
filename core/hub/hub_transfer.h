// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/base/error.h"
#include "core/hub/http.h"
#include "core/hub/hub_settings.h"

namespace equipatch {

/// A model on the hub.
struct HubName {
  std::string repository;         ///< "google/gemma-3-1b-it", "gpt2"
  std::string revision = "main";  ///< branch, tag or commit

  /// @param word "owner/name", "owner/name@revision", or either without an owner
  /// @param revision overrides the one in `word`; may be empty
  /// @throws Error{BadInput} for a malformed repository, and for a revision that is not
  /// made of letters, digits and "-_./+" or would not be safe as a path.
  static HubName parse(const std::string& word, const std::string& revision = {});
};

/// A request to the hub. Repeats it after a broken connection, an incomplete answer, "too
/// many requests" (429) and a server error (5xx). Gives up after four attempts without a
/// new byte, or if the server asks to wait for more than five minutes. Any other refusal
/// is an Error that says what to do.
class HubTransfer : public HttpTransfer {
 public:
  /// @param settings must outlive this
  /// @param path of the URL after the endpoint, with its leading "/"
  /// @param file the model's file that is requested; empty: the model itself
  HubTransfer(const HubSettings& settings, HubName name, std::string path,
              std::string file);

  HttpRequest request() override;
  void answered(const HttpHead& head) final;
  std::optional<std::chrono::milliseconds> ended(const std::string& url,
                                                 const std::string& problem) final;

 protected:
  /// Called for each answer with status 2xx or 3xx; after a redirect that is followed,
  /// again for the next answer.
  virtual void accept(const HttpHead& head) = 0;
  /// True if everything has arrived. A broken connection is then no error.
  virtual bool isWhole() const { return false; }
  /// Called when the answer is complete or isWhole() is true.
  /// @returns false to repeat the request
  virtual bool complete() { return true; }
  /// Restarts the count of attempts, because bytes arrived that no attempt had received.
  void madeProgress() { m_attempts = 0; }

  const std::string& file() const { return m_file; }
  /// "google/gemma-3-1b-it, config.json"
  std::string what() const;

 private:
  Error refusal(const HttpHead& head) const;
  /// @param url of the server that has the problem
  std::chrono::milliseconds nextWait(const std::string& url, const std::string& problem);

  const HubSettings& m_settings;
  HubName m_name;
  std::string m_path;
  std::string m_file;
  int m_attempts = 0;
  /// Why the last answer cannot be used; empty if it can.
  std::string m_busy;
  /// How long the server asks to wait before the next attempt.
  std::optional<std::chrono::seconds> m_retryAfter;
};

/// Receives a small answer into a string; more than kMostJsonBytes is an Error{BadInput}.
/// A repeated request receives the answer from its first byte, so received bytes do not
/// restart the count of attempts.
class HubPage final : public HubTransfer {
 public:
  using HubTransfer::HubTransfer;
  void received(std::span<const std::byte> bytes) override;
  const std::string& text() const { return m_text; }

 protected:
  void accept(const HttpHead&) override { m_text.clear(); }

 private:
  std::string m_text;
};

}  // namespace equipatch
