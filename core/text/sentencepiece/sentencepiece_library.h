// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

/// The part of the SentencePiece library that Equipatch uses, for one model. Const
/// members may be called from any thread.
///
/// The library is not linked but loaded at run time into a symbol scope of its own:
/// Debian's build and libtorch export the functions of different versions of Protocol
/// Buffers. In one scope, the two libraries would call each other's functions and crash.
class SentencePieceLibrary {
 public:
  struct Piece {
    int id = 0;
    std::size_t begin = 0;  ///< byte offsets in the text
    std::size_t end = 0;
  };

  virtual ~SentencePieceLibrary() = default;

  /// Reads a serialized model. @returns an error message, or "".
  virtual std::string load(std::string_view model) = 0;

  virtual int bos() const = 0;  ///< −1: none
  virtual int eos() const = 0;  ///< −1: none
  virtual int size() const = 0;
  virtual std::string piece(int id) const = 0;  ///< 0 ≤ id < size(), here and below
  virtual bool isControl(int id) const = 0;
  virtual bool isUnknown(int id) const = 0;
  virtual bool isByte(int id) const = 0;
  /// Appends the pieces of `text` to `pieces`. @returns an error message, or "".
  virtual std::string encode(std::string_view text, std::vector<Piece>& pieces) const = 0;
};

/// Creates an instance without a model. @throws Error{Resource} when the library cannot
/// be loaded.
std::unique_ptr<SentencePieceLibrary> openSentencePieceLibrary();

}  // namespace equipatch
