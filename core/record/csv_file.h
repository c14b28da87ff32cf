#pragma once

#include <filesystem>
#include <string>

#include "core/record/export_columns.h"
#include "core/record/output_file.h"

namespace equipatch {

/// The shortest text that reads back as the same number.
std::string csvNumber(float number);

/// A table of comma-separated values, as pandas reads it: UTF-8, its headings those of
/// the first row. Takes its name in `finish`, as an OutputFile does.
class CsvFile {
 public:
  /// @throws Error{Resource} naming the path when it cannot be written.
  explicit CsvFile(const std::filesystem::path& path) : m_file(path) {}

  void add(const ExportRow& row);
  void finish() { m_file.finish(); }

 private:
  OutputFile m_file;
  bool m_begun = false;
};

}  // namespace equipatch
