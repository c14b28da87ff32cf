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
  bool headOnly = false;   ///< HEAD; follows only redirects to the same origin
  std::uint64_t from = 0;  ///< offset of the first byte wanted (Range)
};

/// The status and header fields of a response.
struct HttpHead {
  long status = 0;
  std::string url;  ///< of the request that this response answers
  /// The keys are names in lower case. "retry-after" is in seconds, even if the server
  /// sent a future date.
  std::map<std::string, std::string> fields;

  /// Empty: the response has no such field.
  std::string field(const std::string& name) const;
};

/// One download. HttpClient::run calls these functions on its caller's thread. An
/// exception from any of them ends all transfers.
class HttpTransfer {
 public:
  virtual ~HttpTransfer() = default;

  enum class Start { Now, Later, NotNeeded };
  /// Called before the first request; after `Later`, called again, at most ten times per
  /// second.
  virtual Start start() { return Start::Now; }
  virtual HttpRequest request() = 0;
  /// Called for each response except 1xx, also for redirects.
  virtual void answered(const HttpHead& head) = 0;
  /// Bytes of the body of a response with status 2xx.
  virtual void received(std::span<const std::byte> bytes) = 0;
  /// @param url of the request, or the target of the last redirect that was followed
  /// @param problem why the connection failed, in libcurl's words; empty: the response is
  /// complete
  /// @returns how long to wait before `request` is called again; empty: the transfer is
  /// over
  virtual std::optional<std::chrono::milliseconds> ended(const std::string& url,
                                                         const std::string& problem) = 0;
};

/// Runs transfers over HTTP and HTTPS. Servers' certificates are always verified; proxies
/// come from the environment (https_proxy, no_proxy).
class HttpClient {
 public:
  /// Returns when all transfers are over. At most `parallel` run at a time.
  /// @throws Error{Cancelled} soon after `progress` requests a stop; any error that a
  /// transfer throws; Error{BadInput} when a request's URL is not one of HTTP or HTTPS;
  /// Error{Resource} for a sixth redirect, for a redirect from HTTPS to HTTP or to an
  /// invalid URL, and when libcurl cannot be used.
  static void run(std::span<HttpTransfer* const> transfers, int parallel,
                  const Progress& progress);
};

/// "https://host:port" of a URL, in lower case, with the scheme's default port if the URL
/// has none. Empty if the text is not a URL of HTTP or HTTPS.
std::string originOf(const std::string& url);

/// The text percent-encoded for a URL's path. "/" stays.
std::string inUrl(const std::string& text);

}  // namespace equipatch
