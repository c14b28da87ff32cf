// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/hub_transfer.h"

#include <algorithm>

#include "core/base/json.h"
#include "core/base/number_from.h"

namespace equipatch {
namespace {

constexpr int kMostAttempts = 4;
constexpr std::chrono::seconds kLongestWait{300};

bool isAlphanumericOr(std::string_view text, std::string_view more) {
  return std::ranges::all_of(text, [more](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           more.find(c) != std::string_view::npos;
  });
}

/// Similar to huggingface_hub's validate_repo_id. The limit on the owner's length keeps
/// the name of the cache folder valid.
bool isRepository(const std::string& text) {
  constexpr std::size_t kLongest = 96;
  const std::size_t slash = text.find('/');
  const auto isWord = [](std::string_view word) {
    return !word.empty() && word.size() <= kLongest && isAlphanumericOr(word, "-_.") &&
           word.front() != '-' && word.front() != '.' && word.back() != '-' &&
           word.back() != '.';
  };
  const std::string_view whole = text;
  const bool areWords = slash == std::string::npos ? isWord(whole)
                                                   : isWord(whole.substr(0, slash)) &&
                                                         isWord(whole.substr(slash + 1));
  return areWords && text.find("--") == std::string::npos &&
         text.find("..") == std::string::npos;
}

/// Accepts only paths that are safe below "refs"; git allows more characters.
bool isRevision(const std::string& text) {
  constexpr std::size_t kLongest = 200;
  return !text.empty() && text.size() <= kLongest && isAlphanumericOr(text, "-_./+") &&
         text.find("..") == std::string::npos && text.find("//") == std::string::npos &&
         text.front() != '/' && text.front() != '.' && text.back() != '/';
}

/// True if the connection is encrypted or stays on this machine, so that a token may be
/// sent.
bool isPrivate(const std::string& endpoint) {
  const std::string origin = originOf(endpoint);
  return origin.starts_with("https:") || origin.starts_with("http://localhost:") ||
         origin.starts_with("http://127.0.0.1:") || origin.starts_with("http://[::1]:");
}

std::optional<std::chrono::seconds> secondsOf(const std::string& text) {
  const auto seconds = numberFrom<std::int64_t>(text);
  if (!seconds || *seconds < 0) return std::nullopt;
  return std::chrono::seconds(*seconds);
}

}  // namespace

HubName HubName::parse(const std::string& word, const std::string& revision) {
  HubName name;
  const std::size_t at = word.find('@');
  name.repository = word.substr(0, at);
  if (!revision.empty())
    name.revision = revision;
  else if (at != std::string::npos)
    name.revision = word.substr(at + 1);
  if (!isRepository(name.repository))
    throw badInput(
        inQuotes(word) +
        " cannot be the name of a model on the hub; expected \"owner/name\" as "
        "its page shows it, for example google/gemma-3-1b-it");
  if (!isRevision(name.revision))
    throw badInput(inQuotes(name.revision) + " cannot be a revision of " +
                   name.repository +
                   "; expected a branch, a tag or a commit of letters, digits and "
                   "-_./+");
  return name;
}

HubTransfer::HubTransfer(const HubSettings& settings, HubName name, std::string path,
                         std::string file)
    : m_settings(settings),
      m_name(std::move(name)),
      m_path(std::move(path)),
      m_file(std::move(file)) {}

HttpRequest HubTransfer::request() {
  m_busy.clear();
  m_retryAfter.reset();
  ++m_attempts;
  return {.url = m_settings.endpoint + m_path,
          .token = isPrivate(m_settings.endpoint) ? m_settings.token : std::string()};
}

void HubTransfer::answered(const HttpHead& head) {
  const bool isBusy = head.status == 429 || head.status >= 500;
  if (isBusy) {
    m_busy = "it answers " + std::to_string(head.status);
    m_retryAfter = secondsOf(head.field("retry-after"));
  } else if (head.status >= 400) {
    throw refusal(head);
  } else {
    accept(head);
  }
}

std::optional<std::chrono::milliseconds> HubTransfer::ended(const std::string& url,
                                                            const std::string& problem) {
  const std::string why = m_busy.empty() ? problem : m_busy;
  if (!why.empty() && !isWhole()) return nextWait(url, why);
  if (complete()) return std::nullopt;
  return nextWait(url, "it sent only a part of the file");
}

std::string HubTransfer::what() const {
  return m_name.repository + (m_file.empty() ? "" : ", " + m_file);
}

std::chrono::milliseconds HubTransfer::nextWait(const std::string& url,
                                                const std::string& problem) {
  const bool isTooLong = m_retryAfter.value_or(std::chrono::seconds(0)) > kLongestWait;
  if (m_attempts >= kMostAttempts || isTooLong)
    throw Error(ErrorKind::Resource,
                what() + ": " + originOf(url) + " cannot be used now (" + problem +
                    (m_retryAfter ? " and asks to wait " +
                                        std::to_string(m_retryAfter->count()) + " s"
                                  : "") +
                    "); check the connection and try again later: downloaded parts are "
                    "kept");
  if (m_retryAfter) return *m_retryAfter;
  return m_settings.retryDelay * (1 << std::max(m_attempts - 1, 0));
}

/// The hub names the reason in X-Error-Code; mirrors may give the status alone. The
/// status of a storage server after a redirect says nothing about the model.
Error HubTransfer::refusal(const HttpHead& head) const {
  const std::string code = head.field("x-error-code");
  const bool isHub = originOf(head.url) == originOf(m_settings.endpoint);
  const std::string page = m_settings.endpoint + "/" + m_name.repository;
  const std::string token =
      m_settings.tokenForbidden
          ? "unset HF_HUB_DISABLE_IMPLICIT_TOKEN, so that your token "
            "may be sent"
      : !isPrivate(m_settings.endpoint)
          ? "let HF_ENDPOINT begin with https://, because a token is only sent encrypted"
      : m_settings.token.empty()
          ? "set HF_TOKEN to a token from " + m_settings.endpoint + "/settings/tokens"
          : "check that the token (HF_TOKEN, HUGGING_FACE_HUB_TOKEN or the token file) "
            "belongs to an account with access to the model and, if it is fine-grained, "
            "may read the model";
  const std::string message = head.field("x-error-message");
  // The hub refuses even public models if the token is invalid.
  const bool isTokenInvalid =
      isHub && message == "Invalid credentials in Authorization header";
  if (isTokenInvalid && !m_settings.token.empty())
    return badInput(m_settings.endpoint +
                    " does not accept the token (HF_TOKEN, HUGGING_FACE_HUB_TOKEN or "
                    "the token file); replace it by one from " +
                    m_settings.endpoint + "/settings/tokens, or remove it");
  if (code == "GatedRepo" || (isHub && head.status == 403 && code.empty()))
    return badInput(m_name.repository +
                    " is only for those who accept its terms: accept them at " + page +
                    ", then " + token);
  if (code == "RevisionNotFound")
    return badInput(m_name.repository + " has no revision " + inQuotes(m_name.revision) +
                    "; " + page + " shows its branches and tags");
  if (code == "EntryNotFound")
    return badInput(what() + ": the repository has no such file at revision " +
                    inQuotes(m_name.revision) + "; try again, it may have just changed");
  if (code == "RepoNotFound" || (isHub && (head.status == 401 || head.status == 404)))
    return badInput(m_name.repository + ": " + m_settings.endpoint +
                    " knows no such model (status " + std::to_string(head.status) +
                    "); check its name, or, if it is private or needs consent, " + token);
  return Error(ErrorKind::Resource,
               what() + ": " + (isHub ? m_settings.endpoint : originOf(head.url)) +
                   " refuses with status " + std::to_string(head.status) +
                   (message.empty() ? "" : " and says " + inQuotes(message)) +
                   "; try again later");
}

void HubPage::received(std::span<const std::byte> bytes) {
  if (m_text.size() + bytes.size() > kMostJsonBytes)
    throw badInput(what() + ": the answer is longer than " +
                   std::to_string(kMostJsonBytes >> 20) +
                   " MiB, expected a short list; check HF_ENDPOINT");
  m_text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

}  // namespace equipatch
