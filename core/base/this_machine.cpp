#include "core/base/this_machine.h"

#include <sys/utsname.h>

#include <chrono>
#include <ctime>
#include <fstream>

namespace equipatch {

std::string processorName(const std::filesystem::path& root) {
  std::ifstream info(root / "proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      if (const std::size_t colon = line.find(": "); colon != std::string::npos)
        return line.substr(colon + 2);
  utsname system{};
  return ::uname(&system) == 0 ? system.machine : std::string();
}

std::string utcNow() {
  const std::time_t now =
      std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[sizeof "2026-11-21T08:30:00Z"] = {};
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace equipatch
