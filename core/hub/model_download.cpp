// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hub/model_download.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <system_error>
#include <vector>

#include "core/base/descriptor.h"
#include "core/base/hash.h"
#include "core/base/number_format.h"
#include "core/base/paths.h"
#include "core/base/write_failure.h"
#include "core/hub/hub_cache.h"

namespace equipatch {
namespace {

namespace fs = std::filesystem;

constexpr int kParallel = 4;
constexpr std::size_t kPiece = std::size_t{1} << 20;

/// The SHA-256 of a file, or its git blob hash if the expected hash has 40 digits.
class FileHash {
 public:
  explicit FileHash(const HubFile& file)
      : m_isGit(file.hash.size() == 40),
        m_bytes(file.bytes),
        m_context(EVP_MD_CTX_new()) {
    restart();
  }

  void restart() {
    const bool isReady =
        m_context && EVP_DigestInit_ex(m_context.get(),
                                       m_isGit ? EVP_sha1() : EVP_sha256(), nullptr) == 1;
    if (!isReady)
      throw Error(ErrorKind::Resource, "OpenSSL cannot compute a hash; free some memory");
    if (!m_isGit) return;
    const std::string header = "blob " + std::to_string(m_bytes);
    // Git also hashes the zero byte that ends the header.
    EVP_DigestUpdate(m_context.get(), header.c_str(), header.size() + 1);
  }
  void add(std::span<const std::byte> bytes) {
    EVP_DigestUpdate(m_context.get(), bytes.data(), bytes.size());
  }
  std::string hexadecimal() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_DigestFinal_ex(m_context.get(), digest.data(), &size);
    return equipatch::hexadecimal(std::span(digest).first(size));
  }

 private:
  struct End {
    void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
  };
  bool m_isGit;
  std::uint64_t m_bytes;
  std::unique_ptr<EVP_MD_CTX, End> m_context;
};

/// Reports how many bytes of all files are on the disk, and the rate of this download.
class Meter {
 public:
  Meter(std::string name, std::uint64_t whole, std::uint64_t done, Progress& progress)
      : m_name(std::move(name)), m_whole(whole), m_done(done), m_progress(progress) {}

  /// Adds bytes on the disk; negative if a file is started over.
  void add(std::int64_t bytes) {
    m_done += static_cast<std::uint64_t>(bytes);
    show();
  }
  /// Adds received bytes to the rate only.
  void receive(std::size_t bytes) { m_received += static_cast<std::int64_t>(bytes); }
  void say(const std::string& note) {
    m_note = note;
    show();
  }
  Progress& progress() { return m_progress; }

 private:
  /// Reports at most ten times per second while bytes are missing.
  void show() {
    const double seconds = m_watch.milliseconds() / 1000.0;
    if (seconds < m_nextShown && m_done < m_whole) return;
    m_nextShown = seconds + 0.1;
    std::string label = "Downloading " + m_name + ": " +
                        bytesText(static_cast<std::int64_t>(m_done)) + " of " +
                        bytesText(static_cast<std::int64_t>(m_whole));
    if (seconds > 1.0)
      label += ", " +
               bytesText(
                   static_cast<std::int64_t>(static_cast<double>(m_received) / seconds)) +
               "/s";
    if (!m_note.empty()) label += " (" + m_note + ")";
    const double whole = static_cast<double>(std::max<std::uint64_t>(m_whole, 1));
    m_progress.report(static_cast<double>(m_done) / whole, label);
  }

  std::string m_name;
  std::uint64_t m_whole;
  std::uint64_t m_done;
  std::int64_t m_received = 0;
  std::string m_note;
  double m_nextShown = 0.0;  ///< seconds
  Progress& m_progress;
  Stopwatch m_watch;
};

std::uint64_t bytesThere(const HubCacheRepository& cache, const std::string& commit,
                         const HubFile& file) {
  if (cache.has(file, commit)) return file.bytes;
  std::error_code problem;
  const fs::path part = cache.incomplete(file);
  const std::uintmax_t bytes = isFile(part) ? fs::file_size(part, problem) : 0;
  return problem || bytes > file.bytes ? 0 : bytes;
}

class BlobTransfer final : public HubTransfer {
 public:
  BlobTransfer(const HubSettings& settings, const HubModel& model, const HubFile& file,
               const HubCacheRepository& cache, Meter& meter)
      : HubTransfer(settings, model.name,
                    resolvePath(model.name.repository, model.commit, file.name),
                    file.name),
        m_wanted(file),
        m_cache(cache),
        m_meter(meter),
        m_counted(bytesThere(cache, model.commit, file)),
        m_hash(file) {}

