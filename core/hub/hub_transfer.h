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

struct HubName {
  std::string repository;         ///< "google/gemma-3-1b-it", "gpt2"
  std::string revision = "main";  ///< branch, tag or commit

  /// @param word "owner/name" or "name", optionally followed by "@revision"
  /// @param revision overrides the revision in `word` unless empty
  /// @throws Error{BadInput} for a malformed repository or revision.
  static HubName parse(const std::string& word, const std::string& revision = {});
};

/// A request to the hub. The request is repeated after a broken connection, an incomplete
/// answer, status 429 (too many requests) or a server error (5xx). The transfer throws
/// an Error after four attempts without a new byte, if the server asks to wait for more
/// than five minutes, and at any other status of 400 and above.
class HubTransfer : public HttpTransfer {
 public:
  /// @param settings must outlive this
  /// @param path the URL after the endpoint, with its leading "/"
  /// @param file the model's file that is requested; empty for the model itself
  HubTransfer(const HubSettings& settings, HubName name, std::string path,
              std::string file);

  HttpRequest request() override;
  void answered(const HttpHead& head) final;
  std::optional<std::chrono::milliseconds> ended(const std::string& url,
                                                 const std::string& problem) final;

 protected:
  /// Called for each answer with status 2xx or 3xx, also for a redirect that is followed.
  virtual void accept(const HttpHead& head) = 0;
  /// True if all bytes have arrived; a broken connection is then no error.
  virtual bool isWhole() const { return false; }
  /// Called at the end of a complete answer, or of any answer if isWhole() is true.
  /// @returns false to repeat the request
  virtual bool complete() { return true; }
  /// Restarts the count of attempts. Call this when bytes arrive that no earlier attempt
  /// received.
  void madeProgress() { m_attempts = 0; }

  const std::string& file() const { return m_file; }
  /// "google/gemma-3-1b-it, config.json"
  std::string what() const;

 private:
  Error refusal(const HttpHead& head) const;
  std::chrono::milliseconds nextWait(const std::string& url, const std::string& problem);

  const HubSettings& m_settings;
  HubName m_name;
  std::string m_path;
  std::string m_file;
  int m_attempts = 0;
  std::string m_busy;  ///< why the last answer cannot be used; empty if it can
  std::optional<std::chrono::seconds> m_retryAfter;
};

/// Receives an answer into a string; more than kMostJsonBytes is an Error{BadInput}. Each
/// attempt starts at the answer's first byte, so `received` does not call `madeProgress`.
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
