// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace equipatch {

enum class ErrorKind {
  BadInput,     ///< a file or a request that is damaged, inconsistent or out of range
  Unsupported,  ///< well-formed, but not implemented
  Numeric,      ///< the computation itself failed (NaN, Inf, overflow)
  Resource,     ///< memory, a disk, a device or the network failed
  Cancelled,    ///< stopped on request, which is not a failure
};

/// The exception for failures; a std::logic_error is a mistake in the program. `what()`
/// is a single sentence for the user: it names the thing, what was expected, what was
/// found and what to do next. The sentence is one line of UTF-8 without control
/// characters other than tabs, whatever names from files it contains.
/// Catch an error only to show it, to add a name to its sentence, to clean up, or to go
/// on without something optional.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence);

  ErrorKind kind() const { return m_kind; }

  /// The same error with `context` in front: "model.safetensors: …".
  Error within(const std::string& context) const;

 private:
  ErrorKind m_kind;
};

Error badInput(const std::string& sentence);
Error unsupported(const std::string& sentence);

/// Text from a file for use in a message: in double quotes, on one line, of bounded
/// length, as well-formed UTF-8.
std::string inQuotes(std::string_view text);

}  // namespace equipatch