  Start start() override;
  HttpRequest request() override;
  void received(std::span<const std::byte> bytes) override;

 protected:
  void accept(const HttpHead& head) override;
  bool isWhole() const override { return m_written == m_wanted.bytes; }
  bool complete() override;

 private:
  void openPart();
  void startOver();
  void finish();
  void count(std::uint64_t bytes) {
    m_meter.add(static_cast<std::int64_t>(bytes) - static_cast<std::int64_t>(m_counted));
    m_counted = bytes;
  }

  const HubFile& m_wanted;
  const HubCacheRepository& m_cache;
  Meter& m_meter;
  std::uint64_t m_counted;  ///< bytes of this file in the meter's sum
  FlockedFile m_lock;
  Descriptor m_file;
  FileHash m_hash;
  std::uint64_t m_written = 0;  ///< bytes written and hashed
  /// The largest `m_written` so far: `m_written` returns to 0 if a server ignores ranges.
  std::uint64_t m_mostWritten = 0;
};

/// Waits while another program, or the transfer of another file with the same content,
/// downloads the blob.
HttpTransfer::Start BlobTransfer::start() {
  const bool isFree = m_lock.tryLock(m_cache.lock(m_wanted));
  m_meter.say(isFree ? "" : m_wanted.name + " is being downloaded already");
  if (!isFree) return Start::Later;
  if (m_cache.has(m_wanted)) {
    m_lock = {};  // a file with the same content may be waiting for it
    count(m_wanted.bytes);
    return Start::NotNeeded;
  }
  openPart();
  if (!isWhole()) return Start::Now;
  finish();
  return Start::NotNeeded;
}

void BlobTransfer::openPart() {
  const fs::path path = m_cache.incomplete(m_wanted);
  m_file =
      Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666));
  struct stat state = {};
  if (!m_file.isOpen() || ::fstat(m_file.number(), &state) != 0)
    throw writeFailed(path, "the file cannot be written",
                      std::generic_category().message(errno), errno);
  if (!S_ISREG(state.st_mode))
    throw badInput(
        path.string() +
        ": expected an incomplete download, found a pipe or device; delete it");
  std::vector<std::byte> piece(kPiece);
  for (;;) {
    m_meter.progress().throwIfStopped();
    const ssize_t read = ::read(m_file.number(), piece.data(), piece.size());
    if (read < 0 && errno == EINTR) continue;
    if (read < 0)
      throw writeFailed(path, "the incomplete download cannot be read",
                        std::generic_category().message(errno), errno);
    if (read == 0) break;
    m_hash.add(std::span(piece).first(static_cast<std::size_t>(read)));
    m_written += static_cast<std::uint64_t>(read);
  }
  if (m_written > m_wanted.bytes) startOver();
  m_mostWritten = m_written;
  count(m_written);
}

void BlobTransfer::startOver() {
  m_hash.restart();
  m_written = 0;
  count(0);
  if (::ftruncate(m_file.number(), 0) != 0 || ::lseek(m_file.number(), 0, SEEK_SET) != 0)
    throw writeFailed(m_cache.incomplete(m_wanted), "the file cannot be started over",
                      std::generic_category().message(errno), errno);
}

HttpRequest BlobTransfer::request() {
  HttpRequest request = HubTransfer::request();
  request.from = m_written;
  return request;
}

