#include "core/base/large_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "tests/support/test_case.h"

using namespace equipatch;

namespace {

/// Whether the system notes of the mapping that holds `address` that large pages are
/// wanted ("hg" among its flags); nothing where it notes no flags.
std::optional<bool> wantsLargePages(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> begin >> dash >> end && dash == '-')
      inside = begin <= at && at < end;
    if (inside && line.starts_with("VmFlags:"))
      return line.find(" hg") != std::string::npos;
  }
  return std::nullopt;
}

}  // namespace

class tst_large_pages : public equipatch::test::TestCase {
  Q_OBJECT
 private Q_SLOTS:
  void theSystemIsAsked();
  void contentStays();
  void smallPiecesAreLeftAlone();
};

void tst_large_pages::theSystemIsAsked() {
  if (!std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"))
    QSKIP("this system has no large pages to ask for");
  constexpr std::size_t kSize = std::size_t{16} << 20;
  const auto memory = std::make_unique_for_overwrite<std::byte[]>(kSize);
  preferLargePages({memory.get(), kSize});
  const auto wanted = wantsLargePages(memory.get() + kSize / 2);
  if (!wanted) QSKIP("this system does not tell the flags of memory");
  QVERIFY(*wanted);
}

void tst_large_pages::contentStays() {
  constexpr std::size_t kSize = std::size_t{8} << 20;
  const auto memory = std::make_unique<unsigned char[]>(kSize);
  for (std::size_t i = 0; i < kSize; ++i) memory[i] = static_cast<unsigned char>(i * 31);
  preferLargePages(std::as_bytes(std::span(memory.get(), kSize)));
  for (std::size_t i = 0; i < kSize; i += 4099)
    QCOMPARE(memory[i], static_cast<unsigned char>(i * 31));
}

void tst_large_pages::smallPiecesAreLeftAlone() {
  constexpr std::size_t kSize = std::size_t{1} << 20;
  const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  // Pages of their own, of which nobody else has asked for anything.
  const auto unmap = [](void* memory) { ::munmap(memory, kSize); };
  const std::unique_ptr<void, decltype(unmap)> memory(
      ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      unmap);
  QVERIFY(memory.get() != MAP_FAILED);
  auto* bytes = static_cast<std::byte*>(memory.get());
  preferLargePages({});
  preferLargePages({bytes + 1, 2 * page - 2});  // no whole page
  const auto wanted = wantsLargePages(bytes);
  if (!wanted) QSKIP("this system does not tell the flags of memory");
  QVERIFY(!*wanted);
}

EQUIPATCH_TEST(tst_large_pages)
#include "tst_large_pages.moc"
