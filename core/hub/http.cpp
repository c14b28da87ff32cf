// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/http.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/paths.h"
#include "core/base/strings.h"

namespace equipatch {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kMostRedirects = 5;
constexpr std::size_t kMostFields = 256;
constexpr long kConnectSeconds = 30;
constexpr long kStalledSeconds = 60;  // without a single byte
/// The longest wait between checks for stop requests and for transfers that are due.
constexpr std::chrono::milliseconds kTick{100};

struct EasyEnd {
  void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct MultiEnd {
  void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct ListEnd {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
struct UrlEnd {
  void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
struct TextEnd {
  void operator()(char* text) const { curl_free(text); }
};
using Easy = std::unique_ptr<CURL, EasyEnd>;
using Url = std::unique_ptr<CURLU, UrlEnd>;

Error curlFails(const std::string& what) {
  return Error(ErrorKind::Resource,
               "libcurl cannot be used (" + what + "); free some memory and try again");
}

void startCurl() {
  static const CURLcode code = curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK) throw curlFails(curl_easy_strerror(code));
}

std::string partOf(const Url& url, CURLUPart part) {
  char* text = nullptr;
  if (curl_url_get(url.get(), part, &text, CURLU_DEFAULT_PORT) != CURLUE_OK) return {};
  return std::unique_ptr<char, TextEnd>(text).get();
}

Url parsed(const std::string& text) {
  Url url(curl_url());
  if (!url || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK)
    return nullptr;
  return url;
}

/// The absolute URL of `location`, which may be relative to `base`; empty: not a URL.
std::string resolved(const std::string& base, const std::string& location) {
  const Url url = parsed(base);
  if (!url || curl_url_set(url.get(), CURLUPART_URL, location.c_str(), 0) != CURLUE_OK)
    return {};
  return partOf(url, CURLUPART_URL);
}

/// The file of the CA bundle; empty: libcurl's own default.
std::string authorities() {
  for (const char* name : {"CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"})
    if (const char* file = std::getenv(name); file && *file) return file;
  for (const char* file :
       {"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"})
    if (isFile(file)) return file;
  return {};
}

bool isRedirect(const HttpHead& head) {
  constexpr long kStatuses[] = {301, 302, 303, 307, 308};
  return std::ranges::find(kStatuses, head.status) != std::end(kStatuses) &&
         !head.field("location").empty();
}

class Connection {
 public:
  Connection(HttpTransfer& transfer, CURLM* multi)
      : m_transfer(transfer), m_multi(multi) {}
  ~Connection() { stop(); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  enum class State { Waiting, Running, Over };
  State state() const { return m_state; }
  bool owns(const CURL* easy) const { return m_easy.get() == easy; }

  void startIfDue() {
    if (m_state != State::Waiting || Clock::now() < m_due) return;
    if (!m_isStarted) {
      const HttpTransfer::Start start = m_transfer.start();
      if (start == HttpTransfer::Start::NotNeeded) m_state = State::Over;
      if (start == HttpTransfer::Start::Later) m_due = Clock::now() + kTick;
      if (start != HttpTransfer::Start::Now) return;
      m_isStarted = true;
    }
    m_request = m_transfer.request();
    m_redirects = 0;
    open();
  }

  /// Called when libcurl has finished a request. Rethrows an exception that `guarded` has
  /// caught.
  void ended(CURLcode code) {
    stop();
    if (m_thrown) std::rethrow_exception(m_thrown);
    if (code == CURLE_OK && redirect()) return;
    const bool isComplete = code == CURLE_OK;
    const std::string problem = m_error[0] ? m_error : curl_easy_strerror(code);
    const auto wait =
        m_transfer.ended(m_request.url, isComplete ? std::string() : problem);
    m_state = wait ? State::Waiting : State::Over;
    if (wait) m_due = Clock::now() + *wait;
  }

 private:
  void open();
  bool redirect();
  void stop() {
    if (m_easy && m_state == State::Running)
      curl_multi_remove_handle(m_multi, m_easy.get());
    m_easy.reset();
    m_state = State::Over;
  }
  template <typename Value>
  void set(CURLoption option, Value value) {
    const CURLcode code = curl_easy_setopt(m_easy.get(), option, value);
    if (code != CURLE_OK) throw curlFails(curl_easy_strerror(code));
  }

  /// Keeps an exception in m_thrown, because none may cross libcurl's C code.
  /// @returns false if there was an exception
  template <typename Work>
  bool guarded(Work work) {
    try {
      work();
      return true;
    } catch (...) {
      m_thrown = std::current_exception();
      return false;
    }
  }
  void headLine(std::string_view line);
  static std::size_t onHead(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t onBody(char* data, std::size_t size, std::size_t count, void* self);

  HttpTransfer& m_transfer;
  CURLM* m_multi;
  Easy m_easy;
  std::unique_ptr<curl_slist, ListEnd> m_fields;
  State m_state = State::Waiting;
  bool m_isStarted = false;
  Clock::time_point m_due;
  HttpRequest m_request;
  HttpHead m_head;
  int m_redirects = 0;
  char m_error[CURL_ERROR_SIZE] = {};
  std::exception_ptr m_thrown;
};

void Connection::open() {
  if (originOf(m_request.url).empty())
    throw badInput(inQuotes(m_request.url) +
                   ": expected an address that begins with https:// or http://");
  m_easy.reset(curl_easy_init());
  if (!m_easy) throw curlFails("no memory");
  m_head = {};
  m_error[0] = '\0';
  set(CURLOPT_URL, m_request.url.c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  set(CURLOPT_USERAGENT, "equipatch");
  set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  set(CURLOPT_LOW_SPEED_LIMIT, 1L);
  set(CURLOPT_LOW_SPEED_TIME, kStalledSeconds);
  set(CURLOPT_ERRORBUFFER, static_cast<char*>(m_error));
  if (const std::string file = authorities(); !file.empty())
    set(CURLOPT_CAINFO, file.c_str());
  if (m_request.headOnly) set(CURLOPT_NOBODY, 1L);
  if (m_request.from > 0)
    set(CURLOPT_RANGE, (std::to_string(m_request.from) + "-").c_str());
  if (!m_request.token.empty()) {
    const std::string field = "Authorization: Bearer " + m_request.token;
    m_fields.reset(curl_slist_append(nullptr, field.c_str()));
    set(CURLOPT_HTTPHEADER, m_fields.get());
  }
  set(CURLOPT_HEADERFUNCTION, &Connection::onHead);
  set(CURLOPT_HEADERDATA, static_cast<void*>(this));
  set(CURLOPT_WRITEFUNCTION, &Connection::onBody);
  set(CURLOPT_WRITEDATA, static_cast<void*>(this));
  if (curl_multi_add_handle(m_multi, m_easy.get()) != CURLM_OK)
    throw curlFails("a connection cannot be added");
  m_state = State::Running;
}

/// Requests the target of a redirect. @returns false if the response is not a redirect or
/// `headOnly` forbids following it
bool Connection::redirect() {
  if (!isRedirect(m_head)) return false;
  const std::string target = resolved(m_request.url, m_head.field("location"));
  const bool isSameOrigin = originOf(target) == originOf(m_request.url);
  if (m_request.headOnly && !isSameOrigin) return false;
  // HF_ENDPOINT may begin with "HTTPS:"; originOf changes this to lower case.
  const bool losesTls =
      originOf(m_request.url).starts_with("https:") && target.starts_with("http:");
  if (target.empty() || losesTls || ++m_redirects > kMostRedirects)
    throw Error(ErrorKind::Resource,
                originOf(m_request.url) + " redirects to " +
                    inQuotes(m_head.field("location")) +
                    (losesTls ? ", which is not encrypted"
                              : ", expected at most 5 redirects to valid addresses") +
                    "; check HF_ENDPOINT and the proxy, or try again later");
  if (!isSameOrigin) m_request.token.clear();
  m_request.url = target;
  open();
  return true;
}

void Connection::headLine(std::string_view line) {
  if (line.starts_with("HTTP/")) m_head = {};  // drops the fields of a 1xx response
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos && m_head.fields.size() < kMostFields)
    m_head.fields[asciiLowered(trimmed(line.substr(0, colon)))] =
        trimmed(line.substr(colon + 1));
  if (!trimmed(line).empty()) return;
  curl_easy_getinfo(m_easy.get(), CURLINFO_RESPONSE_CODE, &m_head.status);
  m_head.url = m_request.url;
  curl_off_t wait = 0;  // libcurl converts an HTTP date to seconds
  curl_easy_getinfo(m_easy.get(), CURLINFO_RETRY_AFTER, &wait);
  if (wait > 0) m_head.fields["retry-after"] = std::to_string(wait);
  if (m_head.status >= 200) m_transfer.answered(m_head);
}

std::size_t Connection::onHead(char* data, std::size_t size, std::size_t count,
                               void* self) {
  auto& connection = *static_cast<Connection*>(self);
  const std::string_view line(data, size * count);
  return connection.guarded([&] { connection.headLine(line); }) ? line.size() : 0;
}

std::size_t Connection::onBody(char* data, std::size_t size, std::size_t count,
                               void* self) {
  auto& connection = *static_cast<Connection*>(self);
  const std::span<const char> bytes(data, size * count);
  const long status = connection.m_head.status;
  if (status < 200 || status >= 300) return bytes.size();
  const bool isTaken =
      connection.guarded([&] { connection.m_transfer.received(std::as_bytes(bytes)); });
  return isTaken ? bytes.size() : CURL_WRITEFUNC_ERROR;
}

}  // namespace

std::string HttpHead::field(const std::string& name) const {
  const auto found = fields.find(name);
  return found == fields.end() ? std::string() : found->second;
}

void HttpClient::run(std::span<HttpTransfer* const> transfers, int parallel,
                     const Progress& progress) {
  startCurl();
  const std::unique_ptr<CURLM, MultiEnd> multi(curl_multi_init());
  if (!multi) throw curlFails("no memory");
  std::vector<std::unique_ptr<Connection>> connections;
  for (HttpTransfer* transfer : transfers)
    connections.push_back(std::make_unique<Connection>(*transfer, multi.get()));
  const auto count = [&](Connection::State state) {
    return std::ranges::count_if(
        connections, [state](const auto& one) { return one->state() == state; });
  };
  while (count(Connection::State::Over) < std::ssize(connections)) {
    progress.throwIfStopped();
    for (const auto& connection : connections)
      if (count(Connection::State::Running) < parallel) connection->startIfDue();
    int running = 0;
    if (curl_multi_perform(multi.get(), &running) != CURLM_OK)
      throw curlFails("the connections cannot be served");
    int left = 0;
    while (const CURLMsg* message = curl_multi_info_read(multi.get(), &left)) {
      if (message->msg != CURLMSG_DONE) continue;
      const CURLcode code = message->data.result;
      const auto owner = std::ranges::find_if(
          connections, [&](const auto& one) { return one->owns(message->easy_handle); });
      if (owner != connections.end()) (*owner)->ended(code);
    }
    curl_multi_poll(multi.get(), nullptr, 0, static_cast<int>(kTick.count()), nullptr);
  }
}

std::string originOf(const std::string& text) {
  const Url url = parsed(text);
  if (!url) return {};
  const std::string scheme = partOf(url, CURLUPART_SCHEME);
  if (scheme != "http" && scheme != "https") return {};
  return scheme + "://" + asciiLowered(partOf(url, CURLUPART_HOST)) + ":" +
         partOf(url, CURLUPART_PORT);
}

std::string inUrl(const std::string& text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string url;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos)
      url += c;
    else
      url += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return url;
}

}  // namespace equipatch
