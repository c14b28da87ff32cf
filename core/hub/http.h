// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>

#include "core/base/progress.h"

namespace equipatch {

struct HttpRequest {
  std::string url;
  std::string token = {};  ///< sent as a bearer token to the URL's own origin only
  bool headOnly = false;   ///< HEAD, which follows redirects only within its origin
  std::uint64_t from = 0;  ///< offset of the first byte to send (Range)
};

/// The status and header fields of an answer.
struct HttpHead {
  long status = 0;
  std::string url;  ///< of the server that answered, after any redirects
  /// By name in lower case. "retry-after" is in seconds, even if the server sends a
  /// future date.
  std::map<std::string, std::string> fields;

  /// Empty when the answer has no such field.
  std::string field(const std::string& name) const;
};

/// One download. HttpClient calls it on the thread of `run`; an exception from any
/// function ends all transfers.
class HttpTransfer {
 public:
  virtual ~HttpTransfer() = default;

  enum class Start { Now, Later, NotNeeded };
  /// Called before the first request, about ten times per second until it no longer
  /// returns `Later`.
  virtual Start start() { return Start::Now; }
  virtual HttpRequest request() = 0;
  /// Called for each answer, also for a redirect that is followed next.
  virtual void answered(const HttpHead& head) = 0;
  /// Bytes of the body of an answer with status 2xx.
  virtual void received(std::span<const std::byte> bytes) = 0;
  /// @param url of the request, or of the last redirect that was followed
  /// @param problem why the connection failed, in libcurl's words; empty when the answer
  /// is complete
  /// @returns how long to wait before `request` is called again; nothing when the
  /// transfer is over
  virtual std::optional<std::chrono::milliseconds> ended(const std::string& url,
                                                         const std::string& problem) = 0;
};

/// Runs transfers over HTTP and HTTPS on the calling thread. Servers' certificates are
/// always verified; proxies come from the environment (https_proxy, no_proxy). At most
/// five redirects are followed, never from HTTPS to HTTP.
class HttpClient {
 public:
  /// Runs all transfers, at most `parallel` at a time, to their ends.
  /// @throws Error{Cancelled} soon after `progress` requests a stop; any error that a
  /// transfer throws; Error{BadInput} when a request's URL is not one of HTTP or HTTPS;
  /// Error{Resource} for a sixth redirect, for a redirect from HTTPS to HTTP or to an
  /// invalid URL, and when libcurl cannot be used.
  static void run(std::span<HttpTransfer* const> transfers, int parallel,
                  const Progress& progress);
};

/// "https://host:port" of a URL, with the scheme's default port if the URL has none;
/// empty for anything but a URL of HTTP or HTTPS.
std::string originOf(const std::string& url);

/// Encodes a text for a URL's path: all bytes but letters, digits and "-._~/" become %XX.
std::string inUrl(const std::string& text);

}  // namespace equipatch