void BlobTransfer::accept(const HttpHead& head) {
  constexpr long kPartial = 206;
  if (head.status >= 300) return;
  const std::string range = head.field("content-range");
  const bool goesOn = head.status == kPartial &&
                      range.starts_with("bytes " + std::to_string(m_written) + "-");
  if (head.status == kPartial && !goesOn)
    throw badInput(what() + ": the server sends " + inQuotes(range) +
                   " instead of the part that was asked for; check HF_ENDPOINT and try "
                   "again");
  if (!goesOn && m_written > 0) startOver();
}

void BlobTransfer::received(std::span<const std::byte> bytes) {
  if (bytes.size() > m_wanted.bytes - m_written)
    throw badInput(what() + ": the server sends more than the " +
                   std::to_string(m_wanted.bytes) +
                   " bytes that it announced; check HF_ENDPOINT and try again");
  for (std::span<const std::byte> rest = bytes; !rest.empty();) {
    const ssize_t count = ::write(m_file.number(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0)
      throw writeFailed(m_cache.incomplete(m_wanted), "the download cannot be written",
                        std::generic_category().message(errno), errno);
    rest = rest.subspan(static_cast<std::size_t>(count));
  }
  m_hash.add(bytes);
  m_written += bytes.size();
  if (m_written > m_mostWritten) madeProgress();
  m_mostWritten = std::max(m_mostWritten, m_written);
  m_meter.receive(bytes.size());
  count(m_written);
}

bool BlobTransfer::complete() {
  if (!isWhole()) return false;
  finish();
  return true;
}

void BlobTransfer::finish() {
  const fs::path part = m_cache.incomplete(m_wanted);
  const std::string found = m_hash.hexadecimal();
  if (found != m_wanted.hash) {
    std::error_code ignored;
    fs::remove(part, ignored);
    throw badInput(what() + ": expected a file with hash " + m_wanted.hash +
                   ", received one with " + found +
                   "; it was deleted, try again, or check HF_ENDPOINT");
  }
  if (::fsync(m_file.number()) != 0)
    throw writeFailed(part, "the download cannot be written",
                      std::generic_category().message(errno), errno);
  std::error_code failure;
  fs::rename(part, m_cache.blob(m_wanted), failure);
  if (failure)
    throw writeFailed(m_cache.blob(m_wanted), "the file cannot be put in its place",
                      failure.message(), failure.value());
  m_file = Descriptor();
  m_lock = {};
}

void requireRoom(const fs::path& cache, std::uint64_t bytes, const std::string& name) {
  std::error_code failure;
  const fs::space_info space = fs::space(cache, failure);
  if (failure || space.available >= bytes) return;
  throw Error(ErrorKind::Resource,
              name + " needs " + bytesText(static_cast<std::int64_t>(bytes)) +
                  " more in " + cache.string() + ", where " +
                  bytesText(static_cast<std::int64_t>(space.available)) +
                  " is free; free some space, or let HF_HUB_CACHE name a folder on "
                  "another disk");
}

}  // namespace

std::uint64_t missingBytes(const HubModel& model, const fs::path& cache) {
  const HubCacheRepository repository(cache, model.name.repository);
  std::uint64_t missing = 0;
  for (const HubFile& file : model.files)
    missing += file.bytes - bytesThere(repository, model.commit, file);
  return missing;
}

fs::path downloadModel(const HubSettings& settings, const HubModel& model,
                       Progress& progress) {
  const std::string& name = model.name.repository;
  const HubCacheRepository cache(settings.cache, name);
  const std::uint64_t missing = missingBytes(model, settings.cache);
  Meter meter(name, model.bytes(), model.bytes() - missing, progress);
  std::vector<std::unique_ptr<BlobTransfer>> blobs;
  std::vector<HttpTransfer*> transfers;
  for (const HubFile& file : model.files) {
    if (cache.has(file, model.commit)) continue;
    blobs.push_back(std::make_unique<BlobTransfer>(settings, model, file, cache, meter));
    transfers.push_back(blobs.back().get());
  }
  if (!transfers.empty()) {
    cache.makeFolders();
    requireRoom(settings.cache, missing, name);
    HttpClient::run(transfers, kParallel, progress);
  }
  cache.publish(model);
  return cache.snapshot(model.commit);
}

}  // namespace equipatch
