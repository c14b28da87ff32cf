#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace equipatch {

/// What Equipatch uses of the SentencePiece library, for one model. Const members may be
/// called from any thread.
///
/// The library is not linked but loaded in a symbol scope of its own: Debian's build
/// carries a Protocol Buffers of another version than libtorch's and exports it, so that
/// in one scope each would call into the other, and the program crash before main.
class SentencePieceLibrary {
 public:
  struct Piece {
    int id = 0;
    std::size_t begin = 0;  ///< bytes of the text
    std::size_t end = 0;
  };

  virtual ~SentencePieceLibrary() = default;

  /// Reads a serialized model. @returns what is wrong with it, or "".
  virtual std::string load(std::string_view model) = 0;

  virtual int bos() const = 0;  ///< −1 where the model has none
  virtual int eos() const = 0;
  virtual int size() const = 0;
  virtual std::string piece(int id) const = 0;  ///< 0 ≤ id < size(), here and below
  virtual bool isControl(int id) const = 0;
  virtual bool isUnknown(int id) const = 0;
  virtual bool isByte(int id) const = 0;
  /// @returns what went wrong, or "".
  virtual std::string encode(std::string_view text, std::vector<Piece>& pieces) const = 0;
};

/// Without a model yet. @throws Error{Resource} when the module cannot be loaded.
std::unique_ptr<SentencePieceLibrary> openSentencePieceLibrary();

}  // namespace equipatch
